package intake

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/gob"
	"errors"
	"fmt"
	"time"

	"zedcard/internal/agency"
)

// Put commits a submission with its photos; once it returns nil the submission is never lost. For an id that exists it
// changes nothing and returns nil: a double click, a reload and a resend make one row. An error wraps
// agency.ErrUnavailable, and nothing was stored; if the connection broke in the commit, it may have been, and a second
// Put with the same id is safe.
func (in *Intake) Put(ctx context.Context, s agency.Submission) error {
	if in.options.GuardianFirst && s.Minor(in.options.Now()) {
		return in.store(ctx, s, Waiting)
	}
	return in.store(ctx, s, Queued)
}

// Hold commits a submission that may be spam like Put, but it is delivered only when an operator says so.
func (in *Intake) Hold(ctx context.Context, s agency.Submission) error {
	err := in.store(ctx, s, Suspected)
	if err == nil {
		in.options.Log.WarnContext(ctx, "intake: suspected of being spam, not sent, see: zedcard inbox show "+s.ID,
			"id", s.ID, "kind", s.Kind)
	}
	return err
}

// Receive stores what the embedded back end received; if it came from this database, only that is noted. One that was
// received before changes nothing and is no error. An error wraps agency.ErrUnavailable: the sender keeps the
// submission and repeats it.
func (in *Intake) Receive(ctx context.Context, s agency.Submission) error {
	var known int64
	err := in.db.InTx(ctx, func(tx *sql.Tx) (err error) {
		known, err = change(ctx, tx, "UPDATE submission SET destination = 'inbox' WHERE id = $1", s.ID)
		if err != nil || known == 0 {
			return err
		}
		return in.addMails(ctx, tx, in.arrival(s.ID, s.Kind)...)
	})
	if err != nil {
		return unavailable(err)
	}
	if known == 0 {
		return in.store(ctx, s, Received)
	}
	wake(in.newMail)
	return nil
}

