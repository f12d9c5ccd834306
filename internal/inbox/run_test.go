package inbox_test

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/database"
	"zedcard/internal/inbox"
	"zedcard/internal/outbox"
)

// bubble is an inbox in which time passes only when everybody waits; told is called for each notice.
func bubble(t *testing.T, told func(inbox.Notice) error, test func(t *testing.T, b *inbox.Inbox)) {
	path := filepath.Join(t.TempDir(), "zedcard.db")
	synctest.Test(t, func(t *testing.T) {
		silent := slog.New(slog.DiscardHandler)
		db, err := database.Open(t.Context(), "sqlite:"+path, silent)
		require.NoError(t, err)
		defer db.Close()
		out := outbox.New(db, db.Keys("secret"), nil, outbox.Options{})
		b := inbox.New(db, db.Keys("secret"), out, inbox.Options{
			Log: silent, Notify: func(_ context.Context, n inbox.Notice) error { return told(n) },
		})
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); b.Run(ctx) }()
		defer func() { stop(); <-done }()
		test(t, b)
	})
}

func TestEachSubmissionIsToldOnceAndAgainOnlyWhereThatFailed(t *testing.T) {
	var told []string
	down := true
	bubble(t, func(n inbox.Notice) error {
		told = append(told, n.ID)
		if down {
			return errors.New("no mail server")
		}
		return nil
	}, func(t *testing.T, b *inbox.Inbox) {
		require.NoError(t, b.Put(t.Context(), ana("a")))
		time.Sleep(10 * time.Second)
		require.Equal(t, []string{"a"}, told, "at once")
		time.Sleep(24 * time.Hour)
		assert.Greater(t, len(told), 20, "again and again")
		assert.Less(t, len(told), 40, "ever more seldom")
		entries, err := b.Entries(t.Context())
		require.NoError(t, err)
		assert.Len(t, entries, 1, "what it is about doesn't wait")

		told, down = nil, false
		time.Sleep(2 * time.Hour)
		for range 2 { // a resend is nothing new
			require.NoError(t, b.Put(t.Context(), eve("b")))
			time.Sleep(2 * time.Hour)
		}
		assert.Equal(t, []string{"a", "b"}, told)
	})
}

func TestAMinorsApplicationGoesAfterFifteenDaysUnlessItIsConfirmed(t *testing.T) {
	bubble(t, func(inbox.Notice) error { return nil }, func(t *testing.T, b *inbox.Inbox) {
		child := func(id string) agency.Submission {
			s := ana(id)
			s.Fields = append(s.Fields, agency.Field{Name: "birthdate", Value: time.Now().AddDate(-15, 0, 0).Format(time.DateOnly)})
			return s
		}
		for _, s := range []agency.Submission{child("minor"), child("confirmed"), ana("adult")} {
			require.NoError(t, b.Put(t.Context(), s))
		}
		require.NoError(t, b.Confirm(t.Context(), "confirmed"))
		require.ErrorIs(t, b.Confirm(t.Context(), "none"), agency.ErrNotFound)
		ids := func() (list []string) {
			entries, err := b.Entries(t.Context())
			require.NoError(t, err)
			for _, e := range entries {
				list = append(list, e.ID)
			}
			return list
		}
		time.Sleep(outbox.MinorRetention - time.Hour)
		assert.ElementsMatch(t, []string{"minor", "confirmed", "adult"}, ids())
		time.Sleep(2 * time.Hour)
		assert.ElementsMatch(t, []string{"confirmed", "adult"}, ids())
	})
}
