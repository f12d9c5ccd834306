package intake_test

import (
	"context"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/intake"
	"zedcard/internal/mail"
)

// bubble is an embedded back end's intake in a synctest bubble. Skip advances the clock without the checks of each
// minute in between, and then checks once.
func bubble(t *testing.T, mailer intake.Mailer, test func(t *testing.T, o *site, skip func(time.Duration))) {
	path := filepath.Join(t.TempDir(), "zedcard.db")
	synctest.Test(t, func(t *testing.T) {
		db := open(t, "sqlite:"+path)
		var skipped atomic.Int64
		o := newSite(db, db.Keys("secret"), nil, intake.Options{
			Log: silent, Mail: mailer,
			Now: func() time.Time { return time.Now().Add(time.Duration(skipped.Load())) },
		})
		start(t, o)
		test(t, o, func(d time.Duration) {
			skipped.Add(int64(d))
			time.Sleep(2 * time.Minute)
		})
	})
}

func TestEachSubmissionIsNotifiedOnceAndRetriedOnFailure(t *testing.T) {
	var post post
	post.answer = func(context.Context, mail.Message) error { return errNoServer }
	bubble(t, &post, func(t *testing.T, o *site, _ func(time.Duration)) {
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

func TestAnUnconfirmedMinorsApplicationIsPurgedAfterFifteenDays(t *testing.T) {
	bubble(t, nil, func(t *testing.T, o *site, skip func(time.Duration)) {
		child := func(id string) agency.Submission {
			s := ana(id)
			s.Fields = append(s.Fields,
				agency.Field{Name: "birthdate", Value: time.Now().AddDate(-15, 0, 0).Format(time.DateOnly)})
			return s
		}
		for _, s := range []agency.Submission{child("minor"), child("confirmed"), ana("adult")} {
			require.NoError(t, o.Receive(t.Context(), s))
		}
		require.NoError(t, o.ConfirmByHand(t.Context(), "confirmed"))
		require.ErrorIs(t, o.ConfirmByHand(t.Context(), "none"), agency.ErrNotFound)
		ids := func() (list []string) {
			entries, err := o.Entries(t.Context())
			require.NoError(t, err)
			for _, e := range entries {
				list = append(list, e.ID)
			}
			return list
		}
		skip(agency.MinorRetention - time.Hour)
		assert.ElementsMatch(t, []string{"minor", "confirmed", "adult"}, ids())
		skip(2 * time.Hour)
		assert.ElementsMatch(t, []string{"confirmed", "adult"}, ids())
	})
}
