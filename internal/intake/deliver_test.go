package intake_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/intake"
)

func TestASubmissionIsDeliveredOnceAndThenEmptied(t *testing.T) {
	onEach(t, nil, func(t *testing.T, o *office) {
		o.put(ana("a1"), ana("a1"), ana("a1")) // a double click and a resend
		assert.Equal(t, map[intake.State]int{
			intake.Waiting: 0, intake.Queued: 1, intake.Delivered: 0, intake.Refused: 0, intake.Suspected: 0,
		}, o.counts())
		stop := o.run()
		o.await(intake.Delivered, 1)
		o.put(ana("a1")) // repeated after its delivery
		stop()

		assert.Equal(t, []agency.Submission{ana("a1")}, o.panel.received())
		entry, rest, err := o.Find(t.Context(), "a1")
		require.NoError(t, err)
		assert.Equal(t, intake.Delivered, entry.State)
		assert.Empty(t, entry.Name+entry.Email)
		assert.Empty(t, rest.Fields)
		assert.Empty(t, rest.Files)
	})
}

func TestARefusedSubmissionIsKeptAndRequeuedOnRequest(t *testing.T) {
	o := onSQLite(t, nil)
	o.panel.answers(func(agency.Submission) error {
		return fmt.Errorf("panel: 422: email ana@example.com is known: %w", agency.ErrRejected)
	})
	o.put(ana("a1"))
	o.run()
	o.await(intake.Refused, 1)
	o.assertStored(ana("a1"))
	entry, _, err := o.Find(t.Context(), "a1")
	require.NoError(t, err)
	assert.Equal(t, "ana@example.com", entry.Email)
	assert.Contains(t, entry.LastError, "422: email")

	o.panel.answers(nil)
	require.NoError(t, o.Requeue(t.Context(), "a1"))
	o.await(intake.Delivered, 1)
	require.ErrorIs(t, o.Requeue(t.Context(), "a1"), agency.ErrNotFound)
	_, _, err = o.Find(t.Context(), "none")
	require.ErrorIs(t, err, agency.ErrNotFound)
}

func TestAHeldSubmissionWaitsForTheOperator(t *testing.T) {
	o := onSQLite(t, func(o *intake.Options) { o.MaxQueued = 1 })
	require.NoError(t, o.Hold(t.Context(), ana("held")))
	require.ErrorIs(t, o.Hold(t.Context(), ana("one too many")), agency.ErrUnavailable)
	o.run()
	o.put(ana("put")) // held submissions don't count towards the limit
	o.await(intake.Delivered, 1)
	o.assertStored(ana("held"))
	require.NoError(t, o.Requeue(t.Context(), "held"))
	o.await(intake.Delivered, 2)
	assert.Equal(t, []agency.Submission{ana("put"), ana("held")}, o.panel.received())
}

func TestTwoProgramsNeverDeliverTheSameSubmission(t *testing.T) {
	onEach(t, nil, func(t *testing.T, o *office) {
		for range 2 {
			run(t, o.process(), &o.panel)
		}
		for i := range 60 {
			o.put(ana(fmt.Sprint("a", i)))
		}
		o.await(intake.Delivered, 60)
		assert.Equal(t, 60, len(o.panel.received()), "deliveries") // Len would print them all
	})
}

func TestStoredSubmissionsAreSealed(t *testing.T) {
	folder := t.TempDir()
	o := openOffice(t, "sqlite:"+filepath.Join(folder, "zedcard.db"), nil)
	o.panel.answers(func(agency.Submission) error { return fmt.Errorf("ana@example.com: %w", agency.ErrRejected) })
	o.put(ana("a1"))
	stop := o.run()
	o.await(intake.Refused, 1)

	// Before the stop: a query that it cancels takes its connection along, and with the last one go -wal and -shm.
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	require.NoError(t, err)
	require.Len(t, files, 4, "database, -wal, -shm and .key")
	for _, file := range files {
		stored, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, canary := range []string{"Souza", "ana@example.com", "CANARY", "1999-04-30", "eu.jpg", "secret"} {
			assert.NotContains(t, string(stored), canary, filepath.Base(file))
		}
	}
	stop()
	assert.Contains(t, o.log.String(), "refused by the panel")
	assert.NotContains(t, o.log.String(), "ana@")
}

