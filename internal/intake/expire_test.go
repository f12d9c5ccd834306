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

// keptOn are the submissions that are listed so many days after the test began.
func (o *office) keptOn(day int) []string {
	o.t.Helper()
	o.now = came.AddDate(0, 0, day)
	require.NoError(o.t, o.ConfirmClock(o.t.Context()))
	o.Expire(o.t.Context())
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

func TestAWrongClockErasesNothingThatWasSent(t *testing.T) {
	for name, wrong := range map[string]time.Duration{
		"ahead": 200 * day, "behind": -181 * day, "none at boot": -20000 * day, "an hour and a half": 90 * time.Minute,
	} {
		t.Run(name, func(t *testing.T) {
			for _, old := range []time.Duration{0, 2 * day} {
				for _, restarted := range []bool{true, false} {
					o := onSQLite(t, nil)
					restart := func() {
						if restarted {
							require.NoError(t, o.db.Close())
							o.start()
						}
					}
					o.Expire(t.Context())
					require.NoError(t, o.Receive(t.Context(), child("before")))
					o.pass(old)
					right := o.now
					o.now = o.now.Add(wrong)
					restart()
					o.Expire(t.Context())
					o.now = o.now.Add(30 * time.Second)
					require.NoError(t, o.Receive(t.Context(), eve("while")))
					assert.ElementsMatch(t, []string{"before", "while"}, o.kept())
					o.now = right.Add(time.Minute)
					restart()
					assert.ElementsMatch(t, []string{"before", "while"}, o.kept())
					o.pass(26 * time.Hour)
					assert.ElementsMatch(t, []string{"before", "while"}, o.kept(), "%s, restarted %v", old, restarted)
					assert.Equal(t, []string{"while"}, o.keptOn(18), "a minor's is kept for 15 days")
					assert.Equal(t, []string{"while"}, o.keptOn(179))
					assert.Empty(t, o.keptOn(183), "180 days after it came, as its receipt says")
				}
			}
		})
	}
}

func TestAClockThatIsSetWrongFromTheFirstStartLosesNothing(t *testing.T) {
	o := onSQLite(t, nil)
	o.now = came.Add(-181 * day)
	o.Expire(t.Context())
	o.now = o.now.Add(20 * time.Second)
	require.NoError(t, o.Receive(t.Context(), eve("first")))
	o.now = came
	o.pass(26 * time.Hour)
	assert.Equal(t, []string{"first"}, o.kept())
}

func TestAnOperatorSaysThatTheClockIsRight(t *testing.T) {
	onEach(t, nil, func(t *testing.T, o *office) {
		o.Expire(t.Context())
		require.NoError(t, o.Receive(t.Context(), eve("old")))
		o.pass(2 * day)
		o.now = o.now.Add(190 * day) // the site was down for half a year
		o.Expire(t.Context())
		assert.Contains(t, o.log.String(), "zedcard inbox clock")
		assert.Equal(t, []string{"old"}, o.kept())
		require.NoError(t, o.ConfirmClock(t.Context()))
		o.Expire(t.Context())
		assert.Empty(t, o.kept())
	})
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
	onEach(t, func(o *intake.Options) { o.GuardianFirst = true }, func(t *testing.T, o *office) {
		o.put(ana("adult"), child("minor"))
		o.confirm("minor")
		stop := o.run()
		o.await(intake.Delivered, 2)
		stop()
		o.pass(2 * day) // until the clock is believed
		assert.Len(t, o.keptOn(29), 2)
		assert.Empty(t, o.keptOn(31))
		assert.Zero(t, o.number("SELECT count(*) FROM submission_address"))
	})
}
