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
	Kind      agency.Kind
	State     State     // before
	Created   time.Time // UTC
	Attempted bool      // a delivery was attempted: the panel may have it, with its id as idempotency key
}

// addressDigests are keyed digests of a submission's mail addresses.
func (o *Outbox) addressDigests(ctx context.Context, s agency.Submission) ([]string, error) {
	var digests []string
	for _, address := range database.MailAddresses(s.Fields) {
		digestsOfAddress, err := o.sealer.Digests(ctx, address)
		if err != nil {
			return nil, err
		}
		digests = append(digests, digestsOfAddress[0])
	}
	return digests, nil
}

// WithAddress lists the ids of all submissions with this mail address, delivered ones included.
func (o *Outbox) WithAddress(ctx context.Context, address string) ([]string, error) {
	if err := o.db.Ready(); err != nil {
		return nil, err
	}
	digests, err := o.sealer.Digests(ctx, database.NormalizeAddress(address))
	if err != nil {
		return nil, fmt.Errorf("outbox: %w", err)
	}
	var ids []string
	for _, digest := range digests {
		found, err := texts(ctx, o.db, "SELECT id FROM outbox_address WHERE mark = $1", digest)
		if err != nil {
			return nil, fmt.Errorf("outbox: %w", err)
		}
		ids = append(ids, found...)
	}
	return ids, nil
}

// Held lists the ids of all held submissions.
func (o *Outbox) Held(ctx context.Context) ([]string, error) {
	if err := o.db.Ready(); err != nil {
		return nil, err
	}
	ids, err := texts(ctx, o.db, "SELECT id FROM outbox WHERE state = 'suspected' ORDER BY created_ms, id")
	if err != nil {
		return nil, fmt.Errorf("outbox: %w", err)
	}
	return ids, nil
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
	erased.Created, erased.Attempted = time.UnixMilli(created).UTC(), attempts > 0
	return erased, nil
}
