package catalog

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
)

func TestLookUpsOfUnknownAddressesAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		c := New(f, f, Options{})
		defer c.Close()
		_, err := c.Roster(t.Context())
		require.NoError(t, err)
		_, _, err = c.Posts(t.Context(), "news", FirstPosts)
		require.NoError(t, err)
		mischief, visitor := c.Visit(t.Context(), "192.0.2.66"), c.Visit(t.Context(), "192.0.2.7")
		f.profiles["new"] = agency.Talent{ID: "new", Name: "Nova"} // not on the list yet
		refused := 0
		for i := range 500 {
			_, err := c.Talent(mischief, fmt.Sprint("made-up-", i))
			_, postErr := c.Post(mischief, "news", fmt.Sprint("inventado-", i))
			require.Error(t, err)
			require.Error(t, postErr)
			if !assert.NotErrorIs(t, err, agency.ErrGone) {
				return
			}
			if i > 100 {
				require.ErrorIs(t, err, agency.ErrUnavailable)
				refused++
			}
		}
		require.Positive(t, refused)
		asked := 0
		for what, times := range f.calls {
			if strings.Contains(what, "made-up") || strings.Contains(what, "inventado") {
				asked += times
			}
		}
		assert.LessOrEqual(t, asked, unknownBurst)

		_, err = c.Talent(mischief, "1")
		require.NoError(t, err, "a talent on the roster is not limited")
		_, err = c.Post(mischief, "news", "primeiro")
		require.NoError(t, err, "a listed post is not limited")
		time.Sleep(listTTL + time.Second)
		f.talents = append(f.talents, agency.Talent{ID: "new", Name: "Nova"})
		_, err = c.Talent(visitor, "new")
		require.NoError(t, err, "another client's look-up is not limited")
		time.Sleep(time.Second)
		_, err = c.Talent(mischief, "made-up-499")
		assert.ErrorIs(t, err, agency.ErrNotFound)
	})
}
