package intake

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/database"
	"zedcard/internal/forms"
	"zedcard/internal/mail"
)

const (
	mailInterval = time.Minute // between two checks for due mails

	// mailLease is how long a process may take to send a mail; after it another one sends it again, with the same
	// Message-ID and link.
	mailLease = 2 * time.Minute

	firstMailRetry, lastMailRetry = time.Minute, time.Hour

	// One guardian's address gets at most this many mails in this time, because anybody can enter anybody's address.
	// Others wait.
	maxMailsPerAddress = 3
	mailLimitWindow    = 24 * time.Hour
)

// The purposes of a mail that is not a note about a submission's state.
const (
	toGuardian = "guardian"   // the link with which to confirm
	confirmed  = "confirmed"  // to the agency: a guardian has confirmed
	linked     = "link"       // to the agency: where to note what becomes of a message
	stuck      = "stuck"      // to the agency: the panel has not taken it for a long time
	deadlines  = "deadlines-" // and a day: to the agency, which answers are due
)

// deadlinesHour is the hour of the day from which on the agency is told what is due, in its time zone.
const deadlinesHour = 8

// note is a mail to the agency about an event.
func note(id, purpose string) mailRow {
	return mailRow{submission: id, purpose: purpose, letter: []byte{}}
}

// arrival are the mails about a submission that was received. That with the text of a message is answered by reply, so
// the link is in another one.
func (in *Intake) arrival(id string, kind agency.Kind) []mailRow {
	mails := []mailRow{note(id, string(Received))}
	if kind == agency.Contact && in.options.Browser {
		mails = append(mails, note(id, linked))
	}
	return mails
}

// letter is what the mail to a guardian needs, sealed until it is sent.
type letter struct{ Address, Lang, Token string }

// guardianMail is the mail with which a guardian is asked to confirm. Its link is valid as long as an unconfirmed
// application is kept; only a hash of its token stays.
func (in *Intake) guardianMail(ctx context.Context, id string, g agency.Guardian) (mailRow, error) {
	content := letter{g.Email, g.Lang, rand.Text()}
	sealed, err := in.sealValue(ctx, content, id+"/letter")
	if err != nil {
		return mailRow{}, err
	}
	m := mailRow{submission: id, purpose: toGuardian, hash: hashOf(content.Token), letter: sealed}
	m.recipient, err = in.digest(ctx, "recipient "+forms.Mailbox(content.Address))
	return m, err
}

func hashOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// addDeadlines queues the mail of the day if an answer is due. It belongs to the submission that has waited longest.
func (in *Intake) addDeadlines(ctx context.Context) error {
	now := in.options.Now()
	if now.Local().Hour() < deadlinesHour || !in.options.Browser {
		return nil
	}
	m := note("", deadlines+now.Local().Format(time.DateOnly))
	told, err := countMails(ctx, in.db, "", m.purpose)
	if err != nil || told > 0 {
		return err
	}
	due, err := in.due(ctx)
	if err != nil || len(due) == 0 {
		return err
	}
	m.submission = due[0].ID
	return in.db.InTx(ctx, func(tx *sql.Tx) error { return in.insertMails(ctx, tx, m) })
}

// due are the submissions whose answer is due today or overdue.
func (in *Intake) due(ctx context.Context) ([]Entry, error) {
	entries, err := in.listEntries(ctx)
	today := in.options.Now().Local().Format(time.DateOnly)
	return slices.DeleteFunc(entries, func(e Entry) bool {
		return !e.Done.IsZero() || e.Due.IsZero() || e.Due.Format(time.DateOnly) > today
	}), err
}

// SendMails sends the mails that are due. One that can't be sent is retried after a minute, doubled each time up to an
// hour, that to a guardian until its link expires. The mail of a held application waits until an operator releases it,
// and the fourth to one address until a day after the first. Once a day, one to the agency says which answers are due.
func (in *Intake) SendMails(ctx context.Context) {
	if in.options.Mail == nil || in.db.Opened() != nil {
		return
	}
	if err := in.addDeadlines(ctx); err != nil && ctx.Err() == nil {
		in.options.Log.Warn("intake: what is due could not be read", "error", err)
	}
	for ctx.Err() == nil && in.sendNextMail(ctx) {
		continue
	}
}

