// Package inbox stores the submissions that the embedded back end receives. It is also how operators read and export
// them, together with submissions that wait in the outbox or were refused by the panel. The contents are sealed in the
// site's database and removed after half a year; those of minors after 15 days, unless a responsible adult has
// confirmed (Confirm).
package inbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/database"
	"zedcard/internal/guardian"
	"zedcard/internal/outbox"
)

// Received is the state of submissions that did not come through the outbox of this database.
const Received outbox.State = "received"

// Inbox is the embedded back end's store of submissions.
type Inbox struct {
	db      *database.DB
	parts   database.Parts
	outbox  *outbox.Outbox
	options Options
	notes   outbox.Notifier

	wake chan struct{} // a submission was received
}

// Options are the settings of an Inbox; a zero field takes its default.
type Options struct {
	MaxBytes int64 // size of all contents above which Put refuses; 4 GiB. A twentieth is left to those without photos.

	Notify func(context.Context, outbox.Notice) error // sends a note of each submission; nil: none
	Now    func() time.Time                           // time.Now
	Log    *slog.Logger
}

// New is the inbox in an open database. out is the outbox in the same database, nil for an inbox that only receives.
func New(db *database.DB, keys database.Keys, out *outbox.Outbox, options Options) *Inbox {
	if options.MaxBytes == 0 {
		options.MaxBytes = 4 << 30
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	if options.Log == nil {
		options.Log = slog.Default()
	}
	return &Inbox{
		db: db, parts: database.NewParts("inbox_part", database.NewSealer(keys, "inbox")),
		outbox: out, options: options,
		notes: outbox.Notifier{DB: db, Table: "inbox", Notify: options.Notify, Now: options.Now, Log: options.Log},
		wake:  make(chan struct{}, 1),
	}
}

// errFull: MaxBytes is reached.
var errFull = errors.New("inbox is full (OUTBOX_SIZE)")

// Put stores a submission; one with a stored id changes nothing and is no error. An error wraps agency.ErrUnavailable:
// the sender keeps the submission and repeats it. A full inbox refuses photos before texts, and drops nothing.
func (b *Inbox) Put(ctx context.Context, s agency.Submission) error {
	if err := b.put(ctx, s); err != nil {
		return fmt.Errorf("inbox: put: %w: %w", agency.ErrUnavailable, err)
	}
	select {
	case b.wake <- struct{}{}:
	default:
	}
	return nil
}

func (b *Inbox) put(ctx context.Context, s agency.Submission) error {
	if err := b.db.Ready(); err != nil {
		return err
	}
	sealed, err := b.parts.Seal(ctx, s)
	if err != nil {
		return err
	}
	now := b.options.Now()
	var mailDue int64 // 0: no note is due
	if b.options.Notify != nil {
		mailDue = now.UnixMilli()
	}
	limit := b.options.MaxBytes
	if len(s.Files) > 0 {
		limit -= limit / 20
	}
	return b.db.InTx(ctx, func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, `
			INSERT INTO inbox (id, kind, created_ms, purge_ms, mail_ms, bytes)
			SELECT $1, $2, $3, $4, $5, $6
			WHERE (SELECT coalesce(sum(bytes), 0) FROM inbox) <= $7
			ON CONFLICT (id) DO NOTHING`,
			s.ID, string(s.Kind), now.UnixMilli(), now.Add(outbox.RetentionFor(s, now)).UnixMilli(), mailDue,
			sealed.Bytes(), limit-sealed.Bytes())
		if err != nil {
			return err
		}
		if rows, err := result.RowsAffected(); err != nil {
			return err
		} else if rows == 0 {
			return mustExist(ctx, tx, s.ID)
		}
		return b.parts.Insert(ctx, tx, sealed)
	})
}

// mustExist tells apart the two reasons why nothing was inserted: the id exists, or the inbox is full.
func mustExist(ctx context.Context, tx *sql.Tx, id string) error {
	err := tx.QueryRowContext(ctx, "SELECT 1 FROM inbox WHERE id = $1", id).Scan(new(int))
	if errors.Is(err, sql.ErrNoRows) {
		return errFull
	}
	return err
}