// exists reports whether a submission with this id is stored, even if it has been delivered.
func exists(ctx context.Context, q querier, id string) (bool, error) {
	err := q.QueryRowContext(ctx, "SELECT 1 FROM submission WHERE id = $1", id).Scan(new(int))
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

func (in *Intake) store(ctx context.Context, s agency.Submission, state State) error {
	r, err := in.seal(ctx, s, state)
	if err == nil {
		err = in.db.InTx(ctx, func(tx *sql.Tx) error { return in.insert(ctx, tx, r) })
	}
	if err != nil {
		return unavailable(err)
	}
	wake(in.toDeliver)
	wake(in.newMail)
	return nil
}

// row is a submission that is sealed and ready to be stored.
type row struct {
	id, client    string
	kind          agency.Kind
	state         State
	minor, photos bool
	created       time.Time
	parts         [][]byte
	bytes         int64    // of all parts
	addresses     []string // digests
	mails         []mailRow
}

// seal encrypts a submission, which is slow and so done outside of transactions.
func (in *Intake) seal(ctx context.Context, s agency.Submission, state State) (r row, err error) {
	now := in.options.Now()
	r = row{id: s.ID, kind: s.Kind, state: state, created: now, minor: s.Minor(now), photos: len(s.Files) > 0}
	contents := []any{s.Fields}
	for _, file := range s.Files {
		contents = append(contents, file)
	}
	for i, content := range contents {
		part, err := in.sealValue(ctx, content, partName(s.ID, i))
		if err != nil {
			return row{}, err
		}
		r.parts, r.bytes = append(r.parts, part), r.bytes+int64(len(part))
	}
	if s.Client != "" && r.photos {
		if r.client, err = in.digest(ctx, "client "+s.Client); err != nil {
			return row{}, err
		}
	}
	if r.addresses, err = in.addressDigests(ctx, s); err != nil {
		return row{}, err
	}
	if s.Guardian.Email != "" {
		m, err := in.guardianMail(ctx, s.ID, s.Guardian)
		if err != nil {
			return row{}, err
		}
		r.mails = append(r.mails, m)
	}
	switch state {
	case Received:
		r.mails = append(r.mails, in.arrival(s.ID, s.Kind)...)
	case Suspected, Refused, Delivered:
		r.mails = append(r.mails, note(s.ID, string(state)))
	case Queued, Waiting:
	}
	return r, nil
}

// addressDigests are those by which a submission is found by its mail addresses.
func (in *Intake) addressDigests(ctx context.Context, s agency.Submission) (digests []string, err error) {
	for _, address := range s.MailAddresses() {
		digest, err := in.digest(ctx, "address "+address)
		if err != nil {
			return nil, err
		}
		digests = append(digests, digest)
	}
	return digests, nil
}

// partName identifies a part for its seal.
func partName(id string, part int) string { return fmt.Sprintf("%s/%d", id, part) }

// digest is a keyed digest of a text, which tells nobody without the key what it was.
func (in *Intake) digest(ctx context.Context, text string) (string, error) {
	digests, err := in.sealer.Digests(ctx, text)
	if err != nil {
		return "", err
	}
	return digests[0], nil
}

// insert stores a submission if its id is new and there is room.
func (in *Intake) insert(ctx context.Context, tx *sql.Tx, r row) error {
	found, err := exists(ctx, tx, r.id)
	if err != nil || found {
		return err
	}
	if r, err = in.admit(ctx, tx, r); err != nil {
		return err
	}
	now := r.created.UnixMilli()
	destination, settled, due := "panel", now, int64(0)
	switch r.state {
	case Queued:
		settled, due = 0, now
	case Received:
		destination = "inbox"
	case Waiting, Delivered, Refused, Suspected:
	}
	rows, err := change(ctx, tx, `
		INSERT INTO submission (id, kind, state, destination, minor, created_ms, settled_ms, due_ms, bytes, client)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
		r.id, string(r.kind), string(r.state), destination, r.minor, now, settled, due, r.bytes, r.client)
	if err != nil || rows == 0 {
		return err // another process stored it meanwhile
	}
	for i, part := range r.parts {
		err = errors.Join(err, execute(ctx, tx,
			"INSERT INTO submission_part (id, part, sealed) VALUES ($1, $2, $3)", r.id, i, part))
	}
	return errors.Join(err, insertAddresses(ctx, tx, r.id, r.addresses), in.addMails(ctx, tx, r.mails...))
}

func insertAddresses(ctx context.Context, tx *sql.Tx, id string, digests []string) (err error) {
	for _, digest := range digests {
		err = errors.Join(err, execute(ctx, tx,
			"INSERT INTO submission_address (id, digest) VALUES ($1, $2) ON CONFLICT DO NOTHING", id, digest))
	}
	return err
}

// load reads a submission, on demand without its photos. Without its content it is agency.ErrNotFound.
func (in *Intake) load(ctx context.Context, q querier, id string, photos bool) (s agency.Submission, err error) {
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

// addConsents adds boxes to the fields of a submission, if its content is still here.
func (in *Intake) addConsents(ctx context.Context, tx *sql.Tx, id string, consents []agency.Consent) error {
	s, err := in.load(ctx, tx, id, false)
	if errors.Is(err, agency.ErrNotFound) || len(consents) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	return in.storeFields(ctx, tx, id, agency.AddConsents(s.Fields, consents...))
}

func (in *Intake) storeFields(ctx context.Context, tx *sql.Tx, id string, fields []agency.Field) error {
	sealed, err := in.sealValue(ctx, fields, partName(id, 0))
	if err != nil {
		return err
	}
	return execute(ctx, tx, "UPDATE submission_part SET sealed = $2 WHERE id = $1 AND part = 0", id, sealed)
}

// sealValue encrypts a value; name says what it belongs to, so that sealed values can't be swapped.
func (in *Intake) sealValue(ctx context.Context, value any, name string) ([]byte, error) {
	var plaintext bytes.Buffer
	if err := gob.NewEncoder(&plaintext).Encode(value); err != nil {
		return nil, err
	}
	return in.sealer.Seal(ctx, plaintext.Bytes(), name)
}

func (in *Intake) openValue(ctx context.Context, sealed []byte, name string, value any) error {
	plaintext, err := in.sealer.Open(ctx, sealed, name)
	if err != nil {
		return err
	}
	return gob.NewDecoder(bytes.NewReader(plaintext)).Decode(value)
}

// Errors of a full store.
var (
	errFull      = errors.New("no room for submissions (OUTBOX_SIZE)")
	errShareUsed = errors.New("this client's share of a day is used up")
)

// shareWindow is the time in which one client's submissions with photos may take an eighth of the room, or one
// application: three cleaned photos.
const (
	shareWindow        = 24 * time.Hour
	largestApplication = 3*cleanBytes + 1<<20
)

func (in *Intake) clientShare() int64 { return max(in.options.MaxBytes/8, largestApplication) }

// reserve is the part of MaxBytes that is left to submissions without photos. Held submissions take as much at most,
// and so do refused ones when others need the room.
func (in *Intake) reserve() int64 { return in.options.MaxBytes / 20 }

// admit makes room for a submission, or fails with errFull or errShareUsed. Nothing that was queued or received is ever
// removed for another: only the photos of the oldest refused submissions are. A held one for whose photos there is no
// room is stored without them. Texts stay.
func (in *Intake) admit(ctx context.Context, tx *sql.Tx, r row) (row, error) {
	used, err := in.usage(ctx, tx, r)
	if err != nil {
		return r, err
	}
	limit, held := in.options.MaxBytes, r.state == Suspected
	if held && used.state+r.bytes > in.reserve() {
		r.parts, r.bytes = r.parts[:1], int64(len(r.parts[0]))
	}
	if r.photos || held {
		limit -= in.reserve()
	}
	if used.all+r.bytes > limit && !held {
		if err := in.dropRefusedPhotos(ctx, tx); err != nil {
			return r, err
		}
		if used, err = in.usage(ctx, tx, r); err != nil {
			return r, err
		}
	}
	switch {
	case used.all+r.bytes > limit, held && used.state+r.bytes > in.reserve(),
		r.state != Received && used.count >= in.options.MaxQueued:
		return r, errFull
	case r.client != "" && used.client+r.bytes > in.clientShare():
		return r, errShareUsed
	}
	return r, nil
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

// dropRefusedPhotos removes the photos of the oldest refused submissions until all of those fit into the reserve.
func (in *Intake) dropRefusedPhotos(ctx context.Context, tx *sql.Tx) error {
	photos, err := change(ctx, tx, `
		DELETE FROM submission_part WHERE part > 0 AND id IN (
			SELECT id FROM (
				SELECT id, sum(bytes) OVER (ORDER BY created_ms DESC, id) AS total FROM submission
				WHERE state = 'refused'
			) AS newest WHERE total > $1)`, in.reserve())
	if err != nil || photos == 0 {
		return err
	}
	in.options.Log.Warn("intake: photos of refused submissions removed to make room, texts kept", "photos", photos)
	return execute(ctx, tx, `
		UPDATE submission SET bytes = (
			SELECT coalesce(sum(length(sealed)), 0) FROM submission_part AS p WHERE p.id = submission.id)
		WHERE state = 'refused'`)
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
