package intake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"zedcard/internal/agency"
	"zedcard/internal/database"
)

// Entry is a stored submission, as operators see it. Name, Email and LastError are empty once an external panel has it.
type Entry struct {
	ID        string
	Kind      agency.Kind
	State     State
	Time      time.Time
	Name      string
	Email     string
	LastError string // the panel's last error
	// Guardian is, for a minor's application, whether a parent or guardian has confirmed it.
	Guardian string
	// Due is the day by which an answer was promised; zero where the panel has it, or a guardian comes first.
	Due  time.Time
	Done time.Time // when the agency said that it is answered

	Key       string // of its link; only from Inbox
	Birthdate string // of who may be looked at, as it was sent
	Photos    int    // how many may be looked at
	Minor     bool
	Confirmed time.Time // by a guardian

	attempts  int
	inboxed   bool // the embedded back end has it
	emptied   bool // its content was removed
	fault     []byte
	unreadErr error // why its content can't be read
}

// Reference is the one on the sender's receipt.
func (e Entry) Reference() agency.Reference {
	return agency.NewReference(formOf(e.Kind, e.Minor), e.Time, e.ID)
}

// EraseOn is the day on which the embedded back end's is erased: that of a minor is kept like an adult's once the
// guardian has confirmed it.
func (e Entry) EraseOn() time.Time {
	return agency.NewReference(formOf(e.Kind, e.Withheld()), e.Time, e.ID).EraseOn()
}

// Withheld reports whether nobody may look yet at what a minor sent, because no guardian has confirmed it. The entry
// then has the guardian's name and address.
func (e Entry) Withheld() bool { return e.Minor && e.Confirmed.IsZero() }

// dueDay is the day by which an answer was promised, where the agency finds the submission here.
func (e Entry) dueDay() time.Time {
	reference := e.Reference()
	switch {
	case e.emptied, e.State == Queued, e.State == Waiting:
		return time.Time{}
	case !e.Confirmed.IsZero(): // a guardian's page promises it from then on
		reference = agency.NewReference(agency.ApplicationReference, e.Confirmed, e.ID)
	}
	return reference.AnswerBy()
}

// overdue reports whether the day by which an answer was promised is over.
func (e Entry) overdue(now time.Time) bool {
	return e.Due.Format(time.DateOnly) < now.Local().Format(time.DateOnly)
}

// Entries are all submissions, the oldest first.
func (in *Intake) Entries(ctx context.Context) ([]Entry, error) {
	entries, err := in.listEntries(ctx)
	for i := range entries {
		in.describe(ctx, &entries[i])
	}
	return entries, err
}

// describe decrypts who sent an entry, and its fault. If that fails, the fault says so, so that one entry does not hide
// the others.
func (in *Intake) describe(ctx context.Context, e *Entry) {
	if _, err := in.read(ctx, e, false); err != nil {
		e.LastError, e.unreadErr = err.Error(), err
	}
}

// read decrypts as much of an entry's submission as may be seen, on demand with its photos, and describes the entry by
// it. Nothing is left of one that was delivered, perhaps since the entry was read.
func (in *Intake) read(ctx context.Context, e *Entry, photos bool) (s agency.Submission, err error) {
	if e.emptied {
		return s, nil
	}
	s, err = in.findContent(ctx, in.db, e.ID, photos && !e.Withheld())
	if e.emptied = errors.Is(err, agency.ErrNotFound); e.emptied {
		return agency.Submission{}, nil
	}
	if err == nil && len(e.fault) > 0 {
		err = in.openValue(ctx, e.fault, e.ID+"/fault", &e.LastError)
	}
	if e.Withheld() {
		s = s.Withheld()
	}
	e.Name, e.Email = s.Contact()
	e.Birthdate = s.Birthdate()
	return s, err
}

// guardianStatus is how far a guardian's confirmation is. A zero time means that it has not happened.
func guardianStatus(asked bool, sent, refused, confirmed time.Time) string {
	switch {
	case !confirmed.IsZero():
		return "confirmed at " + confirmed.Format(time.RFC3339)
	case !sent.IsZero():
		return "not confirmed, asked by mail at " + sent.Format(time.RFC3339)
	case !refused.IsZero():
		return "not confirmed, the mail server refused their address at " + refused.Format(time.RFC3339)
	case asked:
		return "not confirmed, the mail to them is not sent yet"
	}
	return "not confirmed"
}

// List writes one line for each entry: id, kind, state, time, name and e-mail address in columns. Entries that can't
// be read are an error after all lines.
func (in *Intake) List(ctx context.Context, w io.Writer) error {
	entries, err := in.Entries(ctx)
	if err != nil {
		return err
	}
	unread, why := 0, error(nil)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, e := range entries {
		if e.unreadErr != nil {
			unread, why = unread+1, e.unreadErr
		}
		cells := []string{e.ID, string(e.Kind), string(e.State), e.Time.Format(time.RFC3339), e.Name, e.Email}
		fmt.Fprintln(table, printable(strings.Join(cells, "\t")))
	}
	if err := table.Flush(); err != nil || unread == 0 {
		return err
	}
	return fmt.Errorf("intake: %d of %d submissions can't be read: %w", unread, len(entries), why)
}

