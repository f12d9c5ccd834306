package intake_test

import (
	"bytes"
	"context"
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
	"zedcard/internal/intake"
	"zedcard/internal/mail"
)

var childCame = time.Date(2026, time.November, 22, 10, 0, 0, 0, time.UTC)

// office is a site with a mail server and a clock that only the test moves.
type office struct {
	*site
	t    *testing.T
	url  string
	now  time.Time
	post *post
	db   *database.DB
	log  bytes.Buffer
}

// inOffices runs a test on both databases.
func inOffices(t *testing.T, test func(t *testing.T, o *office)) {
	t.Run("sqlite", func(t *testing.T) {
		test(t, openOffice(t, "sqlite:"+filepath.Join(t.TempDir(), "zedcard.db")))
	})
	t.Run("postgres", func(t *testing.T) { test(t, openOffice(t, databasetest.Postgres(t).URL())) })
}

func openOffice(t *testing.T, url string) *office {
	t.Helper()
	o := &office{t: t, url: url, now: childCame, post: &post{}}
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
	o.site = o.process(o.post)
}

// process is another process on the database.
func (o *office) process(mailer intake.Mailer) *site {
	return newSite(o.db, o.db.Keys("secret"), nil, intake.Options{
		Mail: mailer, Agency: func() string { return "Best" }, BaseURL: "https://best.example",
		Now: func() time.Time { return o.now }, Log: slog.New(slog.NewTextHandler(&o.log, nil)),
	})
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
	entry, _, err := o.Find(o.t.Context(), id)
	require.NoError(o.t, err)
	return entry.Guardian
}

func TestAGuardianIsAskedOnceAndConfirmsOnce(t *testing.T) {
	inOffices(t, func(t *testing.T, o *office) {
		adult := child("ad17")
		adult.Fields, adult.Guardian = adult.Fields[3:], agency.Guardian{}
		require.NoError(t, o.Put(t.Context(), adult))
		for range 2 { // a double click
			require.NoError(t, o.Put(t.Context(), child("c41dc4")))
		}
		assert.Empty(t, o.says("ad17"))
		assert.Equal(t, "not confirmed, the mail to them is not sent yet", o.says("c41dc4"))
		o.SendMails(t.Context())
		o.now = o.now.Add(time.Hour)
		o.SendMails(t.Context())
		require.Len(t, o.post.toGuardians(), 1)
		letter := o.post.toGuardians()[0]
		token := tokenOf(t, letter)
		assert.Equal(t, "orla@example.com", letter.To)
		assert.Contains(t, letter.Text, "G-261122-C41DC4")
		assert.Contains(t, letter.Text, "7 de dezembro de 2026", "when the link expires, in the form's language")
		assert.Contains(t, letter.Text, "https://best.example/pt/")
		assert.NotContains(t, letter.Text, "Saoirse")
		assert.Equal(t, "not confirmed, asked by mail at 2026-11-22T10:00:00Z", o.says("c41dc4"))
		var stored string
		require.NoError(t, o.db.QueryRow("SELECT token_hash FROM mail WHERE purpose = 'guardian'").Scan(&stored))
		assert.NotContains(t, stored, token)

		application, err := o.Lookup(t.Context(), token)
		require.NoError(t, err)
		assert.True(t, application.Confirmed.IsZero(), "opening the link confirms nothing")
		for range 2 {
			application, err = o.Confirm(t.Context(), token, nil)
			require.NoError(t, err)
			assert.Equal(t, childCame.Add(time.Hour), application.Confirmed)
			o.now = o.now.Add(time.Hour)
			o.SendMails(t.Context())
		}
		assert.Equal(t, []string{"c41dc4-guardian", "c41dc4-confirmed"}, o.post.ids())
		assert.Equal(t, "confirmed at 2026-11-22T11:00:00Z", o.says("c41dc4"))
		_, err = o.Confirm(t.Context(), token+"x", nil)
		require.ErrorIs(t, err, agency.ErrNotFound)
		assert.NotContains(t, o.log.String(), token)
		assert.NotContains(t, o.log.String(), "example.com")
	})
}

func TestOneAddressGetsThreeMailsADayAndNoneIsLost(t *testing.T) {
	inOffices(t, func(t *testing.T, o *office) {
		for n := range 5 {
			s := child(fmt.Sprintf("c41d%02d", n))
			s.Guardian.Email = []string{"orla@example.com", " Orla@Example.com"}[n%2]
			require.NoError(t, o.Put(t.Context(), s))
		}
		another := child("0the44")
		another.Guardian.Email = "liam@example.com"
		require.NoError(t, o.Put(t.Context(), another))
		asked := func() (ids []string) {
			o.SendMails(t.Context())
			ids = o.post.ids()
			o.post.mails = nil
			return ids
		}
		assert.ElementsMatch(t,
			[]string{"c41d00-guardian", "c41d01-guardian", "c41d02-guardian", "0the44-guardian"}, asked())
		o.now = o.now.Add(23 * time.Hour)
		assert.Empty(t, asked())
		assert.Equal(t, "not confirmed, the mail to them is not sent yet", o.says("c41d04"))

		o.now = o.now.Add(time.Hour)
		assert.Equal(t, []string{"c41d03-guardian", "c41d04-guardian"}, asked())
		o.now = o.now.Add(24 * time.Hour)
		assert.Empty(t, asked(), "each mail is sent once")
		start(t, o.site)
		eventually(t, func() bool { // addresses are deleted once they are not needed
			var known int
			return o.db.QueryRow("SELECT count(*) FROM mail WHERE recipient <> ''").Scan(&known) == nil && known == 0
		})
	})
}

