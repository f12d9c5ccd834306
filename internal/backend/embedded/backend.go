package embedded

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/content"
)

// Config is what a back end needs beside its folder.
type Config struct {
	// The credentials of the two sign-in calls. A call whose credentials are empty accepts nobody.
	PanelSalt, APIToken     string
	IntegrationSalt, APIKey string

	// Inbox receives submissions; nil accepts and drops them.
	Inbox Inbox
	// Card makes the files of a talent's composite card; nil takes the cover and the first four pictures of the book.
	// The talent has its birth date and all measures: Card must leave out what is not shown of a minor. open reads a
	// picture by its path in the talent.
	Card func(ctx context.Context, talent agency.Talent, open func(file string) ([]byte, error)) ([]NamedFile, error)

	TempDir         string                 // of zips while they are made and sent; empty: the system's
	MinorCategories agency.MinorCategories // which categories are of minors

	CheckInterval time.Duration    // how often the folder is checked for changes; 0: each second
	Now           func() time.Time // nil: time.Now
	Log           *slog.Logger     // nil: no log
}

func (c Config) withDefaults() Config {
	c.CheckInterval = cmp.Or(c.CheckInterval, time.Second)
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

// Inbox stores submissions. On an error the submission is not stored, and the sender is asked to repeat it. Receive may
// get a submission a second time, if the sender missed the answer and the program was restarted in between.
type Inbox interface {
	Receive(context.Context, agency.Submission) error
}

// NamedFile is a file of a composite card; Name is its name in the zip.
type NamedFile struct {
	Name string
	Data []byte
}

// Backend answers both APIs from a content folder. Safe for concurrent use.
type Backend struct {
	folder  fs.FS
	config  Config
	handler http.Handler

	checking  sync.Mutex // held while the folder is checked
	checkedAt time.Time
	state     atomic.Pointer[state]
}

// ErrEmpty is the error of a folder without any content: most likely it is another than the one that was meant.
var ErrEmpty = errors.New("holds no content; zedcard init FOLDER writes a folder to begin with")

// Open reads the folder. Entries with faults are left out and logged; Open fails only if the folder can't be read or is
// empty.
func Open(folder fs.FS, config Config) (*Backend, error) {
	config = config.withDefaults()
	b := &Backend{folder: content.Folder(folder), config: config, checkedAt: config.Now()}
	b.handler = b.withStorage(NewAPI(b, config))
	tree, err := scan(b.folder)
	if err != nil {
		return nil, err
	}
	if tree.isEmpty() {
		return nil, ErrEmpty
	}
	b.state.Store(load(b.folder, tree, goodVersions{}, nil, config))
	b.logFaults()
	return b, nil
}

// Handler answers both APIs, and the pictures under /storage/.
func (b *Backend) Handler() http.Handler { return b.handler }

// Version changes with the content: answers under the same version are equal.
func (b *Backend) Version() string { return b.current().fingerprint }

// current is the content, at most CheckInterval old. One caller checks the folder; others use the current content
// meanwhile.
func (b *Backend) current() *state {
	if !b.checking.TryLock() {
		return b.state.Load()
	}
	defer b.checking.Unlock()
	now := b.config.Now()
	old := b.state.Load()
	if now.Sub(b.checkedAt) < b.config.CheckInterval {
		return old
	}
	b.checkedAt = now
	tree, err := scan(b.folder)
	if err != nil {
		b.config.Log.Error("the content folder can't be read; its last good content is served", "error", err)
		return old
	}
	if tree.fingerprint == old.fingerprint {
		return old
	}
	next := load(b.folder, tree, old.goodVersions, old.sizes, b.config)
	b.config.Log.Info("content reloaded", "version", tree.fingerprint, "faults", len(next.faults))
	b.state.Store(next)
	b.logFaults()
	return next
}

func (b *Backend) logFaults() {
	for _, fault := range b.state.Load().faults {
		if !fault.Remark {
			b.config.Log.Warn("content: "+fault.Text(i18n.EN), "file", fault.File, "line", fault.Line)
		}
	}
}

// openPicture reads a picture of the folder for a composite card.
func (b *Backend) openPicture(file string) ([]byte, error) {
	if !servable(file) {
		return nil, fmt.Errorf("%s: %w", strings.ToValidUTF8(file, "?"), fs.ErrNotExist)
	}
	return fs.ReadFile(b.folder, file)
}
