// Package outbox stores submissions until the panel has them. A submission is committed with its photos before the
// visitor is told "sent"; Run retries the delivery until it succeeds or the panel refuses it permanently. The
// submission's id is the idempotency key.
//
// # Why a table of our own
//
// Three engines were tested with the same harness: random kill -9, restart, drain, against a panel that fails one call
// in ten; 8 workers, lease 5 s. "Lost" were answered "sent" and never delivered, "twice" reached the panel more than
// once.
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
// None lost anything. goqite silently gives up on a message after three tries, and its serializable transactions
// collide on PostgreSQL (a drain took 13 to 22 s instead of 7). river repeats three times as much after a kill, because
// it marks finished jobs in batches; a job whose process died waits an hour by default; its SQLite driver exists only
// for an old release; and its client's type depends on the database. Two hundred lines of SQL that say exactly when a
// submission is tried, kept and emptied are easier to understand than either.
//
// # When it is tried
//
// At once; then after 4 s, doubled each time up to 14 minutes, of which a random half to all is waited. With queueing,
// that stays below the promised 15 minutes. At the start everything queued is due. Retries are paced (5 a second), so
// that a recovering panel is not overloaded; new submissions have a lane of their own and never wait for retries. After
// three failures in a row, the first success makes all waiting submissions due at once, the oldest first.
//
// # Why a killed delivery waits for its lease
//
// A delivery has a lease of 50 s, on either database: 40 s for the panel, which may be slow to take photos, and 10 s to
// store the outcome. So a submission whose process was killed is tried again within a minute; nobody waits for that,
// because the visitor has been told "sent". Ways to notice sooner were considered, and would repeat deliveries that are
// merely slow. A short lease, renewed during the delivery, ends whenever the database does not answer for a few
// seconds. A lock of the PostgreSQL session is free at once after a kill, but also when only the connection broke or
// the server restarted; and if a whole machine is gone, it is held until TCP notices, which takes longer than the
// lease. At the start, too, leases are kept: the process before may still be finishing its deliveries.
//
// # What is kept
//
// The content is sealed (database.Sealer) and removed as soon as it is delivered; the id, kind and times stay for 30
// days, so that a repeat is recognised. Refused and held submissions are kept for an operator to read, deliver or
// export, and removed after agency.Retention, or agency.MinorRetention for somebody under 18. Queued ones are never
// removed, because the visitor was told that they were sent.
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

// keepDelivered is how long the id of a delivered submission is kept, so that a repeat is recognised.
const keepDelivered = 30 * 24 * time.Hour

// State is the state of a submission.
type State string

// The states of a submission.
const (
	Queued    State = "queued"    // waits for the panel
	Delivered State = "delivered" // the panel has it; its content was removed here
	Refused   State = "refused"   // by the panel, permanently; kept for the operator
	Suspected State = "suspected" // held because it may be spam; kept for the operator
)

// Sender delivers a submission to the panel. Nil means that the panel has it, an error that wraps agency.ErrRejected
// that the panel refuses it permanently; after any other error the delivery is retried.
type Sender interface {
	Send(context.Context, agency.Submission) error
}

// Options are the settings of an Outbox; a zero field takes its default.
type Options struct {
	Workers   int           // concurrent deliveries in each lane; 4
	Pace      time.Duration // time between two retries; 200 ms
	Lease     time.Duration // how long a process may take for a delivery; 50 s
	MaxQueued int           // submissions above which Put refuses, and held ones above which Hold does; 10,000
	MaxBytes  int64         // size of all contents, those in the inbox included, above which both refuse; 4 GiB
	// ClientBytes is what one client's submissions with photos may take that came within a day; an eighth of MaxBytes,
	// but at least as much as one application.
	ClientBytes int64
	// Notify sends the operator a note of a held or refused submission; nil: none.
	Notify func(context.Context, Notice) error
	// Guardians asks the parents of applicants under 18 to confirm; nil: nobody is asked.
	Guardians *guardian.Requests
	Now       func() time.Time // time.Now
	Log       *slog.Logger
}