func TestProcessesThatSendAtTheSameMomentKeepTheLimit(t *testing.T) {
	inOffices(t, func(t *testing.T, o *office) {
		for n := range 40 {
			require.NoError(t, o.Put(t.Context(), child(fmt.Sprintf("c41d%02d", n))))
		}
		var processes sync.WaitGroup
		for range 8 {
			another := o.process(o.post)
			processes.Go(func() { another.SendMails(t.Context()) })
		}
		processes.Wait()
		assert.Len(t, o.post.mails, 3)
	})
}

func TestAProcessKilledWhileSendingResendsTheSameMail(t *testing.T) {
	inOffices(t, func(t *testing.T, o *office) {
		require.NoError(t, o.Put(t.Context(), child("c41dc4")))
		require.NoError(t, o.db.Close()) // before it was sent
		o.start()
		// The server took it, and that can't be written down.
		o.post.answer = func(context.Context, mail.Message) error { return o.db.Close() }
		o.SendMails(t.Context())
		require.Len(t, o.post.mails, 1)
		o.post.answer = nil
		o.start()
		o.SendMails(t.Context())
		assert.Len(t, o.post.mails, 1, "not resent while another program may be sending it")
		o.now = o.now.Add(3 * time.Minute)
		o.SendMails(t.Context())
		o.now = o.now.Add(3 * time.Minute)
		o.SendMails(t.Context())
		require.Len(t, o.post.mails, 2)
		assert.Equal(t, o.post.mails[0], o.post.mails[1], "the same link is sent again")
		_, err := o.Confirm(t.Context(), tokenOf(t, o.post.mails[0]), nil)
		require.NoError(t, err)
	})
}

func TestAFailedMailIsRetriedUntilItsLinkExpires(t *testing.T) {
	inOffices(t, func(t *testing.T, o *office) {
		o.post.answer = func(context.Context, mail.Message) error { return errNoServer }
		require.NoError(t, o.Put(t.Context(), child("c41dc4")))
		for range 20 * 24 {
			o.SendMails(t.Context())
			o.now = o.now.Add(time.Hour)
		}
		assert.InDelta(t, 15*24, len(o.post.mails), 2)
		_, err := o.Lookup(t.Context(), tokenOf(t, o.post.mails[0]))
		require.ErrorIs(t, err, agency.ErrNotFound)
		_, err = o.Confirm(t.Context(), tokenOf(t, o.post.mails[0]), nil)
		require.ErrorIs(t, err, agency.ErrNotFound)
		start(t, o.site)
		eventually(t, func() bool { // a mail that is never sent is deleted
			var letter []byte
			return o.db.QueryRow("SELECT letter FROM mail").Scan(&letter) == nil && len(letter) == 0
		})
	})
}

func TestAPermanentlyRefusedAddressIsReported(t *testing.T) {
	o := openOffice(t, "sqlite:"+filepath.Join(t.TempDir(), "zedcard.db"))
	o.post.answer = func(context.Context, mail.Message) error { return mail.ErrRefused }
	require.NoError(t, o.Put(t.Context(), child("c41dc4")))
	for range 3 {
		o.SendMails(t.Context())
		o.now = o.now.Add(time.Hour)
	}
	assert.Len(t, o.post.mails, 1)
	assert.Equal(t, "not confirmed, the mail server refused their address at 2026-11-22T10:00:00Z", o.says("c41dc4"))
	require.NoError(t, o.ConfirmByHand(t.Context(), "G-261122-C41DC4"), "the operator can still confirm by hand")
	assert.Equal(t, "confirmed at 2026-11-22T13:00:00Z", o.says("c41dc4"))
}

func TestAHeldApplicationSendsNoMailUntilReleased(t *testing.T) {
	inOffices(t, func(t *testing.T, o *office) {
		require.NoError(t, o.Hold(t.Context(), child("c41dc4")))
		o.SendMails(t.Context())
		assert.Empty(t, o.post.toGuardians())
		require.NoError(t, o.Requeue(t.Context(), "c41dc4"))
		o.SendMails(t.Context())
		assert.Len(t, o.post.toGuardians(), 1)
	})
}

func TestErasureLeavesNoLinkAndNoMail(t *testing.T) {
	inOffices(t, func(t *testing.T, o *office) {
		for _, id := range []string{"c41dc4", "0ther"} {
			require.NoError(t, o.Put(t.Context(), child(id)))
			o.SendMails(t.Context())
		}
		var said bytes.Buffer
		require.NoError(t, o.EraseAddress(t.Context(), &said, "ORLA@example.com"))
		for _, letter := range o.post.mails {
			_, err := o.Confirm(t.Context(), tokenOf(t, letter), nil)
			require.ErrorIs(t, err, agency.ErrNotFound)
		}
		var rows int
		require.NoError(t, o.db.QueryRow("SELECT count(*) FROM mail").Scan(&rows))
		assert.Zero(t, rows)
	})
}

func TestWithoutAMailServerNobodyIsAsked(t *testing.T) {
	o := openOffice(t, "sqlite:"+filepath.Join(t.TempDir(), "zedcard.db"))
	require.NoError(t, o.process(nil).Put(t.Context(), child("c41dc4")))
	assert.Equal(t, "not confirmed", o.says("c41dc4"))
}
