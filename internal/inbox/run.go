package inbox

import (
	"context"
	"fmt"
	"time"

	"zedcard/internal/agency"
)

const pollInterval = time.Minute // between two looks for what is due

// Run removes what is too old and tells about what came, until ctx ends. A mail that can't be sent is tried again after
// as long as it has waited, an hour at most; what it is about does not wait for it.
func (b *Inbox) Run(ctx context.Context) {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		if b.db.Ready() == nil {
			b.purge(ctx)
			b.notes.SendDue(ctx)
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

// Confirm keeps a minor's application as long as an adult's: a responsible adult has confirmed it. What is not here is
// agency.ErrNotFound.
func (b *Inbox) Confirm(ctx context.Context, id string) error {
	done, err := b.db.ExecContext(ctx, "UPDATE inbox SET purge_ms = created_ms + $2 WHERE id = $1",
		id, agency.Retention.Milliseconds())
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
