package outbox

import (
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/database"
)

const (
	gracePeriod = 10 * time.Second // for deliveries in progress when Run ends

	firstBackOff = 4 * time.Second
	lastBackOff  = 14 * time.Minute

	pollInterval  = time.Second // between two checks for due submissions
	sweepInterval = time.Minute

	outageThreshold = 3 // failures in a row after which a success means that the panel has recovered
)

// Run delivers queued submissions until ctx ends, and then waits up to 10 s for deliveries in progress.
func (o *Outbox) Run(ctx context.Context) {
	for {
		err := o.makeAllDue(ctx)
		if err == nil {
			break
		}
		o.options.Log.Warn("outbox: database not ready, not delivering yet", "error", err)
		if !sleep(ctx, pollInterval, nil) {
			return
		}
	}
	var work sync.WaitGroup
	work.Go(func() { o.lane(ctx, false) })
	work.Go(func() { o.lane(ctx, true) })
	work.Go(func() { o.sweepPeriodically(ctx) })
	work.Go(func() { o.sendNotes(ctx) })
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

// lane claims and delivers submissions concurrently: new ones, or with retries those that were tried before.
func (o *Outbox) lane(ctx context.Context, retries bool) {
	var deliveries sync.WaitGroup
	defer deliveries.Wait()
	wake := o.wake
	if retries {
		wake = nil
	}
	slots := make(chan struct{}, o.options.Workers)
	failing := false
	for {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			return
		}
		c, err := o.claim(ctx, retries)
		if err != nil && !errors.Is(err, errNothingDue) && !failing && ctx.Err() == nil {
			o.options.Log.Error("outbox: claim failed", "error", err)
		}
		failing = err != nil && !errors.Is(err, errNothingDue)
		if err != nil {
			<-slots
			if !sleep(ctx, pollInterval, wake) {
				return
			}
			continue
		}
		deliveries.Go(func() {
			defer func() { <-slots }()
			o.deliver(ctx, c)
		})
		if retries && !sleep(ctx, o.options.Pace, nil) {
			return
		}
	}
}

// claim is a submission that this process may deliver until its lease ends.
type claim struct {
	id       string
	kind     agency.Kind
	attempts int // this one included
}

var errNothingDue = errors.New("nothing is due")

// claim claims the oldest due submission. While an outcome can't be stored nothing is claimed, because it would be
// delivered twice. A due time further in the future than any back-off (plus a lease, for delays) was written before the
// clock was set back, and counts as past.
func (o *Outbox) claim(ctx context.Context, retries bool) (claim, error) {
	if o.unstored.Load() > 0 {
		return claim{}, errNothingDue
	}
	c, err := o.claimNext(ctx, retries)
	if database.IsFull(err) { // deliveries free the disk
		o.makeRoom(ctx)
		c, err = o.claimNext(ctx, retries)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return c, errNothingDue
	}
	return c, err
}

func (o *Outbox) claimNext(ctx context.Context, retries bool) (claim, error) {
	lockClause := ""
	if o.db.Dialect == database.Postgres {
		lockClause = "FOR UPDATE SKIP LOCKED"
	}
	now, lease := o.options.Now(), o.options.Lease
	var c claim
	err := o.db.QueryRowContext(ctx, `
		UPDATE outbox SET attempts = attempts + 1, lease_ms = $2
		WHERE id = (
			SELECT id FROM outbox
			WHERE state = 'queued' AND (attempts > 0) = $3
				AND (due_ms <= $1 OR due_ms > $4) AND (lease_ms <= $1 OR lease_ms > $5)
			ORDER BY created_ms, id LIMIT 1 `+lockClause+`)
		RETURNING id, kind, attempts`,
		now.UnixMilli(), now.Add(lease).UnixMilli(), retries,
		now.Add(lastBackOff+lease).UnixMilli(), now.Add(2*lease).UnixMilli()).Scan(&c.id, &c.kind, &c.attempts)
	return c, err
}

// withGracePeriod is a context that ends gracePeriod after ctx, so that work in progress can finish.
func withGracePeriod(ctx context.Context) (context.Context, func()) {
	graceCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(gracePeriod, cancel) })
	return graceCtx, func() { stop(); cancel() }
}

