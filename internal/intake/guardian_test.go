package intake_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/intake"
	"zedcard/internal/mail"
	"zedcard/internal/site"
)

func TestAGuardianIsAskedOnceAndConfirmsOnce(t *testing.T) {
	o := onSQLite(t, nil)
	o.put(ana("ad17"), child("c41dc4"), child("c41dc4")) // a double click
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
		assert.Equal(t, came.Add(time.Hour), application.Confirmed)
		o.now = o.now.Add(time.Hour)
		o.SendMails(t.Context())
	}
	assert.Equal(t, []string{"c41dc4-guardian", "c41dc4-confirmed"}, o.post.ids())
	assert.Equal(t, "confirmed at 2026-11-22T11:00:00Z", o.says("c41dc4"))
	_, err = o.Confirm(t.Context(), token+"x", nil)
	require.ErrorIs(t, err, agency.ErrNotFound)
	assert.NotContains(t, o.log.String(), token)
	assert.NotContains(t, o.log.String(), "example.com")
}

func TestAnotherGuardiansAddressReplacesTheFirst(t *testing.T) {
	o := onSQLite(t, nil)
	s := child("c41dc4")
	s.Guardian.Email = "Orla@Example.com" // as in the form
	o.put(s)
	o.SendMails(t.Context())
	mistyped := tokenOf(t, o.post.toGuardians()[0])
	faults, err := o.CorrectGuardian(t.Context(), s.ID, "nowhere")
	require.NoError(t, err)
	assert.Equal(t, "responsible_email", faults[0].Field)
	_, err = o.Lookup(t.Context(), mistyped)
	require.NoError(t, err, "a faulty address changes nothing")

	for _, address := range []string{"uncle@example.com", " Aunt@example.com"} {
		faults, err = o.CorrectGuardian(t.Context(), s.ID, address)
		require.NoError(t, err)
		require.Empty(t, faults)
	}
	o.SendMails(t.Context())
	require.Len(t, o.post.toGuardians(), 2, "the uncle's was not sent yet, and is not any more")
	assert.Equal(t, "Aunt@example.com", o.post.toGuardians()[1].To)
	_, err = o.Lookup(t.Context(), mistyped)
	require.ErrorIs(t, err, agency.ErrNotFound)
	token := tokenOf(t, o.post.toGuardians()[1])
	_, err = o.Lookup(t.Context(), token)
	require.NoError(t, err)
	require.ErrorIs(t, o.EraseAddress(t.Context(), &bytes.Buffer{}, "orla@example.com"), agency.ErrNotFound)

	_, err = o.Confirm(t.Context(), token, nil)
	require.NoError(t, err)
	_, err = o.CorrectGuardian(t.Context(), s.ID, "late@example.com")
	require.ErrorIs(t, err, agency.ErrNotFound, "nobody is asked after it is confirmed")
	require.NoError(t, o.EraseAddress(t.Context(), &bytes.Buffer{}, "aunt@example.com"))
}

func TestOneAddressGetsThreeMailsADayAndNoneIsLost(t *testing.T) {
	onEach(t, nil, func(t *testing.T, o *office) {
		for n := range 5 {
			s := child(fmt.Sprintf("c41d%02d", n))
			s.Guardian.Email = []string{"or.la+1@gmail.com", " Orla@Googlemail.com"}[n%2]
			o.put(s)
		}
		another := child("0the44")
		another.Guardian.Email = "liam@example.com"
		o.put(another)
		asked := func() (ids []string) {
			o.SendMails(t.Context())
			ids = o.post.ids()
			o.post.mails = nil
			return ids
		}
		assert.ElementsMatch(t,
			[]string{"c41d00-guardian", "c41d01-guardian", "c41d02-guardian", "0the44-guardian"}, asked())
		o.now = o.now.Add(23 * time.Hour)
		assert.NotContains(t, strings.Join(asked(), " "), "guardian")
		assert.Equal(t, "not confirmed, the mail to them is not sent yet", o.says("c41d04"))
		o.now = o.now.Add(time.Hour)
		assert.Equal(t, []string{"c41d03-guardian", "c41d04-guardian"}, asked())
		o.now = o.now.Add(24 * time.Hour)
		assert.Empty(t, asked(), "each mail is sent once")
		o.Expire(t.Context())
		assert.Zero(t, o.number("SELECT count(*) FROM mail WHERE recipient <> ''"), "addresses that are not needed")
	})
}

