package intake

import (
	"context"
	"time"

	"zedcard/internal/agency"
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
	WHEN minor THEN created_ms <= CAST($2 AS BIGINT)
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
		in.forgetPhotos()
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
	ago := func(d time.Duration) int64 { return in.options.Now().Add(-d).UnixMilli() }
	remove := func(statement string, args ...any) int64 {
		rows, err := change(ctx, in.db, statement, args...)
		if err != nil && ctx.Err() == nil {
			in.options.Log.Warn("intake: expired data not removed, will be retried", "error", err)
		}
		return rows
	}
	if rows := remove("DELETE FROM submission WHERE "+expired, in.expiredArgs()...); rows > 0 {
		in.options.Log.Info("intake: expired submissions removed", "submissions", rows)
	}
	remove("UPDATE submission SET client = '' WHERE client <> '' AND created_ms <= $1", ago(shareWindow))
	remove("UPDATE mail SET letter = $2, due_ms = 0 WHERE purpose = 'guardian' AND due_ms > 0 AND created_ms <= $1",
		ago(agency.MinorRetention), []byte{})
	remove("UPDATE mail SET recipient = '' WHERE recipient <> '' AND due_ms = 0 AND sent_ms <= $1",
		ago(mailLimitWindow))
	remove("DELETE FROM waiting_photo WHERE created_ms <= $1", ago(photoRetention))
	in.warnWhenFilling(ctx)
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
