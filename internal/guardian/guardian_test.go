package guardian_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/database"
	"zedcard/internal/database/databasetest"
	"zedcard/internal/guardian"
	"zedcard/internal/inbox"
	"zedcard/internal/outbox"
)

var came = time.Date(2026, time.November, 22, 10, 0, 0, 0, time.UTC)

// post is a fake of the mail server; answer is its answer to a guardian's mail.
type post struct {
	mu     sync.Mutex
	answer func() error
	asked  []guardian.Letter
	told   []string
}

func (p *post) AskGuardian(_ context.Context, l guardian.Letter) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, l)
	if p.answer == nil {
		return nil
	}
	return p.answer()
}

func (p *post) NotifyAgency(_ context.Context, a guardian.Application) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.told = append(p.told, a.ID)
	return nil
}

// office is a site's database with the services that use it, and a clock that only the test moves.
type office struct {
	*guardian.Requests
	t      *testing.T
	url    string
	now    time.Time
	post   *post
	db     *database.DB
	outbox *outbox.Outbox
	inbox  *inbox.Inbox
	log    bytes.Buffer
}

// onEach runs a test on both databases.
func onEach(t *testing.T, test func(t *testing.T, o *office)) {
	t.Run("sqlite", func(t *testing.T) { test(t, open(t, "sqlite:"+filepath.Join(t.TempDir(), "zedcard.db"))) })
	t.Run("postgres", func(t *testing.T) { test(t, open(t, databasetest.Postgres(t).URL())) })
}

func open(t *testing.T, url string) *office {
	t.Helper()
	o := &office{t: t, url: url, now: came, post: &post{}}
	o.start()
	t.Cleanup(func() { _ = o.db.Close() }) // some tests close it before
	return o
}

// start is a start of the program.
func (o *office) start() {
	o.t.Helper()
	log := slog.New(slog.NewTextHandler(&o.log, nil))
	var err error
	o.db, err = database.Open(context.Background(), o.url, log)
	require.NoError(o.t, err)
	keys, now := o.db.Keys("secret"), func() time.Time { return o.now }
	o.Requests = guardian.New(o.db, keys, guardian.Options{Mail: o.post, Now: now, Log: log})
	o.outbox = outbox.New(o.db, keys, nil, outbox.Options{Now: now, Log: log, Guardians: o.Requests})
	o.inbox = inbox.New(o.db, keys, o.outbox, inbox.Options{Now: now, Log: log})
}

func child(id string) agency.Submission {
	return agency.Submission{
		ID: id, Kind: agency.GetScouted,
		Fields: []agency.Field{
			{Name: "realname", Value: "Saoirse Daly"}, {Name: "birthdate", Value: "2012-05-01"},
			{Name: "responsible", Value: "Orla Daly · orla@example.com · +353 1 234 5678"},
			{Name: "email", Value: "saoirse@example.com"},
		},
		Guardian: agency.Guardian{Email: "orla@example.com", Lang: "pt"},
	}
}

// says is what an operator reads of an application's guardian.
func (o *office) says(id string) string {
	o.t.Helper()
	entry, _, err := o.inbox.Find(o.t.Context(), id)
	require.NoError(o.t, err)
	return entry.Guardian
}