func TestProcessesThatSendAtTheSameMomentKeepTheLimit(t *testing.T) {
	o := onSQLite(t, nil)
	for n := range 40 {
		o.put(child(fmt.Sprintf("c41d%02d", n)))
	}
	var processes sync.WaitGroup
	for range 8 {
		another := o.process()
		processes.Go(func() { another.SendMails(t.Context()) })
	}
	processes.Wait()
	assert.Len(t, o.post.mails, 3)
}

func TestAProcessKilledWhileSendingResendsTheSameMail(t *testing.T) {
	o := onSQLite(t, nil)
	o.put(child("c41dc4"))
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
	for range 2 {
		o.now = o.now.Add(3 * time.Minute)
		o.SendMails(t.Context())
	}
	require.Len(t, o.post.mails, 2)
	assert.Equal(t, o.post.mails[0], o.post.mails[1], "the same link is sent again")
	_, err := o.Confirm(t.Context(), tokenOf(t, o.post.mails[0]), nil)
	require.NoError(t, err)
}

func TestAMailSentDuringAShutdownIsNotSentAgain(t *testing.T) {
	o := onSQLite(t, nil)
	require.NoError(t, o.Hold(t.Context(), ana("held")))
	ctx, shutDown := context.WithCancel(t.Context())
	o.post.answer = func(context.Context, mail.Message) error { shutDown(); return nil }
	o.SendMails(ctx)
	o.now = o.now.Add(time.Hour)
	o.process().SendMails(t.Context())
	assert.Equal(t, []string{"held-suspected"}, o.post.ids())
}

func TestAFailedMailIsRetriedUntilItsLinkExpires(t *testing.T) {
	o := onSQLite(t, nil)
	o.post.answer = noServer
	o.put(child("c41dc4"))
	for range 20 * 24 {
		o.SendMails(t.Context())
		o.now = o.now.Add(time.Hour)
	}
	assert.InDelta(t, 15*24, len(o.post.mails), 2)
	_, err := o.Lookup(t.Context(), tokenOf(t, o.post.mails[0]))
	require.ErrorIs(t, err, agency.ErrNotFound)
	_, err = o.Confirm(t.Context(), tokenOf(t, o.post.mails[0]), nil)
	require.ErrorIs(t, err, agency.ErrNotFound)
	run(t, o.Intake, nil) // a mail that is never sent is deleted
	eventually(t, func() bool { return o.number("SELECT sum(length(letter)) FROM mail") == 0 })
}

func TestAPermanentlyRefusedAddressIsReported(t *testing.T) {
	o := onSQLite(t, nil)
	o.post.answer = func(context.Context, mail.Message) error { return mail.ErrRefused }
	o.put(child("c41dc4"))
	for range 3 {
		o.SendMails(t.Context())
		o.now = o.now.Add(time.Hour)
	}
	assert.Len(t, o.post.mails, 1)
	assert.Equal(t, "not confirmed, the mail server refused their address at 2026-11-22T10:00:00Z", o.says("c41dc4"))
	o.confirm("G-261122-C41DC4") // the operator still can
	assert.Equal(t, "confirmed at 2026-11-22T13:00:00Z", o.says("c41dc4"))
}

func TestAHeldApplicationSendsNoMailUntilReleased(t *testing.T) {
	o := onSQLite(t, nil)
	require.NoError(t, o.Hold(t.Context(), child("c41dc4")))
	o.SendMails(t.Context())
	assert.Empty(t, o.post.toGuardians())
	require.NoError(t, o.Requeue(t.Context(), "c41dc4"))
	o.SendMails(t.Context())
	assert.Len(t, o.post.toGuardians(), 1)
}

func TestWithoutAMailServerNobodyIsAsked(t *testing.T) {
	o := onSQLite(t, func(o *intake.Options) { o.Mail = nil })
	o.put(child("c41dc4"))
	assert.Equal(t, "not confirmed", o.says("c41dc4"))
}