// sendNextMail sends the mail that has waited longest; false if none is due.
func (in *Intake) sendNextMail(ctx context.Context) bool {
	j, err := in.claimMail(ctx)
	if err != nil && ctx.Err() == nil {
		in.options.Log.Warn("intake: mails not read", "error", err)
	}
	if err != nil || j.id == "" {
		return false
	}
	purpose, message, err := in.compose(ctx, j.id)
	if err == nil {
		err = in.options.Mail.Send(ctx, message)
	}
	if err := in.storeMailOutcome(ctx, j, purpose, err); err != nil {
		in.options.Log.Warn("intake: outcome of a mail not stored", "id", j.id, "error", err)
	}
	return true
}

// storeMailOutcome stores the outcome of a mail.
func (in *Intake) storeMailOutcome(ctx context.Context, j job, purpose string, failure error) error {
	// The outcome must be stored even at shutdown.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), gracePeriod)
	defer cancel()
	var due, sent, refused int64
	switch {
	case failure == nil:
		sent = in.at(0)
	case errors.Is(failure, mail.ErrRefused) && purpose == toGuardian:
		in.options.Log.Warn("intake: mail to a guardian refused, ask them yourself, see the inbox",
			"id", j.id, "error", failure)
		refused = in.at(0)
	default:
		in.options.Log.Warn("intake: mail not sent, will be retried", "id", j.id, "error", failure)
		due = in.at(backOff(j.attempts, firstMailRetry, lastMailRetry))
	}
	return in.settleMail(ctx, j, due, sent, refused)
}

// mailRow is a mail that is ready to be stored.
type mailRow struct {
	submission, purpose string
	recipient, hash     string // of a guardian's: a digest of the address, and of the link's token
	letter              []byte // sealed
	number              int    // of the mails to a guardian, from the second on
}

