package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
)

// Backup writes a complete and verified copy of a SQLite database to a new file, which only its owner can read. The
// site may run and write meanwhile; the copy is the state at the beginning.
func Backup(ctx context.Context, url, file string) (err error) {
	path, ok := strings.CutPrefix(url, "sqlite:")
	if !ok {
		return errors.New("PostgreSQL is backed up by pg_dump, see docs/operations.md")
	}
	if _, err := os.Stat(path); err != nil {
		return err
	}
	target, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600) // #nosec G304 -- the operator names it
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, target.Close())
		if err != nil {
			err = errors.Join(err, os.Remove(file))
		}
	}()
	source, err := sql.Open("sqlite", sqliteFile(path, "mode=ro&_pragma=busy_timeout(10000)"))
	if err != nil {
		return err
	}
	defer source.Close()
	if _, err := source.ExecContext(ctx, "VACUUM INTO $1", file); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	backup, err := sql.Open("sqlite", sqliteFile(file, "mode=ro&immutable=1"))
	if err != nil {
		return err
	}
	defer backup.Close()
	var verdict string
	if err := backup.QueryRowContext(ctx, "PRAGMA integrity_check").Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return fmt.Errorf("%s: %s", file, verdict)
	}
	return target.Sync()
}
