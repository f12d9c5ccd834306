package database

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

const (
	postgresConns  = 10
	connectTimeout = 3 * time.Second
)

func newPostgres(url string) (*DB, error) {
	config, err := postgresConfig(url)
	if err != nil {
		return nil, err
	}
	connector := stdlib.GetConnector(*config)
	db := &DB{Dialect: Postgres, mayPass: func(err error) bool { return !isWrongSetting(err) }}
	db.DB = sql.OpenDB(gate{connector, db})
	db.SetMaxOpenConns(postgresConns)
	db.SetMaxIdleConns(postgresConns)
	db.SetConnMaxIdleTime(5 * time.Minute)
	db.try = func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, 4*connectTimeout)
		defer cancel()
		return db.migrate(ctx, connector)
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

// isWrongSetting tells a wrong setting (no such user, password or database) from a server that is down or starting.
func isWrongSetting(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && (strings.HasPrefix(pgErr.Code, "28") || pgErr.Code == "3D000")
}
