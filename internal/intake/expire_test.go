package intake_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/database"
	"zedcard/internal/intake"
	"zedcard/internal/mail"
)

func TestEachSubmissionIsNotifiedOnceAndRetriedOnFailure(t *testing.T) {
	var post post
	post.answer = func(context.Context, mail.Message) error { return errNoServer }
	inBubble(t, func(t *testing.T, db *database.DB) {
		o := newSite(db, db.Keys("secret"), nil, intake.Options{Log: silent, Mail: &post})
		start(t, o)
		require.NoError(t, o.Receive(t.Context(), ana("a")))
		time.Sleep(10 * time.Second)
		require.Equal(t, []string{"a-received"}, post.ids(), "notified at once")
		time.Sleep(24 * time.Hour)
		tries := len(post.ids())
		assert.Greater(t, tries, 20, "notifications are retried")
		assert.Less(t, tries, 40, "with growing intervals")
		entries, err := o.Entries(t.Context())
		require.NoError(t, err)
		assert.Len(t, entries, 1, "the submission is in the inbox before its notification succeeds")

		post.mu.Lock()
		post.answer = nil
		post.mu.Unlock()
		time.Sleep(2 * time.Hour)
		for range 2 { // a resend is nothing new
			require.NoError(t, o.Receive(t.Context(), eve("b")))
			time.Sleep(2 * time.Hour)
		}
		assert.Equal(t, []string{"a-received", "b-received"}, post.ids()[tries:])
	})
}

// stored are the ids of what is in the database.
func stored(t *testing.T, db *database.DB) (ids []string) {
	t.Helper()
	rows, err := db.Query("SELECT id FROM submission")
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var id string
		require.NoError(t, rows.Scan(&id))
		ids = append(ids, id)
	}
	require.NoError(t, rows.Err())
	return ids
}

// TestEachSubmissionIsKeptAsLongAsItsReceiptSays: 180 days, or 15 if nobody confirmed a minor's, from the day on which
// it came, however late it goes on.
func TestEachSubmissionIsKeptAsLongAsItsReceiptSays(t *testing.T) {
	onEach(t, func(t *testing.T, db *database.DB) {
		var day atomic.Int64
		o := openInbox(db, intake.Options{Now: func() time.Time { return came.AddDate(0, 0, int(day.Load())) }})
		for _, s := range []agency.Submission{
			ana("adult"), child("minor"), child("confirmed"), ana("refused adult"), child("refused minor"),
		} {
			require.NoError(t, o.Put(t.Context(), s))
		}
		require.NoError(t, o.Hold(t.Context(), ana("held")))
		require.NoError(t, o.ConfirmByHand(t.Context(), "confirmed"))
		require.ErrorIs(t, o.ConfirmByHand(t.Context(), "none"), agency.ErrNotFound)
		stop := start(t, o)
		eventually(t, func() bool { return counts(t, o)[intake.Queued] == 0 })
		stop()
		// keptOn is what is listed on a day, and soon all that is stored.
		keptOn := func(on int64) (ids []string) {
			day.Store(on)
			entries, err := o.Entries(t.Context())
			require.NoError(t, err)
			for _, e := range entries {
				ids = append(ids, e.ID)
			}
			stop := start(t, o)
			eventually(t, func() bool { return len(stored(t, db)) == len(ids) })
			stop()
			assert.ElementsMatch(t, ids, stored(t, db))
			return ids
		}
		adults := []string{"adult", "confirmed", "refused adult", "held"}
		assert.ElementsMatch(t, append([]string{"minor", "refused minor"}, adults...), keptOn(14))
		assert.ElementsMatch(t, adults, keptOn(16))
		day.Store(100)
		require.NoError(t, o.Requeue(t.Context(), "held"))
		stop = start(t, o)
		eventually(t, func() bool { return counts(t, o)[intake.Queued] == 0 })
		stop()
		assert.ElementsMatch(t, adults, keptOn(179))
		assert.Empty(t, keptOn(181))
		var parts int
		require.NoError(t, db.QueryRow("SELECT count(*) FROM submission_part").Scan(&parts))
		assert.Zero(t, parts)
	})
}
