package database

import (
	"bytes"
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
)

// The migrations run once each, in the order of their names. They only add: a program that is one
// version older must still work on a newer database, because the two meet while machines are
// updated one after the other.
//
//go:embed migrations/*.sql
var migrations embed.FS

// migrate brings the tables up to date by a connection of its own: one to a SQLite file that was opened while the disk
// was read-only could never write.
func (db *DB) migrate(ctx context.Context) error {
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	pool := sql.OpenDB(db.connector)
	defer pool.Close()
	return inTx(ctx, pool, func(tx *sql.Tx) error {
		if err := db.Acquire(ctx, tx, migrationLock); err != nil { // processes may start at the same time
			return err
		}
		if _, err := tx.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY)"); err != nil {
			return err
		}
		for _, name := range names {
			if err := db.migrateOne(ctx, tx, name); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return nil
	})
}

func (db *DB) migrateOne(ctx context.Context, tx *sql.Tx, name string) error {
	result, err := tx.ExecContext(ctx, "INSERT INTO migrations (name) VALUES ($1) ON CONFLICT DO NOTHING", name)
	if err != nil {
		return err
	}
	if rows, err := result.RowsAffected(); err != nil || rows == 0 {
		return err
	}
	script, err := migrations.ReadFile(name)
	if err != nil {
		return err
	}
	if db.Dialect == Postgres {
		script = bytes.ReplaceAll(script, []byte(" BLOB"), []byte(" BYTEA"))
	}
	_, err = tx.ExecContext(ctx, string(script))
	return err
}
