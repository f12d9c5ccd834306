package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"zedcard/internal/agency"
)

const (
	watchInterval = 2 * time.Second
	probeTimeout  = 10 * time.Second
)

// Watch looks, until ctx ends or the DB is closed, at what may happen to a database while the site runs: a SQLite file
// that is damaged, removed or replaced, tables that are dropped, whatever else keeps probe from storing a row. Ready
// says what it is, until it is right. Nothing is stored in a SQLite file before it was read once and found whole.
func (db *DB) Watch(ctx context.Context, probe func(context.Context) error) {
	ctx, stop := context.WithCancel(ctx)
	stopRetries := db.stop
	db.stop = func() { stop(); stopRetries() }
	db.setUnread(db.Dialect == SQLite)
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
	err := db.mend(ctx)
	if err == nil {
		probeCtx, cancel := context.WithTimeout(ctx, probeTimeout)
		err = db.explain(probe(probeCtx))
		cancel()
	}
	if isBusy(err) || ctx.Err() != nil {
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

// setUnread says whether the file is still to be read.
func (db *DB) setUnread(unread bool) {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.unread = unread
}

// mend opens the file that has come in the place of an old one, and reads a new one whole. This process can still read
// a file that was removed, and saves what it holds.
func (db *DB) mend(ctx context.Context) error {
	if db.Dialect == Postgres {
		return nil
	}
	moved := db.inPlace()
	if db.isUnread() {
		moved = nil
	}
	if moved != nil {
		if db.savedAs == "" && errors.Is(moved, errMoved) {
			db.save(ctx)
		}
		if info, err := os.Stat(db.path); db.savedAs != "" && (err != nil || info.Size() == 0) {
			return fmt.Errorf("%w; what it held is saved as %s: put it back, or start the site anew to begin with an "+
				"empty one", moved, db.savedAs)
		} else if err != nil || info.Size() == 0 {
			return moved
		}
	}
	if moved == nil && !db.isUnread() {
		db.savedAs = ""
		return nil
	}
	db.setUnread(true)
	db.disconnect(ctx)
	info, err := os.Stat(db.path)
	if err == nil && db.damage != nil && os.SameFile(info, db.damaged) && info.ModTime().Equal(db.damaged.ModTime()) {
		return db.damage
	}
	err = db.prepare(ctx)
	if err == nil {
		err = db.explain(db.readWhole(ctx))
	}
	db.damage, db.damaged = err, info
	if err != nil {
		return err
	}
	db.savedAs = ""
	db.setUnread(false)
	return nil
}

// disconnect closes the only connection to SQLite, once nobody uses it.
func (db *DB) disconnect(ctx context.Context) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return // there is none
	}
	_ = conn.Raw(func(any) error { return driver.ErrBadConn })
	_ = conn.Close()
}

func (db *DB) isUnread() bool {
	db.mu.Lock()
	defer db.mu.Unlock()
	return db.unread
}

// save copies what is in a file that was removed or replaced to a file beside its place, which has its name once it is
// whole.
func (db *DB) save(ctx context.Context) {
	unfinished, saved := db.path+".unfinished", db.path+".saved-"+time.Now().Format("20060102-150405")
	_ = os.Remove(unfinished) // of an attempt that failed
	_, err := db.ExecContext(ctx, "VACUUM INTO $1", unfinished)
	if err == nil {
		err = os.Chmod(unfinished, 0o600)
	}
	if err == nil {
		err = os.Rename(unfinished, saved)
	}
	if err != nil {
		db.log.Error("database: what was in the file that is gone could not be saved, will be retried", "error", err)
		return
	}
	db.savedAs = saved
}

// readWhole reads every page of the file.
func (db *DB) readWhole(ctx context.Context) error {
	pool := sql.OpenDB(db.connector)
	defer pool.Close()
	var verdict string
	if err := pool.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return fmt.Errorf("%w: %s", errDamaged, verdict)
	}
	return nil
}

var (
	errDamaged = errors.New("pages of it make no sense")
	errMoved   = errors.New("was removed or replaced while the site runs")
)

// adopt remembers which file was opened.
func (db *DB) adopt() error {
	info, err := os.Stat(db.path)
	if err != nil {
		return err
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	db.seen = map[string]os.FileInfo{"": info}
	return nil
}

// inPlace fails when a program that starts now would open another file than this one has open, or when the file was not
// found whole. It must be called when a transaction has ended, too: then the log beside the file is this program's.
func (db *DB) inPlace() error {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.unread {
		return fmt.Errorf("database: %w: %s is not read yet", agency.ErrUnavailable, db.path)
	}
	if db.seen == nil { // not SQLite, or not watched
		return nil
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		info, err := os.Stat(db.path + suffix)
		known := db.seen[suffix]
		if known != nil && (err != nil || !os.SameFile(known, info)) {
			return fmt.Errorf("database: %w: %s %w", agency.ErrUnavailable, db.path+suffix, errMoved)
		}
	}
	return nil
}

// noteLog remembers the files beside the database after a transaction, when they are this program's.
func (db *DB) noteLog() {
	db.mu.Lock()
	defer db.mu.Unlock()
	for _, suffix := range []string{"-wal", "-shm"} {
		if info, err := os.Stat(db.path + suffix); err == nil && db.seen != nil && db.seen[suffix] == nil {
			db.seen[suffix] = info
		}
	}
}

var errRehearsed = errors.New("only a rehearsal")

// Rehearse runs do in a transaction that is not committed, on a rehearsal after the migrations.
func (db *DB) Rehearse(ctx context.Context, do func(*sql.Tx) error) error {
	err := db.InTx(ctx, func(tx *sql.Tx) error {
		if db.rehearsal {
			if err := db.migrateIn(ctx, tx); err != nil {
				return err
			}
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
	case err == nil:
		return nil
	case isDamage(err):
		return fmt.Errorf("%s is damaged (%w): put the last backup in its place, or move it away to begin with an "+
			"empty one", db.path, err)
	case isMissingTable(err):
		return fmt.Errorf("the tables are gone (%w): restore them, or start the site anew to make empty ones", err)
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

func isBusy(err error) bool {
	code := sqliteCode(err)
	return code == sqlite3.SQLITE_BUSY || code == sqlite3.SQLITE_LOCKED || errors.Is(err, context.DeadlineExceeded)
}

func isDamage(err error) bool {
	code := sqliteCode(err)
	return code == sqlite3.SQLITE_CORRUPT || code == sqlite3.SQLITE_NOTADB || errors.Is(err, errDamaged)
}

// isReadOnly is true after a failover, while a connection leads to the old server.
func isReadOnly(err error) bool { return postgresCode(err) == "25006" }

func isMissingTable(err error) bool { return postgresCode(err) == "42P01" }
