package intake

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strings"
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
	WHEN state = 'delivered' AND destination = 'panel' THEN settled_ms <= CAST($1 AS BIGINT)
	WHEN confirmed_ms > 0 THEN created_ms <= CAST($3 AS BIGINT)
	WHEN minor THEN created_ms <= CAST($2 AS BIGINT)
	ELSE created_ms <= CAST($3 AS BIGINT) END)`

func (in *Intake) sweepPeriodically(ctx context.Context) {
	for {
		in.forgetPhotos()
		if in.db.Opened() == nil {
			in.Expire(ctx)
		}
		if !sleep(ctx, sweepInterval, nil) {
			return
		}
	}
}

// Expire removes what is no longer needed, in small transactions, if the clock can be believed, and what the database's
// log still has of what was erased before.
func (in *Intake) Expire(ctx context.Context) {
	in.warnWhenFilling(ctx)
	if err := in.db.EmptyLog(ctx); err != nil && !errors.Is(err, database.ErrLogInUse) && ctx.Err() == nil {
		in.options.Log.Warn("intake: the database's log was not emptied, will be retried", "error", err)
	}
	believed, err := in.lookAtClock(ctx, false)
	if err != nil && ctx.Err() == nil {
		in.options.Log.Warn("intake: expired data not removed, will be retried", "error", err)
	}
	if !believed {
		return
	}
	ago := func(d time.Duration) int64 { return in.options.Now().Add(-d).UnixMilli() }
	remove := func(statement string, args ...any) int64 {
		rows, err := change(ctx, in.db, statement, args...)
		if err != nil && ctx.Err() == nil {
			in.options.Log.Warn("intake: expired data not removed, will be retried", "error", err)
		}
		return rows
	}
	rows := remove("DELETE FROM submission WHERE "+expired,
		ago(keepDelivered), ago(agency.MinorRetention), ago(agency.Retention))
	if rows > 0 {
		in.options.Log.Info("intake: expired submissions removed", "submissions", rows)
	}
	remove("UPDATE submission SET client = '' WHERE client <> '' AND created_ms <= $1", ago(shareWindow))
	remove("UPDATE mail SET letter = $2, due_ms = 0 WHERE purpose = 'guardian' AND due_ms > 0 AND created_ms <= $1",
		ago(agency.MinorRetention), []byte{})
	remove("UPDATE mail SET recipient = '' WHERE recipient <> '' AND due_ms = 0 AND sent_ms <= $1",
		ago(mailLimitWindow))
	remove("DELETE FROM waiting_photo WHERE created_ms <= $1", ago(photoRetention))
}

const (
	clockSetting   = "clock"
	clockTolerance = time.Hour
	clockWait      = 24 * time.Hour // from a jump until the clock is believed again
)

// clock is what the database knows of the clock, in milliseconds by the clock itself.
type clock struct {
	Seen   int64 // at the last look
	Began  int64 // since when it has run without a jump
	Jumped int64 // not believed since then; 0: believed
}

// lookAtClock reports whether the clock agrees with the time that has passed since the last look, here or before a
// restart. Nothing expires for a day after it jumped by more than an hour, since one of the two times is wrong: after
// NTP, a restored machine, or a start without a clock; or until an operator says that it is right. What came within a
// day before a jump came by a clock that nobody had confirmed either, and moves with it: otherwise a message that was
// sent while the clock was behind would have expired when it is right.
func (in *Intake) lookAtClock(ctx context.Context, confirmed bool) (believed bool, err error) {
	err = in.db.InTx(ctx, func(tx *sql.Tx) error {
		if err := in.db.Acquire(ctx, tx, database.ClockLock); err != nil {
			return err
		}
		c, err := readClock(ctx, tx)
		if err != nil {
			return err
		}
		now, passed := in.options.Now().UnixMilli(), int64(0)
		if !in.looked.IsZero() {
			passed = time.Since(in.looked).Milliseconds() // monotonic: no jump of the clock changes it
		}
		wait, tolerance := clockWait.Milliseconds(), clockTolerance.Milliseconds()
		switch gap := now - c.Seen; {
		case c.Seen == 0: // a new database
			c.Began = now
		case gap < -tolerance || gap > passed+tolerance:
			jump := gap - passed
			if c.Seen-c.Began < wait {
				err = move(ctx, tx, c.Began-sweepInterval.Milliseconds(), c.Seen+2*sweepInterval.Milliseconds(), jump)
				c.Began += jump
			} else {
				c.Began = now
			}
			c.Jumped = now
			if !confirmed {
				in.options.Log.Warn("intake: the clock jumped, or the site was down; nothing is erased for a day, "+
					"or until you say that the clock is right: zedcard inbox clock",
					"by", time.Duration(jump)*time.Millisecond)
			}
		case now-c.Jumped >= wait:
			c.Jumped = 0
		}
		if confirmed {
			c.Jumped = 0
		}
		c.Seen, believed = now, c.Jumped == 0
		return errors.Join(err, writeClock(ctx, tx, c))
	})
	if err != nil {
		return false, err
	}
	in.looked = time.Now()
	return believed, nil
}

// ConfirmClock is the operator's word that the clock is right.
func (in *Intake) ConfirmClock(ctx context.Context) error {
	_, err := in.lookAtClock(ctx, true)
	return err
}

func readClock(ctx context.Context, tx *sql.Tx) (c clock, err error) {
	var text []byte
	err = tx.QueryRowContext(ctx, "SELECT value FROM settings WHERE name = $1", clockSetting).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return c, nil
	}
	return c, errors.Join(err, json.Unmarshal(text, &c))
}

func writeClock(ctx context.Context, tx *sql.Tx, c clock) error {
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return execute(ctx, tx, `INSERT INTO settings (name, value) VALUES ($1, $2)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`, clockSetting, text)
}

// move changes the times of what came in a time of the clock.
func move(ctx context.Context, tx *sql.Tx, from, to, by int64) (err error) {
	for _, column := range []string{"submission.created_ms", "submission.settled_ms", "mail.created_ms"} {
		table, name, _ := strings.Cut(column, ".")
		err = errors.Join(err, execute(ctx, tx, // #nosec G202 -- the names stand above
			"UPDATE "+table+" SET "+name+" = "+name+" + $1 WHERE "+name+" BETWEEN $2 AND $3", by, from, to))
	}
	return err
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
