package outbox

import (
	"context"
	"database/sql"
	"time"

	"zedcard/internal/agency"
)

// admission is what decides whether there is room for a submission.
type admission struct {
	state  State
	client string // a keyed digest
	bytes  int64
	photos bool
	now    time.Time
}

// admit makes room for a submission, or fails with errFull or errShareUsed. Nothing that was queued is ever removed for
// another: only the photos of the oldest held and, if the room is needed, of the oldest refused submissions are. Their
// text stays.
func (o *Outbox) admit(ctx context.Context, tx *sql.Tx, a admission) error {
	limit := o.options.MaxBytes
	if a.photos || a.state == Suspected {
		limit -= o.reserve()
	}
	if a.state == Suspected {
		if err := o.dropPhotos(ctx, tx, Suspected, o.reserve()-a.bytes); err != nil {
			return err
		}
	}
	use, err := o.use(ctx, tx, a)
	if err == nil && use.all > limit-a.bytes && a.state == Queued {
		if err = o.dropPhotos(ctx, tx, Refused, o.reserve()); err == nil {
			use, err = o.use(ctx, tx, a)
		}
	}
	switch {
	case err != nil:
		return err
	case use.count >= o.options.MaxQueued, use.all > limit-a.bytes,
		a.state == Suspected && use.state > o.reserve()-a.bytes:
		return errFull
	case a.photos && a.client != "" && use.client > o.options.ClientBytes-a.bytes:
		return errShareUsed
	}
	return nil
}

// use is what stored submissions take, in bytes.
type use struct {
	all, state, client int64 // of all, of those in the same state, of the same client's of a day
	count              int   // of those in the same state
}

func (o *Outbox) use(ctx context.Context, tx *sql.Tx, a admission) (u use, err error) {
	err = tx.QueryRowContext(ctx, `
		SELECT (SELECT coalesce(sum(bytes), 0) FROM outbox WHERE state <> 'delivered')
				+ (SELECT coalesce(sum(bytes), 0) FROM inbox),
			(SELECT coalesce(sum(bytes), 0) FROM outbox WHERE state = $1),
			(SELECT coalesce(sum(bytes), 0) FROM outbox WHERE client = $2 AND client <> '' AND created_ms > $3
				AND (state <> 'delivered' OR EXISTS (SELECT 1 FROM inbox WHERE inbox.id = outbox.id))),
			(SELECT count(*) FROM outbox WHERE state = $1)`,
		string(a.state), a.client, a.now.Add(-shareWindow).UnixMilli()).Scan(&u.all, &u.state, &u.client, &u.count)
	return u, err
}

// dropPhotos removes the photos of the oldest submissions in a state until all in that state take at most limit bytes.
func (o *Outbox) dropPhotos(ctx context.Context, tx *sql.Tx, state State, limit int64) error {
	ids, err := texts(ctx, tx, `
		SELECT id FROM (
			SELECT id, created_ms, sum(bytes) OVER (ORDER BY created_ms DESC, id) AS total FROM outbox WHERE state = $1
		) AS newest
		WHERE total > $2 AND EXISTS (SELECT 1 FROM outbox_part WHERE outbox_part.id = newest.id AND part > 0)`,
		string(state), limit)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := tx.ExecContext(ctx, "DELETE FROM outbox_part WHERE id = $1 AND part > 0", id); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `
			UPDATE outbox SET bytes = (SELECT sum(length(sealed)) FROM outbox_part WHERE outbox_part.id = outbox.id)
			WHERE id = $1`, id)
		if err != nil {
			return err
		}
	}
	if len(ids) > 0 {
		o.options.Log.Warn("outbox: photos removed to make room, texts kept", "state", state, "submissions", len(ids))
	}
	return nil
}

// querier is a database or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// texts are the values of a query with one column.
func texts(ctx context.Context, q querier, query string, args ...any) ([]string, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []string
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		found = append(found, text)
	}
	return found, rows.Err()
}

// clientDigest is the keyed digest by which a client's submissions are counted.
func (o *Outbox) clientDigest(ctx context.Context, s agency.Submission) (string, error) {
	if s.Client == "" || len(s.Files) == 0 {
		return "", nil
	}
	digests, err := o.sealer.Digests(ctx, "client "+s.Client)
	if err != nil {
		return "", err
	}
	return digests[0], nil
}

// forgetClients removes the digests of clients whose share no longer counts.
func (o *Outbox) forgetClients(ctx context.Context) {
	_, err := o.db.ExecContext(ctx, "UPDATE outbox SET client = '' WHERE client <> '' AND created_ms <= $1",
		o.options.Now().Add(-shareWindow).UnixMilli())
	if err != nil && ctx.Err() == nil {
		o.options.Log.Warn("outbox: digests of clients not removed", "error", err)
	}
}

// warnWhenFilling logs when submissions begin to take four fifths of their room.
func (o *Outbox) warnWhenFilling(ctx context.Context) {
	stats, err := o.Stats(ctx)
	if err != nil {
		return
	}
	filling := stats.Bytes > stats.MaxBytes/5*4
	if filling && !o.filling {
		o.options.Log.Warn("outbox: four fifths full; when it is full, the forms answer 503 (OUTBOX_SIZE)",
			"bytes", stats.Bytes, "limit", stats.MaxBytes)
	}
	o.filling = filling
}
