// Package database opens the site's database: a SQLite file, or PostgreSQL if several machines share the work. Both are
// used through database/sql with the same statements ($1, $2, …); DB.Dialect tells them apart.
//
// A PostgreSQL that is down, or a SQLite file that is locked, damaged or on a disk that is full or read-only, does not
// stop the program: Open returns and tries again in the background; until then Ready and all writes return
// agency.ErrUnavailable. A database of a newer build does (ErrNewer). Watch looks for what happens to a database later.
package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	sqlite3 "modernc.org/sqlite/lib"

	"zedcard/internal/agency"
	"zedcard/internal/disk"
)

// Dialect is the kind of database behind a DB.
type Dialect string

// The databases that the site runs on.
const (
	SQLite   Dialect = "sqlite"
	Postgres Dialect = "postgres"
)

// DB is an open database. Until its tables are up to date, whatever is asked of it fails with agency.ErrUnavailable.
type DB struct {
	*sql.DB
	Dialect Dialect

	path      string           // of the SQLite file
	rehearsal bool             // nothing is changed for good: see Try
	connector driver.Connector // connects whether the tables are up to date or not
	log       *slog.Logger
	stop      context.CancelFunc
	retries   sync.WaitGroup

	mu      sync.Mutex
	openErr error       // why the database can't be used yet; nil: it can be used
	fault   error       // what Watch found; nil: nothing
	file    os.FileInfo // of SQLite, once it is open
	key     []byte      // that the site made
	keyErr  error       // why there is none
}

// Open opens the database that url names and brings its tables up to date.
//
//	sqlite:PATH      the file (0600) and its folder are made where they are missing
//	postgres://…     also postgresql://…, as libpq reads it
//
// An error means that the settings are wrong. What may pass is no error: it is tried again until it has passed, ctx
// ends or the DB is closed.
func Open(ctx context.Context, url string, log *slog.Logger) (*DB, error) {
	db := &DB{log: log}
	if err := db.use(url); err != nil {
		return nil, err
	}
	err := db.prepare(ctx)
	if err != nil && !db.mayPass(err) {
		return nil, errors.Join(err, db.DB.Close())
	}
	ctx, db.stop = context.WithCancel(ctx)
	if err != nil {
		log.Warn("database: not opened, retrying in the background", "error", err)
		db.setReady(err)
		db.retries.Go(func() { db.retry(ctx) })
	}
	return db, nil
}

// use makes a pool of connections, without connecting.
func (db *DB) use(url string) error {
	if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
		return db.useSQLite(path)
	}
	if strings.HasPrefix(url, "postgres://") || strings.HasPrefix(url, "postgresql://") {
		return db.usePostgres(url)
	}
	return errScheme
}

const (
	connectTimeout = 3 * time.Second
	maxConns       = 10 // to a PostgreSQL
)

func (db *DB) usePostgres(url string) error {
	config, err := postgresConfig(url)
	if err != nil {
		return err
	}
	db.Dialect, db.connector = Postgres, stdlib.GetConnector(*config)
	db.DB = sql.OpenDB(gate{db})
	db.SetMaxOpenConns(maxConns)
	db.SetMaxIdleConns(maxConns)
	db.SetConnMaxLifetime(5 * time.Minute) // so that they follow a server that has moved
	return nil
}

func postgresConfig(url string) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, err // pgx's error has no password
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	if !strings.Contains(url, "default_query_exec_mode=") { // a pool such as PgBouncer shares connections, and with
		config.DefaultQueryExecMode = pgx.QueryExecModeExec // them the names of prepared statements
	}
	return config, nil
}

// prepare makes a missing file and brings the tables up to date.
func (db *DB) prepare(ctx context.Context) error {
	if db.Dialect == Postgres {
		ctx, cancel := context.WithTimeout(ctx, 4*connectTimeout)
		defer cancel()
		return db.explain(db.migrate(ctx))
	}
	err := makePrivate(db.path)
	if err == nil {
		err = db.migrate(ctx)
	}
	if err == nil {
		err = db.adopt()
	}
	return db.explain(err)
}

// mayPass tells what may pass, such as a full disk, a locked or damaged file or a server that is down or starting, from
// what stops the start: no such user, password or database, one of a newer build, or a file that can't be used.
func (db *DB) mayPass(err error) bool {
	if errors.Is(err, ErrNewer) {
		return false
	}
	if db.Dialect == Postgres {
		code := postgresCode(err)
		return !strings.HasPrefix(code, "28") && code != "3D000"
	}
	switch sqliteCode(err) {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR,
		sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return true
	}
	return disk.MayPass(err)
}

