// Package outbox keeps what visitors send until the panel has it. A submission is committed with its
// photos before the visitor is told "sent"; Run delivers it, again and again until it is delivered or
// the panel refuses it for good. The submission's id is the key by which the panel knows a repeat.
//
// # Why a table of our own
//
// Three ways were tried with the same harness: random kill -9, restart, drain, against a panel that
// fails one call in ten; 8 workers, lease 5 s. Lost is what had been answered "sent" and never
// arrived, twice is what the panel saw more than once.
//
//	engine           database      kills         sent   lost  twice
//	own table        SQLite        10            1,703  0     56
//	own table        PostgreSQL    6 / 2x6         914 / 1,547  0 / 0  33 / 66 (one / two processes)
//	own table        PostgreSQL    2x8, server crashed twice  564  0  53
//	goqite v0.4.0    SQLite        10            1,875  0     56
//	goqite v0.4.0    PostgreSQL    6 / 2x6         754 / 1,716  0 / 0  26 / 42
//	river v0.31.0    SQLite        10            1,618  0     188
//	river v0.31.0    PostgreSQL    6 / 2x6       1,054 / 1,962  0 / 0  147 / 255
//
// None lost anything. goqite gives up on a message after three tries without a word, and its
// serializable transactions collide on PostgreSQL (a drain took 13 to 22 s against 7). river
// repeats three times as much after a kill, because it marks finished jobs in batches; a job whose
// process died waits an hour by default; its SQLite driver is served only for an old release; and its
// client's type depends on the database. Two hundred lines of SQL that say exactly when a
// submission is tried, kept and emptied are less to understand than either.
//
// # When it is tried
//
// At once; then after 2 to 4 s; then after twice as long each time, at random between half and all of
// it, never more than 14 minutes, so that with the wait for its turn it stays below the 15 minutes
// that are promised. At the start everything queued is due. A submission that somebody is delivering is leased to
// them for 50 s; one whose process died is therefore tried again within a minute. What failed before
// is tried again at a pace (5 a second), so that a panel that comes back is not run over; what is
// new has a lane of its own and never waits behind it. When a panel answers that had refused three
// times in a row, all that waits is due at once and goes in the order of its age.
//
// # What is kept
//
// What was written is sealed (database.Sealer) and removed as soon as it is delivered; the id, kind
// and times stay for 30 days, so that a repeat is still known. What the panel refused, or what was
// held back, is kept for an operator to read, send again or export, and removed after agency.Retention, or
// agency.MinorRetention for somebody under 18. What is queued is never removed: the visitor was told that it was sent.
package outbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/database"
	"zedcard/internal/guardian"
)

// keepDelivered is how long the id of a delivered submission is kept, so that a repeat is known.
const keepDelivered = 30 * 24 * time.Hour

// State is where a submission stands.
type State string

// The states of a submission.
const (
	Queued    State = "queued"    // waits for the panel
	Delivered State = "delivered" // the panel has it; what was written is no longer here
	Refused   State = "refused"   // the panel will not take it; kept for the operator
	Suspected State = "suspected" // held back: a program may have written it; kept for the operator
)

// Sender delivers a submission to the panel: nil when the panel has it, an error that wraps
// agency.ErrRejected when it refuses it for good; after any other error it is tried again.
type Sender interface {
	Send(context.Context, agency.Submission) error
}

// Options are what may differ from the usual; the zero value is the usual.
type Options struct {
	Workers   int           // deliveries at once in each lane; 4
	Pace      time.Duration // between two tries of what failed before; 200 ms
	Lease     time.Duration // how long a delivery belongs to who claimed it; 50 s
	MaxQueued int           // Put refuses above it, and Hold above as many held; 10,000
	MaxBytes  int64         // both refuse what would make all that is kept here take more; 4 GiB
	// Notify tells the operator of what was held back or refused; nil: nobody is told.
	Notify func(context.Context, Notice) error
	// Guardians asks the parents of applicants under 18 to confirm what is put here; nil: nobody is asked.
	Guardians *guardian.Requests
	Now       func() time.Time // time.Now
	Log       *slog.Logger
}

// Outbox is the table of what waits. Any number of programs may work on one database.
type Outbox struct {
	db      *database.DB
	seal    *database.Sealer
	parts   database.Parts
	sender  Sender
	options Options

	wake   chan struct{} // something new was put
	notes  chan struct{} // a note is due
	stuck  atomic.Int64  // outcomes that could not be written down yet
	failed atomic.Int64  // failures in a row
}