// insertMails queues mails in the transaction of the event that they are about, so that neither exists without the
// other. Without a mail server it does nothing.
func (in *Intake) insertMails(ctx context.Context, tx *sql.Tx, mails ...mailRow) error {
	if in.options.Mail == nil {
		return nil
	}
	for _, m := range mails {
		id := m.submission + "-" + m.purpose
		if m.number > 0 {
			id += "-" + strconv.Itoa(m.number)
		}
		err := execute(ctx, tx, `
			INSERT INTO mail (id, submission, purpose, created_ms, due_ms, recipient, token_hash, letter)
			VALUES ($1, $2, $3, $4, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
			id, m.submission, m.purpose, in.at(0), m.recipient, m.hash, m.letter)
		if err != nil {
			return err
		}
	}
	return nil
}

// claimMail claims the mail that has waited longest; none has no id. Mails that another process is sending, and those
// that wait for a retry, count towards their recipient's limit like sent ones. The lock lets each claim see the ones
// before.
func (in *Intake) claimMail(ctx context.Context) (j job, err error) {
	err = in.db.InTx(ctx, func(tx *sql.Tx) error {
		if err := in.db.Acquire(ctx, tx, database.MailLock); err != nil {
			return err
		}
		err := tx.QueryRowContext(ctx, `
			UPDATE mail SET attempts = attempts + 1, lease_ms = $2
			WHERE id = (
				SELECT id FROM mail
				WHERE due_ms > 0 AND (due_ms <= $1 OR due_ms > $3) AND (lease_ms <= $1 OR lease_ms > $4)
					AND (purpose <> 'guardian' OR created_ms > $5 AND NOT EXISTS (
							SELECT 1 FROM submission AS s WHERE s.id = mail.submission AND s.state = 'suspected')
						AND $7 > (SELECT count(*) FROM mail AS other WHERE other.recipient = mail.recipient
							AND (other.sent_ms > $6 OR other.lease_ms > $1 OR other.due_ms > $1)))
				ORDER BY created_ms, id LIMIT 1 `+in.skipLocked()+`)
			RETURNING id, attempts`,
			in.at(0), in.at(mailLease), in.at(lastMailRetry+mailLease), in.at(2*mailLease),
			in.at(-agency.MinorRetention), in.at(-mailLimitWindow), maxMailsPerAddress).Scan(&j.id, &j.attempts)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return j, err
}

// findMail is what a mail is about: its purpose, what a guardian's needs, sealed, and as much as it says of its
// submission.
func (in *Intake) findMail(ctx context.Context, id string) (purpose string, letter []byte, e Entry, err error) {
	err = in.db.QueryRowContext(ctx, `
		SELECT m.purpose, m.letter, s.id, s.kind, s.minor, s.created_ms, s.confirmed_ms
		FROM mail AS m JOIN submission AS s ON s.id = m.submission WHERE m.id = $1`, id).
		Scan(&purpose, &letter, &e.ID, &e.Kind, &e.Minor, (*millis)(&e.Time), (*millis)(&e.Confirmed))
	return purpose, letter, e, err
}

// settleMail ends a try, unless the row has changed meanwhile: the guardian may have confirmed already, or another
// process may have the mail after the lease. A time that is 0 has not come.
func (in *Intake) settleMail(ctx context.Context, j job, due, sent, refused int64) error {
	return execute(ctx, in.db, `
		UPDATE mail SET due_ms = CAST($3 AS BIGINT), lease_ms = 0, sent_ms = $4, refused_ms = $5,
			letter = CASE WHEN CAST($3 AS BIGINT) > 0 THEN letter ELSE $6 END
		WHERE id = $1 AND attempts = $2 AND due_ms > 0`, j.id, j.attempts, due, sent, refused, []byte{})
}

// countMails is how many mails of a purpose there are, about one submission or, without an id, about all.
func countMails(ctx context.Context, q querier, id, purpose string) (count int, err error) {
	err = q.QueryRowContext(ctx, "SELECT count(*) FROM mail WHERE purpose = $2 AND (submission = $1 OR $1 = '')",
		id, purpose).Scan(&count)
	return count, err
}

// findApplication is the one that a link is about, by the hash of its token.
func (in *Intake) findApplication(ctx context.Context, hash string) (a Application, err error) {
	err = in.db.QueryRowContext(ctx, `
		SELECT s.id, s.created_ms, s.confirmed_ms FROM mail AS m JOIN submission AS s ON s.id = m.submission
		WHERE m.token_hash = $1`, hash).Scan(&a.ID, (*millis)(&a.Received), (*millis)(&a.Confirmed))
	return a, err
}

// endLetters: a guardian's mails that are not sent yet will not be; those that were sent lead nowhere if revoked.
func endLetters(ctx context.Context, tx *sql.Tx, id string, revoked bool) error {
	return execute(ctx, tx, `
		UPDATE mail SET due_ms = 0, letter = $2, token_hash = CASE WHEN $3 THEN '' ELSE token_hash END
		WHERE submission = $1 AND purpose = 'guardian'`, id, []byte{}, revoked)
}

// deleteNotes deletes the notes on a submission's fate: one that is being sent is not that of a later refusal.
func deleteNotes(ctx context.Context, tx *sql.Tx, id string) error {
	return execute(ctx, tx,
		"DELETE FROM mail WHERE submission = $1 AND purpose IN ('refused', 'suspected', 'stuck')", id)
}

// forgetLetters forgets the letters that were never sent, and whom the others went to.
func (in *Intake) forgetLetters(ctx context.Context) error {
	err := execute(ctx, in.db, `
		UPDATE mail SET letter = $2, due_ms = 0
		WHERE purpose = 'guardian' AND due_ms > 0 AND created_ms <= $1`, in.at(-agency.MinorRetention), []byte{})
	if err != nil {
		return err
	}
	return execute(ctx, in.db, "UPDATE mail SET recipient = '' WHERE recipient <> '' AND due_ms = 0 AND sent_ms <= $1",
		in.at(-mailLimitWindow))
}
