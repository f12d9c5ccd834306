package intake_test

import (
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/database"
	"zedcard/internal/intake"
)

func down(agency.Submission) error { return agency.ErrUnavailable }

func TestTheRetryScheduleOfFailedDeliveries(t *testing.T) {
	if testing.Short() {
		t.Skip("too slow with the race detector; see test-go in the Makefile")
	}
	inBubble(t, func(t *testing.T, db *database.DB) {
		panel := &panel{answer: down}
		o := newSite(db, db.Keys("secret"), panel, intake.Options{Log: silent})
		stop := start(t, o)
		require.NoError(t, o.Put(t.Context(), application("a1")))
		time.Sleep(90 * time.Minute)
		synctest.Wait()
		stop()

		require.Greater(t, len(panel.at), 12)
		assert.LessOrEqual(t, panel.at[1].Sub(panel.at[0]), 5*time.Second, "the first retry is within five seconds")
		for i := 1; i < len(panel.at); i++ {
			wait := panel.at[i].Sub(panel.at[i-1])
			assert.LessOrEqual(t, wait, 15*time.Minute)
			assert.GreaterOrEqual(t, wait, time.Second)
		}

		// A restart does not wait for the back-off.
		panel.answer, panel.at = nil, nil
		restarted := time.Now()
		start(t, newSite(db, db.Keys("secret"), panel, intake.Options{Log: silent}))
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Len(t, panel.at, 1)
		assert.LessOrEqual(t, panel.at[0].Sub(restarted), time.Minute)
	})
}

// OUTBOX_BACKLOG=1000 lets that many wait, for a day.
func TestABacklogIsDeliveredOldestFirstAtABoundedRate(t *testing.T) {
	if testing.Short() {
		t.Skip("too slow with the race detector; see test-go in the Makefile")
	}
	many, outage := 20, time.Hour // by then every wait is at its longest
	if more, err := strconv.Atoi(os.Getenv("OUTBOX_BACKLOG")); err == nil {
		many, outage = more, 24*time.Hour
	}
	inBubble(t, func(t *testing.T, db *database.DB) {
		panel := &panel{answer: down}
		o := newSite(db, db.Keys("secret"), panel, intake.Options{Log: silent})
		start(t, o)
		for i := range many {
			require.NoError(t, o.Put(t.Context(), agency.Submission{ID: fmt.Sprintf("%05d", i), Kind: agency.Contact}))
			time.Sleep(time.Second)
		}
		time.Sleep(outage)
		synctest.Wait()
		require.Equal(t, many, counts(t, o)[intake.Queued])

		panel.mu.Lock()
		panel.answer, panel.got, panel.at = nil, nil, nil
		panel.mu.Unlock()
		time.Sleep(20 * time.Minute)
		synctest.Wait()

		require.Len(t, panel.got, many)
		assert.Equal(t, many, counts(t, o)[intake.Delivered])
		// The one whose turn came first told that the panel is back; all others follow by age.
		rest := panel.got[1:]
		for i := 1; i < len(rest); i++ {
			assert.Less(t, rest[i-1].ID, rest[i].ID)
			assert.GreaterOrEqual(t, panel.at[i+1].Sub(panel.at[i]), 200*time.Millisecond)
		}
		t.Logf("%d delivered within %s, after %s", many, panel.at[many-1].Sub(panel.at[0]), outage)
	})
}

func TestNewSubmissionsDontWaitBehindFailedOnes(t *testing.T) {
	inBubble(t, func(t *testing.T, db *database.DB) {
		panel := &panel{answer: func(s agency.Submission) error {
			if s.ID != "new" {
				return agency.ErrUnavailable
			}
			return nil
		}}
		o := newSite(db, db.Keys("secret"), panel, intake.Options{Log: silent})
		start(t, o)
		for i := range 40 {
			require.NoError(t, o.Put(t.Context(), agency.Submission{ID: fmt.Sprint(i), Kind: agency.Contact}))
		}
		time.Sleep(3 * time.Second) // all are due again, 8 s of work at the pace
		put := time.Now()
		require.NoError(t, o.Put(t.Context(), agency.Submission{ID: "new", Kind: agency.Contact}))
		for counts(t, o)[intake.Delivered] == 0 {
			time.Sleep(10 * time.Millisecond)
		}
		assert.LessOrEqual(t, time.Since(put), time.Second)
	})
}

func TestAClockThatJumpsNeitherLosesNorRepeats(t *testing.T) {
	for _, jump := range []time.Duration{-time.Hour, time.Hour} {
		inBubble(t, func(t *testing.T, db *database.DB) {
			var off atomic.Int64
			now := func() time.Time { return time.Now().Add(time.Duration(off.Load())) }
			panel := &panel{answer: down}
			o := newSite(db, db.Keys("secret"), panel, intake.Options{Log: silent, Now: now})
			start(t, o)
			require.NoError(t, o.Put(t.Context(), agency.Submission{ID: "before", Kind: agency.Contact}))
			synctest.Wait() // tried once, due again in some seconds
			panel.mu.Lock()
			panel.answer = nil
			panel.mu.Unlock()
			off.Store(int64(jump))
			require.NoError(t, o.Put(t.Context(), agency.Submission{ID: "after", Kind: agency.Contact}))
			time.Sleep(time.Minute)
			synctest.Wait()
			assert.Equal(t, 2, counts(t, o)[intake.Delivered], jump)
			assert.Len(t, panel.got, 3, jump)
		})
	}
}
