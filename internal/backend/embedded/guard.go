package embedded

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"zedcard/i18n"
	"zedcard/internal/content"
	"zedcard/internal/folder"
)

// The guard: a folder that is half synchronised, or moved away, must not take the talents off the site.

// quiet is how long a folder that talents vanished from must be unchanged before it is taken.
const quiet = 15 * time.Minute

// hold is a state of the folder that is not taken.
type hold struct {
	fingerprint string
	since       time.Time
	gone, of    int
	empty       bool // no talent is left: it is never taken by itself
}

// The files in Config.KeepDir.
const (
	lastFile     = "content.json"     // the last content, for a restart
	acceptedFile = "content.accepted" // the fingerprint of the folder that zedcard accept takes
)

// vanished is how many talents of one content another lacks, if the guard minds, else 0.
func vanished(old, next *state) int {
	left := map[string]bool{}
	for _, talent := range next.Talents {
		left[talent.ID] = true
	}
	gone := 0
	for _, talent := range old.Talents {
		if !left[talent.ID] {
			gone++
		}
	}
	if gone > 0 && len(left) == 0 || gone >= 3 && gone*3 > len(old.Talents) {
		return gone
	}
	return 0
}

// take reads the folder and makes it the content, or holds it back.
func (b *Backend) take(old *state, tree tree, now time.Time) *state {
	next := load(b.folder, tree, old, b.config)
	if gone := vanished(old, next); gone > 0 && !b.mayTake(tree.fingerprint, now) {
		old.Site.Use()
		b.hold(old, hold{tree.fingerprint, now, gone, len(old.Talents), len(next.Talents) == 0})
		if b.state.Load() == nil { // at the start
			old.faults = next.faults
			b.state.Store(old)
		}
		return old
	}
	b.held.Store(nil)
	b.state.Store(next)
	if old.fingerprint != "" {
		b.config.Log.Info("content reloaded", "version", tree.fingerprint, "faults", len(next.faults))
	}
	for _, fault := range next.faults {
		if !fault.Remark {
			b.config.Log.Warn("content: "+fault.Text(i18n.EN), "file", fault.File, "line", fault.Line)
		}
	}
	b.keep(next)
	return next
}

// HeldFault says why the folder is not taken.
func HeldFault(gone, of int) content.Fault {
	key := "fault.held"
	if gone == of {
		key = "fault.held-empty"
	}
	return content.Fault{File: "talents", Key: key, Args: []string{"n", strconv.Itoa(gone), "of", strconv.Itoa(of)}}
}

func (b *Backend) hold(old *state, h hold) {
	if b.held.Swap(&h) != nil {
		return // it is known
	}
	fault := HeldFault(h.gone, h.of)
	b.config.Log.Error("content: "+fault.Text(i18n.EN), "file", fault.File)
	if b.config.Alert != nil {
		b.config.Alert(*old.Site, i18n.First().T("held.mail.subject"), fault.Text(i18n.First()))
	}
}

// mayTake reports whether a folder that talents vanished from may be taken now.
func (b *Backend) mayTake(fingerprint string, now time.Time) bool {
	held := b.held.Load()
	if held != nil && held.fingerprint == fingerprint && !held.empty && now.Sub(held.since) >= quiet {
		return true
	}
	accepted, err := b.readKept(acceptedFile)
	return err == nil && strings.TrimSpace(string(accepted)) == fingerprint
}

func (b *Backend) readKept(name string) ([]byte, error) {
	if b.config.KeepDir == "" {
		return nil, fs.ErrNotExist
	}
	return os.ReadFile(filepath.Join(b.config.KeepDir, name))
}

// lastContent is the content that was taken before a restart, with what calls answer from it; it is empty if there is
// none.
func (b *Backend) lastContent() *state {
	s := &state{}
	data, err := b.readKept(lastFile)
	if err == nil {
		err = json.Unmarshal(data, &s.goodVersions)
	}
	if err != nil || s.Site == nil {
		if !errors.Is(err, fs.ErrNotExist) {
			b.config.Log.Warn("the last good content can't be read", "error", err)
		}
		return &state{}
	}
	s.Site.Use()
	for file, version := range s.Talents {
		version.OwnPictures()
		s.Talents[file] = version
	}
	s.derive(b.config.Now())
	return s
}

// keep stores the content for a restart. It holds birth dates and is readable by its owner only.
func (b *Backend) keep(s *state) {
	if b.config.KeepDir == "" {
		return
	}
	err := folder.Replace(filepath.Join(b.config.KeepDir, lastFile), func(w io.Writer) error {
		return json.NewEncoder(w).Encode(s.goodVersions)
	})
	if err != nil {
		b.config.Log.Warn("the last good content is not kept for a restart", "error", err)
	}
}

// Vanished is how many talents of the last content the folder lacks, if the guard holds it back, and the fingerprint of
// the folder.
func Vanished(files fs.FS, config Config) (gone, of int, fingerprint string, err error) {
	b := &Backend{folder: content.Folder(files), config: config.withDefaults()}
	tree, err := scan(b.folder)
	last := b.lastContent()
	if err != nil || len(last.Talents) == 0 {
		return 0, 0, "", err
	}
	return vanished(last, load(b.folder, tree, last, b.config)), len(last.Talents), tree.fingerprint, nil
}

// Accept lets a running site, or the next start, take the folder as it is now, though talents vanished. It returns how
// many talents vanish; 0: nothing is held back.
func Accept(files fs.FS, config Config) (gone int, err error) {
	gone, _, fingerprint, err := Vanished(files, config)
	if gone == 0 || err != nil {
		return 0, err
	}
	return gone, os.WriteFile(filepath.Join(config.KeepDir, acceptedFile), []byte(fingerprint+"\n"), 0o600)
}