func TestAGuardianIsAskedOnceAndConfirmsOnce(t *testing.T) {
	onEach(t, func(t *testing.T, o *office) {
		adult := child("ad17")
		adult.Fields, adult.Guardian = adult.Fields[3:], agency.Guardian{}
		require.NoError(t, o.outbox.Put(t.Context(), adult))
		for range 2 { // a double click
			require.NoError(t, o.outbox.Put(t.Context(), child("c41dc4")))
		}
		assert.Empty(t, o.says("ad17"))
		assert.Equal(t, "not confirmed, the mail to them is not sent yet", o.says("c41dc4"))
		o.SendDue(t.Context())
		o.now = o.now.Add(time.Hour)
		o.SendDue(t.Context())
		require.Len(t, o.post.asked, 1)
		letter := o.post.asked[0]
		assert.Equal(t, "orla@example.com pt G-261122-C41DC4",
			fmt.Sprint(letter.Address, " ", letter.Lang, " ", letter.Reference()))
		assert.Equal(t, came.Add(agency.MinorRetention), letter.Expires)
		assert.Equal(t, "not confirmed, asked by mail at 2026-11-22T10:00:00Z", o.says("c41dc4"))
		var stored string
		require.NoError(t, o.db.QueryRow("SELECT token_hash FROM guardian").Scan(&stored))
		assert.NotContains(t, stored, letter.Token)

		application, err := o.Lookup(t.Context(), letter.Token)
		require.NoError(t, err)
		assert.True(t, application.Confirmed.IsZero(), "opening the link confirms nothing")
		for range 2 {
			application, err = o.Confirm(t.Context(), letter.Token)
			require.NoError(t, err)
			assert.Equal(t, came.Add(time.Hour), application.Confirmed)
			o.now = o.now.Add(time.Hour)
			o.SendDue(t.Context())
		}
		assert.Equal(t, []string{"c41dc4"}, o.post.told)
		assert.Equal(t, "confirmed at 2026-11-22T11:00:00Z", o.says("c41dc4"))
		_, err = o.Confirm(t.Context(), letter.Token+"x")
		require.ErrorIs(t, err, agency.ErrNotFound)
		assert.NotContains(t, o.log.String(), letter.Token)
		assert.NotContains(t, o.log.String(), "example.com")
	})
}

func TestOneAddressGetsThreeMailsADayAndNoneIsLost(t *testing.T) {
	onEach(t, func(t *testing.T, o *office) {
		for n := range 5 {
			s := child(fmt.Sprintf("c41d%02d", n))
			s.Guardian.Email = []string{"orla@example.com", " Orla@Example.com"}[n%2]
			require.NoError(t, o.outbox.Put(t.Context(), s))
		}
		another := child("0the44")
		another.Guardian.Email = "liam@example.com"
		require.NoError(t, o.outbox.Put(t.Context(), another))
		asked := func() (ids []string) {
			o.SendDue(t.Context())
			for _, letter := range o.post.asked {
				ids = append(ids, letter.ID)
			}
			o.post.asked = nil
			return ids
		}
		assert.ElementsMatch(t, []string{"c41d00", "c41d01", "c41d02", "0the44"}, asked())
		o.now = o.now.Add(23 * time.Hour)
		assert.Empty(t, asked())
		assert.Equal(t, "not confirmed, the mail to them is not sent yet", o.says("c41d04"))

		o.now = o.now.Add(time.Hour)
		assert.Equal(t, []string{"c41d03", "c41d04"}, asked())
		o.now = o.now.Add(24 * time.Hour)
		assert.Empty(t, asked(), "each mail is sent once")
		var known int
		require.NoError(t, o.db.QueryRow("SELECT count(*) FROM guardian WHERE recipient <> ''").Scan(&known))
		assert.Zero(t, known, "addresses are deleted once they are not needed")
	})
}

func TestMailsThatAnotherProcessIsSendingCountToo(t *testing.T) {
	onEach(t, func(t *testing.T, o *office) {
		for n := range 5 {
			require.NoError(t, o.outbox.Put(t.Context(), child(fmt.Sprintf("c41d%02d", n))))
		}
		asked := 0
		var another *guardian.Requests
		mailer := mailerFunc(func() {
			asked++
			another.SendDue(t.Context())
		})
		now := func() time.Time { return o.now }
		another = guardian.New(o.db, o.db.Keys("secret"), guardian.Options{Mail: mailer, Now: now})
		another.SendDue(t.Context())
		assert.Equal(t, 3, asked)
		o.now = o.now.Add(24 * time.Hour)
		another.SendDue(t.Context())
		assert.Equal(t, 5, asked)
	})
}

