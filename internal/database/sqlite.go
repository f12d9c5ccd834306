package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"zedcard/internal/folder"
)

// Settings of every connection. FULL: a commit is on the disk when it returns. secure_delete: deleted data is
// overwritten. immediate: a transaction takes the write lock at its beginning, so that it never fails half way with
// "busy". The log is checkpointed early and kept short: on a disk that is almost full, there would be no room to move a
// long log into the file.
const sqliteSettings = "_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)" +
	"&_pragma=secure_delete(ON)&_pragma=foreign_keys(ON)&_txlock=immediate" +
	"&_pragma=wal_autocheckpoint(64)&_pragma=journal_size_limit(1048576)"

// sqliteConns is 1, so that database/sql queues the writers. SQLite waits for a lock by sleeping for growing times:
// four connections that wrote at once were ten times slower.
const sqliteConns = 1

func newSQLite(path string) (*DB, error) {
	if path == "" {
		return nil, errNoFile
	}
	atStart, err := sqlite.NewConnector(sqliteFile(path, lockTimeoutAtStart+sqliteSettings))
	if err != nil {
		return nil, err
	}
	connector, err := sqlite.NewConnector(sqliteFile(path, lockTimeout+sqliteSettings))
	if err != nil {
		return nil, err
	}
	db := &DB{Dialect: SQLite, ballast: ballast(path + ".ballast"), mayPass: mayPass}
	db.DB = sql.OpenDB(gate{connector, db})
	db.SetMaxOpenConns(sqliteConns)
	db.try = func(ctx context.Context) error {
		err := makePrivate(path)
		if err == nil {
			err = db.migrate(ctx, atStart)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	}
	return db, nil
}

// How long a connection waits for a lock: a start soon goes on without the database.
const (
	lockTimeout        = "_pragma=busy_timeout(10000)&"
	lockTimeoutAtStart = "_pragma=busy_timeout(2000)&"
)

// mayPass tells a disk that is full or read-only, and a file that is locked, from a file that can never be used.
func mayPass(err error) bool {
	var sqliteErr *sqlite.Error
	if errors.As(err, &sqliteErr) {
		switch sqliteErr.Code() & 0xff {
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR,
			sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN:
			return true
		}
	}
	return folder.MayPass(err)
}

// sqliteFile is a file's address, as the driver wants it.
func sqliteFile(path, settings string) string {
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + settings
}

// makePrivate creates the file, readable by the owner only, before SQLite would; SQLite gives its write-ahead log the
// same mode.
func makePrivate(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600) // #nosec G304 -- the operator's own setting
	if err != nil {
		return err
	}
	if err := file.Chmod(0o600); err != nil {
		return errors.Join(err, file.Close())
	}
	return file.Close()
}

// IsFull reports whether a write failed because the disk is full.
func IsFull(err error) bool {
	var sqliteErr *sqlite.Error
	return errors.As(err, &sqliteErr) && sqliteErr.Code()&0xff == sqlite3.SQLITE_FULL
}

// ballast is the path of a file that reserves disk space: on a full disk it is removed, so that the few bytes that
// record a delivery can still be written. It is 4 MiB, or less on a small disk.
type ballast string

var ballastSizes = []int{4 << 20, 256 << 10}

// EnsureBallast writes the ballast file if it is missing and there is space for it.
func (db *DB) EnsureBallast() {
	if db.ballast == "" {
		return
	}
	if _, err := os.Stat(string(db.ballast)); err == nil {
		return
	}
	for _, size := range ballastSizes {
		if os.WriteFile(string(db.ballast), make([]byte, size), 0o600) == nil {
			return
		}
		db.DropBallast()
	}
}

// DropBallast frees the space of the ballast file.
func (db *DB) DropBallast() {
	if db.ballast != "" {
		_ = os.Remove(string(db.ballast)) // if it fails, the disk stays full
	}
}

// Checkpoint moves the write-ahead log into the database file and empties it. On a full disk that makes room if the
// file has free pages.
func (db *DB) Checkpoint(ctx context.Context) {
	if db.Dialect != SQLite {
		return
	}
	if _, err := db.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		db.log.Warn("database: checkpoint failed", "error", err)
	}
}
