package intake

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/database"
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
		in.options.Log.Warn("intake: suspected of being spam, not sent, see: zedcard inbox show "+s.ID,
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
		return in.addMails(ctx, tx, note(s.ID, string(Received), in.options.Now()))
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

// Has reports whether a submission with this id is stored, even if it has been delivered.
func (in *Intake) Has(ctx context.Context, id string) (bool, error) {
	found, err := exists(ctx, in.db, id)
	if err != nil {
		return false, unavailable(err)
	}
	return found, nil
}

func exists(ctx context.Context, q querier, id string) (bool, error) {
	err := q.QueryRowContext(ctx, "SELECT 1 FROM submission WHERE id = $1", id).Scan(new(int))
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

func (in *Intake) store(ctx context.Context, s agency.Submission, state State) error {
	err := in.insert(ctx, s, state)
	if database.IsFull(err) {
		in.db.Checkpoint(ctx)
		err = in.insert(ctx, s, state)
	}
	if err != nil {
		return unavailable(err)
	}
	wake(in.newSubmission)
	wake(in.newMail)
	return nil
}

// row is a submission that is sealed and ready to be stored.
type row struct {
	id, client string
	kind       agency.Kind
	state      State
	minor      int
	created    time.Time
	photos     bool
	parts      [][]byte
	addresses  []string // digests
	mails      []mailRow
}

func (r row) bytes() (sum int64) {
	for _, part := range r.parts {
		sum += int64(len(part))
	}
	return sum
}

// seal encrypts a submission, which is slow and so done outside of transactions.
func (in *Intake) seal(ctx context.Context, s agency.Submission, state State) (r row, err error) {
	r = row{id: s.ID, kind: s.Kind, state: state, created: in.options.Now(), photos: len(s.Files) > 0}
	if s.Minor(r.created) {
		r.minor = 1
	}
	fields, err := json.Marshal(s.Fields)
	if err != nil {
		return row{}, err
	}
	r.parts = [][]byte{fields}
	for _, file := range s.Files {
		r.parts = append(r.parts, encodeFile(file))
	}
	for i, plaintext := range r.parts {
		if r.parts[i], err = in.sealer.Seal(ctx, plaintext, partName(s.ID, i)); err != nil {
			return row{}, err
		}
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
	if state != Queued && state != Waiting {
		r.mails = append(r.mails, note(s.ID, string(state), r.created))
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

// partName identifies a part for its seal, so that parts can't be swapped.
func partName(id string, part int) string { return fmt.Sprintf("%s/%d", id, part) }

// digest is a keyed digest of a text, which tells nobody without the key what it was.
func (in *Intake) digest(ctx context.Context, text string) (string, error) {
	digests, err := in.sealer.Digests(ctx, text)
	if err != nil {
		return "", err
	}
	return digests[0], nil
}

func (in *Intake) insert(ctx context.Context, s agency.Submission, state State) error {
	r, err := in.seal(ctx, s, state)
	if err == nil && state == Suspected && r.bytes() > in.reserve() {
		s.Files = nil // larger than all held ones may be
		r, err = in.seal(ctx, s, state)
	}
	if err != nil {
		return err
	}
	return in.db.InTx(ctx, func(tx *sql.Tx) error {
		found, err := exists(ctx, tx, r.id)
		if err != nil || found {
			return err
		}
		if err := in.admit(ctx, tx, r); err != nil {
			return err
		}
		return in.insertRow(ctx, tx, r)
	})
}

func (in *Intake) insertRow(ctx context.Context, tx *sql.Tx, r row) error {
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
		INSERT INTO submission (id, kind, state, destination, minor, created_ms, settled_ms, confirmed_ms, done_ms,
			attempts, due_ms, lease_ms, bytes, client, fault)
		VALUES ($1, $2, $3, $4, $5, $6, $7, 0, 0, 0, $8, 0, $9, $10, $11) ON CONFLICT (id) DO NOTHING`,
		r.id, string(r.kind), string(r.state), destination, r.minor, now, settled, due, r.bytes(), r.client, []byte{})
	if err != nil || rows == 0 {
		return err // another process stored it meanwhile
	}
	for i, part := range r.parts {
		_, err := tx.ExecContext(ctx,
			"INSERT INTO submission_part (id, part, sealed) VALUES ($1, $2, $3)", r.id, i, part)
		if err != nil {
			return err
		}
	}
	if err := insertAddresses(ctx, tx, r.id, r.addresses); err != nil {
		return err
	}
	return in.addMails(ctx, tx, r.mails...)
}

func insertAddresses(ctx context.Context, tx *sql.Tx, id string, digests []string) error {
	for _, digest := range digests {
		_, err := tx.ExecContext(ctx,
			"INSERT INTO submission_address (id, digest) VALUES ($1, $2) ON CONFLICT DO NOTHING", id, digest)
		if err != nil {
			return err
		}
	}
	return nil
}

// fields are the text fields of a submission; its photos are not read. Without its content they are
// agency.ErrNotFound.
func (in *Intake) fields(ctx context.Context, q querier, id string) (fields []agency.Field, err error) {
	var sealed []byte
	err = q.QueryRowContext(ctx, "SELECT sealed FROM submission_part WHERE id = $1 AND part = 0", id).Scan(&sealed)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("intake: content of %s: %w", id, agency.ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	return fields, in.openJSON(ctx, sealed, partName(id, 0), &fields)
}

// addConsents adds boxes to the fields of a submission, if its content is still here.
func (in *Intake) addConsents(ctx context.Context, tx *sql.Tx, id string, consents []agency.Consent) error {
	fields, err := in.fields(ctx, tx, id)
	if errors.Is(err, agency.ErrNotFound) || len(consents) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	return in.storeFields(ctx, tx, id, agency.AddConsents(fields, consents...))
}

func (in *Intake) storeFields(ctx context.Context, tx *sql.Tx, id string, fields []agency.Field) error {
	sealed, err := in.sealJSON(ctx, fields, partName(id, 0))
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "UPDATE submission_part SET sealed = $2 WHERE id = $1 AND part = 0", id, sealed)
	return err
}

func (in *Intake) sealJSON(ctx context.Context, value any, name string) ([]byte, error) {
	plaintext, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return in.sealer.Seal(ctx, plaintext, name)
}

func (in *Intake) openJSON(ctx context.Context, sealed []byte, name string, value any) error {
	plaintext, err := in.sealer.Open(ctx, sealed, name)
	if err != nil {
		return err
	}
	return json.Unmarshal(plaintext, value)
}

// load reads a submission with its photos. Without its content it is agency.ErrNotFound.
func (in *Intake) load(ctx context.Context, id string) (s agency.Submission, err error) {
	s.ID = id
	if err := in.db.QueryRowContext(ctx, "SELECT kind FROM submission WHERE id = $1", id).Scan(&s.Kind); err != nil {
		return s, err
	}
	parts, err := list(ctx, in.db, column[[]byte], "SELECT sealed FROM submission_part WHERE id = $1 ORDER BY part", id)
	if err != nil {
		return s, err
	}
	if len(parts) == 0 {
		return s, fmt.Errorf("intake: content of %s: %w", id, agency.ErrNotFound)
	}
	if err := in.openJSON(ctx, parts[0], partName(id, 0), &s.Fields); err != nil {
		return s, err
	}
	for i, sealed := range parts[1:] {
		plaintext, err := in.sealer.Open(ctx, sealed, partName(id, i+1))
		if err != nil {
			return s, err
		}
		file, err := decodeFile(plaintext)
		if err != nil {
			return s, err
		}
		s.Files = append(s.Files, file)
	}
	return s, nil
}

// fileHeader precedes a photo's bytes, as one line of JSON.
type fileHeader struct{ Field, Name, Type string }

func encodeFile(file agency.File) []byte {
	header, err := json.Marshal(fileHeader{file.Field, file.Name, file.Type})
	if err != nil {
		panic(err) // three texts can always be encoded
	}
	return bytes.Join([][]byte{header, file.Data}, []byte("\n"))
}

func decodeFile(plaintext []byte) (agency.File, error) {
	line, data, _ := bytes.Cut(plaintext, []byte("\n"))
	var header fileHeader
	err := json.Unmarshal(line, &header)
	return agency.File{Field: header.Field, Name: header.Name, Type: header.Type, Data: data}, err
}
