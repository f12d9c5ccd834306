// Package intake takes what visitors submit, and keeps it until the panel has it. It promises:
//
//   - Put commits a submission with its photos and mails in one transaction, before the visitor is told "sent". Once it
//     returns nil nothing is lost, whatever is killed. The same id again is the same submission. After an error nothing
//     is stored, and the form says so.
//   - Hold does the same with what a program may have sent: it waits for an operator. Receive is Put of the embedded
//     back end: what it has stays here. Submit chooses between Put and Hold, and is the only door for a form.
//   - Run delivers what is queued, with the id as idempotency key: never lost, and repeated only where an answer was
//     lost. The panel refuses for good, or is asked again for ever; what answers three times in a row with a page tells
//     nothing, and is held for the operator.
//   - A minor's application is shown to nobody, and where a guardian can be asked sent to nobody, until Confirm or
//     ConfirmByHand.
//   - Erase leaves nothing of a submission in the database and its log. What an external panel has loses its content
//     here at once; all else expires on the day that its receipt names. What is queued never does.
//
// The content is sealed (database.Sealer), and opened only to be delivered or shown.
//
// # When a submission is tried
//
// At once; then after 4 s, doubled each time up to 14 minutes, of which a random half to all is waited: with queueing,
// below the promised 15 minutes. At the start everything queued is due. Four retries are sent at one time, so that a
// recovering panel is not overloaded, and a new submission never waits for them. After three failures in a row, the
// first success makes all waiting submissions due at once, the oldest first.
//
// A delivery has a lease of 50 s: 40 s for the panel, which may be slow to take photos, and 10 s to store the outcome.
// One whose process was killed is tried again when that ends; nobody waits for it, because the visitor has been told
// "sent". A shorter lease, renewed, would end when the database does not answer for some seconds; a lock of a
// PostgreSQL session would also be free when only the connection broke.
package intake

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/database"
	"zedcard/internal/mail"
	"zedcard/internal/site"
)

// State is the state of a submission.
type State string

// The states of a submission.
const (
	Waiting   State = "waiting"   // of a minor: goes to the panel once a guardian has confirmed it
	Queued    State = "queued"    // waits for the panel
	Delivered State = "delivered" // the panel has it; its content is here only if that is the embedded back end
	Refused   State = "refused"   // by the panel, permanently, or it answers with pages; kept for the operator
	Suspected State = "suspected" // held because it may be spam; kept for the operator
	Received  State = "received"  // by the embedded back end, from somewhere else
)

// Sender delivers a submission to the panel. Nil means that the panel has it, an error that wraps agency.ErrRejected
// that the panel refuses it permanently; after any other error the delivery is retried.
type Sender interface {
	Send(context.Context, agency.Submission) error
}

// Mailer sends a mail. After an error that wraps mail.ErrRefused, the mail is not retried if it was to a guardian.
type Mailer interface {
	Send(context.Context, mail.Message) error
}

// Options are the settings of an Intake; a zero field takes its default.
type Options struct {
	Mail    Mailer            // nil: no mail server, so nobody gets a mail
	Site    func() *site.Site // as it is now, for mails
	BaseURL string            // named in them, too
	// GuardianFirst keeps a minor's application from the panel until a guardian has confirmed it; it needs Mail.
	GuardianFirst bool
	Browser       bool // the agency reads its inbox in a browser, too: mails have links (inbox.go)

	Lease     time.Duration // how long a process may take for a delivery; 50 s
	MaxQueued int           // submissions in one state above which Put and Hold refuse; 10,000
	MaxBytes  int64         // size of all contents above which nothing is taken; 4 GiB

	Now func() time.Time // time.Now
	Log *slog.Logger
}

// Intake is the store of submissions. Several processes may share one database.
type Intake struct {
	db      *database.DB
	sealer  *database.Sealer
	links   database.Keys // sign the links to the inbox
	options Options

	toDeliver           chan struct{} // there may be a submission to claim
	newMail             chan struct{} // a mail is due
	consecutiveFailures atomic.Int64  // failures of deliveries in a row
	filling             bool          // only of the sweep: four fifths of the room were in use
	looked              time.Time     // only of the sweep: when it last looked at the clock
}

// New is the intake in an open database, which may be nil if nothing is submitted.
func New(db *database.DB, keys database.Keys, o Options) *Intake {
	o.Lease = cmp.Or(o.Lease, 50*time.Second)
	o.MaxQueued = cmp.Or(o.MaxQueued, 10_000)
	o.MaxBytes = cmp.Or(o.MaxBytes, 4<<30)
	o.Log = cmp.Or(o.Log, slog.Default())
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Intake{
		db: db, sealer: database.NewSealer(keys, "intake"), links: keys.For("inbox link"),
		options:   o,
		toDeliver: make(chan struct{}, 1), newMail: make(chan struct{}, 1),
	}
}

// Probe reports why a form's submission could not be stored and read again: it does so, and deletes it.
func (in *Intake) Probe(ctx context.Context) error {
	s := agency.Submission{ID: "probe-" + rand.Text(), Kind: agency.Contact}
	r, err := in.seal(ctx, s, Queued)
	if err != nil {
		return err
	}
	return in.db.Try(ctx, func(tx *sql.Tx) error {
		if err := in.insertSubmission(ctx, tx, r); err != nil {
			return err
		}
		if _, err := in.findContent(ctx, tx, s.ID, true); err != nil {
			return err
		}
		return execute(ctx, tx, "DELETE FROM submission WHERE id = $1", s.ID)
	})
}

// wake wakes the goroutine that waits on a channel, or the next one to wait.
func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// querier is a database or a transaction.
type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// execute executes a statement.
func execute(ctx context.Context, q querier, statement string, args ...any) error {
	_, err := q.ExecContext(ctx, statement, args...)
	return err
}

// change executes a statement and returns how many rows it changed.
func change(ctx context.Context, q querier, statement string, args ...any) (rows int64, err error) {
	result, err := q.ExecContext(ctx, statement, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// inTurn takes steps until one fails.
func inTurn(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// list reads the rows of a query, each by a function that scans it.
func list[T any](
	ctx context.Context, q querier, scan func(*sql.Rows, *T) error, query string, args ...any,
) ([]T, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var values []T
	for rows.Next() {
		var value T
		if err := scan(rows, &value); err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, rows.Err()
}

// column scans the only column of a row.
func column[T any](rows *sql.Rows, value *T) error { return rows.Scan(value) }

// unavailable is the error for callers that may try again, or tell a visitor to.
func unavailable(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("intake: %w: %w", agency.ErrUnavailable, err)
}

// at is a time of the database, so long from now.
func (in *Intake) at(d time.Duration) int64 { return in.options.Now().Add(d).UnixMilli() }

// millis scans a time of the database; 0 is the zero time.
type millis time.Time

// Scan implements sql.Scanner.
func (m *millis) Scan(value any) error {
	ms, ok := value.(int64)
	if !ok {
		return fmt.Errorf("a time of the database is %T", value)
	}
	*m = millis{}
	if ms != 0 {
		*m = millis(time.UnixMilli(ms).UTC())
	}
	return nil
}
