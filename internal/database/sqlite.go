package database

import (
	"database/sql"
	"errors"
	"net/url"
	"os"
	"path/filepath"

	"modernc.org/sqlite"
)

// Settings of every connection. FULL: a commit is on the disk when it returns. secure_delete: deleted data is
// overwritten. immediate: a transaction takes the write lock at its beginning, so that it never fails half way with
// "busy". The log is checkpointed early and kept short: on a disk that is almost full, there would be no room to move a
// long log into the file.
const sqliteSettings = "_pragma=busy_timeout(" + busyTimeout + ")&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)" +
	"&_pragma=secure_delete(ON)&_pragma=foreign_keys(ON)&_txlock=immediate" +
	"&_pragma=wal_autocheckpoint(64)&_pragma=journal_size_limit(1048576)"

const busyTimeout = "5000" // ms

func (db *DB) useSQLite(path string) (err error) {
	if path == "" {
		return errNoFile
	}
	db.Dialect, db.path = SQLite, path
	if db.connector, err = sqlite.NewConnector(sqliteFile(path, "mode=rw&"+sqliteSettings)); err != nil {
		return err
	}
	db.DB = sql.OpenDB(gate{db})
	// One, so that database/sql queues the writers. SQLite waits for a lock by sleeping for growing times: four
	// connections that wrote at once were ten times slower.
	db.SetMaxOpenConns(1)
	return nil
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