// Entry is a submission in the inbox or the outbox.
type Entry struct {
	ID        string       `json:"id"`
	Kind      agency.Kind  `json:"kind"`
	State     outbox.State `json:"state"`
	Time      time.Time    `json:"time"`
	Name      string       `json:"name"`
	Email     string       `json:"email"`
	LastError string       `json:"fault,omitempty"` // the panel's last error
	// Guardian is, for a minor's application, whether a parent or guardian has confirmed it.
	Guardian string `json:"guardian,omitempty"`

	received bool // it is in the inbox
}

// Entries are all submissions, the oldest first. One that was delivered to an external panel no longer has name and
// e-mail address.
func (b *Inbox) Entries(ctx context.Context) ([]Entry, error) {
	outgoing, err := b.outbox.List(ctx)
	if err != nil {
		return nil, err
	}
	entries, err := b.received(ctx)
	if err != nil {
		return nil, fmt.Errorf("inbox: %w", err)
	}
	index := make(map[string]int, len(entries))
	for i := range entries {
		e := &entries[i]
		index[e.ID] = i
		fields, err := b.parts.Fields(ctx, b.db, e.ID)
		if err != nil {
			e.LastError = err.Error() // one unreadable entry must not hide the others
		}
		e.Name, e.Email = database.ContactOf(fields)
		e.Guardian = unconfirmedText(database.HasGuardian(fields))
	}
	for _, s := range outgoing {
		if i, ok := index[s.ID]; ok { // it came through the outbox
			entries[i].State, entries[i].Time = s.State, s.Created
			continue
		}
		entries = append(entries, Entry{
			ID: s.ID, Kind: s.Kind, State: s.State, Time: s.Created,
			Name: s.Name, Email: s.Email, LastError: s.LastError,
			Guardian: unconfirmedText(s.Minor),
		})
	}
	statuses, err := guardian.Statuses(ctx, b.db)
	if err != nil {
		return nil, fmt.Errorf("inbox: %w", err)
	}
	for i := range entries {
		if status, ok := statuses[entries[i].ID]; ok {
			entries[i].Guardian = status.String()
		}
	}
	slices.SortStableFunc(entries, func(a, b Entry) int { return a.Time.Compare(b.Time) })
	return entries, nil
}

// received reads the inbox's rows.
func (b *Inbox) received(ctx context.Context) ([]Entry, error) {
	rows, err := b.db.QueryContext(ctx,
		"SELECT id, kind, created_ms FROM inbox WHERE "+unexpired+" ORDER BY created_ms, id", b.unexpiredArgs()...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var entries []Entry
	for rows.Next() {
		e := Entry{State: Received, received: true}
		var created int64
		if err := rows.Scan(&e.ID, &e.Kind, &created); err != nil {
			return nil, err
		}
		e.Time = time.UnixMilli(created).UTC()
		entries = append(entries, e)
	}
	return entries, rows.Err()
}

// unconfirmedText is Entry.Guardian without a recorded confirmation.
func unconfirmedText(minor bool) string {
	if !minor {
		return ""
	}
	return guardian.Status{}.String()
}

// Find is an entry with its submission. An unknown id is agency.ErrNotFound.
func (b *Inbox) Find(ctx context.Context, id string) (Entry, agency.Submission, error) {
	entry, err := b.entry(ctx, id)
	if err != nil {
		return Entry{}, agency.Submission{}, err
	}
	s, err := b.load(ctx, entry)
	return entry, s, err
}

// entry is the entry with this id or reference.
func (b *Inbox) entry(ctx context.Context, id string) (Entry, error) {
	entries, err := b.Entries(ctx)
	if err != nil {
		return Entry{}, err
	}
	matches := func(e Entry) bool { return e.ID == id }
	if reference, ok := agency.ParseReference(id); ok {
		matches = func(e Entry) bool { return reference.Matches(e.ID) }
	}
	i := slices.IndexFunc(entries, matches)
	if i < 0 {
		return Entry{}, fmt.Errorf("inbox: %s: %w", id, agency.ErrNotFound)
	}
	return entries[i], nil
}

// load reads the content of a submission; empty if it was delivered to an external panel.
func (b *Inbox) load(ctx context.Context, e Entry) (agency.Submission, error) {
	if e.received {
		return b.parts.Load(ctx, b.db, e.Kind, e.ID)
	}
	_, s, err := b.outbox.Show(ctx, e.ID)
	if errors.Is(err, agency.ErrNotFound) { // delivered and removed in the meantime
		err = nil
	}
	return s, err
}
