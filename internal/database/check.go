package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"zedcard/internal/disk"
)

// checkTimeout is how long Check waits for PostgreSQL.
const checkTimeout = 5 * time.Second

// Check reports why Open would fail, or nothing could be stored. It tries both, the migrations and then store, which
// rehearses on the database that it is given, and leaves nothing behind. A PostgreSQL that can't be reached is an
// error.
func Check(ctx context.Context, url string, store func(context.Context, *DB) error) error {
	db := &DB{log: slog.New(slog.DiscardHandler), rehearsal: true, stop: func() {}}
	if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
		if isNew, err := checkSQLite(path); err != nil || isNew {
			return err
		}
	} else {
		var cancel func()
		ctx, cancel = context.WithTimeout(ctx, checkTimeout)
		defer cancel()
	}
	if err := db.use(url); err != nil {
		return err
	}
	defer db.Close() // nothing to lose
	err := db.Try(ctx, func(*sql.Tx) error { return nil })
	if err == nil && db.Dialect == SQLite {
		err = db.readWhole(ctx)
	}
	if err == nil {
		err = store(ctx, db)
	}
	return db.explain(err)
}

// checkSQLite looks at what SQLite needs; a new file is made by Open.
func checkSQLite(path string) (isNew bool, err error) {
	if path == "" {
		return false, errNoFile
	}
	if err := disk.Writable(filepath.Dir(path)); err != nil {
		return false, err
	}
	for _, name := range []string{path, path + "-wal", path + "-shm", path + KeySuffix} { // another user may own one
		file, err := os.OpenFile(name, os.O_RDWR, 0) // #nosec G304 -- the operator's own setting
		if err == nil {
			err = file.Close()
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		return true, nil
	}
	if info.IsDir() {
		return false, fmt.Errorf("%s: is a directory", path)
	}
	return info.Size() == 0, nil
}

// readWhole reads every page of the file.
func (db *DB) readWhole(ctx context.Context) error {
	var verdict string
	err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict)
	if err == nil && verdict != "ok" {
		err = fmt.Errorf("%w: %s", errDamaged, verdict)
	}
	return err
}

var errDamaged = errors.New("pages of it make no sense")
