package outbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/database"
)

// Erased is what is known about an erased submission, to erase it in the panel too.
type Erased struct {
	Kind    agency.Kind
	State   State     // before
	Created time.Time // UTC
	Tried   bool      // a delivery was attempted: the panel may have it, with its id as idempotency key
}

// marks are keyed digests of a submission's mail addresses.
func (o *Outbox) marks(ctx context.Context, s agency.Submission) ([]string, error) {
	var marks []string
	for _, address := range database.AddressesOf(s.Fields) {
		of, err := o.seal.Marks(ctx, address)
		if err != nil {
			return nil, err
		}
		marks = append(marks, of[0])
	}
	return marks, nil
}

// WithAddress lists the ids of all submissions with this mail address, delivered ones included.
func (o *Outbox) WithAddress(ctx context.Context, address string) ([]string, error) {
	if err := o.db.Ready(); err != nil {
		return nil, err
	}
	marks, err := o.seal.Marks(ctx, database.NormalAddress(address))
	if err != nil {
		return nil, fmt.Errorf("outbox: %w", err)
	}
	var ids []string
	for _, mark := range marks {
		found, err := o.marked(ctx, mark)
		if err != nil {
			return nil, fmt.Errorf("outbox: %w", err)
		}
		ids = append(ids, found...)
	}
	return ids, nil
}

func (o *Outbox) marked(ctx context.Context, mark string) ([]string, error) {
	rows, err := o.db.QueryContext(ctx, "SELECT id FROM outbox_address WHERE mark = $1", mark)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// Erase removes a submission in any state, with its photos. A delivery in progress may still reach the panel. An
// unknown id is agency.ErrNotFound.
func (o *Outbox) Erase(ctx context.Context, id string) (Erased, error) {
	if err := o.db.Ready(); err != nil {
		return Erased{}, err
	}
	var erased Erased
	var attempts, created int64
	err := o.db.QueryRowContext(ctx,
		"DELETE FROM outbox WHERE id = $1 RETURNING kind, state, attempts, created_ms", id).
		Scan(&erased.Kind, &erased.State, &attempts, &created)
	if errors.Is(err, sql.ErrNoRows) {
		err = agency.ErrNotFound
	}
	if err != nil {
		return Erased{}, fmt.Errorf("outbox: erase %s: %w", id, err)
	}
	erased.Created, erased.Tried = time.UnixMilli(created).UTC(), attempts > 0
	return erased, nil
}
