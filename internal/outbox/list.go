package outbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/database"
)

// Entry is one submission in the outbox. Name and Email, and Fault, which is the panel's last error, are empty once it
// is delivered.
type Entry struct {
	ID        string
	Kind      agency.Kind
	State     State
	Attempts  int
	Created   time.Time
	Due       time.Time
	Name      string
	Email     string
	Minor     bool // an applicant under 18; false once it is delivered
	LastError string
}

const entryColumns = "SELECT id, kind, state, attempts, created_ms, due_ms, fault FROM outbox "

// List is all submissions in the outbox, the oldest first.
func (o *Outbox) List(ctx context.Context) ([]Entry, error) {
	entries, err := o.entries(ctx, entryColumns+"ORDER BY created_ms, id")
	if err != nil {
		return nil, fmt.Errorf("outbox: list: %w", err)
	}
	return entries, nil
}

// Show is an entry with its submission, which is empty once it is delivered. An unknown id is agency.ErrNotFound.
func (o *Outbox) Show(ctx context.Context, id string) (Entry, agency.Submission, error) {
	entries, err := o.entries(ctx, entryColumns+"WHERE id = $1", id)
	if err == nil && len(entries) == 0 {
		err = agency.ErrNotFound
	}
	if err != nil {
		return Entry{}, agency.Submission{}, fmt.Errorf("outbox: %s: %w", id, err)
	}
	s, err := o.parts.Load(ctx, o.db, entries[0].Kind, id)
	if entries[0].State == Delivered && errors.Is(err, agency.ErrNotFound) {
		err = nil
	}
	return entries[0], s, err
}

func (o *Outbox) entries(ctx context.Context, query string, args ...any) ([]Entry, error) {
	if err := o.db.Ready(); err != nil {
		return nil, err
	}
	entries, err := o.scan(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	for i := range entries {
		if entries[i].State != Delivered {
			o.decrypt(ctx, &entries[i])
		}
	}
	return entries, nil
}

// scan reads the rows; their faults are still sealed.
func (o *Outbox) scan(ctx context.Context, query string, args ...any) ([]Entry, error) {
	rows, err := o.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var entries []Entry
	for rows.Next() {
		var e Entry
		var created, due int64
		if err := rows.Scan(&e.ID, &e.Kind, &e.State, &e.Attempts, &created, &due, &e.LastError); err != nil {
			return nil, err
		}
		e.Created, e.Due = time.UnixMilli(created).UTC(), time.UnixMilli(due).UTC()
		entries = append(entries, e)
	}
	return entries, rows.Err()
}

// decrypt decrypts the sender and the fault of an entry. If that fails, or the submission was delivered meanwhile, the
// fault says so, so that one entry does not hide the others.
func (o *Outbox) decrypt(ctx context.Context, e *Entry) {
	fields, err := o.parts.Fields(ctx, o.db, e.ID)
	if err != nil {
		e.LastError = err.Error()
		return
	}
	e.Name, e.Email = database.ContactOf(fields)
	e.Minor = database.HasGuardian(fields)
	if e.LastError == "" {
		return
	}
	fault, err := o.sealer.Open(ctx, []byte(e.LastError), e.ID+"/fault")
	if err != nil {
		fault = []byte(err.Error())
	}
	e.LastError = string(fault)
}

// Stats are the number of submissions by state, the waiting time of the oldest ones, and the used and available space,
// that of the inbox included.
type Stats struct {
	Count           map[State]int
	Oldest          time.Duration // queued
	Unseen          time.Duration // of the oldest refused or held one, which waits for the operator
	Bytes, MaxBytes int64
}

// Stats counts. Count has every state, with 0 if there are none.
func (o *Outbox) Stats(ctx context.Context) (Stats, error) {
	stats := Stats{
		MaxBytes: o.options.MaxBytes, Count: map[State]int{Queued: 0, Delivered: 0, Refused: 0, Suspected: 0},
	}
	if err := o.db.Ready(); err != nil {
		return stats, err
	}
	rows, err := o.db.QueryContext(ctx, `
		SELECT state, count(*), min(created_ms), CAST(sum(bytes) AS BIGINT) FROM outbox GROUP BY state`)
	if err != nil {
		return stats, fmt.Errorf("outbox: stats: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var state State
		var count int
		var oldest, bytes int64
		if err := rows.Scan(&state, &count, &oldest, &bytes); err != nil {
			return stats, fmt.Errorf("outbox: stats: %w", err)
		}
		stats.Count[state] = count
		if state != Delivered {
			stats.Bytes += bytes
		}
		age := max(0, o.options.Now().Sub(time.UnixMilli(oldest)))
		switch state {
		case Queued:
			stats.Oldest = age
		case Refused, Suspected:
			stats.Unseen = max(stats.Unseen, age)
		case Delivered:
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return stats, fmt.Errorf("outbox: stats: %w", err)
	}
	var received int64
	err = o.db.QueryRowContext(ctx, "SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM inbox").Scan(&received)
	stats.Bytes += received
	return stats, err
}

// Requeue queues a refused or held submission for delivery as if it were new. Any other is agency.ErrNotFound.
func (o *Outbox) Requeue(ctx context.Context, id string) error {
	result, err := o.db.ExecContext(ctx, `
		UPDATE outbox SET state = 'queued', attempts = 0, due_ms = $2, lease_ms = 0, purge_ms = 0
		WHERE id = $1 AND state IN ('refused', 'suspected')`, id, o.options.Now().UnixMilli())
	if err != nil {
		return fmt.Errorf("outbox: requeue %s: %w", id, err)
	}
	if rows, err := result.RowsAffected(); err != nil {
		return err
	} else if rows == 0 {
		return fmt.Errorf("outbox: requeue %s: neither refused nor held: %w", id, agency.ErrNotFound)
	}
	return nil
}
