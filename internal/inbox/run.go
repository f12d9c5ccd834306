package inbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/database"
	"zedcard/internal/outbox"
)

const (
	pollInterval = time.Minute // between two looks for what is due
	// mailLease is how long a mail belongs to who sends it; one whose process died is sent after it.
	mailLease             = 2 * time.Minute
	firstRetry, lastRetry = time.Minute, time.Hour
)

// Run removes what is too old and tells about what came, until ctx ends. A mail that can't be sent is tried again after
// as long as it has waited, an hour at most; what it is about does not wait for it.
func (b *Inbox) Run(ctx context.Context) {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		if b.db.Ready() == nil {
			b.purge(ctx)
			for b.notifyNext(ctx) {
				continue
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-b.wake:
		}
	}
}

func (b *Inbox) purge(ctx context.Context) {
	done, err := b.db.ExecContext(ctx, "DELETE FROM inbox WHERE purge_ms <= $1", b.options.Now().UnixMilli())
	if err != nil {
		if ctx.Err() == nil {
			b.options.Log.Warn("inbox: purge failed", "error", err)
		}
		return
	}
	if rows, err := done.RowsAffected(); err == nil && rows > 0 {
		b.options.Log.Info("inbox: expired submissions removed", "submissions", rows)
	}
}

// notifyNext tells about the oldest that nobody was told about; false when there is none that is due.
func (b *Inbox) notifyNext(ctx context.Context) bool {
	if b.options.Notify == nil {
		return false
	}
	skip := ""
	if b.db.Dialect == database.Postgres {
		skip = "FOR UPDATE SKIP LOCKED"
	}
	now := b.options.Now()
	var n Notice
	var created int64
	err := b.db.QueryRowContext(ctx, `
		UPDATE inbox SET mail_ms = $2
		WHERE id = (SELECT id FROM inbox WHERE mail_ms BETWEEN 1 AND $1 ORDER BY created_ms, id LIMIT 1 `+skip+`)
		RETURNING id, kind, created_ms`, now.UnixMilli(), now.Add(mailLease).UnixMilli()).Scan(&n.ID, &n.Kind, &created)
	if err != nil {
		if !errors.Is(err, sql.ErrNoRows) && ctx.Err() == nil {
			b.options.Log.Warn("inbox: next note not found", "error", err)
		}
		return false
	}
	n.Time = time.UnixMilli(created).UTC()
	var due int64
	if err := b.options.Notify(ctx, n); err != nil {
		b.options.Log.Warn("inbox: note not sent, will be retried", "id", n.ID, "error", err)
		due = now.Add(min(max(now.Sub(n.Time), firstRetry), lastRetry)).UnixMilli()
	}
	if _, err := b.db.ExecContext(ctx, "UPDATE inbox SET mail_ms = $2 WHERE id = $1", n.ID, due); err != nil && ctx.Err() == nil {
		b.options.Log.Warn("inbox: note sent, but not marked as sent", "id", n.ID, "error", err)
	}
	return true
}

// Confirm keeps a minor's application as long as an adult's: a responsible adult has confirmed it. What is not here is
// agency.ErrNotFound.
func (b *Inbox) Confirm(ctx context.Context, id string) error {
	done, err := b.db.ExecContext(ctx, "UPDATE inbox SET purge_ms = created_ms + $2 WHERE id = $1", id, outbox.Retention.Milliseconds())
	if err != nil {
		return fmt.Errorf("inbox: confirm %s: %w", id, err)
	}
	if rows, err := done.RowsAffected(); err != nil {
		return err
	} else if rows == 0 {
		return fmt.Errorf("inbox: confirm %s: %w", id, agency.ErrNotFound)
	}
	return nil
}
