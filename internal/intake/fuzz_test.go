package intake

import (
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/database"
)

// FuzzKeptPhoto looks for an id, as a form sends it back, that is of a photo although it was never given out.
func FuzzKeptPhoto(f *testing.F) {
	db, err := database.Open(f.Context(), "sqlite:"+filepath.Join(f.TempDir(), "zedcard.db"),
		slog.New(slog.DiscardHandler))
	require.NoError(f, err)
	f.Cleanup(func() { _ = db.Close() })
	in := New(db, db.Keys("a key of the tests"), Options{})
	photo := keptPhoto{File: agency.File{Data: []byte("a photo")}, Preview: []byte("its preview")}
	id, err := in.keepPhoto(f.Context(), "192.0.2.7", photo)
	require.NoError(f, err)
	for _, seed := range []string{"", "short", "\x00", "é", strings.Repeat("0", 64), strings.Repeat("%", 64)} {
		f.Add(seed, 0)
	}
	f.Add("A", 40)
	f.Fuzz(func(t *testing.T, part string, at int) {
		at = max(at, 0) % len(id)
		for _, madeUp := range []string{part, id + part, part + id, id[:at] + part + id[min(at+len(part), len(id)):]} {
			require.LessOrEqual(t, len(hashOfID(madeUp)), 32)
			if madeUp == id {
				continue
			}
			_, err := in.waitingPhoto(t.Context(), madeUp)
			require.ErrorIs(t, err, errGone, "%q", madeUp)
			_, err = in.Preview(t.Context(), madeUp)
			require.ErrorIs(t, err, errGone, "%q", madeUp)
		}
	})
}
