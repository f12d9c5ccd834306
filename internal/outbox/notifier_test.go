package outbox_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/database"
	"zedcard/internal/outbox"
)

var errNoServer = errors.New("the mail server does not answer")

// noted has one held submission, whose note two notifiers may send; the clock only moves when the test moves it.
type noted struct {
	outbox *outbox.Outbox
	now    time.Time
	failed chan struct{} // the outbox itself could not send a note
	sent   []string      // by whom, of which state
	first  outbox.Notifier
	second outbox.Notifier
}

func newNoted(t *testing.T, db *database.DB) *noted {
	t.Helper()
	n := &noted{failed: make(chan struct{}, 1), now: time.Date(2026, time.November, 23, 9, 0, 0, 0, time.UTC)}
	notify := func(who string) func(context.Context, outbox.Notice) error {
		return func(_ context.Context, notice outbox.Notice) error {
			n.sent = append(n.sent, who+" "+string(notice.State))
			return nil
		}
	}
	now := func() time.Time { return n.now }
	n.outbox = outbox.New(db, db.Keys("secret"),
		&panel{answer: func(agency.Submission) error { return agency.ErrRejected }},
		outbox.Options{Log: silent, Now: now, Notify: func(context.Context, outbox.Notice) error {
			n.failed <- struct{}{}
			return errNoServer
		}})
	n.first = outbox.Notifier{DB: db, Table: "outbox", Notify: notify("first"), Now: now, Log: silent}
	n.second = n.first
	n.second.Notify = notify("second")
	require.NoError(t, n.outbox.Hold(t.Context(), application("held")))
	return n
}

// sendLate lets both send what is still due, long after.
func (n *noted) sendLate(t *testing.T) {
	n.now = n.now.Add(24 * time.Hour)
	n.first.SendDue(t.Context())
	n.second.SendDue(t.Context())
}

func TestANoteThatAnotherSentMeanwhileIsNotDueAgain(t *testing.T) {
	onEach(t, func(t *testing.T, db *database.DB) {
		n := newNoted(t, db)
		n.first.Notify = func(ctx context.Context, _ outbox.Notice) error {
			n.now = n.now.Add(3 * time.Minute) // longer than the lease
			n.second.SendDue(ctx)
			return errNoServer
		}
		n.first.SendDue(t.Context())
		n.sendLate(t)
		assert.Equal(t, []string{"second suspected"}, n.sent)
	})
}

func TestANoteOfALaterEventIsNotMarkedAsSentByAnEarlierOne(t *testing.T) {
	onEach(t, func(t *testing.T, db *database.DB) {
		n := newNoted(t, db)
		slow := n.first
		slow.Notify = func(ctx context.Context, notice outbox.Notice) error {
			require.NoError(t, n.outbox.Requeue(ctx, notice.ID))
			n.now = n.now.Add(time.Second)
			stop := start(t, n.outbox)
			<-n.failed
			stop()
			return nil
		}
		slow.SendDue(t.Context())
		n.sendLate(t)
		assert.Equal(t, []string{"first refused"}, n.sent)
	})
}

func TestANoteSentDuringAShutdownIsNotSentAgain(t *testing.T) {
	onEach(t, func(t *testing.T, db *database.DB) {
		n := newNoted(t, db)
		ctx, shutDown := context.WithCancel(t.Context())
		first, send := n.first, n.first.Notify
		first.Notify = func(ctx context.Context, notice outbox.Notice) error {
			shutDown()
			return send(ctx, notice)
		}
		first.SendDue(ctx)
		n.sendLate(t)
		assert.Equal(t, []string{"first suspected"}, n.sent)
	})
}
