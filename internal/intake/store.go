package intake

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/gob"
	"errors"
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
		known, err = receive(ctx, tx, s.ID)
		if err != nil || known == 0 {
			return err
		}
		return in.insertMails(ctx, tx, in.arrival(s.ID, s.Kind)...)
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

func (in *Intake) store(ctx context.Context, s agency.Submission, state State) error {
	r, err := in.seal(ctx, s, state)
	if err == nil {
		err = in.db.InTx(ctx, func(tx *sql.Tx) error { return in.insertSubmission(ctx, tx, r) })
	}
	wake(in.toDeliver)
	wake(in.newMail)
	return unavailable(err)
}

// seal encrypts a submission, which is slow and so done outside of transactions.
func (in *Intake) seal(ctx context.Context, s agency.Submission, state State) (r row, err error) {
	now := in.options.Now()
	r = row{id: s.ID, kind: s.Kind, state: state, created: now, minor: s.Minor(now)}
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
	if s.Client != "" && len(s.Files) > 0 {
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
	if state == Received {
		r.mails = append(r.mails, in.arrival(s.ID, s.Kind)...)
	}
	if state == Suspected {
		r.mails = append(r.mails, note(s.ID, string(state)))
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

// digest is a keyed digest of a text, which tells nobody without the key what it was.
func (in *Intake) digest(ctx context.Context, text string) (string, error) {
	digests, err := in.sealer.Digests(ctx, text)
	if err != nil {
		return "", err
	}
	return digests[0], nil
}

// addConsents adds boxes to the fields of a submission, if its content is still here.
func (in *Intake) addConsents(ctx context.Context, tx *sql.Tx, id string, consents []agency.Consent) error {
	s, err := in.findContent(ctx, tx, id, false)
	if errors.Is(err, agency.ErrNotFound) || len(consents) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	return in.updateFields(ctx, tx, id, agency.AddConsents(s.Fields, consents...))
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

// shareWindow is the time in which one client's submissions with photos may take an eighth of the room, or one
// application: three cleaned photos.
const (
	shareWindow        = 24 * time.Hour
	largestApplication = 3*cleanBytes + 1<<20
)

func (in *Intake) clientShare() int64 { return max(in.options.MaxBytes/8, largestApplication) }

// reserve is the part of MaxBytes that is left to submissions without photos. Held submissions take as much at most.
func (in *Intake) reserve() int64 { return in.options.MaxBytes / 20 }

// admit fails if there is no room for a submission: nothing is removed for another. A held one for whose photos there
// is none is stored without them.
func (in *Intake) admit(ctx context.Context, tx *sql.Tx, r row) (row, error) {
	used, err := in.usage(ctx, tx, r)
	if err != nil {
		return r, err
	}
	limit, held := in.options.MaxBytes, r.state == Suspected
	if held && used.state+r.bytes > in.reserve() {
		r.parts, r.bytes = r.parts[:1], int64(len(r.parts[0]))
	}
	if len(r.parts) > 1 || held {
		limit -= in.reserve()
	}
	switch {
	case used.all+r.bytes > limit, held && used.state+r.bytes > in.reserve(),
		r.state != Received && used.count >= in.options.MaxQueued:
		return r, errors.New("no room for submissions (OUTBOX_SIZE)")
	case r.client != "" && used.client+r.bytes > in.clientShare():
		return r, errors.New("this client's share of a day is used up")
	}
	return r, nil
}