// Show writes one submission: a line for each field and each box that was ticked, the names and sizes of its photos,
// and what was done with it.
func (in *Intake) Show(ctx context.Context, w io.Writer, id string) error {
	e, s, err := in.Find(ctx, id)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintln(table, printable(name+"\t"+strings.ReplaceAll(value, "\n", "\n\t")))
		}
	}
	line("id", e.ID)
	line("kind", string(e.Kind))
	line("state", string(e.State))
	line("time", e.Time.Format(time.RFC3339))
	line("fault", e.LastError)
	line("guardian", e.Guardian)
	if !e.Due.IsZero() {
		line("answer", "by "+e.Due.Format(time.DateOnly))
	}
	for _, field := range s.Fields {
		if field.Name != agency.ConsentsField {
			line(field.Name, field.Value)
		}
	}
	agreed, err := in.Agreed(ctx, agency.Consents(s.Fields))
	if err != nil {
		return err
	}
	for _, a := range agreed {
		line("consent", a.String())
	}
	for _, file := range s.Files {
		line(file.Field, fmt.Sprintf("%s (%s, %d KB)", file.Name, file.Type, (len(file.Data)+1023)/1024))
	}
	events, err := in.History(ctx, e.ID)
	if err != nil {
		return err
	}
	for _, event := range events {
		line("history", event.Time.Format(time.RFC3339)+" "+event.Action)
	}
	return table.Flush()
}

// printable removes control characters, with which a visitor's text could control the operator's terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
			return '\uFFFD'
		}
		return r
	}, text)
}

// Find is an entry, by its id or the reference of its receipt, with as much of its submission as may be seen: nothing
// once an external panel has it. An unknown one is agency.ErrNotFound.
func (in *Intake) Find(ctx context.Context, id string) (e Entry, s agency.Submission, err error) {
	if e, err = in.findEntry(ctx, id); err == nil {
		s, err = in.read(ctx, &e, true)
	}
	return e, s, err
}

// ErrNotScrubbed is the error of who erases while the database's log can't be emptied: a site that runs empties it
// within a minute of what is in its way.
var ErrNotScrubbed = errors.New("it is erased, but the database's log still has a copy; a running site removes it " +
	"within a minute after this ends")

// Erase removes a submission, by its id or the reference of its receipt, with all that belongs to it, and writes a line
// about it. For one that a panel has, or may have, it also writes its idempotency key. A delivery in progress may still
// reach the panel. An unknown one is agency.ErrNotFound.
func (in *Intake) Erase(ctx context.Context, w io.Writer, id string) error {
	e, err := in.findEntry(ctx, id)
	if err != nil {
		return err
	}
	return in.erase(ctx, w, e)
}

// EraseAddress does the same with all submissions that contain a mail address, of the sender or of the responsible
// adult, also with delivered ones.
func (in *Intake) EraseAddress(ctx context.Context, w io.Writer, address string) error {
	entries, err := in.Entries(ctx)
	if err != nil {
		return err
	}
	ids, err := in.listByAddress(ctx, address)
	if err != nil {
		return fmt.Errorf("intake: %w", err)
	}
	for _, e := range entries {
		if errors.Is(e.unreadErr, database.ErrSealed) && !slices.Contains(ids, e.ID) {
			fmt.Fprintf(w, "%s can't be read, look at it yourself: %v\n", printable(e.ID), e.unreadErr)
		}
	}
	if len(ids) == 0 {
		return fmt.Errorf("intake: no submission has this address: %w", agency.ErrNotFound)
	}
	entries = slices.DeleteFunc(entries, func(e Entry) bool { return !slices.Contains(ids, e.ID) })
	return in.erase(ctx, w, entries...)
}

// EraseHeld does the same with all submissions that are held because they may be spam.
func (in *Intake) EraseHeld(ctx context.Context, w io.Writer) error {
	entries, err := in.listEntries(ctx)
	if err != nil {
		return err
	}
	return in.erase(ctx, w, slices.DeleteFunc(entries, func(e Entry) bool { return e.State != Suspected })...)
}

func (in *Intake) erase(ctx context.Context, w io.Writer, entries ...Entry) error {
	for _, e := range entries {
		if err := in.deleteSubmission(ctx, &e); err != nil {
			return fmt.Errorf("intake: erase %s: %w", e.ID, err)
		}
		id := printable(e.ID)
		fmt.Fprintf(w, "%s erased\n", id)
		switch {
		case e.inboxed:
		case e.State == Delivered:
			fmt.Fprintf(w, "  the panel has it since %s (%s): erase it there, its key is %s\n",
				e.Time.Format(time.RFC3339), e.Kind, id)
		case e.attempts > 0:
			fmt.Fprintf(w, "  the panel may have it (%s): look for the key %s there\n", e.Kind, id)
		}
	}
	if err := in.db.Scrub(ctx); err != nil {
		return fmt.Errorf("intake: %w: %w", ErrNotScrubbed, err)
	}
	return nil
}
