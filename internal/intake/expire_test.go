package intake_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/intake"
)

const day = 24 * time.Hour

// pass lets time pass as the site sees it: with a look at the clock each hour.
func (o *office) pass(d time.Duration) {
	for end := o.now.Add(d); o.now.Before(end); {
		o.now = o.now.Add(time.Hour)
		o.Expire(o.t.Context())
	}
}

// keptOn are the submissions that are listed so many days after the test began, once the clock is believed.
func (o *office) keptOn(day int) []string {
	o.t.Helper()
	o.now = came.AddDate(0, 0, day).Add(-25 * time.Hour)
	o.Expire(o.t.Context())
	o.pass(25 * time.Hour)
	return o.kept()
}

// kept are the submissions that are listed.
func (o *office) kept() (ids []string) {
	entries, err := o.Entries(o.t.Context())
	require.NoError(o.t, err)
	for _, e := range entries {
		ids = append(ids, e.ID)
	}
	return ids
}

func TestNothingIsErasedForADayAfterTheClockJumped(t *testing.T) {
	for name, wrong := range map[string]time.Duration{
		"ahead": 200 * day, "behind": -181 * day, "none at boot": -20000 * day, "the site was down": 190 * day,
	} {
		for _, restarted := range []bool{true, false} {
			o := onSQLite(t, nil)
			o.Expire(t.Context())
			require.NoError(t, o.Receive(t.Context(), child("before")))
			right := o.now
			o.now = o.now.Add(wrong)
			if restarted {
				require.NoError(t, o.db.Close())
				o.start()
			}
			o.Expire(t.Context())
			assert.Contains(t, o.log.String(), "the clock jumped", name)
			o.pass(23 * time.Hour)
			assert.Equal(t, []string{"before"}, o.kept(), "%s, restarted %v", name, restarted)
			if name != "the site was down" {
				o.now = right.Add(24 * time.Hour)
				o.pass(26 * time.Hour)
				assert.Equal(t, []string{"before"}, o.kept(), "%s, restarted %v", name, restarted)
			}
			o.now = o.now.Add(15 * day)
			o.pass(26 * time.Hour)
			assert.Empty(t, o.kept(), "%s, restarted %v", name, restarted)
		}
	}
}

func TestMailsAreSentWhileTheStoreIsFull(t *testing.T) {
	o := onSQLite(t, nil)
	o.put(child("c41dc4"))
	o.change = func(o *intake.Options) { o.MaxBytes = 1 }
	full := o.process()
	o.db.Watch(t.Context(), full.Probe)
	eventually(t, func() bool { return o.db.Ready() != nil })
	assert.ErrorContains(t, o.db.Ready(), "OUTBOX_SIZE", "as /readyz says")
	full.SendMails(t.Context())
	assert.Len(t, o.post.toGuardians(), 1)
}

// What an external panel has is remembered by its digests for a while, a confirmed minor's as well as an adult's.
func TestWhatAPanelHasIsRememberedForThirtyDays(t *testing.T) {
	o := onSQLite(t, func(o *intake.Options) { o.GuardianFirst = true })
	o.put(ana("adult"), child("minor"))
	o.confirm("minor")
	stop := o.run()
	o.await(intake.Delivered, 2)
	stop()
	assert.Len(t, o.keptOn(29), 2)
	assert.Empty(t, o.keptOn(31))
	assert.Zero(t, o.number("SELECT count(*) FROM submission_address"))
}