func TestAMinorsApplicationReachesThePanelOnceTheGuardianHasConfirmed(t *testing.T) {
	skipped := time.Duration(0)
	inBubble(t, func(o *intake.Options) {
		o.GuardianFirst, o.Now = true, func() time.Time { return time.Now().Add(skipped) }
	}, func(t *testing.T, o *office) {
		o.put(child("asked"), child("by hand"), child("never"))
		require.NoError(t, o.Hold(t.Context(), child("held")))
		require.NoError(t, o.Requeue(t.Context(), "held"))
		o.put(eve("message"))
		stop := o.run()
		time.Sleep(time.Hour)
		synctest.Wait()
		assert.Equal(t, []string{"message"}, o.panel.ids())
		assert.Equal(t, 4, o.counts()[intake.Waiting])

		consent := agency.Consent{Box: "data", Text: "I agree", Lang: "en", Time: time.Now().UTC(), Policy: "5e"}
		for _, m := range o.post.toGuardians() {
			if m.ID == "asked-guardian" {
				_, err := o.Confirm(t.Context(), tokenOf(t, m), []agency.Consent{consent})
				require.NoError(t, err)
			}
		}
		o.confirm("by hand")
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.ElementsMatch(t, []string{"message", "asked", "by hand"}, o.panel.ids())
		for _, s := range o.panel.received() {
			if s.ID == "asked" {
				assert.Equal(t, []agency.Consent{consent}, agency.Consents(s.Fields), "the guardian's")
			}
		}

		stop()
		skipped = agency.MinorRetention
		for range 26 { // a clock is believed that has run for a day
			o.Expire(t.Context())
			skipped += time.Hour
		}
		stop = o.run()
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		assert.Zero(t, o.counts()[intake.Waiting], "without a confirmation it is erased, and never sent")
		assert.Len(t, o.panel.ids(), 3)
		stop()
	})
}

func TestTheAgencyIsToldEachDayWhatIsDueWithoutNames(t *testing.T) {
	o := onSQLite(t, func(o *intake.Options) { o.Browser = true })
	for _, s := range []agency.Submission{eve("e0e001"), ana("a0a002"), child("c0c003")} {
		require.NoError(t, o.Receive(t.Context(), s))
	}
	daily := func() (texts []string) {
		for range 2 { // of two processes, or of one that looks twice
			o.SendMails(t.Context())
		}
		for _, m := range o.post.mails {
			if strings.Contains(m.ID, "deadlines") {
				texts = append(texts, m.Text)
			}
		}
		o.post.mails = nil
		return texts
	}
	assert.Empty(t, daily(), "nothing is due on a Sunday")
	o.now = came.Add(20 * time.Hour)
	assert.Empty(t, daily(), "nobody is told at six in the morning")
	o.now = came.Add(24 * time.Hour)
	texts := daily()
	require.Len(t, texts, 1)
	assert.Contains(t, texts[0], "B-261122-E0E001  Answer by 23 November 2026")
	assert.NotContains(t, texts[0], "Eve")
	assert.NotContains(t, texts[0], "A0A002")
	o.now = came.Add(48 * time.Hour)
	assert.Contains(t, strings.Join(daily(), ""), "Overdue since 23 November 2026")

	require.NoError(t, o.MarkDone(t.Context(), "B-261122-E0E001", true))
	o.now = came.Add(72 * time.Hour)
	assert.Empty(t, daily(), "it is answered")
	o.confirm("c0c003")
	e, _, err := o.Find(t.Context(), "c0c003")
	require.NoError(t, err)
	assert.Equal(t, "2026-12-09", e.Due.Format(time.DateOnly), "two weeks after the guardian confirmed")
}

