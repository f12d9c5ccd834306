package intake

import (
	"fmt"
	"log/slog"
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

func openDatabase(t *testing.T, url string) *database.DB {
	t.Helper()
	db, err := database.Open(t.Context(), url, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// TestStoredPhotosSurviveARestartAndAreShared, on both databases: for an hour, sealed. An id comes back from the
// visitor's form, and from the address of a preview.
func TestStoredPhotosSurviveARestartAndAreShared(t *testing.T) {
	file := filepath.Join(t.TempDir(), "zedcard.db")
	for name, url := range map[string]func(t *testing.T) string{
		"SQLite":     func(*testing.T) string { return "sqlite:" + file },
		"PostgreSQL": func(t *testing.T) string { return databasetest.Postgres(t).URL() },
	} {
		t.Run(name, func(t *testing.T) {
			now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
			address := url(t)
			replica := func() *Intake {
				db := openDatabase(t, address)
				return New(db, db.Keys("a key of the tests"), Options{Now: func() time.Time { return now }})
			}
			sent := agency.File{
				Field: "image_2", Name: "corpo inteiro.jpg", Type: "image/jpeg",
				Data: []byte("CANARY PHOTO\nof two lines"),
			}
			photo := keptPhoto{File: sent, Preview: []byte("CANARY PREVIEW")}
			id, err := replica().keepPhoto(t.Context(), "192.0.2.7", photo)
			require.NoError(t, err)
			assert.Regexp(t, "^[0-9a-f]{64}$", id)

			another := replica()
			got, err := another.waitingPhoto(t.Context(), id)
			require.NoError(t, err)
			assert.Equal(t, sent, got.File)
			preview, err := another.Preview(t.Context(), id)
			require.NoError(t, err)
			assert.Equal(t, "CANARY PREVIEW", string(preview))
			for _, wrong := range []string{
				"", ".", "../secret", "short", "\x00", "\xff", "' OR ''='", strings.Repeat("0", 64), id[:63] + "x",
			} {
				_, err := another.waitingPhoto(t.Context(), wrong)
				require.ErrorIs(t, err, errGone, "%q", wrong)
				_, err = another.Preview(t.Context(), wrong)
				require.ErrorIs(t, err, errGone, "%q", wrong)
			}
			now = now.Add(time.Hour)
			_, err = another.waitingPhoto(t.Context(), id)
			require.ErrorIs(t, err, errGone)
		})
	}
	for _, path := range []string{file, file + "-wal"} {
		stored, err := os.ReadFile(path)
		if err == nil {
			assert.NotContains(t, string(stored), "CANARY")
			assert.NotContains(t, string(stored), "192.0.2.7", "the client's address is not stored")
		}
	}
}

func TestOneClientsPhotosDontEvictAnothers(t *testing.T) {
	db := openDatabase(t, "sqlite:"+filepath.Join(t.TempDir(), "zedcard.db"))
	now := time.Now()
	in := New(db, db.Keys("a key of the tests"), Options{
		MaxBytes: 16 * 24_000, Now: func() time.Time { now = now.Add(time.Second); return now },
	})
	photo := keptPhoto{File: agency.File{Field: "image_1", Data: make([]byte, 900)}}
	keep := func(client string) (string, error) { return in.keepPhoto(t.Context(), client, photo) }
	mine, err := keep("me")
	require.NoError(t, err)
	var flood []string
	for range 20 {
		id, err := keep("flood")
		require.NoError(t, err)
		flood = append(flood, id)
	}
	_, err = in.waitingPhoto(t.Context(), mine)
	require.NoError(t, err)
	_, err = in.waitingPhoto(t.Context(), flood[0])
	require.ErrorIs(t, err, errGone, "the client's own oldest photo was removed")
	_, err = in.waitingPhoto(t.Context(), flood[19])
	require.NoError(t, err)

	for i := range 20 {
		_, err = keep(fmt.Sprint("client ", i))
	}
	require.Error(t, err, "a photo is refused when all of the space is used")
	_, err = in.waitingPhoto(t.Context(), mine)
	require.NoError(t, err)
	in.dropPhoto(t.Context(), mine)
	_, err = in.waitingPhoto(t.Context(), mine)
	require.ErrorIs(t, err, errGone)
}
