package intake

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"zedcard/internal/agency"
	"zedcard/internal/database"
)

const (
	gracePeriod  = 10 * time.Second // for deliveries in progress when Run ends
	pollInterval = time.Second      // between two checks for due submissions

	firstRetry, lastRetry = 4 * time.Second, 14 * time.Minute // of a delivery

	// Of the deliveries at one time, some are left to submissions that are tried for the first time. A retry that fails
	// keeps its place for a moment: a panel that is down gets 13 in a second at most, which is enough for the 10,000
	// that may wait to be tried within 15 minutes each.
	maxDeliveries, maxRetries = 8, 4
	retryRest                 = 300 * time.Millisecond

	stuckAfter      = 10 // deliveries in vain, after which the agency is told, once
	outageThreshold = 3  // failures in a row after which a success means that the panel has recovered
)

// Run delivers queued submissions until ctx ends, and then waits up to 10 s for deliveries in progress. Meanwhile it
// sends mails and removes what has expired. Without a sender it only does that.
func (in *Intake) Run(ctx context.Context, sender Sender) {
	for err := in.makeAllDue(ctx); err != nil; err = in.makeAllDue(ctx) {
		in.options.Log.Warn("intake: database not ready, not delivering yet", "error", err)
		if !sleep(ctx, pollInterval, nil) {
			return
		}
	}
	var work sync.WaitGroup
	if sender != nil {
		work.Go(func() { in.deliverDue(ctx, sender) })
	}
	work.Go(func() { in.sweepPeriodically(ctx) })
	work.Go(func() { in.sendMailsPeriodically(ctx) })
	work.Wait()
}

// sleep waits for d, or until woken; false if ctx has ended.
func sleep(ctx context.Context, d time.Duration, wake <-chan struct{}) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
	case <-wake:
	}
	return true
}

// deliverDue delivers what is due, the oldest first, some at once.
func (in *Intake) deliverDue(ctx context.Context, sender Sender) {
	var deliveries sync.WaitGroup
	defer deliveries.Wait()
	places, failing := semaphore.NewWeighted(maxDeliveries), false
	var retries atomic.Int64
	for places.Acquire(ctx, 1) == nil {
		j, err := in.claimSubmission(ctx, retries.Load() < maxRetries)
		if err != nil && !failing && ctx.Err() == nil {
			in.options.Log.Error("intake: claim failed", "error", err)
		}
		failing = err != nil
		if err != nil || j.id == "" {
			places.Release(1)
			if !sleep(ctx, pollInterval, in.toDeliver) {
				return
			}
			continue
		}
		isRetry := j.attempts > 1
		if isRetry {
			retries.Add(1)
		}
		deliveries.Go(func() {
			defer places.Release(1)
			answered := in.deliver(ctx, sender, j)
			if isRetry {
				if !answered {
					sleep(ctx, retryRest, nil)
				}
				retries.Add(-1)
				wake(in.toDeliver)
			}
		})
	}
}

// job is a submission to deliver, or a mail to send, that this process has until its lease ends.
type job struct {
	id       string
	attempts int // this one included
}

// skipLocked ends a query for a row to claim: it passes over one that another process is about to change.
func (in *Intake) skipLocked() string {
	if in.db.Dialect == database.Postgres {
		return "FOR UPDATE SKIP LOCKED"
	}
	return ""
}

// backOff is the wait after a number of attempts: first, doubled each time up to last.
func backOff(attempts int, first, last time.Duration) time.Duration {
	if attempts > 10 { // more than last, and the shift can't overflow
		return last
	}
	return min(first<<(attempts-1), last)
}

// claimSubmission claims the oldest submission that is due, on demand only one that was never tried; none has no id. A
// time further in the future than the longest back-off, or than a lease, was written before the clock was set back, and
// counts as past. While an outcome can't be stored nothing is claimed, because it would be delivered twice.
func (in *Intake) claimSubmission(ctx context.Context, retries bool) (j job, err error) {
	if in.unstored.Load() > 0 {
		return job{}, nil
	}
	now, lease := in.options.Now(), in.options.Lease
	err = in.db.QueryRowContext(ctx, `
		UPDATE submission SET attempts = attempts + 1, lease_ms = $2
		WHERE id = (
			SELECT id FROM submission
			WHERE due_ms > 0 AND (due_ms <= $1 OR due_ms > $3) AND (lease_ms <= $1 OR lease_ms > $4)
				AND state = 'queued' AND (attempts = 0 OR $5)
			ORDER BY created_ms, id LIMIT 1 `+in.skipLocked()+`)
		RETURNING id, attempts`,
		now.UnixMilli(), now.Add(lease).UnixMilli(), now.Add(lastRetry+lease).UnixMilli(),
		now.Add(2*lease).UnixMilli(), retries).Scan(&j.id, &j.attempts)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return j, err
}

