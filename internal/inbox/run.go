package inbox

import (
	"context"
	"fmt"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/guardian"
)

const pollInterval = time.Minute // between two checks for due notes

// Run removes expired submissions and sends notes of new ones, until ctx ends. A note that can't be sent is retried
// after as long as it has waited, an hour at most.
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
	result, err := b.db.ExecContext(ctx, "DELETE FROM inbox WHERE NOT "+unexpired, b.unexpiredArgs()...)
	if err != nil {
		if ctx.Err() == nil {
			b.options.Log.Warn("inbox: purge failed", "error", err)
		}
		return
	}
	if rows, err := result.RowsAffected(); err == nil && rows > 0 {
		b.options.Log.Info("inbox: expired submissions removed", "submissions", rows)
	}
}

// unexpired is the SQL condition for entries that have not expired, with the values of unexpiredArgs. An application
// that a guardian has confirmed is kept as long as an adult's.
const unexpired = `(purge_ms > $1 OR created_ms > $2
	AND EXISTS (SELECT 1 FROM guardian WHERE guardian.id = inbox.id AND guardian.confirmed_ms > 0))`

func (b *Inbox) unexpiredArgs() []any {
	now := b.options.Now()
	return []any{now.UnixMilli(), now.Add(-agency.Retention).UnixMilli()}
}

// Confirm records that a guardian has confirmed a minor's application, which is then kept as long as an adult's. id is
// the submission's or the reference of its receipt. An unknown one is agency.ErrNotFound.
func (b *Inbox) Confirm(ctx context.Context, id string) error {
	entry, err := b.entry(ctx, id)
	if err != nil {
		return err
	}
	if err := guardian.RecordConfirmation(ctx, b.db, entry.ID, b.options.Now()); err != nil {
		return fmt.Errorf("inbox: confirm %s: %w", id, err)
	}
	return nil
}