func TestAfterAKeyIsLostTheOthersAreStillDelivered(t *testing.T) {
	o := onSQLite(t, nil)
	lost := intake.New(o.db, o.db.Keys("lost"), intake.Options{Log: silent, Now: func() time.Time { return came }})
	require.NoError(t, lost.Put(t.Context(), ana("a1")))
	o.put(ana("a2"))
	o.run()
	o.await(intake.Delivered, 1)
	eventually(t, func() bool { return o.number("SELECT attempts FROM submission WHERE id = 'a1'") > 0 })
	list, err := o.Entries(t.Context())
	require.NoError(t, err)
	assert.Equal(t, intake.Queued, list[0].State, "kept until the key is configured again")
	assert.Contains(t, list[0].LastError, "not among the keys")
}

// smallDisk is a folder on a disk of 3 MB of its own.
func smallDisk(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("not run: only root can mount a small disk")
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=3m"); err != nil {
		t.Skipf("not run: a small disk can't be mounted here (%v)", err)
	}
	t.Cleanup(func() { assert.NoError(t, syscall.Unmount(dir, syscall.MNT_DETACH)) })
	return dir
}

func TestAFullDiskIsReportedWithoutLossOrRepeats(t *testing.T) {
	dir := smallDisk(t)
	o := openOffice(t, "sqlite:"+filepath.Join(dir, "zedcard.db"), func(o *intake.Options) { o.Log = silent })
	filler := filepath.Join(dir, "filler")
	require.NoError(t, os.WriteFile(filler, make([]byte, 1<<20), 0o600))
	sent := 0
	var err error
	for ; err == nil; sent++ {
		require.Less(t, sent, 100, "3 MB hold fewer than 100 submissions")
		err = o.Put(t.Context(), large(fmt.Sprint(sent), 100_000))
	}
	sent-- // the last was refused
	require.ErrorIs(t, err, agency.ErrUnavailable)
	require.Greater(t, sent, 5)

	require.NoError(t, os.Remove(filler))
	o.panel.answers(func(agency.Submission) error { // it has one, and the disk is full again
		file, err := os.OpenFile(filler, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		for err == nil {
			_, err = file.Write(make([]byte, 4096))
		}
		return file.Close()
	})
	stop := o.run()
	eventually(t, func() bool { return len(o.panel.received()) > 0 })
	assert.Never(t, func() bool {
		seen := map[string]bool{}
		for _, id := range o.panel.ids() {
			if seen[id] {
				return true // for want of a byte to note it with
			}
			seen[id] = true
		}
		return false
	}, 3*time.Second, 100*time.Millisecond, "no submission is delivered twice")
	o.panel.answers(nil)
	t.Logf("%d of %d delivered while the disk was full", len(o.panel.received()), sent)

	require.NoError(t, os.Remove(filler))
	o.await(intake.Delivered, sent)
	assert.Equal(t, sent, len(o.panel.received()), "deliveries") // Len would print them all
	o.put(ana("after"))
	o.await(intake.Delivered, sent+1)
	stop()
	var verdict string
	require.NoError(t, o.db.QueryRow("PRAGMA integrity_check").Scan(&verdict))
	assert.Equal(t, "ok", verdict)
	assert.Zero(t, o.number("SELECT count(*) FROM submission_part"), "what was delivered is emptied")
}

func TestTheRetryScheduleOfFailedDeliveries(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, o *office) {
		o.panel.answers(down)
		stop := o.run()
		o.put(ana("a1"))
		time.Sleep(90 * time.Minute)
		synctest.Wait()
		stop()
		at := o.panel.at
		require.Greater(t, len(at), 12)
		assert.LessOrEqual(t, at[1].Sub(at[0]), 5*time.Second, "the first retry is within five seconds")
		for i := 1; i < len(at); i++ {
			wait := at[i].Sub(at[i-1])
			assert.LessOrEqual(t, wait, 15*time.Minute)
			assert.GreaterOrEqual(t, wait, time.Second)
		}

		// A restart does not wait for the back-off.
		o.panel.forget(nil)
		run(t, o.process(), &o.panel)
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Len(t, o.panel.at, 1)
	})
}

func TestTheAgencyIsToldOnceOfWhatThePanelDoesNotTake(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, o *office) {
		o.panel.answers(down)
		stop := o.run()
		o.put(ana("a1"))
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		stop()
		require.Greater(t, len(o.panel.at), 12)
		assert.Equal(t, 1, o.number("SELECT count(*) FROM mail WHERE purpose = 'stuck'"))
		assert.Equal(t, 1, o.number("SELECT count(*) FROM submission WHERE state = 'queued' AND bytes > 0"))
	})
}

