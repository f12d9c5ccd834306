package database_test

import (
	"context"
	"database/sql"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/database"
	"zedcard/internal/testkit/databasetest"
)

func open(t *testing.T, url string) *database.DB {
	t.Helper()
	db, err := database.Open(t.Context(), url, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, db.Close()) })
	return db
}

func TestSQLiteFileIsPrivateAndSafe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new folder", "zed?card#1.db")
	db := open(t, "sqlite:"+path)
	require.NoError(t, db.Ready())
	_, err := db.Exec("INSERT INTO settings (name, value) VALUES ('a', 'b')")
	require.NoError(t, err)

	for _, name := range []string{path, path + "-wal", path + ".key"} {
		info, err := os.Stat(name)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm(), name)
	}
	for pragma, want := range map[string]string{
		"journal_mode": "wal", "synchronous": "2", "secure_delete": "1", "foreign_keys": "1",
	} {
		var got string
		require.NoError(t, db.QueryRow("PRAGMA "+pragma).Scan(&got))
		assert.Equal(t, want, got, pragma)
	}
}

func TestOpenNamesWhatIsWrong(t *testing.T) {
	for url, want := range map[string]string{
		"mysql://x":                           "must begin with sqlite: or postgres://",
		"sqlite:":                             "names no file",
		"sqlite:/dev/null/x.db":               "not a directory",
		"postgres://u:geheim@host:port/x":     "cannot parse",
		"postgres://u:geheim@h/x?sslmode=wat": "sslmode",
	} {
		_, err := database.Open(t.Context(), url, slog.New(slog.DiscardHandler))
		require.ErrorContains(t, err, want)
		assert.NotContains(t, err.Error(), "geheim")
	}
}

func TestAKeyIsGeneratedOnce(t *testing.T) {
	url := "sqlite:" + filepath.Join(t.TempDir(), "zedcard.db")
	db := open(t, url)
	first, err := db.Keys()(t.Context())
	require.NoError(t, err)
	require.Len(t, first, 1)
	assert.Len(t, first[0], 32)

	again, err := open(t, url).Keys("configured later")(t.Context())
	require.NoError(t, err)
	assert.Equal(t, [][]byte{[]byte("configured later"), first[0]}, again)
}

func TestWhatIsSealedOpensWithItsKeysOnlyAndInItsPlace(t *testing.T) {
	db := open(t, "sqlite:"+filepath.Join(t.TempDir(), "zedcard.db"))
	sealed, err := database.NewSealer(db.Keys("old"), "outbox").Seal(t.Context(), []byte("Ana Souza"), "row 1")
	require.NoError(t, err)
	assert.NotContains(t, string(sealed), "Ana")

	rotated := database.NewSealer(db.Keys("new", "old"), "outbox")
	plain, err := rotated.Open(t.Context(), sealed, "row 1")
	require.NoError(t, err)
	assert.Equal(t, "Ana Souza", string(plain))

	for _, other := range []*database.Sealer{
		database.NewSealer(db.Keys("new"), "outbox"), database.NewSealer(db.Keys("old"), "guardian"),
	} {
		_, err := other.Open(t.Context(), sealed, "row 1")
		require.ErrorIs(t, err, database.ErrSealed, "with other keys, or for another purpose")
	}
	_, err = rotated.Open(t.Context(), sealed, "row 2")
	require.ErrorIs(t, err, database.ErrSealed)
	sealed[len(sealed)/2] ^= 1
	_, err = rotated.Open(t.Context(), sealed, "row 1")
	require.ErrorIs(t, err, database.ErrSealed, "changed")
}

func TestASQLiteFileThatIsLockedAtStartIsWaitedFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zedcard.db")
	other, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer other.Close()
	other.SetMaxOpenConns(1)
	_, err = other.Exec("BEGIN EXCLUSIVE")
	require.NoError(t, err)

	db := open(t, "sqlite:"+path)
	err = db.Ready()
	require.ErrorIs(t, err, agency.ErrUnavailable)
	require.ErrorContains(t, err, "locked")

	_, err = other.Exec("ROLLBACK")
	require.NoError(t, err)
	require.Eventually(t, func() bool { return db.Ready() == nil }, time.Minute, 50*time.Millisecond)
	_, err = db.Keys()(t.Context())
	assert.NoError(t, err)
}

func TestPostgresThatIsDownAtStartIsWaitedFor(t *testing.T) {
	cluster := databasetest.Postgres(t)
	cluster.Crash()
	db := open(t, cluster.URL())
	require.ErrorIs(t, db.Ready(), agency.ErrUnavailable)
	_, err := db.Keys()(t.Context())
	require.ErrorIs(t, err, agency.ErrUnavailable)

	cluster.Start()
	require.Eventually(t, func() bool { return db.Ready() == nil }, time.Minute, 50*time.Millisecond)
	_, err = db.Keys()(t.Context())
	assert.NoError(t, err)
}

func TestTwoProgramsStartOnOnePostgres(t *testing.T) {
	cluster := databasetest.Postgres(t)
	var starts sync.WaitGroup
	keys := make([][][]byte, 6)
	for i := range keys {
		starts.Go(func() {
			db, err := database.Open(context.Background(), cluster.URL(), slog.New(slog.DiscardHandler))
			if assert.NoError(t, err) {
				defer db.Close()
				assert.NoError(t, db.Ready())
				keys[i], err = db.Keys()(context.Background())
				assert.NoError(t, err)
			}
		})
	}
	starts.Wait()
	for _, key := range keys {
		assert.Equal(t, keys[0], key)
	}
}

func TestPostgresWithAWrongNameIsAFaultOfTheSettings(t *testing.T) {
	cluster := databasetest.Postgres(t)
	_, err := database.Open(t.Context(), cluster.URL()+"&user=nobody", slog.New(slog.DiscardHandler))
	require.ErrorContains(t, err, "nobody")
}
