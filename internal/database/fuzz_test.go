package database_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"zedcard/internal/database"
)

// FuzzOpen looks for a value that opens although the site has not sealed it: for this row, this purpose and these keys.
func FuzzOpen(f *testing.F) {
	keys := func(context.Context) ([][]byte, error) { return [][]byte{bytes.Repeat([]byte{1}, 32)}, nil }
	sealer, other := database.NewSealer(keys, "outbox"), database.NewSealer(keys, "guardian")
	for _, seed := range []string{"", "a secret", strings.Repeat("\x00", 40)} {
		f.Add([]byte(seed), 3, byte(1))
	}
	f.Fuzz(func(t *testing.T, value []byte, at int, change byte) {
		_, err := sealer.Open(t.Context(), value, "1")
		require.ErrorIs(t, err, database.ErrSealed)

		sealed, err := sealer.Seal(t.Context(), value, "1")
		require.NoError(t, err)
		plain, err := sealer.Open(t.Context(), sealed, "1")
		require.NoError(t, err)
		require.True(t, bytes.Equal(value, plain))
		_, err = sealer.Open(t.Context(), sealed, "2")
		require.ErrorIs(t, err, database.ErrSealed, "must not open for another row")
		_, err = other.Open(t.Context(), sealed, "1")
		require.ErrorIs(t, err, database.ErrSealed, "must not open for another purpose")
		if sealed[max(at, 0)%len(sealed)] ^= change; change != 0 {
			_, err = sealer.Open(t.Context(), sealed, "1")
			require.ErrorIs(t, err, database.ErrSealed, "must not open after one byte was changed")
		}
	})
}
