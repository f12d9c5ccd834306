package intake_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/database"
	"zedcard/internal/intake"
	"zedcard/internal/mail"
)

// noted has one held submission, whose note two processes may send; the clock only moves when the test moves it.
type noted struct {
	now                   time.Time
	first, second         *site
	firstPost, secondPost post
}

func newNoted(t *testing.T, db *database.DB) *noted {
	t.Helper()
	n := &noted{now: time.Date(2026, time.November, 23, 9, 0, 0, 0, time.UTC)}
	process := func(p *post) *site {
		reject := func(agency.Submission) error { return agency.ErrRejected }
		return newSite(db, db.Keys("secret"), &panel{answer: reject},
			intake.Options{Log: silent, Now: func() time.Time { return n.now }, Mail: p})
	}
	n.first, n.second = process(&n.firstPost), process(&n.secondPost)
	require.NoError(t, n.first.Hold(t.Context(), application("held")))
	return n
}

// sendLate lets both send what is still due, long after.
func (n *noted) sendLate(t *testing.T) {
	n.now = n.now.Add(24 * time.Hour)
	n.first.SendMails(t.Context())
	n.second.SendMails(t.Context())
}

func TestANoteThatAnotherSentMeanwhileIsNotDueAgain(t *testing.T) {
	onEach(t, func(t *testing.T, db *database.DB) {
		n := newNoted(t, db)
		n.firstPost.answer = func(ctx context.Context, _ mail.Message) error {
			n.now = n.now.Add(3 * time.Minute) // longer than the lease
			n.second.SendMails(ctx)
			return errNoServer
		}
		n.first.SendMails(t.Context())
		n.sendLate(t)
		assert.Equal(t, []string{"held-suspected"}, n.firstPost.ids())
		assert.Equal(t, []string{"held-suspected"}, n.secondPost.ids())
	})
}

func TestANoteOfALaterEventIsNotMarkedAsSentByAnEarlierOne(t *testing.T) {
	onEach(t, func(t *testing.T, db *database.DB) {
		n := newNoted(t, db)
		n.firstPost.answer = func(ctx context.Context, m mail.Message) error {
			if m.ID == "held-suspected" { // it takes so long that the operator releases the submission meanwhile
				require.NoError(t, n.first.Requeue(ctx, "held"))
				stop := start(t, n.second)
				eventually(t, func() bool { return len(n.secondPost.ids()) == 1 })
				stop()
			}
			return nil
		}
		n.secondPost.answer = func(context.Context, mail.Message) error { return errNoServer }
		n.first.SendMails(t.Context())
		n.secondPost.answer = nil
		n.sendLate(t)
		assert.Equal(t, []string{"held-suspected", "held-refused"}, n.firstPost.ids())
		assert.Equal(t, []string{"held-refused"}, n.secondPost.ids(), "the try that failed")
	})
}

func TestANoteSentDuringAShutdownIsNotSentAgain(t *testing.T) {
	onEach(t, func(t *testing.T, db *database.DB) {
		n := newNoted(t, db)
		ctx, shutDown := context.WithCancel(t.Context())
		n.firstPost.answer = func(context.Context, mail.Message) error {
			shutDown()
			return nil
		}
		n.first.SendMails(ctx)
		n.sendLate(t)
		assert.Equal(t, []string{"held-suspected"}, n.firstPost.ids())
		assert.Empty(t, n.secondPost.ids())
	})
}