// deliver tries once and stores the outcome.
func (o *Outbox) deliver(ctx context.Context, c claim) {
	graceCtx, end := withGracePeriod(ctx)
	defer end()
	sendCtx, cancel := context.WithTimeout(graceCtx, o.options.Lease*4/5)
	defer cancel()

	log := o.options.Log.With("id", c.id, "kind", c.kind, "attempt", c.attempts)
	s, err := o.parts.Load(sendCtx, o.db, c.kind, c.id)
	if err != nil {
		log.Error("outbox: submission not read, will be retried", "error", err)
		o.postpone(graceCtx, c, err)
		return
	}
	err = o.sender.Send(sendCtx, s)
	switch {
	case err == nil:
		o.storeOutcome(graceCtx, c, Delivered, nil)
		log.Info("outbox: delivered")
	case errors.Is(err, agency.ErrRejected):
		// The panel's reason may repeat personal data, so it is stored sealed and not logged.
		o.storeOutcome(graceCtx, c, Refused, err)
		log.Error("outbox: refused by the panel, see: zedcard inbox show " + c.id)
	default:
		o.consecutiveFailures.Add(1)
		o.postpone(graceCtx, c, err)
		log.Warn("outbox: not delivered, will be retried", "error", err)
		return
	}
	if o.consecutiveFailures.Swap(0) >= outageThreshold {
		if err := o.makeAllDue(graceCtx); err != nil {
			log.Warn("outbox: waiting submissions not made due", "error", err)
		}
	}
}

// storeOutcome stores the outcome of a delivery, and retries until it is stored, so that a submission is not delivered
// again. On a full disk it frees the ballast. It gives up only when ctx ends; if the submission is then delivered
// again, the panel recognises its id.
func (o *Outbox) storeOutcome(ctx context.Context, c claim, state State, reason error) {
	counted := false
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, pollInterval) {
		err := o.writeState(ctx, c, state, reason)
		if err == nil {
			break
		}
		if !counted {
			counted = true
			o.unstored.Add(1)
			defer o.unstored.Add(-1)
		}
		if database.IsFull(err) {
			o.makeRoom(ctx)
		}
		o.options.Log.Error("outbox: outcome not stored yet", "id", c.id, "state", state, "error", err)
		if !sleep(ctx, wait, nil) {
			return
		}
	}
	switch state {
	case Delivered:
		o.removeContent(ctx, c.id)
	case Refused:
		wake(o.notes)
	case Queued, Suspected:
	}
}

// makeRoom removes the ballast on a full disk, so that the few bytes of a claim or an outcome can be written.
func (o *Outbox) makeRoom(ctx context.Context) {
	o.db.DropBallast()
	o.db.Checkpoint(ctx)
}

func (o *Outbox) writeState(ctx context.Context, c claim, state State, reason error) error {
	ctx, cancel := context.WithTimeout(ctx, gracePeriod)
	defer cancel()
	fault, err := o.sealFault(ctx, c.id, reason)
	if err != nil {
		return err
	}
	now := o.options.Now().UnixMilli()
	var mailDue int64
	if state == Refused {
		mailDue = o.noteDue(o.options.Now())
	}
	_, err = o.db.ExecContext(ctx, `
		UPDATE outbox SET state = $2, lease_ms = 0, fault = $3, mail_ms = $6,
			purge_ms = CASE WHEN $2 = 'delivered' THEN $4 ELSE $5 + keep_days * 86400000 END
		WHERE id = $1 AND state <> 'delivered'`,
		c.id, string(state), fault, now+keepDelivered.Milliseconds(), now, mailDue)
	return err
}

// postpone makes a submission due after its back-off. If that fails, it is due when its lease ends.
func (o *Outbox) postpone(ctx context.Context, c claim, reason error) {
	ctx, cancel := context.WithTimeout(ctx, gracePeriod)
	defer cancel()
	fault, err := o.sealFault(ctx, c.id, reason)
	if err == nil {
		_, err = o.db.ExecContext(ctx, `
			UPDATE outbox SET due_ms = $3, lease_ms = 0, fault = $4
			WHERE id = $1 AND attempts = $2 AND state = 'queued'`,
			c.id, c.attempts, o.options.Now().Add(backOff(c.attempts)).UnixMilli(), fault)
	}
	if err != nil {
		o.options.Log.Warn("outbox: not rescheduled, due when its lease ends", "id", c.id, "error", err)
	}
}

