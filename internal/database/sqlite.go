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
	db := &DB{Dialect: SQLite, mayPass: mayPass}
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