func TestWhatAPanelAnswersWithPagesIsHeldAfterThree(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, o *office) {
		answers := []error{
			agency.ErrNotTaken, agency.ErrNotTaken, agency.ErrUnavailable, // which says that it is not there
			agency.ErrNotTaken, agency.ErrNotTaken, agency.ErrNotTaken,
		}
		o.panel.answers(func(agency.Submission) error { return answers[len(o.panel.got)-1] })
		stop := o.run()
		o.put(ana("a1"))
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		require.Len(t, o.panel.at, len(answers), "it is not repeated")
		assert.Greater(t, o.panel.at[5].Sub(o.panel.at[4]), 5*time.Minute, "a maintenance may be over")
		assert.Equal(t, 1, o.counts()[intake.Refused])
		assert.Contains(t, o.shown("a1"), agency.ErrNotTaken.Error())
		assert.Contains(t, o.post.ids(), "a1-refused")
		o.panel.forget(nil)
		require.NoError(t, o.Requeue(t.Context(), "a1"))
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.Len(t, o.panel.got, 1)
		stop()
	})
}

// busyPanel is a panel's refusal with Retry-After.
type busyPanel struct{ error }

func (busyPanel) Wait() time.Duration { return time.Minute }

func TestAPanelThatAsksForTimeGetsIt(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, o *office) {
		o.panel.answers(func(agency.Submission) error { return busyPanel{agency.ErrUnavailable} })
		stop := o.run()
		o.put(ana("a1"))
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		stop()
		require.Greater(t, len(o.panel.at), 2)
		assert.GreaterOrEqual(t, o.panel.at[1].Sub(o.panel.at[0]), time.Minute)
	})
}

// OUTBOX_BACKLOG=1000 lets that many wait, for a day.
func TestABacklogIsDeliveredOldestFirstWithoutAFlood(t *testing.T) {
	many, outage := 60, time.Hour // by then every wait is at its longest
	if more, err := strconv.Atoi(os.Getenv("OUTBOX_BACKLOG")); err == nil {
		many, outage = more, 24*time.Hour
	}
	inBubble(t, nil, func(t *testing.T, o *office) {
		o.panel.answers(down)
		stop := o.run()
		for i := range many {
			o.put(eve(fmt.Sprintf("%05d", i)))
			time.Sleep(time.Second)
		}
		time.Sleep(outage)
		stop()
		o.panel.forget(down)
		o.run() // a restart makes all of them due
		time.Sleep(4 * time.Second)
		synctest.Wait()
		assert.InDelta(t, 56, o.panel.tries(), 8, "four at once, and a rest after each")

		time.Sleep(outage)
		synctest.Wait()
		require.Equal(t, many, o.counts()[intake.Queued])
		o.panel.forget(nil)
		time.Sleep(15 * time.Minute)
		synctest.Wait()
		require.Len(t, o.panel.got, many)
		assert.Equal(t, many, o.counts()[intake.Delivered])
		// Those whose turn came first, four at most, told that the panel is back; the others follow by age, some at
		// once.
		for i, id := range o.panel.ids()[4:] {
			n, err := strconv.Atoi(id)
			require.NoError(t, err)
			assert.InDelta(t, i, n, 20)
		}
	})
}

// sender is a panel that may take its time.
type sender func(context.Context, agency.Submission) error

func (send sender) Send(ctx context.Context, s agency.Submission) error { return send(ctx, s) }

func TestAFirstTryNeverWaitsBehindRetries(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, o *office) {
		run(t, o.Intake, sender(func(ctx context.Context, s agency.Submission) error {
			if strings.HasPrefix(s.ID, "hangs") {
				<-ctx.Done()
				return ctx.Err()
			}
			return o.panel.Send(ctx, s)
		}))
		for i := range 12 {
			o.put(eve(fmt.Sprint("hangs", i)))
		}
		time.Sleep(95 * time.Second) // each was tried
		for i := range 10 {
			o.put(eve(fmt.Sprint("honest", i)))
		}
		time.Sleep(time.Second)
		assert.Len(t, o.panel.ids(), 10)
	})
}

