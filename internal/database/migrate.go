package database

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// The migrations run once each, in the order of their names. They only add: a program that is one
// version older must still work on a newer database, because the two meet while machines are
// updated one after the other.
//
//go:embed migrations/*.sql
var migrations embed.FS

// ErrNewer is about a database that a newer build has migrated: it would be half used.
var ErrNewer = errors.New("the database is of a newer build: start that one, or restore a backup from before")

// migrate brings the tables up to date by a connection of its own: one to a SQLite file that was opened while the disk
// was read-only could never write.
func (db *DB) migrate(ctx context.Context) error {
	pool := sql.OpenDB(db.connector)
	defer pool.Close()
	return inTx(ctx, pool, func(tx *sql.Tx) error { return db.migrateIn(ctx, tx) })
}

// migrateIn runs the migrations that the database lacks.
func (db *DB) migrateIn(ctx context.Context, tx *sql.Tx) error {
	if err := db.Acquire(ctx, tx, migrationLock); err != nil { // processes may start at the same time
		return err
	}
	if _, err := tx.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY)"); err != nil {
		return err
	}
	last, err := lastMigration(ctx, tx)
	if err != nil {
		return err
	}
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	if last > path.Base(files[len(files)-1]) {
		return fmt.Errorf("%s: %w", last, ErrNewer)
	}
	for _, file := range files {
		if path.Base(file) <= last {
			continue
		}
		if err := db.run(ctx, tx, file); err != nil {
			return fmt.Errorf("%s: %w", path.Base(file), err)
		}
	}
	if db.Dialect == SQLite {
		return db.pairKey(ctx, tx)
	}
	return nil
}

// lastMigration is the name of the last one that the database has.
func lastMigration(ctx context.Context, tx *sql.Tx) (name string, err error) {
	err = tx.QueryRowContext(ctx, "SELECT coalesce(max(name), '') FROM migrations").Scan(&name)
	name, _, _ = strings.Cut(name, " ") // builds before 0.1.0 wrote a fingerprint behind it
	return name, err
}

func (db *DB) run(ctx context.Context, tx *sql.Tx, file string) error {
	text, err := migrations.ReadFile(file)
	if err != nil {
		return err
	}
	script := string(text)
	if db.Dialect == Postgres {
		script = strings.ReplaceAll(script, " BLOB", " BYTEA")
	}
	if _, err = tx.ExecContext(ctx, script); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "INSERT INTO migrations (name) VALUES ($1)", path.Base(file))
	return err
}
