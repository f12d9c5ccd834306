package intake

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"zedcard/internal/agency"
)

// Errors of a full store.
var (
	errFull      = errors.New("no room for submissions (OUTBOX_SIZE)")
	errShareUsed = errors.New("this client's share of a day is used up")
)

const (
	largestApplication = 3*agency.MaxPhoto + 2<<20 // its photos, its texts and the seals
	shareWindow        = 24 * time.Hour
)

// reserve is the part of MaxBytes that is left to submissions without photos. Held submissions take as much at most,
// and so do refused ones when others need the room.
func (in *Intake) reserve() int64 { return in.options.MaxBytes / 20 }

// admit makes room for a submission, or fails with errFull or errShareUsed. Nothing that was queued or received is ever
// removed for another: only the photos of the oldest held and, if the room is needed, of the oldest refused submissions
// are. Their text stays.
func (in *Intake) admit(ctx context.Context, tx *sql.Tx, r row) error {
	held := r.state == Suspected
	limit := in.options.MaxBytes - r.bytes()
	if r.photos || held {
		limit -= in.reserve()
	}
	if held {
		if err := in.dropPhotos(ctx, tx, Suspected, in.reserve()-r.bytes()); err != nil {
			return err
		}
	}
	use, err := in.use(ctx, tx, r)
	if err == nil && use.all > limit && !held {
		if err = in.dropPhotos(ctx, tx, Refused, in.reserve()); err == nil {
			use, err = in.use(ctx, tx, r)
		}
	}
	switch {
	case err != nil:
		return err
	case use.all > limit, held && use.state > in.reserve()-r.bytes(),
		r.state != Received && use.count >= in.options.MaxQueued:
		return errFull
	case r.client != "" && use.client > in.options.ClientBytes-r.bytes():
		return errShareUsed
	}
	return nil
}

// use is what stored submissions take, in bytes.
type use struct {
	all, state, client int64 // of all, of those in the same state, of the same client's of a day
	count              int   // of those in the same state
}

func (in *Intake) use(ctx context.Context, tx *sql.Tx, r row) (u use, err error) {
	err = tx.QueryRowContext(ctx, `
		SELECT (SELECT coalesce(sum(bytes), 0) FROM submission),
			(SELECT coalesce(sum(bytes), 0) FROM submission WHERE state = $1),
			(SELECT coalesce(sum(bytes), 0) FROM submission WHERE client = $2 AND client <> '' AND created_ms > $3),
			(SELECT count(*) FROM submission WHERE state = $1)`,
		string(r.state), r.client, r.created.Add(-shareWindow).UnixMilli()).Scan(&u.all, &u.state, &u.client, &u.count)
	return u, err
}

// dropPhotos removes the photos of the oldest submissions in a state until all in that state take at most limit bytes.
func (in *Intake) dropPhotos(ctx context.Context, tx *sql.Tx, state State, limit int64) error {
	ids, err := list(ctx, tx, column[string], `
		SELECT id FROM (
			SELECT id, sum(bytes) OVER (ORDER BY created_ms DESC, id) AS total FROM submission WHERE state = $1
		) AS newest
		WHERE total > $2 AND EXISTS (SELECT 1 FROM submission_part AS p WHERE p.id = newest.id AND part > 0)`,
		string(state), limit)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := tx.ExecContext(ctx, "DELETE FROM submission_part WHERE id = $1 AND part > 0", id); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `
			UPDATE submission SET bytes = (SELECT length(sealed) FROM submission_part AS p WHERE p.id = submission.id)
			WHERE id = $1`, id)
		if err != nil {
			return err
		}
	}
	if len(ids) > 0 {
		in.options.Log.Warn("intake: photos removed to make room, texts kept", "state", state, "submissions", len(ids))
	}
	return nil
}

// Stats are the number of submissions by state, the waiting time of the oldest ones, and the used and available space.
type Stats struct {
	Count           map[State]int
	Oldest          time.Duration // queued
	Unseen          time.Duration // of the oldest refused or held one, which waits for the operator
	Bytes, MaxBytes int64
}

// Stats counts. Count has every state of a form's submission, with 0 if there are none.
func (in *Intake) Stats(ctx context.Context) (Stats, error) {
	stats := Stats{
		MaxBytes: in.options.MaxBytes,
		Count:    map[State]int{Waiting: 0, Queued: 0, Delivered: 0, Refused: 0, Suspected: 0},
	}
	type inState struct {
		state         State
		count         int
		oldest, bytes int64
	}
	states, err := list(ctx, in.db, func(rows *sql.Rows, s *inState) error {
		return rows.Scan(&s.state, &s.count, &s.oldest, &s.bytes)
	}, "SELECT state, count(*), min(created_ms), CAST(sum(bytes) AS BIGINT) FROM submission GROUP BY state")
	for _, s := range states {
		stats.Count[s.state] = s.count
		stats.Bytes += s.bytes
		age := max(0, in.options.Now().Sub(time.UnixMilli(s.oldest)))
		switch s.state {
		case Queued:
			stats.Oldest = age
		case Refused, Suspected:
			stats.Unseen = max(stats.Unseen, age)
		case Waiting, Delivered, Received:
		}
	}
	return stats, err
}
