package database_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/database"
	"zedcard/internal/testkit/databasetest"
)

// watched is an open database that is watched.
func watched(t *testing.T, url string) *database.DB {
	t.Helper()
	db := open(t, url)
	db.Watch(t.Context(), func(ctx context.Context) error { return store(ctx, db) })
	require.NoError(t, put(db, "first"))
	return db
}

func eventually(t *testing.T, what func() bool) {
	t.Helper()
	require.Eventually(t, what, time.Minute, 20*time.Millisecond)
}

func put(db *database.DB, name string) error {
	return db.InTx(context.Background(), func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT INTO settings (name, value) VALUES ($1, $2)", name, []byte(name))
		return err
	})
}

// spoiled is what Ready says once something has happened to a watched database, after which nothing is stored; spoil
// returns how that ends.
func spoiled(t *testing.T, url string, spoil func(t *testing.T, db *database.DB) (mend func())) string {
	t.Helper()
	db := watched(t, url)
	mend := spoil(t, db)
	eventually(t, func() bool { return db.Ready() != nil })
	err := db.Ready()
	require.ErrorIs(t, err, agency.ErrUnavailable)
	require.Error(t, put(db, "lost"))
	if mend != nil {
		mend()
		eventually(t, func() bool { return db.Ready() == nil })
		require.NoError(t, put(db, "after"))
	}
	return err.Error()
}

func TestReadySaysWhyNothingCanBeStored(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zedcard.db")
	exec := func(db *database.DB, statement string) {
		_, err := db.Exec(statement)
		require.NoError(t, err)
	}
	move := func(from, to string) { require.NoError(t, os.Rename(from, to)) }
	assert.Contains(t, spoiled(t, "sqlite:"+path, func(*testing.T, *database.DB) func() {
		move(path, path+".away")
		return func() { move(path+".away", path) }
	}), "zedcard.db was removed or replaced while the site runs")
	assert.Contains(t, spoiled(t, "sqlite:"+path+"2", func(_ *testing.T, db *database.DB) func() {
		exec(db, "ALTER TABLE settings RENAME TO gone")
		return func() { exec(db, "ALTER TABLE gone RENAME TO settings") }
	}), "tables are gone")
	assert.Contains(t, spoiled(t, databasetest.Postgres(t).URL(), func(_ *testing.T, db *database.DB) func() {
		exec(db, "ALTER TABLE settings RENAME TO gone")
		return func() { exec(db, "ALTER TABLE gone RENAME TO settings") }
	}), "tables are gone")
}

func TestAFullDiskIsSaid(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=2m"); err != nil {
		t.Skipf("not run: a small disk can't be mounted here (%v)", err)
	}
	t.Cleanup(func() { assert.NoError(t, syscall.Unmount(dir, syscall.MNT_DETACH)) })
	filler := filepath.Join(dir, "filler")
	assert.Contains(t, spoiled(t, "sqlite:"+filepath.Join(dir, "zedcard.db"), func(*testing.T, *database.DB) func() {
		file, err := os.Create(filler)
		for err == nil {
			_, err = file.Write(make([]byte, 4096))
		}
		require.NoError(t, file.Close())
		return func() { require.NoError(t, os.Remove(filler)) }
	}), "full")
}

func TestADamagedFileIsNamedAndTheSiteStarts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zedcard.db")
	url := "sqlite:" + path
	require.NoError(t, open(t, url).Close())
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, []byte(strings.Repeat("no database\n", 100)), 0o600))
	assert.ErrorContains(t, database.Check(t.Context(), url, store), "is damaged")
	db := open(t, url)
	require.Error(t, put(db, "into a damaged file"))
	assert.ErrorContains(t, db.Ready(), "put the last backup in its place, or move it away")
	_, err = db.Keys()(t.Context())
	require.NoError(t, err, "what is only signed needs no database")
	require.NoError(t, os.WriteFile(path, whole, 0o600))
	eventually(t, func() bool { return db.Ready() == nil && put(db, "after") == nil })
}

func TestAConnectionToAServerThatTakesNoWritesIsClosed(t *testing.T) {
	cluster := databasetest.Postgres(t)
	db := open(t, cluster.URL())
	asAdmin := func(statement string) {
		admin, err := sql.Open("pgx", cluster.URL()+"&default_transaction_read_only=off")
		require.NoError(t, err)
		defer admin.Close()
		_, err = admin.Exec(statement)
		require.NoError(t, err)
	}
	asAdmin("ALTER ROLE CURRENT_USER SET default_transaction_read_only = on")
	asAdmin("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
	eventually(t, func() bool {
		err := put(db, "while read-only")
		return err != nil && strings.Contains(err.Error(), "25006")
	})
	asAdmin("ALTER ROLE CURRENT_USER RESET default_transaction_read_only")
	_ = put(db, "by an old connection")
	assert.NoError(t, put(db, "by a new one"))
}

// A pool such as PgBouncer gives a connection to another client after each transaction.
func TestNoStatementIsKeptInAConnection(t *testing.T) {
	db := open(t, databasetest.Postgres(t).URL())
	for i := range 5 {
		require.NoError(t, put(db, fmt.Sprint(i)))
	}
	var kept int
	require.NoError(t, db.QueryRow("SELECT count(*) FROM pg_prepared_statements WHERE $1", true).Scan(&kept))
	assert.Zero(t, kept)
}

func TestTheKeyLiesBesideTheDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zedcard.db")
	url := "sqlite:" + path
	keys, err := open(t, url).Keys()(t.Context())
	require.NoError(t, err)
	key, err := os.ReadFile(path + ".key")
	require.NoError(t, err)
	assert.Equal(t, [][]byte{key}, keys)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.NotContains(t, string(data), string(key), "a backup is sealed")

	require.NoError(t, os.Remove(path+".key"))
	_, err = open(t, url).Keys()(t.Context())
	require.ErrorIs(t, err, agency.ErrUnavailable)
	assert.ErrorContains(t, err, "the key file is gone")
	require.ErrorContains(t, database.Check(t.Context(), url, store), "the key file is gone")
	configured, err := open(t, url).Keys("configured")(t.Context())
	require.NoError(t, err, "SESSION_KEYS suffice")
	assert.Len(t, configured, 1)

	require.NoError(t, os.WriteFile(path+".key", []byte(strings.Repeat("k", 32)), 0o600))
	_, err = open(t, url).Keys()(t.Context())
	assert.ErrorContains(t, err, "another database's")
}