var (
	errScheme = errors.New("the address must begin with sqlite: or postgres://")
	errNoFile = errors.New("sqlite: names no file")
)

// gate connects once the database can be used.
type gate struct{ db *DB }

// Driver implements driver.Connector.
func (g gate) Driver() driver.Driver { return g.db.connector.Driver() }

// Connect implements driver.Connector.
func (g gate) Connect(ctx context.Context) (driver.Conn, error) {
	if err := g.db.Opened(); err != nil {
		return nil, err
	}
	return g.db.connector.Connect(ctx)
}

// Ready is an error that wraps agency.ErrUnavailable while the database could not be opened since the start, or Watch
// finds that nothing can be stored.
func (db *DB) Ready() error {
	if err := db.Opened(); err != nil {
		return err
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	if errors.Is(db.fault, agency.ErrUnavailable) {
		return db.fault
	}
	if db.fault != nil {
		return fmt.Errorf("database: %w: %w", agency.ErrUnavailable, db.fault)
	}
	return nil
}

// Opened is an error that wraps agency.ErrUnavailable while the database could not be opened since the start.
func (db *DB) Opened() error {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.openErr != nil {
		return fmt.Errorf("database: not yet open: %w: %w", agency.ErrUnavailable, db.openErr)
	}
	return nil
}

func (db *DB) setReady(err error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.openErr = err
}

// How long to wait between two tries to open the database.
const (
	firstRetry = 250 * time.Millisecond
	lastRetry  = 5 * time.Second
)

func (db *DB) retry(ctx context.Context) {
	for wait := firstRetry; ; wait = min(2*wait, lastRetry) {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		err := db.prepare(ctx)
		db.setReady(err)
		if err == nil {
			db.log.Info("database: open")
			return
		}
	}
}

// Close ends Watch, stops trying to connect and closes all connections.
func (db *DB) Close() error {
	db.stop()
	db.retries.Wait()
	return db.DB.Close()
}

// InTx runs do in one transaction, which is committed when do returns nil. It returns nil only if a program that starts
// now would find what was stored.
func (db *DB) InTx(ctx context.Context, do func(*sql.Tx) error) error {
	if err := db.inPlace(); err != nil {
		return err
	}
	err := inTx(ctx, db.DB, do)
	if isReadOnly(err) {
		db.SetMaxIdleConns(0) // closes those that lead to a server that takes no writes
		db.SetMaxIdleConns(maxConns)
	}
	if err == nil {
		err = db.inPlace()
	}
	return err
}

func inTx(ctx context.Context, pool *sql.DB, do func(*sql.Tx) error) error {
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after a commit there is nothing to roll back
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// Lock is held by one transaction of all processes on a database. Its number is the one of a PostgreSQL advisory lock.
type Lock int64

// The numbers are arbitrary, but must not change: processes of two versions run side by side during an update.
const (
	migrationLock Lock = 0x7a656463617264 // "zedcard"
	MailLock      Lock = 0x7a656463617265
)

// Acquire waits for the lock and holds it until the transaction ends. In SQLite only one transaction writes at a time.
func (db *DB) Acquire(ctx context.Context, tx *sql.Tx, lock Lock) error {
	if db.Dialect == SQLite {
		return nil
	}
	_, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", int64(lock))
	return err
}

// ErrLogInUse is the error of EmptyLog while another process reads the database's file.
var ErrLogInUse = errors.New("another process reads the database's file")

// Scrub removes deleted rows of the submissions' tables from the database's files. SQLite has overwritten them
// (secure_delete), and Scrub empties its log; PostgreSQL rewrites the tables.
func (db *DB) Scrub(ctx context.Context) error {
	if db.Dialect == SQLite {
		return db.EmptyLog(ctx)
	}
	for _, table := range []string{"submission_part", "submission_address", "mail", "submission"} {
		if _, err := db.ExecContext(ctx, "VACUUM FULL "+table); err != nil {
			return err
		}
	}
	return nil
}

// EmptyLog removes what SQLite's log still has of deleted rows. It never waits for a reader, because forms would wait
// with it.
func (db *DB) EmptyLog(ctx context.Context) error {
	if db.Dialect != SQLite {
		return nil
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "PRAGMA busy_timeout = 0"); err != nil {
		return err
	}
	var busy, frames, moved int
	err = conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved)
	if _, err := conn.ExecContext(context.WithoutCancel(ctx), "PRAGMA busy_timeout = "+busyTimeout); err != nil {
		return err
	}
	if err == nil && busy != 0 {
		return ErrLogInUse
	}
	return err
}
