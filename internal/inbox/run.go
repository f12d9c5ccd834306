package inbox

import (
	"context"
	"fmt"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/guardian"
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
	done, err := b.db.ExecContext(ctx, "DELETE FROM inbox WHERE NOT "+alive, b.aliveAt()...)
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

// alive is the condition that an entry is still kept, with the values of aliveAt: until its own time, or as long as an
// adult's application where a guardian has confirmed it.
const alive = `(purge_ms > $1 OR created_ms > $2
	AND EXISTS (SELECT 1 FROM guardian WHERE guardian.id = inbox.id AND guardian.confirmed_ms > 0))`

func (b *Inbox) aliveAt() []any {
	now := b.options.Now()
	return []any{now.UnixMilli(), now.Add(-agency.Retention).UnixMilli()}
}

// Confirm writes down that a guardian has confirmed a minor's application, which is then kept as long as an adult's. It
// takes the id, or the reference of the receipt. What is not here is agency.ErrNotFound.
func (b *Inbox) Confirm(ctx context.Context, id string) error {
	entry, err := b.entry(ctx, id)
	if err != nil {
		return err
	}
	if err := guardian.Record(ctx, b.db, entry.ID, b.options.Now()); err != nil {
		return fmt.Errorf("inbox: confirm %s: %w", id, err)
	}
	return nil
}
