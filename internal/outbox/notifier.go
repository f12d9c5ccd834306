package outbox

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/database"
)

// Notice is what a note may contain about a submission.
type Notice struct {
	ID    string
	Kind  agency.Kind
	State State // empty in the inbox, where it was received
	Time  time.Time
}

// Notifier sends a note about each row of a table when its column mail_ms is due. Several processes may share one
// database.
type Notifier struct {
	DB     *database.DB
	Table  string // "outbox" or "inbox"
	Notify func(context.Context, Notice) error
	Now    func() time.Time
	Log    *slog.Logger
}

const (
	// noteLease is how long a process may take to send a note; after it another one sends it.
	noteLease                     = 2 * time.Minute
	firstNoteRetry, lastNoteRetry = time.Minute, time.Hour
)

// SendDue sends the notes that are due. A note that can't be sent is retried after as long as it has waited, an hour at
// most.
func (n Notifier) SendDue(ctx context.Context) {
	if n.Notify == nil || n.DB.Ready() != nil {
		return
	}
	for n.sendNext(ctx) {
		continue
	}
}

// sendNext sends the note about the oldest submission; false if none is due.
func (n Notifier) sendNext(ctx context.Context) bool {
	lockClause := ""
	if n.DB.Dialect == database.Postgres {
		lockClause = "FOR UPDATE SKIP LOCKED"
	}
	state := "state"
	if n.Table == "inbox" {
		state = "''"
	}
	now := n.Now()
	leaseEnd := now.Add(noteLease).UnixMilli()
	var notice Notice
	var created int64
	err := n.DB.QueryRowContext(ctx, `
		UPDATE `+n.Table+` SET mail_ms = $2
		WHERE id = (SELECT id FROM `+n.Table+` WHERE mail_ms BETWEEN 1 AND $1
			ORDER BY created_ms, id LIMIT 1 `+lockClause+`)
		RETURNING id, kind, `+state+`, created_ms`, now.UnixMilli(), leaseEnd).
		Scan(&notice.ID, &notice.Kind, &notice.State, &created)
	if err != nil {
		if !errors.Is(err, sql.ErrNoRows) && ctx.Err() == nil {
			n.Log.Warn("notes: queue not read", "table", n.Table, "error", err)
		}
		return false
	}
	notice.Time = time.UnixMilli(created).UTC()
	var due int64 // 0: never
	if err := n.Notify(ctx, notice); err != nil {
		n.Log.Warn("notes: not sent, will be retried", "id", notice.ID, "error", err)
		due = now.Add(min(max(now.Sub(notice.Time), firstNoteRetry), lastNoteRetry)).UnixMilli()
	}
	if err := n.storeOutcome(ctx, notice.ID, leaseEnd, due); err != nil {
		n.Log.Warn("notes: outcome not stored", "id", notice.ID, "error", err)
	}
	return true
}

// storeOutcome stores when a note is due again, unless the row has changed meanwhile: another process may have the note
// after the lease, or a later event made one due.
func (n Notifier) storeOutcome(ctx context.Context, id string, leaseEnd, due int64) error {
	// The outcome must be stored even at shutdown.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), gracePeriod)
	defer cancel()
	_, err := n.DB.ExecContext(ctx, "UPDATE "+n.Table+" SET mail_ms = $3 WHERE id = $1 AND mail_ms = $2",
		id, leaseEnd, due)
	return err
}
