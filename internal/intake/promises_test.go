package intake_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/database"
	"zedcard/internal/intake"
)

// minor is an application of a fifteen-year-old, in whose time the test runs.
func minor(id string) agency.Submission {
	s := child(id)
	s.Fields[1].Value = time.Now().AddDate(-15, 0, 0).Format(time.DateOnly)
	return s
}

func TestAMinorsApplicationReachesThePanelOnceTheGuardianHasConfirmed(t *testing.T) {
	inBubble(t, func(t *testing.T, db *database.DB) {
		var post post
		panel := &panel{}
		skipped := time.Duration(0)
		o := newSite(db, db.Keys("secret"), panel, intake.Options{
			Log: silent, Mail: &post, GuardianFirst: true, Now: func() time.Time { return time.Now().Add(skipped) },
		})
		for _, id := range []string{"asked", "by hand", "never"} {
			require.NoError(t, o.Put(t.Context(), minor(id)))
		}
		require.NoError(t, o.Hold(t.Context(), minor("held")))
		require.NoError(t, o.Requeue(t.Context(), "held"))
		require.NoError(t, o.Put(t.Context(), eve("message")))
		stop := start(t, o)
		time.Sleep(time.Hour)
		synctest.Wait()
		received := func() (ids []string) {
			for _, s := range panel.received() {
				ids = append(ids, s.ID)
			}
			return ids
		}
		assert.Equal(t, []string{"message"}, received())
		assert.Equal(t, 4, counts(t, o)[intake.Waiting])

		consent := agency.Consent{Box: "data", Text: "I agree", Lang: "en", Time: time.Now().UTC(), Policy: "5e"}
		for _, m := range post.toGuardians() {
			if m.ID == "asked-guardian" {
				_, err := o.Confirm(t.Context(), tokenOf(t, m), []agency.Consent{consent})
				require.NoError(t, err)
			}
		}
		require.NoError(t, o.ConfirmByHand(t.Context(), "by hand"))
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.ElementsMatch(t, []string{"message", "asked", "by hand"}, received())
		for _, s := range panel.received() {
			if s.ID == "asked" {
				assert.Equal(t, []agency.Consent{consent}, agency.Consents(s.Fields), "the guardian's")
			}
		}

		stop()
		skipped = agency.MinorRetention
		stop = start(t, o)
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		assert.Zero(t, counts(t, o)[intake.Waiting], "without a confirmation it is erased, and never sent")
		assert.Len(t, received(), 3)
		stop()
	})
}

func TestTheAgencyIsToldEachDayWhatIsDueWithoutNames(t *testing.T) {
	inOffices(t, func(t *testing.T, o *office) { // it is Sunday, 10:00
		require.NoError(t, o.Receive(t.Context(), eve("e0e001")))
		require.NoError(t, o.Receive(t.Context(), ana("a0a002")))
		require.NoError(t, o.Receive(t.Context(), child("c0c003")))
		list := func() string {
			var text bytes.Buffer
			require.NoError(t, o.List(t.Context(), &text, false))
			return text.String()
		}
		assert.Contains(t, list(), "due 2026-11-23")
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
		o.now = childCame.Add(20 * time.Hour)
		assert.Empty(t, daily(), "nobody is told at six in the morning")
		o.now = childCame.Add(24 * time.Hour)
		texts := daily()
		require.Len(t, texts, 1)
		assert.Contains(t, texts[0], "B-261122-E0E001  due 2026-11-23")
		assert.NotContains(t, texts[0], "Eve")
		assert.NotContains(t, texts[0], "A0A002")
		o.now = childCame.Add(48 * time.Hour)
		assert.Contains(t, list(), "overdue since 2026-11-23")
		assert.Contains(t, strings.Join(daily(), ""), "overdue since 2026-11-23")

		require.NoError(t, o.MarkDone(t.Context(), "B-261122-E0E001", true))
		o.now = childCame.Add(72 * time.Hour)
		assert.Empty(t, daily(), "it is answered")
		assert.Contains(t, list(), "done")
		require.NoError(t, o.ConfirmByHand(t.Context(), "c0c003"))
		assert.Contains(t, list(), "due 2026-12-09", "two weeks after the guardian confirmed")
	})
}

func TestAMessageIsMailedToBeAnsweredByReply(t *testing.T) {
	inOffices(t, func(t *testing.T, o *office) {
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
	})
}