// Outbox is the table of submissions. Several processes may share one database.
type Outbox struct {
	db      *database.DB
	sealer  *database.Sealer
	parts   database.Parts
	sender  Sender
	options Options

	wake                chan struct{} // a submission was added
	notes               chan struct{} // a note is due
	unstored            atomic.Int64  // outcomes that could not be stored yet
	consecutiveFailures atomic.Int64  // failures in a row
	filling             bool          // only of the sweep: four fifths were in use
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
	if options.ClientBytes == 0 {
		options.ClientBytes = max(options.MaxBytes/8, largestApplication)
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	if options.Log == nil {
		options.Log = slog.Default()
	}
	sealer := database.NewSealer(keys, "outbox")
	return &Outbox{
		db: db, sealer: sealer, parts: database.NewParts("outbox_part", sealer), sender: sender, options: options,
		wake: make(chan struct{}, 1), notes: make(chan struct{}, 1),
	}
}

// Errors of a full outbox.
var (
	errFull      = errors.New("outbox is full (OUTBOX_SIZE)")
	errShareUsed = errors.New("this client's share of a day is used up")
)

const (
	largestApplication = 32 << 20 // three photos of 10 MiB
	shareWindow        = 24 * time.Hour
)

// reserve is the part of MaxBytes that is left to queued submissions without photos. Held submissions take as much at
// most, and so do refused ones when others need the room.
func (o *Outbox) reserve() int64 { return o.options.MaxBytes / 20 }

// Put commits a submission with its photos; once it returns nil the submission is never lost. For an id that exists it
// changes nothing and returns nil: a double click, a reload and a resend make one row. An error wraps
// agency.ErrUnavailable, and nothing was stored; if the connection broke in the commit, it may have been, and a second
// Put with the same id is safe.
func (o *Outbox) Put(ctx context.Context, s agency.Submission) error {
	if err := o.store(ctx, s, Queued); err != nil {
		return err
	}
	wake(o.wake)
	o.options.Guardians.Wake()
	return nil
}

// wake wakes the goroutine that waits on a channel, or the next one to wait.
func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Hold commits a submission like Put, but it is delivered only when an operator requeues it.
func (o *Outbox) Hold(ctx context.Context, s agency.Submission) error {
	err := o.store(ctx, s, Suspected)
	if err == nil {
		wake(o.notes)
		o.options.Log.Warn("outbox: suspected of being spam, not sent, see: zedcard inbox show "+s.ID,
			"id", s.ID, "kind", s.Kind)
	}
	return err
}

// Has reports whether a submission with this id was put or held, even if it has been delivered.
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
	if err == nil && state == Suspected && sealed.Bytes() > o.reserve() {
		s.Files = nil // larger than all held ones may be
		sealed, err = o.parts.Seal(ctx, s)
	}
	if err != nil {
		return err
	}
	digests, err := o.addressDigests(ctx, s)
	if err != nil {
		return err
	}
	request, err := o.options.Guardians.Prepare(ctx, s)
	if err != nil {
		return err
	}
	client, err := o.clientDigest(ctx, s)
	if err != nil {
		return err
	}
	now := o.options.Now()
	retention := RetentionFor(s, now)
	var purgeAt, mailDue int64 // 0: never while it is queued
	if state != Queued {
		purgeAt, mailDue = now.Add(retention).UnixMilli(), o.noteDue(now)
	}
	return o.db.InTx(ctx, func(tx *sql.Tx) error {
		if exists, err := o.exists(ctx, tx, s.ID); err != nil || exists {
			return err
		}
		if err := o.admit(ctx, tx, admission{state, client, sealed.Bytes(), len(s.Files) > 0, now}); err != nil {
			return err
		}
		result, err := tx.ExecContext(ctx, `
			INSERT INTO outbox (id, kind, state, attempts, due_ms, lease_ms, created_ms, keep_days, purge_ms, fault,
				bytes, mail_ms, client)
			VALUES ($1, $2, $6, 0, $3, 0, $3, $4, $7, $5, $8, $9, $10)
			ON CONFLICT (id) DO NOTHING`,
			s.ID, string(s.Kind), now.UnixMilli(), int64(retention/(24*time.Hour)), []byte{}, string(state), purgeAt,
			sealed.Bytes(), mailDue, client)
		if err != nil {
			return err
		}
		if rows, err := result.RowsAffected(); err != nil || rows == 0 {
			return err // another process stored it meanwhile
		}
		for _, digest := range digests {
			if _, err := tx.ExecContext(ctx,
				"INSERT INTO outbox_address (id, mark) VALUES ($1, $2) ON CONFLICT DO NOTHING", s.ID, digest,
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

// noteDue is when a note of an event is due; 0 means never.
func (o *Outbox) noteDue(now time.Time) int64 {
	if o.options.Notify == nil {
		return 0
	}
	return now.UnixMilli()
}

func (o *Outbox) exists(ctx context.Context, tx *sql.Tx, id string) (bool, error) {
	err := tx.QueryRowContext(ctx, "SELECT 1 FROM outbox WHERE id = $1", id).Scan(new(int))
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// RetentionFor is how long a submission is kept unless it is delivered.
func RetentionFor(s agency.Submission, now time.Time) time.Duration {
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
