package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"zedcard/internal/folder"
)

// checkTimeout is how long Check waits for PostgreSQL.
const checkTimeout = 5 * time.Second

// Check reports why Open would fail, or the database could not be written. Unlike Open it creates and changes nothing,
// and a PostgreSQL that can't be reached is an error.
func Check(ctx context.Context, url string) error {
	if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
		return checkSQLite(ctx, path)
	}
	if isPostgres(url) {
		return checkPostgres(ctx, url)
	}
	return errScheme
}

func checkSQLite(ctx context.Context, path string) error {
	if path == "" {
		return errNoFile
	}
	if err := folder.Writable(filepath.Dir(path)); err != nil {
		return err
	}
	for _, name := range []string{path, path + "-wal", path + "-shm"} { // another user may own one of them
		file, err := os.OpenFile(name, os.O_RDWR, 0) // #nosec G304 -- the operator's own setting
		if err == nil {
			err = file.Close()
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if _, err := os.Stat(path); err != nil {
		return nil // Open creates it
	}
	// immutable: SQLite then creates no log and no lock beside the file, as it does even for reading.
	pool, err := sql.Open("sqlite", sqliteFile(path, "mode=ro&immutable=1"))
	if err != nil {
		return err
	}
	defer pool.Close()
	var tables int
	if err := pool.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master").Scan(&tables); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func checkPostgres(ctx context.Context, url string) error {
	config, err := postgresConfig(url)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer conn.Close(ctx) // read-only: nothing to lose
	var readOnly string
	if err := conn.QueryRow(ctx, "SHOW transaction_read_only").Scan(&readOnly); err != nil {
		return err
	}
	if readOnly == "on" {
		return errors.New("the server takes no writes")
	}
	return nil
}
