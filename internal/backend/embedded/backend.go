package embedded

import (
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

	"zedcard/internal/agency"
)

// Config is what a back end needs beside its folder.
type Config struct {
	// What the two sign-in calls accept. A call whose pair is empty here accepts nobody.
	PanelSalt, APIToken     string
	IntegrationSalt, APIKey string

	// Inbox receives what the forms send; nil accepts and forgets it.
	Inbox Inbox
	// Card makes the files of a talent's composite card; nil takes the cover and the first four
	// pictures of the book. The talent has its birth date and all measures: what a minor does not
	// show is for Card to leave out. Open reads a picture by the path that the talent names it with.
	Card func(ctx context.Context, talent agency.Talent, open func(file string) ([]byte, error)) ([]NamedFile, error)

	LookEvery time.Duration    // how long a change of the folder may stay unseen; 0: a second
	Now       func() time.Time // nil: time.Now
	Log       *slog.Logger     // nil: no log
}

// Inbox keeps submissions. An error means that it is not kept, and the sender is told to come again.
// Put may be given a submission that it has already, when its sender missed the answer and the
// program was started anew meanwhile.
type Inbox interface {
	Put(context.Context, agency.Submission) error
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

	panel, integration *tokenIssuer
	keys               idempotencyKeys

	looking  sync.Mutex // held by the one who looks at the folder
	lookedAt time.Time
	state    atomic.Pointer[state]
}

// state is the content together with the look of the folder that it was read from.
type state struct {
	*content
	fingerprint string
}

// Open reads the folder. What has faults is left out and logged; Open fails only where nothing
// could be told without it: the folder itself, categories.yaml and options.yaml. Its error has one line for each fault.
func Open(folder fs.FS, config Config) (*Backend, error) {
	if config.LookEvery == 0 {
		config.LookEvery = time.Second
	}
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	b := &Backend{
		folder: folder, config: config,
		panel:       newTokenIssuer(config.PanelSalt, config.APIToken, config.Now),
		integration: newTokenIssuer(config.IntegrationSalt, config.APIKey, config.Now),
		keys:        idempotencyKeys{now: config.Now, keys: map[string]delivery{}},
		lookedAt:    config.Now(),
	}
	tree, err := scan(folder)
	if err != nil {
		return nil, err
	}
	content, faults := load(folder, tree, nil, config.Now())
	var fatal []error
	for _, fault := range faults {
		if fault.File == "categories.yaml" || fault.File == "options.yaml" {
			fatal = append(fatal, errors.New(fault.String()))
		}
	}
	if len(fatal) > 0 {
		return nil, errors.Join(fatal...)
	}
	b.logFaults(faults)
	b.state.Store(&state{content, tree.fingerprint})
	b.handler = b.routes()
	return b, nil
}

// Handler answers both APIs, and the pictures under /storage/.
func (b *Backend) Handler() http.Handler { return b.handler }

// Version changes with the content: two answers that were made under the same version say the same.
func (b *Backend) Version() string { return b.current().fingerprint }

// current is the content as of at most a second ago. One caller looks; the others go on with
// what there is.
func (b *Backend) current() *state {
	if !b.looking.TryLock() {
		return b.state.Load()
	}
	defer b.looking.Unlock()
	now := b.config.Now()
	old := b.state.Load()
	if now.Sub(b.lookedAt) < b.config.LookEvery {
		return old
	}
	b.lookedAt = now
	tree, err := scan(b.folder)
	if err != nil {
		b.config.Log.Error("the content folder can't be read; its last state is served", "error", err)
		return old
	}
	if tree.fingerprint == old.fingerprint {
		return old
	}
	content, faults := load(b.folder, tree, old.content, now)
	b.logFaults(faults)
	b.config.Log.Info("content read again", "version", tree.fingerprint, "faults", len(faults))
	b.state.Store(&state{content, tree.fingerprint})
	return b.state.Load()
}

func (b *Backend) logFaults(faults []Fault) {
	for _, fault := range faults {
		b.config.Log.Warn("content: "+fault.Text, "file", fault.File, "line", fault.Line)
	}
}

// openPicture reads a picture of the folder for a composite card.
func (b *Backend) openPicture(file string) ([]byte, error) {
	if !servable(file) {
		return nil, fmt.Errorf("%s: %w", strings.ToValidUTF8(file, "?"), fs.ErrNotExist)
	}
	return fs.ReadFile(b.folder, file)
}
