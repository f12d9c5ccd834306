package intake

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"zedcard/internal/agency"
	"zedcard/internal/database"
)

const (
	gracePeriod  = 10 * time.Second // for deliveries in progress when Run ends
	pollInterval = time.Second      // between two checks for due submissions

	firstRetry, lastRetry = 4 * time.Second, 14 * time.Minute // of a delivery

	// Some deliveries at one time, of which half are left to submissions that were never tried: these wait for nobody's
	// retry. After a failure a place rests: a panel that is down gets some 26 calls in a second at most.
	maxDeliveries, maxRetries = 8, 4
	failureRest               = 300 * time.Millisecond

	untoldAnswers   = 3  // in a row that don't tell whether the panel has it, after which it is held
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
	work.Go(func() { periodically(ctx, sweepInterval, nil, in.Expire) })
	work.Go(func() { periodically(ctx, mailInterval, in.newMail, in.SendMails) })
	work.Wait()
}

// periodically does something each time that some time has passed, or it was woken.
func periodically(ctx context.Context, every time.Duration, wake <-chan struct{}, do func(context.Context)) {
	for do(ctx); sleep(ctx, every, wake); do(ctx) {
		continue
	}
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

// deliverDue delivers what is due, some at once: what was never tried first.
func (in *Intake) deliverDue(ctx context.Context, sender Sender) {
	var deliveries sync.WaitGroup
	defer deliveries.Wait()
	places, retries, failing := semaphore.NewWeighted(maxDeliveries), semaphore.NewWeighted(maxRetries), false
	for places.Acquire(ctx, 1) == nil {
		mayRetry := retries.TryAcquire(1)
		j, err := in.claimSubmission(ctx, mayRetry)
		if mayRetry && j.attempts <= 1 {
			retries.Release(1)
		}
		if err != nil && !failing && ctx.Err() == nil {
			in.options.Log.Error("intake: claim failed", "error", err)
		}
		failing = err != nil
		if err != nil || j.id == "" {
			places.Release(1)
			sleep(ctx, pollInterval, in.toDeliver)
			continue
		}
		deliveries.Go(func() {
			if !in.deliver(ctx, sender, j) {
				sleep(ctx, failureRest, nil)
			}
			if j.attempts > 1 {
				retries.Release(1)
			}
			places.Release(1)
			wake(in.toDeliver)
		})
	}
}

// job is a submission to deliver, or a mail to send, that this process has until its lease ends.
type job struct {
	id       string
	attempts int // this one included
	untold   int // answers to a submission in a row that don't tell whether the panel has it
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

// deliver tries once and stores the outcome; true if the panel took or refused it.
func (in *Intake) deliver(ctx context.Context, sender Sender, j job) bool {
	// The grace period begins when ctx ends.
	graceCtx, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(gracePeriod, end) })()
	sendCtx, cancel := context.WithTimeout(graceCtx, in.options.Lease*4/5)
	defer cancel()

	log := in.options.Log.With("id", j.id, "attempt", j.attempts)
	s, err := in.findContent(sendCtx, in.db, j.id, true)
	if err == nil {
		err = sender.Send(sendCtx, s)
	}
	if errors.Is(err, agency.ErrNotTaken) {
		j.untold++
	} else {
		j.untold = 0
	}
	state, due := Delivered, int64(0)
	switch {
	case err == nil:
		log.Info("intake: delivered", "kind", s.Kind)
	case errors.Is(err, agency.ErrRejected):
		// The panel's reason may repeat personal data, so it is stored sealed and not logged.
		log.Error("intake: refused by the panel, see: zedcard inbox show "+j.id, "kind", s.Kind)
		state = Refused
	case j.untold >= untoldAnswers: // time does not mend what stands before the panel, and it may have it
		log.Error("intake: the panel answers with pages, held, see: zedcard inbox show "+j.id, "kind", s.Kind)
		state = Refused
	default:
		log.Warn("intake: not delivered, will be retried", "kind", s.Kind, "error", err)
		wait := backOff(j.attempts, firstRetry, lastRetry)
		if j.untold > 1 {
			wait = lastRetry // a maintenance may be over before the last try
		}
		wait = wait/2 + rand.N(wait/2)             // #nosec G404 -- spreads retries, hides nothing
		var told interface{ Wait() time.Duration } // Retry-After
		if errors.As(err, &told) {
			wait = max(wait, min(told.Wait(), lastRetry))
		}
		state, due = Queued, in.at(wait)
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
	ctx context.Context, log *slog.Logger, j job, state State, due int64, reason error,
) {
	err := in.settle(ctx, j, state, due, reason)
	for wait := 100 * time.Millisecond; err != nil; wait = min(2*wait, pollInterval) {
		log.Error("intake: outcome not stored yet", "state", state, "error", err)
		if !sleep(ctx, wait, nil) {
			return
		}
		err = in.settle(ctx, j, state, due, reason)
	}
	wake(in.newMail)
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
