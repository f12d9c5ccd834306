package intake

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"zedcard/internal/database"
)

const sweepInterval = time.Minute

// keepDelivered is how long the row of a delivered submission is kept, so that a repeat is recognised.
const keepDelivered = 30 * 24 * time.Hour

func (in *Intake) sweep(ctx context.Context) {
	in.forgetPhotos()
	if in.db.Opened() == nil {
		in.Expire(ctx)
	}
}

// Expire removes what is no longer needed, if the clock can be believed, and what the database's log still has of what
// was erased before.
func (in *Intake) Expire(ctx context.Context) {
	in.warnWhenFilling(ctx)
	believed, err := in.lookAtClock(ctx, false)
	if believed {
		err = errors.Join(in.deleteExpired(ctx), in.forgetClients(ctx), in.forgetLetters(ctx), in.deletePhotos(ctx))
	}
	if failed := in.db.EmptyLog(ctx); !errors.Is(failed, database.ErrLogInUse) {
		err = errors.Join(err, failed)
	}
	if err != nil && ctx.Err() == nil {
		in.options.Log.Warn("intake: expired data not removed, will be retried", "error", err)
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
		now, passed := in.at(0), int64(0)
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
				from, to := c.Began-sweepInterval.Milliseconds(), c.Seen+2*sweepInterval.Milliseconds()
				err = errors.Join(moveSubmissions(ctx, tx, from, to, jump), moveMails(ctx, tx, from, to, jump))
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
