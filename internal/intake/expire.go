package intake

import (
	"context"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/database"
)

const sweepInterval = time.Minute

// keepDelivered is how long the row of a delivered submission is kept, so that a repeat is recognised.
const keepDelivered = 30 * 24 * time.Hour

// expired is the SQL condition for submissions that are no longer kept, with the values of expiredArgs. Queued ones
// never expire. Others are kept for agency.Retention from the day on which they came, as their receipt says, however
// late an operator let them go on; those of somebody under 18 for agency.MinorRetention unless a parent or guardian has
// confirmed. What an external panel has is remembered from its delivery.
const expired = `(settled_ms > 0 AND CASE
	WHEN confirmed_ms > 0 THEN created_ms <= CAST($3 AS BIGINT)
	WHEN state = 'delivered' AND destination = 'panel' THEN settled_ms <= CAST($1 AS BIGINT)
	WHEN minor = 1 THEN created_ms <= CAST($2 AS BIGINT)
	ELSE created_ms <= CAST($3 AS BIGINT) END)`

func (in *Intake) expiredArgs() []any {
	now := in.options.Now()
	return []any{
		now.Add(-keepDelivered).UnixMilli(), now.Add(-agency.MinorRetention).UnixMilli(),
		now.Add(-agency.Retention).UnixMilli(),
	}
}

func (in *Intake) sweepPeriodically(ctx context.Context) {
	for {
		if in.db.Ready() == nil {
			in.sweep(ctx)
		}
		if !sleep(ctx, sweepInterval, nil) {
			return
		}
	}
}

// sweep removes what is no longer needed, in small transactions.
func (in *Intake) sweep(ctx context.Context) {
	in.removeLeftovers(ctx)
	now := in.options.Now()
	ago := func(d time.Duration) int64 { return now.Add(-d).UnixMilli() }
	submissions := in.remove(ctx, "DELETE FROM submission WHERE "+expired, in.expiredArgs()...)
	if submissions > 0 {
		in.options.Log.Info("intake: expired submissions removed", "submissions", submissions)
	}
	in.remove(ctx, "UPDATE submission SET client = '' WHERE client <> '' AND created_ms <= $1", ago(shareWindow))
	in.remove(ctx,
		"UPDATE mail SET letter = $2, due_ms = 0 WHERE purpose = 'guardian' AND due_ms > 0 AND created_ms <= $1",
		ago(agency.MinorRetention), []byte{})
	in.remove(ctx, "UPDATE mail SET recipient = '' WHERE recipient <> '' AND due_ms = 0 AND sent_ms <= $1",
		ago(mailLimitWindow))
	in.remove(ctx, "DELETE FROM waiting_photo WHERE created_ms <= $1", ago(photoRetention))
	in.forgetPhotos()
	in.warnWhenFilling(ctx)
	if in.unstored.Load() == 0 {
		in.db.EnsureBallast()
	}
}

// remove executes a statement and returns how many rows it changed.
func (in *Intake) remove(ctx context.Context, statement string, args ...any) int64 {
	rows, err := change(ctx, in.db, statement, args...)
	if err != nil && ctx.Err() == nil {
		in.options.Log.Warn("intake: expired data not removed, will be retried", "error", err)
	}
	return rows
}

// removeContent removes the content of a submission that an external panel has. It runs after the state has been
// stored; what it can't remove is removed by a later sweep.
func (in *Intake) removeContent(ctx context.Context, id string) (done bool) {
	const statement = `DELETE FROM submission_part WHERE id = $1
		AND EXISTS (SELECT 1 FROM submission AS s WHERE s.id = $1 AND s.bytes = 0)`
	_, err := in.db.ExecContext(ctx, statement, id)
	if database.IsFull(err) {
		in.db.Checkpoint(ctx)
		_, err = in.db.ExecContext(ctx, statement, id)
	}
	if err != nil && ctx.Err() == nil {
		in.options.Log.Warn("intake: delivered, content not removed yet", "id", id, "error", err)
	}
	return err == nil
}

// removeLeftovers removes the content of delivered submissions that could not be removed before.
func (in *Intake) removeLeftovers(ctx context.Context) {
	for ctx.Err() == nil {
		var id string
		err := in.db.QueryRowContext(ctx, `
			SELECT id FROM submission_part JOIN submission USING (id) WHERE state = 'delivered' AND bytes = 0 LIMIT 1`).
			Scan(&id)
		if err != nil || !in.removeContent(ctx, id) {
			return // none, or the database is down: the next sweep tries again
		}
	}
}

// warnWhenFilling logs when submissions begin to take four fifths of their room.
func (in *Intake) warnWhenFilling(ctx context.Context) {
	stats, err := in.Stats(ctx)
	if err != nil {
		return
	}
	filling := stats.Bytes > stats.MaxBytes/5*4
	if filling && !in.filling {
		in.options.Log.Warn("intake: four fifths full; when it is full, the forms answer 503 (OUTBOX_SIZE)",
			"bytes", stats.Bytes, "limit", stats.MaxBytes)
	}
	in.filling = filling
}