// deliver tries once and stores the outcome; true if the panel took or refused it.
func (in *Intake) deliver(ctx context.Context, sender Sender, j job) bool {
	// The grace period begins when ctx ends.
	graceCtx, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(gracePeriod, end) })()
	sendCtx, cancel := context.WithTimeout(graceCtx, in.options.Lease*4/5)
	defer cancel()

	log := in.options.Log.With("id", j.id, "attempt", j.attempts)
	s, err := in.load(sendCtx, in.db, j.id, true)
	if err == nil {
		err = sender.Send(sendCtx, s)
	}
	state, due := Delivered, time.Time{}
	switch {
	case err == nil:
		log.Info("intake: delivered", "kind", s.Kind)
	case errors.Is(err, agency.ErrRejected):
		// The panel's reason may repeat personal data, so it is stored sealed and not logged.
		log.Error("intake: refused by the panel, see: zedcard inbox show "+j.id, "kind", s.Kind)
		state = Refused
	default:
		level := slog.LevelWarn
		if errors.Is(err, agency.ErrNotTaken) { // time alone may not mend what stands before the panel
			level = slog.LevelError
		}
		log.Log(graceCtx, level, "intake: not delivered, will be retried", "kind", s.Kind, "error", err)
		wait := backOff(j.attempts, firstRetry, lastRetry)
		wait = wait/2 + rand.N(wait/2)             // #nosec G404 -- spreads retries, hides nothing
		var told interface{ Wait() time.Duration } // Retry-After
		if errors.As(err, &told) {
			wait = max(wait, min(told.Wait(), lastRetry))
		}
		state, due = Queued, in.options.Now().Add(wait)
	}
	in.storeOutcome(graceCtx, log, j, state, due, err)
	if state == Queued {
		in.consecutiveFailures.Add(1)
		return false
	}
	if in.consecutiveFailures.Swap(0) >= outageThreshold {
		if err := in.makeAllDue(graceCtx); err != nil {
			log.Warn("intake: waiting submissions not made due", "error", err)
		}
	}
	return true
}

// storeOutcome stores the outcome of a delivery, and retries until it is stored, so that a submission is not delivered
// again. It gives up only when ctx ends; if the submission is then delivered again, the panel recognises its id.
func (in *Intake) storeOutcome(
	ctx context.Context, log *slog.Logger, j job, state State, due time.Time, reason error,
) {
	err := in.settle(ctx, j, state, due, reason)
	if err != nil {
		in.unstored.Add(1)
		defer in.unstored.Add(-1)
	}
	for wait := 100 * time.Millisecond; err != nil; wait = min(2*wait, pollInterval) {
		log.Error("intake: outcome not stored yet", "state", state, "error", err)
		if !sleep(ctx, wait, nil) {
			return
		}
		err = in.settle(ctx, j, state, due, reason)
	}
	wake(in.newMail)
}

// settle ends a try of a delivery, unless another process has claimed it since. What an external panel has loses its
// content.
func (in *Intake) settle(ctx context.Context, j job, state State, due time.Time, reason error) error {
	ctx, cancel := context.WithTimeout(ctx, gracePeriod)
	defer cancel()
	fault, err := in.sealFault(ctx, j.id, reason)
	if err != nil {
		return err
	}
	now := in.options.Now()
	dueMS, settled := int64(0), now.UnixMilli()
	if state == Queued {
		dueMS, settled = due.UnixMilli(), 0
	}
	return in.db.InTx(ctx, func(tx *sql.Tx) error {
		rows, err := change(ctx, tx, `
			UPDATE submission SET state = $3, due_ms = $4, lease_ms = 0, settled_ms = $5, fault = $6,
				bytes = CASE WHEN $3 = 'delivered' AND destination = 'panel' THEN 0 ELSE bytes END
			WHERE id = $1 AND attempts = $2 AND state = 'queued'`,
			j.id, j.attempts, string(state), dueMS, settled, fault)
		switch {
		case err != nil || rows == 0:
			return err
		case state == Queued && j.attempts >= stuckAfter:
			return in.addMails(ctx, tx, note(j.id, stuck))
		case state == Queued:
			return nil
		case state == Refused:
			return in.addMails(ctx, tx, note(j.id, string(Refused)))
		}
		return execute(ctx, tx, `
			DELETE FROM submission_part WHERE id = $1
				AND EXISTS (SELECT 1 FROM submission AS s WHERE s.id = $1 AND s.bytes = 0)`, j.id)
	})
}

// maxFault bounds the stored part of a panel's answer, in bytes.
const maxFault = 4 << 10

func (in *Intake) sealFault(ctx context.Context, id string, reason error) ([]byte, error) {
	if reason == nil {
		return []byte{}, nil
	}
	text := reason.Error()
	return in.sealValue(ctx, text[:min(len(text), maxFault)], id+"/fault")
}

// makeAllDue makes all waiting submissions due; deliveries in progress keep their lease.
func (in *Intake) makeAllDue(ctx context.Context) error {
	return execute(ctx, in.db, "UPDATE submission SET due_ms = $1 WHERE state = 'queued' AND due_ms > $1",
		in.options.Now().UnixMilli())
}

// Requeue queues a refused or held submission for delivery as if it were new; that of a minor waits for its guardian,
// as Put says. Any other is agency.ErrNotFound.
func (in *Intake) Requeue(ctx context.Context, id string) error {
	now := in.options.Now().UnixMilli()
	err := in.db.InTx(ctx, func(tx *sql.Tx) error {
		rows, err := change(ctx, tx, `
			UPDATE submission SET state = 'queued', attempts = 0, lease_ms = 0, due_ms = $2, settled_ms = 0
			WHERE id = $1 AND state IN ('refused', 'suspected')`, id, now)
		if err != nil || rows == 0 {
			return errors.Join(err, agency.ErrNotFound)
		}
		if in.options.GuardianFirst {
			err = execute(ctx, tx, `
				UPDATE submission SET state = 'waiting', due_ms = 0, settled_ms = $2
				WHERE id = $1 AND minor AND confirmed_ms = 0`, id, now)
		}
		// A note that is being sent is not the one of a later refusal.
		return errors.Join(err, execute(ctx, tx,
			"DELETE FROM mail WHERE submission = $1 AND purpose IN ('refused', 'suspected', 'stuck')", id))
	})
	if err != nil {
		return fmt.Errorf("intake: deliver %s, if it is refused or held: %w", id, err)
	}
	return nil
}
