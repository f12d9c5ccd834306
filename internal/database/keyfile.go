package database

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"zedcard/internal/disk"
)

// KeySuffix is what the key's file is called after the SQLite file.
const KeySuffix = ".key"

// keyMark is the setting with a digest of the key, by which another database's key is told.
const keyMark = "key"

// pairKey reads the key beside the SQLite file, which seals what visitors send, and makes it for a new database. It is
// no part of the database, so that whoever has a backup alone can read nothing of it.
func (db *DB) pairKey(ctx context.Context, tx *sql.Tx) error {
	var mark []byte
	err := tx.QueryRowContext(ctx, "SELECT value FROM settings WHERE name = $1", keyMark).Scan(&mark)
	isNew := errors.Is(err, sql.ErrNoRows)
	if err != nil && !isNew {
		return err
	}
	key, err := os.ReadFile(db.path + KeySuffix)
	switch {
	case errors.Is(err, fs.ErrNotExist) && isNew && !db.rehearsal:
		if key, err = makeKey(db.path + KeySuffix); err != nil {
			return err
		}
	case errors.Is(err, fs.ErrNotExist) && isNew:
		key = make([]byte, sha256.Size)
	case errors.Is(err, fs.ErrNotExist):
		return db.setKey(nil, errors.New("the key file is gone, without which nothing that was sent can be read: put "+
			"it back"))
	case err != nil:
		return err
	}
	sum := sha256.Sum256(append([]byte("zedcard key "), key...))
	if isNew {
		_, err := tx.ExecContext(ctx, "INSERT INTO settings (name, value) VALUES ($1, $2)", keyMark, sum[:])
		return errors.Join(err, db.setKey(key, nil))
	}
	if !bytes.Equal(mark, sum[:]) {
		return db.setKey(nil, errors.New("the key file is another database's: put the one back that it was made with"))
	}
	return db.setKey(key, nil)
}

// setKey keeps the key, or why there is none: with SESSION_KEYS the site can do without. It returns nil.
func (db *DB) setKey(key []byte, err error) error {
	if err != nil {
		err = fmt.Errorf("%s%s: %w", db.path, KeySuffix, err)
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	db.key, db.keyErr = key, err
	return nil
}

// makeKey writes a new key; a crash leaves no half of it.
func makeKey(name string) ([]byte, error) {
	key := make([]byte, sha256.Size)
	rand.Read(key)
	err := disk.Replace(name, func(w io.Writer) error {
		_, err := w.Write(key)
		return err
	})
	if err != nil {
		return nil, err
	}
	dir, err := os.Open(filepath.Dir(name))
	if err != nil {
		return nil, err
	}
	return key, errors.Join(dir.Sync(), dir.Close()) // its name must be on the disk before the database refers to it
}
