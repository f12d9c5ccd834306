package inbox_test

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
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

// bubble is an inbox in a synctest bubble; told is called for each notice. Skip advances the clock without the checks
// of each minute in between, and then checks once.
func bubble(
	t *testing.T, told func(outbox.Notice) error, test func(t *testing.T, b *inbox.Inbox, skip func(time.Duration)),
) {
	path := filepath.Join(t.TempDir(), "zedcard.db")
	synctest.Test(t, func(t *testing.T) {
		silent := slog.New(slog.DiscardHandler)
		db, err := database.Open(t.Context(), "sqlite:"+path, silent)
		require.NoError(t, err)
		defer db.Close()
		out := outbox.New(db, db.Keys("secret"), nil, outbox.Options{})
		var skipped atomic.Int64
		b := inbox.New(db, db.Keys("secret"), out, inbox.Options{
			Log: silent, Notify: func(_ context.Context, n outbox.Notice) error { return told(n) },
			Now: func() time.Time { return time.Now().Add(time.Duration(skipped.Load())) },
		})
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); b.Run(ctx) }()
		defer func() { stop(); <-done }()
		test(t, b, func(d time.Duration) {
			skipped.Add(int64(d))
			time.Sleep(2 * time.Minute)
		})
	})
}

func TestEachSubmissionIsNotifiedOnceAndRetriedOnFailure(t *testing.T) {
	post := mailServer{down: true}
	bubble(t, post.tell, func(t *testing.T, b *inbox.Inbox, _ func(time.Duration)) {
		require.NoError(t, b.Put(t.Context(), ana("a")))
		time.Sleep(10 * time.Second)
		require.Equal(t, []string{"a"}, post.told(), "notified at once")
		time.Sleep(24 * time.Hour)
		tries := len(post.told())
		assert.Greater(t, tries, 20, "notifications are retried")
		assert.Less(t, tries, 40, "with growing intervals")
		entries, err := b.Entries(t.Context())
		require.NoError(t, err)
		assert.Len(t, entries, 1, "the submission is in the inbox before its notification succeeds")

		post.comesBack()
		time.Sleep(2 * time.Hour)
		for range 2 { // a resend is nothing new
			require.NoError(t, b.Put(t.Context(), eve("b")))
			time.Sleep(2 * time.Hour)
		}
		assert.Equal(t, []string{"a", "b"}, post.told()[tries:])
	})
}

// mailServer records notices, and accepts none while it is down.
type mailServer struct {
	mu   sync.Mutex
	down bool
	ids  []string
}

func (m *mailServer) tell(n outbox.Notice) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ids = append(m.ids, n.ID)
	if m.down {
		return errors.New("no mail server")
	}
	return nil
}

func (m *mailServer) told() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.ids)
}

func (m *mailServer) comesBack() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.down = false
}

func TestAnUnconfirmedMinorsApplicationIsPurgedAfterFifteenDays(t *testing.T) {
	bubble(t, func(outbox.Notice) error { return nil }, func(t *testing.T, b *inbox.Inbox, skip func(time.Duration)) {
		child := func(id string) agency.Submission {
			s := ana(id)
			s.Fields = append(s.Fields,
				agency.Field{Name: "birthdate", Value: time.Now().AddDate(-15, 0, 0).Format(time.DateOnly)})
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
		skip(agency.MinorRetention - time.Hour)
		assert.ElementsMatch(t, []string{"minor", "confirmed", "adult"}, ids())
		skip(2 * time.Hour)
		assert.ElementsMatch(t, []string{"confirmed", "adult"}, ids())
	})
}
