// Package folder reads an agency's folder of files that an editor writes by hand, described in docs/content.md. Each
// reading of it is a Content, which is never changed. The folder demo beside this file is a complete example.
//
// A folder of the disk is best opened with [os.OpenRoot], whose file system does not follow links out of the folder.
package folder

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/site"
)

// Config is what a Folder needs beside the files.
type Config struct {
	// Inbox receives submissions; nil accepts and drops them.
	Inbox Inbox
	// Card makes the files of a talent's composite card, by their names in the zip. The talent has its birth date and
	// all measures: Card must leave out what is not shown of a minor. open reads a picture by its path in the talent.
	Card func(ctx context.Context, talent agency.Talent, open func(file string) ([]byte, error)) ([]agency.File, error)

	MinorCategories agency.MinorCategories // which categories are of minors

	KeepDir string // keeps the last good content over a restart; empty: nothing does
	// Alert tells the agency that the folder is not taken; nil: nobody.
	Alert func(site *site.Site, subject, message string)

	Host string // the site's, which names an agency that has no agency.yaml yet

	SiteOnly bool // only what the agency decides about its site is read: talents and texts come from elsewhere
	decodes  bool // each picture, which the site does when it is first shown

	Now func() time.Time // nil: time.Now
	Log *slog.Logger     // nil: no log
}

// checkInterval is how often the folder is checked for changes.
const checkInterval = time.Second

func (c Config) withDefaults() Config {
	if c.Now == nil {
		c.Now = time.Now
	}
	c.Log = cmp.Or(c.Log, slog.New(slog.DiscardHandler))
	return c
}

// Inbox stores submissions. On an error the submission is not stored, and the sender is asked to repeat it. If the
// sender missed the answer, Receive gets a submission again, which it knows by its id.
type Inbox interface {
	Receive(context.Context, agency.Submission) error
}

// Folder is a content folder, which is read again when it changes. Safe for concurrent use.
type Folder struct {
	folder fs.FS
	config Config

	checking  sync.Mutex // held while the folder is checked
	checkedAt time.Time
	held      atomic.Pointer[hold] // what keeps the last content; nil: nothing
	state     atomic.Pointer[state]

	all     sync.Mutex // held while Check reads
	checked *state     // as Check read the folder last
}

// ErrEmpty is the error of a folder without any content: most likely it is another than the one that was meant.
var ErrEmpty = errors.New("holds no content; zedcard init FOLDER writes a folder to begin with")

// Open reads the folder. Entries with faults are left out and logged. What keeps it from being read, or taken, is an
// error only if there is no last good content.
func Open(folder fs.FS, config Config) (*Folder, error) {
	config = config.withDefaults()
	b := &Folder{folder: AnyForm{folder}, config: config, checkedAt: config.Now()}
	tree, err := scan(b.folder)
	last := b.lastContent()
	if last.site != nil {
		b.state.Store(last)
		b.take(last, tree, err)
		return b, nil
	}
	if err == nil && tree.isEmpty() && !config.SiteOnly {
		err = ErrEmpty
	}
	if err == nil {
		var first *loader
		if first, err = load(b.folder, tree, last, config); err == nil {
			b.use(first.next)
		}
	}
	return b, err
}

// Content is the folder as it is now; for editors (see agency.WithDrafts) with its drafts.
func (b *Folder) Content(ctx context.Context) *Content {
	if agency.SeesDrafts(ctx) {
		return b.current().preview
	}
	return b.current().public
}

// Own are the addresses that the folder adds to the site's.
func (b *Folder) Own(ctx context.Context) *agency.Own { return b.Content(ctx).own }

// Send puts a submission into the inbox.
func (b *Folder) Send(ctx context.Context, submission agency.Submission) error {
	submission.Guardian, submission.Client = agency.Guardian{}, "" // no back end has them
	if b.config.Inbox == nil {
		return nil
	}
	return b.config.Inbox.Receive(ctx, submission)
}

// OpenFile opens a file of public/ by its path in the folder.
func (b *Folder) OpenFile(name string) (fs.File, error) { return b.folder.Open(name) }

// Faults are what editors should correct, in the order of files and lines.
func (b *Folder) Faults() []Fault { return WithHeld(b.heldBack(), b.current().faults) }

// heldBack says why the last content stays; nothing: it does not.
func (b *Folder) heldBack() []Fault {
	if held := b.held.Load(); held != nil {
		return held.faults
	}
	return nil
}

// Check is what the function Check finds in the folder as it is now. A picture that it has seen is not decoded again.
func (b *Folder) Check() (faults, links []Fault) {
	b.all.Lock()
	defer b.all.Unlock()
	tree, err := scan(b.folder)
	if err == nil && (b.checked == nil || b.checked.fingerprint != tree.fingerprint) {
		last := &state{}
		if b.checked != nil {
			last.sizes = b.checked.sizes
		}
		config := b.config
		config.decodes = true
		var read *loader
		if read, err = load(b.folder, tree, last, config); err == nil {
			b.checked = read.next
		}
	}
	if err != nil {
		return b.Faults(), nil
	}
	return WithHeld(b.heldBack(), b.checked.faults), b.checked.links
}

// Held is how many things the guard holds back.
func (b *Folder) Held() int { return len(b.heldBack()) }

// IsDraft reports whether only editors may see a picture: nothing that everybody may see shows it.
func (b *Folder) IsDraft(file string) bool {
	now := b.current()
	return now.preview.pictures[file] && !now.public.pictures[file]
}

// current is the content, at most checkInterval old. One caller checks the folder; others use the current content
// meanwhile.
func (b *Folder) current() *state {
	if !b.checking.TryLock() {
		return b.state.Load()
	}
	defer b.checking.Unlock()
	now := b.config.Now()
	old := b.state.Load()
	if now.Sub(b.checkedAt) < checkInterval {
		return old
	}
	b.checkedAt = now
	tree, err := scan(b.folder)
	switch held := b.held.Load(); {
	case err != nil:
	case tree.fingerprint == old.fingerprint && (old.until.IsZero() || now.Before(old.until)):
		b.held.Store(nil)
		return old
	case held != nil && held.fingerprint == tree.fingerprint && !b.isAccepted(tree):
		return old
	}
	return b.take(old, tree, err)
}