func TestProcessesThatSendAtTheSameMomentKeepTheLimit(t *testing.T) {
	onEach(t, func(t *testing.T, o *office) {
		for n := range 40 {
			require.NoError(t, o.outbox.Put(t.Context(), child(fmt.Sprintf("c41d%02d", n))))
		}
		var processes sync.WaitGroup
		for range 8 {
			another := guardian.New(o.db, o.db.Keys("secret"), guardian.Options{
				Mail: o.post, Now: func() time.Time { return came },
			})
			processes.Go(func() { another.SendDue(t.Context()) })
		}
		processes.Wait()
		assert.Len(t, o.post.asked, 3)
	})
}

// mailerFunc is called for each mail to a guardian.
type mailerFunc func()

func (f mailerFunc) AskGuardian(context.Context, guardian.Letter) error { f(); return nil }

func (f mailerFunc) NotifyAgency(context.Context, guardian.Application) error { return nil }

// The version before migration 007 stores a mail without its recipient, also while both run.
func TestMailsStoredByTheVersionBeforeCountToo(t *testing.T) {
	onEach(t, func(t *testing.T, o *office) {
		for n := range 5 {
			require.NoError(t, o.outbox.Put(t.Context(), child(fmt.Sprintf("c41d%02d", n))))
		}
		_, err := o.db.Exec("UPDATE guardian SET recipient = '' WHERE id <> 'c41d04'")
		require.NoError(t, err)
		asked := func() int {
			o.SendDue(t.Context())
			return len(o.post.asked)
		}
		assert.Equal(t, 3, asked())
		o.now = o.now.Add(24 * time.Hour)
		assert.Equal(t, 5, asked(), "the others follow a day later")
		for _, letter := range o.post.asked {
			_, err := o.Confirm(t.Context(), letter.Token)
			require.NoError(t, err)
		}
		o.SendDue(t.Context())
		assert.Len(t, o.post.told, 5, "the agency hears of each confirmation")
	})
}

func TestAProcessKilledWhileSendingResendsTheSameMail(t *testing.T) {
	onEach(t, func(t *testing.T, o *office) {
		require.NoError(t, o.outbox.Put(t.Context(), child("c41dc4")))
		require.NoError(t, o.db.Close()) // before it was sent
		o.start()
		o.post.answer = func() error { return o.db.Close() } // after the server took it, before that is written down
		o.SendDue(t.Context())
		require.Len(t, o.post.asked, 1)
		o.post.answer = nil
		o.start()
		o.SendDue(t.Context())
		assert.Len(t, o.post.asked, 1, "not resent while another program may be sending it")
		o.now = o.now.Add(3 * time.Minute)
		o.SendDue(t.Context())
		o.now = o.now.Add(3 * time.Minute)
		o.SendDue(t.Context())
		require.Len(t, o.post.asked, 2)
		assert.Equal(t, o.post.asked[0], o.post.asked[1], "the same link is sent again")
		_, err := o.Confirm(t.Context(), o.post.asked[0].Token)
		require.NoError(t, err)
	})
}

func TestAFailedMailIsRetriedUntilItsLinkExpires(t *testing.T) {
	onEach(t, func(t *testing.T, o *office) {
		o.post.answer = func() error { return errors.New("no mail server") }
		require.NoError(t, o.outbox.Put(t.Context(), child("c41dc4")))
		for range 20 * 24 {
			o.SendDue(t.Context())
			o.now = o.now.Add(time.Hour)
		}
		assert.InDelta(t, 15*24, len(o.post.asked), 2)
		_, err := o.Lookup(t.Context(), o.post.asked[0].Token)
		require.ErrorIs(t, err, agency.ErrNotFound)
		_, err = o.Confirm(t.Context(), o.post.asked[0].Token)
		require.ErrorIs(t, err, agency.ErrNotFound)
		var letter []byte
		require.NoError(t, o.db.QueryRow("SELECT letter FROM guardian").Scan(&letter))
		assert.Empty(t, letter, "a mail that is never sent is deleted")
	})
}

