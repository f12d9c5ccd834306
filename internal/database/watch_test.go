package database_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/database"
	"zedcard/internal/database/databasetest"
)

// watched is an open database that is watched, with a row for each of some names.
func watched(t *testing.T, url string, names ...string) *database.DB {
	t.Helper()
	db := open(t, url)
	db.Watch(t.Context(), func(ctx context.Context) error { return store(ctx, db) })
	eventually(t, func() bool { return put(db, "first") == nil })
	for _, name := range names {
		require.NoError(t, put(db, name))
	}
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

func has(t *testing.T, url, name string) bool {
	t.Helper()
	var found int
	require.NoError(t, open(t, url).QueryRow("SELECT count(*) FROM settings WHERE name = $1", name).Scan(&found))
	return found == 1
}

func TestNothingIsStoredInAFileThatWasRemovedOrReplaced(t *testing.T) {
	move := func(t *testing.T, from, to string) { require.NoError(t, os.Rename(from, to)) }
	for name, tc := range map[string]struct {
		spoil, mend func(t *testing.T, path string)
	}{
		"removed, and what was saved put back": {
			func(t *testing.T, path string) { require.NoError(t, os.Remove(path)) },
			func(t *testing.T, path string) {
				var saved []string
				eventually(t, func() bool {
					saved, _ = filepath.Glob(path + ".saved-*")
					return len(saved) == 1
				})
				move(t, saved[0], path)
			},
		},
		"moved away and back": {
			func(t *testing.T, path string) { move(t, path, path+".away") },
			func(t *testing.T, path string) { move(t, path+".away", path) },
		},
		"replaced by a copy": {
			func(t *testing.T, path string) { move(t, path+".copy", path) },
			func(*testing.T, string) {},
		},
		"without its log": {
			func(t *testing.T, path string) { require.NoError(t, os.Remove(path+"-wal")) },
			func(*testing.T, string) {},
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "zedcard.db")
			db := watched(t, "sqlite:"+path, "before")
			require.NoError(t, database.Backup(t.Context(), "sqlite:"+path, path+".copy"))
			tc.spoil(t, path)
			assert.ErrorIs(t, put(db, "lost"), agency.ErrUnavailable, "at once")
			tc.mend(t, path)
			eventually(t, func() bool { return db.Ready() == nil && put(db, "after") == nil })
			assert.True(t, has(t, "sqlite:"+path, "after"), "a program that starts now has it")
			assert.True(t, has(t, "sqlite:"+path, "before"))
		})
	}
}

func TestReadySaysThatTheFileIsGone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zedcard.db")
	db := watched(t, "sqlite:"+path)
	require.NoError(t, os.Remove(path))
	eventually(t, func() bool { return db.Ready() != nil })
	assert.ErrorContains(t, db.Ready(), "zedcard.db was removed or replaced while the site runs")
}

func TestADamagedFileIsNamedAndTheSiteStarts(t *testing.T) {
	for name, damage := range map[string]func(data []byte) []byte{
		"first bytes zero": func(data []byte) []byte { clear(data[:100]); return data },
		"a page in the middle": func(data []byte) []byte {
			copy(data[len(data)/2&^4095:], strings.Repeat("garbage", 600))
			return data
		},
		"cut short":   func(data []byte) []byte { return data[:len(data)/3&^4095+17] },
		"no database": func([]byte) []byte { return []byte(strings.Repeat("no database\n", 100)) },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "zedcard.db")
			url := "sqlite:" + path
			first := open(t, url)
			for i := range 300 {
				require.NoError(t, put(first, fmt.Sprint(i, strings.Repeat("x", 900))))
			}
			require.NoError(t, first.Close())
			whole, err := os.ReadFile(path)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(path, damage(append([]byte(nil), whole...)), 0o600))

			assert.ErrorContains(t, database.Check(t.Context(), url, store), "is damaged")
			db := open(t, url)
			db.Watch(t.Context(), func(ctx context.Context) error { return store(ctx, db) })
			assert.Error(t, put(db, "into a damaged file"))
			eventually(t, func() bool {
				err := db.Ready()
				return err != nil && strings.Contains(err.Error(), "damaged")
			})
			assert.ErrorContains(t, db.Ready(), "put the last backup in its place, or move it away")
			_, err = db.Keys()(t.Context())
			require.NoError(t, err, "what is only signed needs no database")

			require.NoError(t, os.WriteFile(path+".backup", whole, 0o600))
			require.NoError(t, os.Rename(path+".backup", path))
			eventually(t, func() bool { return db.Ready() == nil && put(db, "after") == nil })
			assert.True(t, has(t, url, "after"))
		})
	}
}

func TestADroppedSchemaIsNamed(t *testing.T) {
	cluster := databasetest.Postgres(t)
	db := watched(t, cluster.URL())
	eventually(t, func() bool { return db.Ready() == nil })
	_, err := db.Exec("DROP TABLE settings CASCADE")
	require.NoError(t, err)
	eventually(t, func() bool { return db.Ready() != nil })
	assert.ErrorContains(t, db.Ready(), "the tables are gone")
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
