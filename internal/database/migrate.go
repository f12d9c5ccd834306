package database

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// The migrations run once each, in the order of their names. They only add: a program that is one
// version older must still work on a newer database, because the two meet while machines are
// updated one after the other.
//
//go:embed migrations/*.sql
var migrations embed.FS

// ErrOtherBuild is about a database whose tables are not the ones of a released version: it would be half used.
var ErrOtherBuild = errors.New("this database was made by a build that was never released")

var (
	sqlComment = regexp.MustCompile(`--[^\n]*`)
	space      = regexp.MustCompile(`\s+`)
)

// fingerprint identifies what a script does: comments and white space may change.
func fingerprint(script string) string {
	script = space.ReplaceAllString(sqlComment.ReplaceAllString(script, ""), " ")
	sum := sha256.Sum256([]byte(strings.TrimSpace(script)))
	return hex.EncodeToString(sum[:12])
}

// migrate brings the tables up to date by a connection of its own: one to a SQLite file that was opened while the disk
// was read-only could never write.
func (db *DB) migrate(ctx context.Context) error {
	pool := sql.OpenDB(db.connector)
	defer pool.Close()
	return inTx(ctx, pool, func(tx *sql.Tx) error { return db.migrateIn(ctx, tx) })
}

// migrateIn runs the migrations that the database lacks. Those that it has must be the ones of this build, or newer.
func (db *DB) migrateIn(ctx context.Context, tx *sql.Tx) error {
	if err := db.Acquire(ctx, tx, migrationLock); err != nil { // processes may start at the same time
		return err
	}
	// A name is that of the file, with its fingerprint.
	if _, err := tx.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY)"); err != nil {
		return err
	}
	done := map[string]string{}
	rows, err := tx.QueryContext(ctx, "SELECT name FROM migrations")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return err
		}
		file, mark, _ := strings.Cut(path.Base(name), " ")
		done[file] = mark
	}
	if err := rows.Err(); err != nil {
		return err
	}
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := db.migrateOne(ctx, tx, file, done); err != nil {
			return fmt.Errorf("%s: %w", path.Base(file), err)
		}
		delete(done, path.Base(file))
	}
	for name := range done {
		if name < path.Base(files[len(files)-1]) {
			return fmt.Errorf("%s: %w", name, ErrOtherBuild)
		}
	}
	if db.Dialect == SQLite {
		return db.pairKey(ctx, tx)
	}
	return nil
}

func (db *DB) migrateOne(ctx context.Context, tx *sql.Tx, file string, done map[string]string) error {
	text, err := migrations.ReadFile(file)
	if err != nil {
		return err
	}
	script, name := string(text), path.Base(file)
	mark, known := done[name]
	switch {
	case known && mark == fingerprint(script):
		return nil
	case known:
		return fmt.Errorf("%w: read it with the build that made it (zedcard inbox export), and let this one begin "+
			"with a new database", ErrOtherBuild)
	}
	_, err = tx.ExecContext(ctx, "INSERT INTO migrations (name) VALUES ($1)", name+" "+fingerprint(script))
	if err != nil {
		return err
	}
	if db.Dialect == Postgres {
		script = strings.ReplaceAll(script, " BLOB", " BYTEA")
	}
	_, err = tx.ExecContext(ctx, script)
	return err
}
