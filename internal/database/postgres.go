package database

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

const (
	postgresConns  = 10
	connectTimeout = 3 * time.Second
	// How long to wait between two tries to connect at the start.
	firstRetry = 250 * time.Millisecond
	lastRetry  = 5 * time.Second
)

func openPostgres(ctx context.Context, url string, log *slog.Logger) (*DB, error) {
	config, err := postgresConfig(url)
	if err != nil {
		return nil, err
	}
	pool := stdlib.OpenDB(*config)
	pool.SetMaxOpenConns(postgresConns)
	pool.SetMaxIdleConns(postgresConns)
	pool.SetConnMaxIdleTime(5 * time.Minute)

	background, stop := context.WithCancel(ctx)
	db := &DB{DB: pool, Dialect: Postgres, log: log, stop: stop}
	err = db.tryOpen(ctx)
	if err != nil && isPermanent(err) {
		stop()
		return nil, errors.Join(err, pool.Close())
	}
	if err != nil {
		log.Warn("database: not reached, retrying in the background", "error", err)
		db.retries.Go(func() { db.retryOpen(background) })
	}
	return db, nil
}

func postgresConfig(url string) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, err // pgx's error has no password
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	return config, nil
}

// tryOpen brings the tables up to date, and notes the outcome for Ready.
func (db *DB) tryOpen(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 4*connectTimeout)
	defer cancel()
	err := db.migrate(ctx)
	db.setReady(err)
	return err
}

func (db *DB) retryOpen(ctx context.Context) {
	for wait := firstRetry; ; wait = min(2*wait, lastRetry) {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		if err := db.tryOpen(ctx); err == nil {
			db.log.Info("database: open")
			return
		}
	}
}

// isPermanent tells a wrong setting (no such user, password or database) from a server that is
// down or starting.
func isPermanent(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && (strings.HasPrefix(pgErr.Code, "28") || pgErr.Code == "3D000")
}