// backOff is the wait after a number of attempts.
func backOff(attempts int) time.Duration {
	limit := lastBackOff
	if attempts <= 8 { // 4 s doubled 8 times is more than 14 minutes
		limit = min(firstBackOff<<(attempts-1), lastBackOff)
	}
	return limit/2 + rand.N(limit/2) // #nosec G404 -- spreads retries, hides nothing
}

// maxFault bounds the stored part of a panel's answer, in bytes.
const maxFault = 4 << 10

func (o *Outbox) sealFault(ctx context.Context, id string, reason error) ([]byte, error) {
	if reason == nil {
		return []byte{}, nil
	}
	text := reason.Error()
	return o.sealer.Seal(ctx, []byte(text[:min(len(text), maxFault)]), id+"/fault")
}

// makeAllDue makes all waiting submissions due; deliveries in progress keep their lease.
func (o *Outbox) makeAllDue(ctx context.Context) error {
	if err := o.db.Ready(); err != nil {
		return err
	}
	_, err := o.db.ExecContext(ctx, "UPDATE outbox SET due_ms = $1 WHERE state = 'queued' AND due_ms > $1",
		o.options.Now().UnixMilli())
	return err
}

func (o *Outbox) sweepPeriodically(ctx context.Context) {
	for {
		o.removeLeftovers(ctx)
		o.purge(ctx)
		o.forgetClients(ctx)
		o.warnWhenFilling(ctx)
		if o.unstored.Load() == 0 {
			o.db.EnsureBallast()
		}
		if !sleep(ctx, sweepInterval, nil) {
			return
		}
	}
}

func (o *Outbox) sendNotes(ctx context.Context) {
	notes := Notifier{DB: o.db, Table: "outbox", Notify: o.options.Notify, Now: o.options.Now, Log: o.options.Log}
	for {
		notes.SendDue(ctx)
		if !sleep(ctx, sweepInterval, o.notes) {
			return
		}
	}
}

// removeContent removes the content of a delivered submission. It runs after the state has been stored, because it
// needs far more room on a full disk; what it can't remove is removed later.
func (o *Outbox) removeContent(ctx context.Context, id string) (done bool) {
	_, err := o.db.ExecContext(ctx, "DELETE FROM outbox_part WHERE id = $1", id)
	if database.IsFull(err) {
		o.db.Checkpoint(ctx)
		_, err = o.db.ExecContext(ctx, "DELETE FROM outbox_part WHERE id = $1", id)
	}
	if err != nil && ctx.Err() == nil {
		o.options.Log.Warn("outbox: delivered, content not removed yet", "id", id, "error", err)
	}
	return err == nil
}

// removeLeftovers empties delivered submissions that could not be emptied before, each in a small transaction.
func (o *Outbox) removeLeftovers(ctx context.Context) {
	for ctx.Err() == nil {
		var id string
		err := o.db.QueryRowContext(ctx, `
			SELECT id FROM outbox_part JOIN outbox USING (id) WHERE state = 'delivered' LIMIT 1`).Scan(&id)
		if err != nil {
			return // none, or the database is down: the next sweep tries again
		}
		if !o.removeContent(ctx, id) {
			return
		}
	}
}

// purge removes expired rows. An application that a guardian has confirmed is kept as long as an adult's.
func (o *Outbox) purge(ctx context.Context) {
	now := o.options.Now()
	result, err := o.db.ExecContext(ctx, `
		DELETE FROM outbox WHERE purge_ms BETWEEN 1 AND $1 AND NOT (state <> 'delivered' AND created_ms > $2
			AND EXISTS (SELECT 1 FROM guardian WHERE guardian.id = outbox.id AND guardian.confirmed_ms > 0))`,
		now.UnixMilli(), now.Add(-agency.Retention).UnixMilli())
	if err != nil {
		if ctx.Err() == nil {
			o.options.Log.Warn("outbox: purge failed", "error", err)
		}
		return
	}
	if rows, err := result.RowsAffected(); err == nil && rows > 0 {
		o.options.Log.Info("outbox: expired submissions removed", "submissions", rows)
	}
}
