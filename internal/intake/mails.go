package intake

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/database"
	"zedcard/internal/mail"
	"zedcard/internal/routes"
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

// mailRow is a mail that is ready to be stored.
type mailRow struct {
	submission, purpose string
	recipient, hash     string // of a guardian's: a digest of the address, and of the link's token
	letter              []byte // sealed
	number              int    // of the mails to a guardian, from the second on
}

// note is a mail to the agency about an event.
func note(id, purpose string) mailRow {
	return mailRow{submission: id, purpose: purpose, letter: []byte{}}
}

// arrival are the mails about a submission that was received. That with the text of a message is answered by reply, so
// the link is in another one.
func (in *Intake) arrival(id string, kind agency.Kind) []mailRow {
	mails := []mailRow{note(id, string(Received))}
	if kind == agency.Contact && in.options.Browser && !in.options.NoContent {
		mails = append(mails, note(id, linked))
	}
	return mails
}

// letter is what the mail to a guardian needs, sealed until it is sent.
type letter struct{ Address, Lang, Token string }

// guardianMail is the mail with which a guardian is asked to confirm. Its link is valid as long as an unconfirmed
// application is kept; only a hash of its token stays.
func (in *Intake) guardianMail(ctx context.Context, id string, g agency.Guardian) (mailRow, error) {
	content := letter{g.Email, g.Lang, cmp.Or(g.Token, newToken())}
	sealed, err := in.sealValue(ctx, content, id+"/letter")
	if err != nil {
		return mailRow{}, err
	}
	m := mailRow{submission: id, purpose: toGuardian, hash: hashOf(content.Token), letter: sealed}
	m.recipient, err = in.digest(ctx, "recipient "+mailbox(content.Address))
	return m, err
}

// mailbox is an address without what the servers of mail leave out: a tag behind a plus, and Gmail's dots. Anybody can
// write one mailbox in many ways.
func mailbox(address string) string {
	name, domain, _ := strings.Cut(agency.NormalizeAddress(address), "@")
	name, _, _ = strings.Cut(name, "+")
	if domain == "googlemail.com" || domain == "gmail.com" {
		name, domain = strings.ReplaceAll(name, ".", ""), "gmail.com"
	}
	return name + "@" + domain
}

func newToken() string {
	random := make([]byte, 32)
	rand.Read(random)
	return base64.RawURLEncoding.EncodeToString(random)
}

func hashOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// addMails queues mails in the transaction of the event that they are about, so that neither exists without the other.
// Without a mail server it does nothing.
func (in *Intake) addMails(ctx context.Context, tx *sql.Tx, mails ...mailRow) (err error) {
	if in.options.Mail == nil {
		return nil
	}
	for _, m := range mails {
		id := m.submission + "-" + m.purpose
		if m.number > 0 {
			id += "-" + strconv.Itoa(m.number)
		}
		err = errors.Join(err, execute(ctx, tx, `
			INSERT INTO mail (id, submission, purpose, created_ms, due_ms, recipient, token_hash, letter)
			VALUES ($1, $2, $3, $4, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
			id, m.submission, m.purpose, in.options.Now().UnixMilli(), m.recipient, m.hash, m.letter))
	}
	return err
}

func (in *Intake) sendMailsPeriodically(ctx context.Context) {
	for {
		in.SendMails(ctx)
		if !sleep(ctx, mailInterval, in.newMail) {
			return
		}
	}
}

// addDeadlines queues the mail of the day if an answer is due. It belongs to the submission that has waited longest.
func (in *Intake) addDeadlines(ctx context.Context) error {
	now := in.options.Now()
	if in.options.Mail == nil || now.Local().Hour() < deadlinesHour || in.db.Opened() != nil {
		return nil
	}
	m := note("", deadlines+now.Local().Format(time.DateOnly))
	told, err := list(ctx, in.db, column[string], "SELECT id FROM mail WHERE purpose = $1", m.purpose)
	if err != nil || len(told) > 0 {
		return err
	}
	due, err := in.due(ctx)
	if err != nil || len(due) == 0 {
		return err
	}
	m.submission = due[0].ID
	return in.db.InTx(ctx, func(tx *sql.Tx) error { return in.addMails(ctx, tx, m) })
}

// due are the submissions whose answer is due today or overdue.
func (in *Intake) due(ctx context.Context) ([]Entry, error) {
	entries, err := in.scanEntries(ctx, "done_ms = 0")
	today := in.options.Now().Local().Format(time.DateOnly)
	return slices.DeleteFunc(entries, func(e Entry) bool {
		return e.Due.IsZero() || e.Due.Format(time.DateOnly) > today
	}), err
}

// SendMails sends the mails that are due. One that can't be sent is retried after a minute, doubled each time up to an
// hour, that to a guardian until its link expires. The mail of a held application waits until an operator releases it,
// and the fourth to one address until a day after the first. Once a day, one to the agency says which answers are due.
func (in *Intake) SendMails(ctx context.Context) {
	if err := in.addDeadlines(ctx); err != nil && ctx.Err() == nil {
		in.options.Log.Warn("intake: what is due could not be read", "error", err)
	}
	for in.options.Mail != nil && in.db.Opened() == nil && ctx.Err() == nil && in.sendNextMail(ctx) {
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

// claimMail claims the mail that has waited longest; none has no id. Mails that another process is sending, and those
// that wait for a retry, count towards their recipient's limit like sent ones. The lock lets each claim see the ones
// before.
func (in *Intake) claimMail(ctx context.Context) (j job, err error) {
	now := in.options.Now()
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
			now.UnixMilli(), now.Add(mailLease).UnixMilli(), now.Add(lastMailRetry+mailLease).UnixMilli(),
			now.Add(2*mailLease).UnixMilli(), now.Add(-agency.MinorRetention).UnixMilli(),
			now.Add(-mailLimitWindow).UnixMilli(), maxMailsPerAddress).Scan(&j.id, &j.attempts)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return j, err
}

// storeMailOutcome stores the outcome of a mail, unless the row has changed meanwhile: the guardian may have confirmed
// already, or another process may have the mail after the lease.
func (in *Intake) storeMailOutcome(ctx context.Context, j job, purpose string, failure error) error {
	// The outcome must be stored even at shutdown.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), gracePeriod)
	defer cancel()
	now := in.options.Now()
	var due, sent, refused int64
	switch {
	case failure == nil:
		sent = now.UnixMilli()
	case errors.Is(failure, mail.ErrRefused) && purpose == toGuardian:
		in.options.Log.Warn("intake: mail to a guardian refused, ask them yourself, see: zedcard inbox list",
			"id", j.id, "error", failure)
		refused = now.UnixMilli()
	default:
		in.options.Log.Warn("intake: mail not sent, will be retried", "id", j.id, "error", failure)
		due = now.Add(backOff(j.attempts, firstMailRetry, lastMailRetry)).UnixMilli()
	}
	return execute(ctx, in.db, `
		UPDATE mail SET due_ms = CAST($3 AS BIGINT), lease_ms = 0, sent_ms = $4, refused_ms = $5,
			letter = CASE WHEN CAST($3 AS BIGINT) > 0 THEN letter ELSE $6 END
		WHERE id = $1 AND attempts = $2 AND due_ms > 0`, j.id, j.attempts, due, sent, refused, []byte{})
}

// compose writes a mail. Mails are not encrypted at rest, so they contain nothing of what a visitor wrote but the text
// of a message, which is mailed to be answered.
func (in *Intake) compose(ctx context.Context, id string) (purpose string, m mail.Message, err error) {
	var e Entry
	var sealed []byte
	err = in.db.QueryRowContext(ctx, `
		SELECT m.purpose, m.letter, s.id, s.kind, s.minor, s.created_ms, s.confirmed_ms
		FROM mail AS m JOIN submission AS s ON s.id = m.submission WHERE m.id = $1`, id).
		Scan(&purpose, &sealed, &e.ID, &e.Kind, &e.Minor, (*millis)(&e.Time), (*millis)(&e.Confirmed))
	if err != nil {
		return "", m, err
	}
	switch {
	case purpose == toGuardian:
		m, err = in.askGuardian(ctx, Application{ID: e.ID, Received: e.Time}, sealed)
	case purpose == confirmed:
		m, err = in.confirmedNote(ctx, e)
	case strings.HasPrefix(purpose, deadlines):
		m, err = in.deadlinesNote(ctx)
	case State(purpose) == Received && e.Kind == agency.Contact && !in.options.NoContent:
		m, err = in.messageNote(ctx, e)
	default:
		m, err = in.stateNote(ctx, e, State(purpose))
	}
	m.ID = id
	return purpose, m, err
}

// askGuardian is the mail with the link, in the language of the application. The address may be mistyped, so the mail
// tells nothing about the applicant.
func (in *Intake) askGuardian(ctx context.Context, a Application, sealed []byte) (mail.Message, error) {
	var l letter
	if err := in.openValue(ctx, sealed, a.ID+"/letter", &l); err != nil {
		return mail.Message{}, err
	}
	o, site := in.options, in.options.Site()
	lang, known := site.Texts.Parse(l.Lang)
	if !known {
		lang = site.Texts.First()
	}
	return mail.Message{
		To: l.Address, FromName: site.Name, Subject: lang.T("guardian.mail.subject", "agency", site.Name),
		Text: lang.T("guardian.mail.text",
			"agency", site.Name, "site", o.BaseURL, "link", o.BaseURL+routes.ConfirmationPath(lang, l.Token),
			"came", lang.Date(a.Received.Local()), "expires", lang.Date(a.Expires().Local()),
			"reference", a.Reference().String()),
	}, nil
}
