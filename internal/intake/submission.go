package intake

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"zedcard/internal/agency"
)

// row is a submission that is sealed and ready to be stored.
type row struct {
	id, client string
	kind       agency.Kind
	state      State
	minor      bool
	created    time.Time
	parts      [][]byte
	bytes      int64    // of all parts
	addresses  []string // digests
	mails      []mailRow
}

// partName identifies a part for its seal.
func partName(id string, part int) string { return fmt.Sprintf("%s/%d", id, part) }

// exists reports whether a submission with this id is stored, even if it has been delivered.
func exists(ctx context.Context, q querier, id string) (bool, error) {
	err := q.QueryRowContext(ctx, "SELECT 1 FROM submission WHERE id = $1", id).Scan(new(int))
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// insertSubmission stores a submission if its id is new and there is room.
func (in *Intake) insertSubmission(ctx context.Context, tx *sql.Tx, r row) error {
	found, err := exists(ctx, tx, r.id)
	if err != nil || found {
		return err
	}
	if r, err = in.admit(ctx, tx, r); err != nil {
		return err
	}
	now := r.created.UnixMilli()
	destination, settled, due := "panel", now, int64(0)
	if r.state == Queued {
		settled, due = 0, now
	}
	if r.state == Received {
		destination = "inbox"
	}
	rows, err := change(ctx, tx, `
		INSERT INTO submission (id, kind, state, destination, minor, created_ms, settled_ms, due_ms, bytes, client)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
		r.id, string(r.kind), string(r.state), destination, r.minor, now, settled, due, r.bytes, r.client)
	if err != nil || rows == 0 {
		return err // another process stored it meanwhile
	}
	for i, part := range r.parts {
		err := execute(ctx, tx, "INSERT INTO submission_part (id, part, sealed) VALUES ($1, $2, $3)", r.id, i, part)
		if err != nil {
			return err
		}
	}
	if err := replaceAddresses(ctx, tx, r.id, r.addresses); err != nil {
		return err
	}
	return in.insertMails(ctx, tx, r.mails...)
}

// replaceAddresses says by which digests of mail addresses a submission is found.
func replaceAddresses(ctx context.Context, tx *sql.Tx, id string, digests []string) error {
	err := execute(ctx, tx, "DELETE FROM submission_address WHERE id = $1", id)
	for i := 0; err == nil && i < len(digests); i++ {
		err = execute(ctx, tx, "INSERT INTO submission_address (id, digest) VALUES ($1, $2) ON CONFLICT DO NOTHING",
			id, digests[i])
	}
	return err
}

// findContent reads a submission, on demand without its photos. Without its content it is agency.ErrNotFound.
func (in *Intake) findContent(ctx context.Context, q querier, id string, photos bool) (s agency.Submission, err error) {
	s.ID = id
	parts, err := list(ctx, q, func(rows *sql.Rows, sealed *[]byte) error { return rows.Scan(&s.Kind, sealed) }, `
		SELECT kind, sealed FROM submission_part JOIN submission USING (id) WHERE id = $1 AND (part = 0 OR $2)
		ORDER BY part`, id, photos)
	if err != nil {
		return s, err
	}
	if len(parts) == 0 {
		return s, fmt.Errorf("intake: content of %s: %w", id, agency.ErrNotFound)
	}
	if err := in.openValue(ctx, parts[0], partName(id, 0), &s.Fields); err != nil {
		return s, err
	}
	for i, sealed := range parts[1:] {
		var file agency.File
		if err := in.openValue(ctx, sealed, partName(id, i+1), &file); err != nil {
			return s, err
		}
		s.Files = append(s.Files, file)
	}
	return s, nil
}

// findPhoto is one photo of a submission, by its number from 1 on, that may be seen.
func (in *Intake) findPhoto(ctx context.Context, id string, number int) (file agency.File, err error) {
	var sealed []byte
	err = in.db.QueryRowContext(ctx, `
		SELECT sealed FROM submission_part JOIN submission USING (id)
		WHERE id = $1 AND part = $2 AND part > 0 AND (NOT minor OR confirmed_ms > 0)`, id, number).Scan(&sealed)
	if errors.Is(err, sql.ErrNoRows) {
		return file, fmt.Errorf("intake: photo: %w", agency.ErrNotFound)
	}
	if err == nil {
		err = in.openValue(ctx, sealed, partName(id, number), &file)
	}
	return file, unavailable(err)
}

func (in *Intake) updateFields(ctx context.Context, tx *sql.Tx, id string, fields []agency.Field) error {
	sealed, err := in.sealValue(ctx, fields, partName(id, 0))
	if err != nil {
		return err
	}
	return execute(ctx, tx, "UPDATE submission_part SET sealed = $2 WHERE id = $1 AND part = 0", id, sealed)
}

// selectEntries reads rows for scanEntry.
const selectEntries = `
	SELECT s.id, kind, state, s.created_ms, s.attempts, destination = 'inbox', bytes = 0, fault, minor,
		confirmed_ms, done_ms, (SELECT count(*) FROM submission_part WHERE id = s.id AND part > 0),
		m.id IS NOT NULL, coalesce(m.sent_ms, 0), coalesce(m.refused_ms, 0)
	FROM submission AS s
	LEFT JOIN mail AS m ON m.id = (SELECT id FROM mail WHERE submission = s.id AND purpose = 'guardian'
		ORDER BY created_ms DESC, id DESC LIMIT 1)`

// scanEntry scans an entry, of which nothing is decrypted.
func scanEntry(rows *sql.Rows, e *Entry) error {
	var asked bool // there is a mail to the guardian
	var sent, refused time.Time
	err := rows.Scan(&e.ID, &e.Kind, &e.State, (*millis)(&e.Time), &e.attempts, &e.inboxed, &e.emptied,
		&e.fault, &e.Minor, (*millis)(&e.Confirmed), (*millis)(&e.Done), &e.Photos,
		&asked, (*millis)(&sent), (*millis)(&refused))
	if e.Minor || asked || !e.Confirmed.IsZero() {
		e.Guardian = guardianStatus(asked, sent, refused, e.Confirmed)
	}
	if e.Withheld() {
		e.Photos = 0
	}
	e.Due = e.dueDay()
	return err
}

// listEntries are all submissions, the oldest first; nothing is decrypted.
func (in *Intake) listEntries(ctx context.Context) ([]Entry, error) {
	entries, err := list(ctx, in.db, scanEntry, selectEntries+" ORDER BY s.created_ms, s.id")
	return entries, unavailable(err)
}

// findEntry is a submission by its id or the reference of its receipt; nothing is decrypted.
func (in *Intake) findEntry(ctx context.Context, id string) (Entry, error) {
	reference, _ := agency.ParseReference(id) // else its prefix is that of no id
	entries, err := list(ctx, in.db, scanEntry, selectEntries+`
		WHERE s.id = $1 OR upper(substr(s.id, 1, 6)) = $2 ORDER BY s.created_ms, s.id`, id, reference.IDPrefix)
	switch {
	case err != nil:
		return Entry{}, unavailable(err)
	case len(entries) == 0:
		return Entry{}, fmt.Errorf("intake: %s: %w", id, agency.ErrNotFound)
	}
	return entries[0], nil
}

// listByAddress are the ids of the submissions that contain a mail address.
func (in *Intake) listByAddress(ctx context.Context, address string) (ids []string, err error) {
	digests, err := in.sealer.Digests(ctx, "address "+agency.NormalizeAddress(address))
	for i := 0; err == nil && i < len(digests); i++ {
		var found []string
		found, err = list(ctx, in.db, column[string], "SELECT id FROM submission_address WHERE digest = $1", digests[i])
		ids = append(ids, found...)
	}
	return ids, err
}

// claimSubmission claims a submission that is due, one that was never tried first, on demand only such a one; none has
// no id. A time further in the future than the longest back-off, or than a lease, was written before the clock was set
// back, and counts as past.
func (in *Intake) claimSubmission(ctx context.Context, retries bool) (j job, err error) {
	lease := in.options.Lease
	err = in.db.QueryRowContext(ctx, `
		UPDATE submission SET attempts = attempts + 1, lease_ms = $2
		WHERE id = (
			SELECT id FROM submission
			WHERE due_ms > 0 AND (due_ms <= $1 OR due_ms > $3) AND (lease_ms <= $1 OR lease_ms > $4)
				AND state = 'queued' AND (attempts = 0 OR $5)
			ORDER BY attempts > 0, created_ms, id LIMIT 1 `+in.skipLocked()+`)
		RETURNING id, attempts, untold`,
		in.at(0), in.at(lease), in.at(lastRetry+lease), in.at(2*lease), retries).Scan(&j.id, &j.attempts, &j.untold)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return j, err
}

// settle ends a try of a delivery, unless another process has claimed it since. What an external panel has loses its
// content.
func (in *Intake) settle(ctx context.Context, j job, state State, due int64, reason error) error {
	ctx, cancel := context.WithTimeout(ctx, gracePeriod)
	defer cancel()
	fault, err := in.sealFault(ctx, j.id, reason)
	if err != nil {
		return err
	}
	settled := in.at(0)
	if state == Queued {
		settled = 0
	}
	return in.db.InTx(ctx, func(tx *sql.Tx) error {
		rows, err := change(ctx, tx, `
			UPDATE submission SET state = $3, due_ms = $4, lease_ms = 0, settled_ms = $5, fault = $6, untold = $7,
				bytes = CASE WHEN $3 = 'delivered' AND destination = 'panel' THEN 0 ELSE bytes END
			WHERE id = $1 AND attempts = $2 AND state = 'queued'`,
			j.id, j.attempts, string(state), due, settled, fault, j.untold)
		switch {
		case err != nil || rows == 0:
			return err
		case state == Queued && j.attempts >= stuckAfter:
			return in.insertMails(ctx, tx, note(j.id, stuck))
		case state == Queued:
			return nil
		case state == Refused:
			return in.insertMails(ctx, tx, note(j.id, string(Refused)))
		}
		return execute(ctx, tx, `
			DELETE FROM submission_part WHERE id = $1
				AND EXISTS (SELECT 1 FROM submission AS s WHERE s.id = $1 AND s.bytes = 0)`, j.id)
	})
}

// makeAllDue makes all waiting submissions due; deliveries in progress keep their lease.
func (in *Intake) makeAllDue(ctx context.Context) error {
	return execute(ctx, in.db, "UPDATE submission SET due_ms = $1 WHERE state = 'queued' AND due_ms > $1", in.at(0))
}

// Requeue queues a refused or held submission for delivery as if it were new; that of a minor waits for its guardian,
// as Put says. Any other is agency.ErrNotFound.
func (in *Intake) Requeue(ctx context.Context, id string) error {
	err := in.db.InTx(ctx, func(tx *sql.Tx) error {
		rows, err := change(ctx, tx, `
			UPDATE submission SET state = 'queued', attempts = 0, untold = 0, lease_ms = 0, due_ms = $2, settled_ms = 0
			WHERE id = $1 AND state IN ('refused', 'suspected')`, id, in.at(0))
		if err == nil && rows == 0 {
			err = agency.ErrNotFound
		}
		if err == nil && in.options.GuardianFirst {
			err = execute(ctx, tx, `
				UPDATE submission SET state = 'waiting', due_ms = 0, settled_ms = $2
				WHERE id = $1 AND minor AND confirmed_ms = 0`, id, in.at(0))
		}
		if err != nil {
			return err
		}
		return deleteNotes(ctx, tx, id)
	})
	if err != nil {
		return fmt.Errorf("intake: deliver %s, if it is refused or held: %w", id, err)
	}
	return nil
}

// unconfirmed are the fields of an application that waits for its guardian.
func (in *Intake) unconfirmed(ctx context.Context, tx *sql.Tx, id string) ([]agency.Field, error) {
	var found int
	err := tx.QueryRowContext(ctx,
		"SELECT count(*) FROM submission WHERE id = $1 AND minor AND confirmed_ms = 0 AND created_ms > $2",
		id, in.at(-agency.MinorRetention)).Scan(&found)
	if err == nil && found == 0 {
		err = fmt.Errorf("intake: %s: %w", id, agency.ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	s, err := in.findContent(ctx, tx, id, false)
	return s.Fields, err
}

// MarkDone notes that a submission, by its id or the reference of its receipt, is answered, or is not after all.
func (in *Intake) MarkDone(ctx context.Context, id string, isDone bool) error {
	e, err := in.findEntry(ctx, id)
	if err != nil {
		return err
	}
	at, action := int64(0), openAgain
	if isDone {
		at, action = in.at(0), done
	}
	return in.db.InTx(ctx, func(tx *sql.Tx) error {
		if err := execute(ctx, tx, "UPDATE submission SET done_ms = $2 WHERE id = $1", e.ID, at); err != nil {
			return err
		}
		return in.insertEvent(ctx, tx, e.ID, action)
	})
}

// receive notes that the embedded back end has a submission; no row: it came from somewhere else.
func receive(ctx context.Context, tx *sql.Tx, id string) (rows int64, err error) {
	return change(ctx, tx, "UPDATE submission SET destination = 'inbox' WHERE id = $1", id)
}

// confirmSubmission notes that a guardian has confirmed, and queues what waited for it; no row: it was noted before.
func (in *Intake) confirmSubmission(ctx context.Context, tx *sql.Tx, id string) (rows int64, err error) {
	rows, err = change(ctx, tx,
		"UPDATE submission SET confirmed_ms = $2 WHERE id = $1 AND confirmed_ms = 0", id, in.at(0))
	if err != nil {
		return 0, err
	}
	return rows, execute(ctx, tx, `
		UPDATE submission SET state = 'queued', due_ms = $2, settled_ms = 0
		WHERE id = $1 AND state = 'waiting' AND confirmed_ms > 0`, id, in.at(0))
}

// deleteSubmission deletes all of a submission, and reads what became of it: a delivery may have begun meanwhile.
func (in *Intake) deleteSubmission(ctx context.Context, e *Entry) error {
	return in.db.QueryRowContext(ctx, "DELETE FROM submission WHERE id = $1 RETURNING state, attempts", e.ID).
		Scan(&e.State, &e.attempts)
}

// deleteExpired deletes the submissions that are no longer kept. Queued ones never expire. Others are kept for
// agency.Retention from the day on which they came, as their receipt says, however late an operator let them go on;
// those of somebody under 18 for agency.MinorRetention unless a parent or guardian has confirmed. What an external
// panel has is remembered from its delivery.
func (in *Intake) deleteExpired(ctx context.Context) error {
	rows, err := change(ctx, in.db, `
		DELETE FROM submission WHERE settled_ms > 0 AND CASE
			WHEN state = 'delivered' AND destination = 'panel' THEN settled_ms <= CAST($1 AS BIGINT)
			WHEN minor AND confirmed_ms = 0 THEN created_ms <= CAST($2 AS BIGINT)
			ELSE created_ms <= CAST($3 AS BIGINT) END`,
		in.at(-keepDelivered), in.at(-agency.MinorRetention), in.at(-agency.Retention))
	if rows > 0 {
		in.options.Log.Info("intake: expired submissions removed", "submissions", rows)
	}
	return err
}

// forgetClients forgets whose share of a day submissions took.
func (in *Intake) forgetClients(ctx context.Context) error {
	return execute(ctx, in.db, "UPDATE submission SET client = '' WHERE client <> '' AND created_ms <= $1",
		in.at(-shareWindow))
}

// usage is what stored submissions take, in bytes.
type usage struct {
	all, state, client int64 // of all, of those in the same state, of the same client's of a day
	count              int   // of those in the same state
}

func (in *Intake) usage(ctx context.Context, tx *sql.Tx, r row) (u usage, err error) {
	err = tx.QueryRowContext(ctx, `
		SELECT (SELECT coalesce(sum(bytes), 0) FROM submission),
			(SELECT coalesce(sum(bytes), 0) FROM submission WHERE state = $1),
			(SELECT coalesce(sum(bytes), 0) FROM submission WHERE client = $2 AND client <> '' AND created_ms > $3),
			(SELECT count(*) FROM submission WHERE state = $1)`,
		string(r.state), r.client, r.created.Add(-shareWindow).UnixMilli()).Scan(&u.all, &u.state, &u.client, &u.count)
	return u, err
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
	_, err := list(ctx, in.db, func(rows *sql.Rows, state *State) error {
		var count int
		var oldest time.Time
		var bytes int64
		err := rows.Scan(state, &count, (*millis)(&oldest), &bytes)
		stats.Count[*state] = count
		stats.Bytes += bytes
		age := max(0, in.options.Now().Sub(oldest))
		switch *state {
		case Queued:
			stats.Oldest = age
		case Refused, Suspected:
			stats.Unseen = max(stats.Unseen, age)
		case Waiting, Delivered, Received:
		}
		return err
	}, "SELECT state, count(*), min(created_ms), CAST(sum(bytes) AS BIGINT) FROM submission GROUP BY state")
	return stats, err
}
