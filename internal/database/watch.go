package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"zedcard/internal/agency"
)

const (
	watchInterval = 2 * time.Second
	probeTimeout  = 3 * time.Second
)

// Watch tries every two seconds, until ctx ends or the DB is closed, whether something can be stored. While it can't,
// Ready says why, and the log has said it once.
func (db *DB) Watch(ctx context.Context, probe func(context.Context) error) {
	ctx, stop := context.WithCancel(ctx)
	stopRetries := db.stop
	db.stop = func() { stop(); stopRetries() }
	db.retries.Go(func() {
		for {
			db.look(ctx, probe)
			select {
			case <-ctx.Done():
				return
			case <-time.After(watchInterval):
			}
		}
	})
}

func (db *DB) look(ctx context.Context, probe func(context.Context) error) {
	if db.Opened() != nil {
		return // which Ready says
	}
	probeCtx, cancel := context.WithTimeout(ctx, probeTimeout)
	err := db.explain(probe(probeCtx))
	cancel()
	if db.isBusy(err) || ctx.Err() != nil {
		return // somebody else writes for a long time
	}
	db.mu.Lock()
	before := db.fault
	db.fault = err
	db.mu.Unlock()
	switch {
	case err != nil && (before == nil || before.Error() != err.Error()):
		db.log.Error("database: nothing can be stored, forms answer 503", "error", err)
	case err == nil && before != nil:
		db.log.Info("database: right again")
	}
}

// adopt remembers which SQLite file was opened.
func (db *DB) adopt() error {
	info, err := os.Stat(db.path)
	db.mu.Lock()
	defer db.mu.Unlock()
	db.file = info
	return err
}

// inPlace fails when a program that starts now would open another SQLite file than this one has open: what is written
// to a file that was removed is lost.
func (db *DB) inPlace() error {
	db.mu.Lock()
	opened := db.file
	db.mu.Unlock()
	if opened == nil {
		return nil
	}
	if info, err := os.Stat(db.path); err != nil || !os.SameFile(opened, info) {
		return fmt.Errorf("database: %w: %s was removed or replaced while the site runs: put it back, or start the "+
			"site anew", agency.ErrUnavailable, db.path)
	}
	return nil
}

var errRehearsed = errors.New("only a rehearsal")

// Try runs do in a transaction. On a rehearsal the migrations run before, and nothing is committed.
func (db *DB) Try(ctx context.Context, do func(*sql.Tx) error) error {
	err := db.InTx(ctx, func(tx *sql.Tx) error {
		if !db.rehearsal {
			return do(tx)
		}
		if err := db.migrateIn(ctx, tx); err != nil {
			return err
		}
		if err := do(tx); err != nil {
			return err
		}
		return errRehearsed
	})
	if errors.Is(err, errRehearsed) {
		return nil
	}
	return err
}

// explain says what an operator can do about an error.
func (db *DB) explain(err error) error {
	switch {
	case err == nil, errors.Is(err, agency.ErrUnavailable): // which says what it is
		return err
	case isDamage(err):
		return fmt.Errorf("%s is damaged (%w): put the last backup in its place, or move it away to begin with an "+
			"empty one", db.path, err)
	case isMissingTable(err):
		return fmt.Errorf("tables are gone (%w): put the last backup in their place", err)
	case isReadOnly(err):
		return fmt.Errorf("the server takes no writes: %w", err)
	case db.Dialect == SQLite:
		return fmt.Errorf("%s: %w", db.path, err)
	}
	return err
}

func sqliteCode(err error) int {
	if sqliteErr, ok := errors.AsType[*sqlite.Error](err); ok {
		return sqliteErr.Code() & 0xff
	}
	return 0
}

func postgresCode(err error) string {
	if pgErr, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pgErr.Code
	}
	return ""
}

// isBusy is true while SQLite's only connection, or its file, is in use. A PostgreSQL that does not answer is down.
func (db *DB) isBusy(err error) bool {
	code := sqliteCode(err)
	return code == sqlite3.SQLITE_BUSY || code == sqlite3.SQLITE_LOCKED ||
		db.Dialect == SQLite && errors.Is(err, context.DeadlineExceeded)
}

func isDamage(err error) bool {
	code := sqliteCode(err)
	return code == sqlite3.SQLITE_CORRUPT || code == sqlite3.SQLITE_NOTADB || errors.Is(err, errDamaged)
}

// isReadOnly is true after a failover, while a connection leads to the old server.
func isReadOnly(err error) bool { return postgresCode(err) == "25006" }

func isMissingTable(err error) bool {
	return postgresCode(err) == "42P01" ||
		sqliteCode(err) == sqlite3.SQLITE_ERROR && strings.Contains(err.Error(), "no such table")
}
