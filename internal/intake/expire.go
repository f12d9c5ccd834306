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

// Expire removes what is no longer needed, if the clock can be believed, and what the database's log still has of what
// was erased before.
func (in *Intake) Expire(ctx context.Context) {
	if in.db.Opened() != nil {
		return
	}
	in.warnWhenFilling(ctx)
	err := in.expire(ctx)
	if err == nil {
		err = in.db.EmptyLog(ctx)
	}
	if err != nil && !errors.Is(err, database.ErrLogInUse) && ctx.Err() == nil {
		in.options.Log.Warn("intake: expired data not removed, will be retried", "error", err)
	}
}

func (in *Intake) expire(ctx context.Context) error {
	believed, err := in.lookAtClock(ctx)
	if err != nil || !believed {
		return err
	}
	return inTurn(
		func() error { return in.deleteExpired(ctx) }, func() error { return in.forgetClients(ctx) },
		func() error { return in.forgetLetters(ctx) }, func() error { return in.deletePhotos(ctx) },
	)
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
	Jumped int64 // not believed for a day since then
}

// lookAtClock reports whether the clock is believed: nothing expires for a day after it jumped by more than an hour,
// seen from the time that has passed since the last look, here or before a restart (NTP, a restored machine, a site
// that was down). One of the two times is wrong.
func (in *Intake) lookAtClock(ctx context.Context) (believed bool, err error) {
	var text []byte
	var c clock
	err = in.db.QueryRowContext(ctx, "SELECT value FROM settings WHERE name = $1", clockSetting).Scan(&text)
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return false, err
	}
	now, passed := in.at(0), time.Duration(0)
	if !in.looked.IsZero() {
		passed = time.Since(in.looked) // monotonic: no jump of the clock changes it
	}
	gap := time.Duration(now-c.Seen) * time.Millisecond
	if c.Seen != 0 && (gap < -clockTolerance || gap > passed+clockTolerance) {
		c.Jumped = now
		in.options.Log.Warn("intake: the clock jumped, or the site was down; nothing is erased for a day",
			"by", gap-passed)
	}
	in.looked, c.Seen = time.Now(), now
	if text, err = json.Marshal(c); err == nil {
		err = execute(ctx, in.db, `INSERT INTO settings (name, value) VALUES ($1, $2)
			ON CONFLICT (name) DO UPDATE SET value = excluded.value`, clockSetting, text)
	}
	return err == nil && now-c.Jumped >= clockWait.Milliseconds(), err
}
