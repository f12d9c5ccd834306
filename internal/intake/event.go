package intake

import (
	"context"
	"database/sql"
	"time"
)

// Event is something that was done with a submission.
type Event struct {
	Time   time.Time // UTC
	Action string
}

// The actions of an event, beside those of a confirmation.
const (
	opened    = "opened in the browser"
	done      = "done"
	openAgain = "open again"
)

// insertEvent notes that something was done with a submission.
func (in *Intake) insertEvent(ctx context.Context, q querier, id, action string) error {
	return execute(ctx, q, "INSERT INTO submission_event (id, at_ms, action) VALUES ($1, $2, $3)",
		id, in.at(0), action)
}

// History is what was done with a submission, the oldest first.
func (in *Intake) History(ctx context.Context, id string) ([]Event, error) {
	return list(ctx, in.db, func(rows *sql.Rows, e *Event) error {
		return rows.Scan((*millis)(&e.Time), &e.Action)
	}, "SELECT at_ms, action FROM submission_event WHERE id = $1 ORDER BY at_ms", id)
}