func TestAMessageIsMailedToBeAnsweredByReply(t *testing.T) {
	o := onSQLite(t, nil)
	require.NoError(t, o.Receive(t.Context(), eve("e0e001")))
	require.NoError(t, o.Receive(t.Context(), ana("a0a002")))
	require.NoError(t, o.Hold(t.Context(), eve("e0e003")))
	o.SendMails(t.Context())
	require.Len(t, o.post.mails, 3)
	for _, m := range o.post.mails {
		if m.ID == "e0e001-received" {
			assert.Equal(t, "eve@example.com", m.ReplyTo)
			assert.Contains(t, m.Text, "line two")
			continue
		}
		assert.Empty(t, m.ReplyTo)
		for _, private := range []string{"Ana", "Souza", "example.com", "line two", "Eve"} {
			assert.NotContains(t, m.Text, private, m.ID)
		}
	}
}

func TestMailsToTheAgencyAreInTheFirstLanguageOfItsSite(t *testing.T) {
	o := onSQLite(t, func(o *intake.Options) {
		o.Site = func() *site.Site {
			return site.New(agency.Site{Name: "Lumen", Languages: []i18n.Lang{i18n.PT, i18n.EN}})
		}
	})
	require.NoError(t, o.Receive(t.Context(), eve("e0e001")))
	require.NoError(t, o.Hold(t.Context(), ana("a0a002")))
	o.now = came.Add(24 * time.Hour)
	o.SendMails(t.Context())
	said := ""
	for _, m := range o.post.mails {
		said += m.Subject + "\n" + m.Text + "\n"
	}
	for _, words := range []string{
		"Lumen: mensagem de Eve", "Nome: Eve", "recebida em 22 de novembro de 2026",
		"Lumen: retida, uma nova inscrição",
		"até 23 de novembro de 2026", "Para ler, execute isto",
	} {
		assert.Contains(t, said, words)
	}
	assert.NotRegexp(t, "Reference|received|To read|2026-11", said)
}

func TestAReplyToAMessageDoesNotGiveTheInboxAway(t *testing.T) {
	o := onSQLite(t, func(o *intake.Options) { o.Browser = true })
	require.NoError(t, o.Receive(t.Context(), eve("e0e001")))
	o.SendMails(t.Context())
	require.ElementsMatch(t, []string{"e0e001-received", "e0e001-link"}, o.post.ids())
	for _, m := range o.post.mails {
		assert.Equal(t, m.ReplyTo == "", strings.Contains(m.Text, "/_inbox/"), "the key is where nobody replies")
	}
}

func TestTheOperatorIsNotifiedOnceOfHeldAndRefusedSubmissions(t *testing.T) {
	o := onSQLite(t, nil)
	o.panel.answers(refuse)
	require.NoError(t, o.Hold(t.Context(), ana("a0a001")))
	o.put(ana("a0a002"))
	stop := o.run()
	eventually(t, func() bool { return len(o.post.ids()) == 2 })
	stop()
	assert.ElementsMatch(t, []string{"a0a001-suspected", "a0a002-refused"}, o.post.ids())
	for _, m := range o.post.mails {
		assert.Empty(t, m.To, "to the agency")
		assert.Regexp(t, "^Best: (held back|refused), a new application$", m.Subject)
		assert.Contains(t, m.Text, "zedcard inbox deliver ")
		assert.Regexp(t, "^Reference A-261122-A0A00[12], received on 22 November 2026, ", m.Text)
		assert.NotContains(t, m.Text, "Souza")
	}
	o.now = o.now.Add(time.Hour)
	stats, err := o.Stats(t.Context())
	require.NoError(t, err)
	assert.Equal(t, time.Hour, stats.Unseen, "the metric counts submissions the operator hasn't seen")
}

func TestEachSubmissionIsNotifiedOnceAndRetriedOnFailure(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, o *office) {
		o.post.answers(noServer)
		run(t, o.Intake, nil)
		require.NoError(t, o.Receive(t.Context(), eve("a")))
		time.Sleep(10 * time.Second)
		require.Equal(t, []string{"a-received"}, o.post.ids(), "notified at once")
		time.Sleep(3 * time.Minute)
		tries := len(o.post.ids())
		assert.Greater(t, tries, 1, "retried")
		o.post.answers(nil)
		for range 2 { // a resend is nothing new
			require.NoError(t, o.Receive(t.Context(), eve("b")))
			time.Sleep(time.Hour)
		}
		assert.ElementsMatch(t, []string{"a-received", "b-received"}, o.post.ids()[tries:])
	})
}