func TestAPermanentlyRefusedAddressIsReported(t *testing.T) {
	o := open(t, "sqlite:"+filepath.Join(t.TempDir(), "zedcard.db"))
	o.post.answer = func() error { return agency.ErrRejected }
	require.NoError(t, o.outbox.Put(t.Context(), child("c41dc4")))
	for range 3 {
		o.SendDue(t.Context())
		o.now = o.now.Add(time.Hour)
	}
	assert.Len(t, o.post.asked, 1)
	assert.Equal(t, "not confirmed, the mail server refused their address at 2026-11-22T10:00:00Z", o.says("c41dc4"))
	require.NoError(t, o.inbox.Confirm(t.Context(), "G-261122-C41DC4"), "the operator can still confirm by hand")
	assert.Equal(t, "confirmed at 2026-11-22T13:00:00Z", o.says("c41dc4"))
}

func TestAHeldApplicationSendsNoMailUntilReleased(t *testing.T) {
	onEach(t, func(t *testing.T, o *office) {
		require.NoError(t, o.outbox.Hold(t.Context(), child("c41dc4")))
		o.SendDue(t.Context())
		assert.Empty(t, o.post.asked)
		require.NoError(t, o.outbox.Requeue(t.Context(), "c41dc4"))
		o.SendDue(t.Context())
		assert.Len(t, o.post.asked, 1)
	})
}

func TestAConfirmedApplicationIsKeptAsLongAsAnAdults(t *testing.T) {
	onEach(t, func(t *testing.T, o *office) {
		for _, id := range []string{"c41dc4", "unconfirmed"} {
			require.NoError(t, o.outbox.Put(t.Context(), child(id)))
		}
		o.SendDue(t.Context())
		_, err := o.Confirm(t.Context(), o.post.asked[0].Token) // before the inbox has it
		require.NoError(t, err)
		for _, id := range []string{"c41dc4", "unconfirmed"} {
			require.NoError(t, o.inbox.Put(t.Context(), child(id)))
		}
		// left is what is in the inbox once it has removed as many as are expected to go.
		left := func(gone int) (ids []string) {
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan struct{})
			go func() { defer close(done); o.inbox.Run(ctx) }()
			defer func() { cancel(); <-done }()
			require.Eventually(t, func() bool {
				ids = o.received()
				return len(ids) == 2-gone
			}, 15*time.Second, 20*time.Millisecond)
			return ids
		}
		o.now = came.Add(agency.MinorRetention + time.Hour)
		assert.Equal(t, []string{"c41dc4"}, left(1))
		o.now = came.Add(agency.Retention + time.Hour)
		assert.Empty(t, left(2))
	})
}

// received are the ids of what is in the inbox's table.
func (o *office) received() (ids []string) {
	rows, err := o.db.Query("SELECT id FROM inbox ORDER BY id")
	require.NoError(o.t, err)
	defer rows.Close()
	for rows.Next() {
		var id string
		require.NoError(o.t, rows.Scan(&id))
		ids = append(ids, id)
	}
	require.NoError(o.t, rows.Err())
	return ids
}

func TestErasureLeavesNoLinkAndNoMail(t *testing.T) {
	onEach(t, func(t *testing.T, o *office) {
		for _, id := range []string{"c41dc4", "0ther"} {
			require.NoError(t, o.outbox.Put(t.Context(), child(id)))
			o.SendDue(t.Context())
		}
		var said bytes.Buffer
		require.NoError(t, o.inbox.EraseAddress(t.Context(), &said, "ORLA@example.com"))
		for _, letter := range o.post.asked {
			_, err := o.Confirm(t.Context(), letter.Token)
			require.ErrorIs(t, err, agency.ErrNotFound)
		}
		var rows int
		require.NoError(t, o.db.QueryRow("SELECT count(*) FROM guardian").Scan(&rows))
		assert.Zero(t, rows)
	})
}

func TestWithoutAMailServerNobodyIsAsked(t *testing.T) {
	o := open(t, "sqlite:"+filepath.Join(t.TempDir(), "zedcard.db"))
	out := outbox.New(o.db, o.db.Keys("secret"), nil, outbox.Options{
		Guardians: guardian.New(o.db, o.db.Keys("secret"), guardian.Options{}),
	})
	require.NoError(t, out.Put(t.Context(), child("c41dc4")))
	assert.Equal(t, "not confirmed", o.says("c41dc4"))
}