func TestAClockThatJumpsNeitherLosesNorRepeats(t *testing.T) {
	for _, jump := range []time.Duration{-time.Hour, time.Hour} {
		var off atomic.Int64
		inBubble(t, func(o *intake.Options) {
			o.Now = func() time.Time { return time.Now().Add(time.Duration(off.Load())) }
		}, func(t *testing.T, o *office) {
			o.panel.answers(down)
			o.run()
			o.put(eve("before"))
			synctest.Wait() // tried once, due again in some seconds
			o.panel.answers(nil)
			off.Store(int64(jump))
			o.put(eve("after"))
			time.Sleep(time.Minute)
			synctest.Wait()
			assert.Equal(t, 2, o.counts()[intake.Delivered], jump)
			assert.Len(t, o.panel.got, 3, jump)
		})
	}
}

// photosOf is how many photos a stored submission has; its text must be whole.
func (o *office) photosOf(id string) int {
	o.t.Helper()
	_, s, err := o.Find(o.t.Context(), id)
	require.NoError(o.t, err)
	require.Equal(o.t, ana(id).Fields, s.Fields, id)
	return len(s.Files)
}

func TestHeldSubmissionsNeverTakeTheRoomOfHonestOnes(t *testing.T) {
	o := onSQLite(t, func(o *intake.Options) { o.MaxBytes = 10_000_000 })
	for i := range 60 { // 12 MB, more than there is room for
		require.NoError(t, o.Hold(t.Context(), ana(fmt.Sprint("held", i))), "a program learns nothing")
	}
	stats, err := o.Stats(t.Context())
	require.NoError(t, err)
	assert.Less(t, stats.Bytes, int64(500_000), "a twentieth")
	o.put(ana("honest"))
	assert.Equal(t, 2, o.photosOf("held0"))
	assert.Equal(t, 0, o.photosOf("held59"), "without room its text is kept")
	require.NoError(t, o.Hold(t.Context(), large("large", 600_000)), "more than a twentieth by itself")
	assert.Equal(t, 0, o.photosOf("large"))
	assert.Equal(t, 2, o.photosOf("honest"))
}

func TestMessagesFindRoomWherePhotosDont(t *testing.T) {
	o := onSQLite(t, func(o *intake.Options) { o.MaxBytes = 1_000_000 })
	o.put(ana("0"), ana("1"), ana("2"), ana("3"))
	require.ErrorIs(t, o.Put(t.Context(), ana("full")), agency.ErrUnavailable)
	for i := range 50 {
		o.put(eve(fmt.Sprint("message", i)))
	}
	o.Expire(t.Context())
	assert.Contains(t, o.log.String(), "four fifths full")
}

// TestAFullInboxDropsNothing: what the embedded back end has stays.
func TestAFullInboxDropsNothing(t *testing.T) {
	o := onSQLite(t, func(o *intake.Options) { o.MaxBytes = 1_000_000 })
	for _, id := range []string{"a", "b", "c"} {
		require.NoError(t, o.Receive(t.Context(), large(id, 300_000)))
	}
	require.ErrorIs(t, o.Receive(t.Context(), large("d", 300_000)), agency.ErrUnavailable)
	require.NoError(t, o.Receive(t.Context(), large("a", 300_000)), "repeating a stored submission succeeds")
	require.ErrorIs(t, o.Put(t.Context(), large("d", 300_000)), agency.ErrUnavailable, "the form says so at once")
	o.put(eve("e"))
	require.NoError(t, o.Receive(t.Context(), eve("e")))
	o.assertStored(large("a", 300_000))
}

func TestOneClientCantTakeAllTheRoom(t *testing.T) {
	o := onSQLite(t, func(o *intake.Options) { o.MaxBytes = 100_000_000 })
	put := func(id, client string) error {
		s := large(id, 6_000_000)
		s.Client = client
		return o.Put(t.Context(), s)
	}
	require.NoError(t, put("a1", "203.0.113.1"))
	require.NoError(t, put("a2", "203.0.113.1"))
	require.ErrorIs(t, put("a3", "203.0.113.1"), agency.ErrUnavailable, "an eighth")
	require.NoError(t, put("a2", "203.0.113.1"), "a repeat")
	require.NoError(t, put("b1", "203.0.113.2"), "another client")
	o.put(eve("m"))
	o.now = o.now.Add(25 * time.Hour)
	require.NoError(t, put("a3", "203.0.113.1"), "the next day")
	o.run()
	eventually(t, func() bool { return o.number("SELECT count(*) FROM submission WHERE client <> ''") <= 1 })
}