// New is an outbox on an open database.
func New(db *database.DB, keys database.Keys, sender Sender, options Options) *Outbox {
	if options.Workers == 0 {
		options.Workers = 4
	}
	if options.Pace == 0 {
		options.Pace = 200 * time.Millisecond
	}
	if options.Lease == 0 {
		options.Lease = 50 * time.Second
	}
	if options.MaxQueued == 0 {
		options.MaxQueued = 10_000
	}
	if options.MaxBytes == 0 {
		options.MaxBytes = 4 << 30
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	if options.Log == nil {
		options.Log = slog.Default()
	}
	seal := database.NewSealer(keys, "outbox")
	return &Outbox{
		db: db, seal: seal, parts: database.NewParts("outbox_part", seal), sender: sender, options: options,
		wake: make(chan struct{}, 1), notes: make(chan struct{}, 1),
	}
}

// errFull: MaxQueued or MaxBytes is reached.
var errFull = errors.New("outbox is full")

// Put commits a submission with its photos; once it returns nil the submission is never lost. An
// id that is already there is nil too and changes nothing: a double click, a reload and a resend
// make one row. An error wraps agency.ErrUnavailable, and then nothing was stored – or, if the
// connection broke in the commit, a second Put with the same id finds it there.
func (o *Outbox) Put(ctx context.Context, s agency.Submission) error {
	if err := o.store(ctx, s, Queued); err != nil {
		return err
	}
	wake(o.wake)
	o.options.Guardians.Wake()
	return nil
}

// wake lets the one who waits on a channel go on, once.
func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Hold commits a submission as Put does, but delivers it only when an operator says so (Requeue).
func (o *Outbox) Hold(ctx context.Context, s agency.Submission) error {
	err := o.store(ctx, s, Suspected)
	if err == nil {
		wake(o.notes)
		o.options.Log.Warn("outbox: suspected of being spam, not sent, see: zedcard inbox show "+s.ID,
			"id", s.ID, "kind", s.Kind)
	}
	return err
}

// Has reports whether a submission with this id was put or held, be it delivered since.
func (o *Outbox) Has(ctx context.Context, id string) (bool, error) {
	err := o.db.Ready()
	if err == nil {
		err = o.db.QueryRowContext(ctx, "SELECT 1 FROM outbox WHERE id = $1", id).Scan(new(int))
	}
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("outbox: %w: %w", agency.ErrUnavailable, err)
	}
	return true, nil
}

func (o *Outbox) store(ctx context.Context, s agency.Submission, state State) error {
	err := o.insert(ctx, s, state)
	if database.IsFull(err) {
		o.db.Checkpoint(ctx)
		err = o.insert(ctx, s, state)
	}
	if err != nil {
		return fmt.Errorf("outbox: %w: %w", agency.ErrUnavailable, err)
	}
	return nil
}

func (o *Outbox) insert(ctx context.Context, s agency.Submission, state State) error {
	if err := o.db.Ready(); err != nil {
		return err
	}
	sealed, err := o.parts.Seal(ctx, s)
	if err != nil {
		return err
	}
	marks, err := o.marks(ctx, s)
	if err != nil {
		return err
	}
	request, err := o.options.Guardians.Prepare(ctx, s)
	if err != nil {
		return err
	}
	now := o.options.Now()
	keep := KeptFor(s, now)
	var purge, mail int64 // never, while it is queued
	if state != Queued {
		purge, mail = now.Add(keep).UnixMilli(), o.noteDue(now)
	}
	return o.db.InTx(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, `
			INSERT INTO outbox (id, kind, state, attempts, due_ms, lease_ms, created_ms, keep_days, purge_ms, fault,
				bytes, mail_ms)
			SELECT $1, $2, $7, 0, $3, 0, $3, $4, $8, $5, $9, $11
			WHERE (SELECT count(*) FROM outbox WHERE state = $7) < $6
				AND (SELECT coalesce(sum(bytes), 0) FROM outbox WHERE state <> 'delivered') <= $10
			ON CONFLICT (id) DO NOTHING`,
			s.ID, string(s.Kind), now.UnixMilli(), int64(keep/(24*time.Hour)),
			[]byte{}, o.options.MaxQueued, string(state), purge,
			sealed.Bytes(), o.options.MaxBytes-sealed.Bytes(), mail)
		if err != nil {
			return err
		}
		if rows, err := done.RowsAffected(); err != nil {
			return err
		} else if rows == 0 {
			return o.mustExist(ctx, tx, s.ID)
		}
		for _, mark := range marks {
			if _, err := tx.ExecContext(ctx,
				"INSERT INTO outbox_address (id, mark) VALUES ($1, $2) ON CONFLICT DO NOTHING", s.ID, mark,
			); err != nil {
				return err
			}
		}
		if err := o.options.Guardians.Insert(ctx, tx, request); err != nil {
			return err
		}
		return o.parts.Insert(ctx, tx, sealed)
	})
}

// noteDue is when the operator is to be told of something that happens now; 0: never.
func (o *Outbox) noteDue(now time.Time) int64 {
	if o.options.Notify == nil {
		return 0
	}
	return now.UnixMilli()
}

// mustExist tells the two reasons apart for which nothing was inserted.
func (o *Outbox) mustExist(ctx context.Context, tx *sql.Tx, id string) error {
	var there int
	err := tx.QueryRowContext(ctx, "SELECT 1 FROM outbox WHERE id = $1", id).Scan(&there)
	if errors.Is(err, sql.ErrNoRows) {
		return errFull
	}
	return err
}

// KeptFor is how long a submission is kept that nobody fetches.
func KeptFor(s agency.Submission, now time.Time) time.Duration {
	for _, field := range s.Fields {
		if field.Name != "birthdate" {
			continue
		}
		birth, err := time.Parse(time.DateOnly, field.Value)
		if err == nil && agency.Underage(birth, now) {
			return agency.MinorRetention
		}
	}
	return agency.Retention
}
