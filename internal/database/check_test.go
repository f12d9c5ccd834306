package database_test

import (
	"context"
	"database/sql"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/database"
	"zedcard/internal/testkit/databasetest"
)

// store stores as the intake does.
func store(ctx context.Context, db *database.DB) error {
	if _, err := db.Keys()(ctx); err != nil {
		return err
	}
	return db.Try(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "INSERT INTO settings (name, value) VALUES ('probe', 'x')"); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "DELETE FROM settings WHERE name = 'probe'")
		return err
	})
}

// files are the files of a folder with what is in them.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			all[path] = ""
			return err
		}
		data, err := os.ReadFile(path)
		all[path] = string(data)
		return err
	}))
	return all
}

func TestCheckOfAGoodDatabaseCreatesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "zed?card#1.db")
	db := open(t, "sqlite:"+path)
	closed := filepath.Join(dir, "closed.db")
	require.NoError(t, open(t, "sqlite:"+closed).Close())
	empty := filepath.Join(dir, "empty.db")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	before := files(t, dir)
	for _, path := range []string{
		path, closed, empty, filepath.Join(dir, "new.db"), filepath.Join(dir, "new folder", "new.db"),
	} {
		require.NoError(t, database.Check(t.Context(), "sqlite:"+path, store), path)
		assert.Equal(t, before, files(t, dir), path)
	}
	require.NoError(t, db.Ready())
}

func TestCheckNamesWhatKeepsSQLiteFromWorking(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	require.NoError(t, os.WriteFile(text, []byte(strings.Repeat("no database\n", 100)), 0o600))
	wal := filepath.Join(dir, "wal.db")
	require.NoError(t, open(t, "sqlite:"+wal).Close())
	require.NoError(t, os.Mkdir(wal+"-wal", 0o700))
	for path, want := range map[string]string{
		"":                         "names no file",
		dir:                        dir + ": is a directory",
		text:                       "file is not a database",
		filepath.Join(text, "x"):   text + ": not a directory",
		filepath.Join(text, "x/y"): text + ": not a directory",
		wal:                        wal + "-wal: is a directory",
	} {
		assert.ErrorContains(t, database.Check(t.Context(), "sqlite:"+path, store), want, path)
	}
	assert.ErrorContains(t, database.Check(t.Context(), "mysql://h/x", store), "must begin with sqlite: or postgres://")
}

func TestCheckAsksPostgres(t *testing.T) {
	cluster := databasetest.Postgres(t)
	require.NoError(t, database.Check(t.Context(), cluster.URL(), store))
	assert.ErrorContains(t,
		database.Check(t.Context(), cluster.URL()+"&default_transaction_read_only=on", store), "takes no writes")
	nowhere := strings.Replace(cluster.URL(), "/postgres?", "/nowhere?", 1)
	assert.ErrorContains(t, database.Check(t.Context(), nowhere, store),
		`"nowhere" does not exist`)
	var tables int
	asked := "SELECT count(*) FROM pg_tables WHERE tablename = 'migrations'"
	db, err := sql.Open("pgx", cluster.URL())
	require.NoError(t, err)
	defer db.Close()
	require.NoError(t, db.QueryRow(asked).Scan(&tables))
	assert.Zero(t, tables, "the check creates no tables")
}

func TestCheckOfPostgresTimesOut(t *testing.T) {
	mute, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer mute.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	assert.Error(t, database.Check(ctx, "postgres://u:geheim@"+mute.Addr().String()+"/x", store))

	gone := mute.Addr().String()
	require.NoError(t, mute.Close())
	err = database.Check(t.Context(), "postgres://u:geheim@"+gone+"/x", store)
	require.ErrorContains(t, err, "refused")
	assert.NotContains(t, err.Error(), "geheim")
}

func TestCheckTriesWhatTheAccountMayDo(t *testing.T) {
	cluster := databasetest.Postgres(t)
	owner, err := sql.Open("pgx", cluster.URL())
	require.NoError(t, err)
	defer owner.Close()
	run := func(statement string) {
		t.Helper()
		_, err := owner.Exec(statement)
		require.NoError(t, err)
	}
	run("CREATE ROLE site LOGIN")
	run("REVOKE CREATE ON SCHEMA public FROM PUBLIC") // as in PostgreSQL 15
	asSite := strings.Replace(cluster.URL(), "zedcard@", "site@", 1)
	require.NotEqual(t, cluster.URL(), asSite)
	assert.ErrorContains(t, database.Check(t.Context(), asSite, store), "permission denied for schema public")

	run("GRANT CREATE ON SCHEMA public TO site")
	assert.NoError(t, database.Check(t.Context(), asSite, store))

	require.NoError(t, open(t, asSite).Close())
	run("REVOKE INSERT ON settings FROM site")
	assert.ErrorContains(t, database.Check(t.Context(), asSite, store), "permission denied for table settings")
}
