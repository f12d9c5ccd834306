package embedded

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/disk"
	"zedcard/internal/textfile"
)

// The guard: a folder that is half synchronised, renamed or moved away must not take the talents off the site, nor make
// it anybody else's.

// quiet is how long a folder that talents vanished from must be unchanged before it is taken.
const quiet = 15 * time.Minute

// hold is a state of the folder that is not taken.
type hold struct {
	fingerprint string
	since       time.Time
	faults      []textfile.Fault // why
	lasting     bool             // it is never taken by itself
}

// The files in Config.KeepDir.
const (
	lastFile     = "content.json"     // the last content, for a restart
	acceptedFile = "content.accepted" // the fingerprint of the folder that zedcard accept takes
)

// needed are the files and folders that a site can't do without once it has them.
func (l *loader) needed() (all []string) {
	names := []string{"agency.yaml", "boards.yaml", "options.yaml", "brand/"}
	for _, lang := range l.next.Site.Languages {
		names = append(names, textsFile(lang.Base()), textsFile(lang))
	}
	if !l.config.SiteOnly {
		names = append(names, "pages/")
	}
	for _, name := range slices.Compact(names) {
		if l.tree.has(name) || strings.HasSuffix(name, "/") && l.tree.isFilled(name) {
			all = append(all, name)
		}
	}
	return all
}

// guard says why one content may not follow another; lasting: it may never do so by itself.
func guard(old, next *state, tree tree) (faults []textfile.Fault, lasting bool) {
	for _, name := range old.Needed {
		texts, isTexts := strings.CutPrefix(name, "texts/")
		lang := i18n.Lang(strings.TrimSuffix(texts, ".yaml"))
		inUse := func(l i18n.Lang) bool { return l == lang || l.Base() == lang }
		if slices.Contains(next.Needed, name) || isTexts && !slices.ContainsFunc(next.Site.Languages, inUse) {
			continue
		}
		faults = append(faults, goneFault(name, tree))
	}
	lasting = len(faults) > 0
	if gone := agency.Vanished(old.ids(), next.ids()); gone > 0 {
		faults = append(faults, VanishedFault(gone, len(old.Talents)))
		lasting = lasting || len(next.Talents) == 0
	}
	return faults, lasting
}

func (s *state) ids() (ids []string) {
	for _, talent := range s.Talents {
		ids = append(ids, talent.ID)
	}
	return ids
}

// VanishedFault says that so many talents are gone that they are still shown.
func VanishedFault(gone, of int) textfile.Fault {
	key := "fault.held"
	if gone == of {
		key = "fault.held-empty"
	}
	return textfile.Fault{File: "talents", Key: key, Args: []string{"n", strconv.Itoa(gone), "of", strconv.Itoa(of)}}
}

// goneFault says that a file is gone which the site needs, and what it seems to be called now: Windows makes
// agency.yaml.txt of agency.yaml.
func goneFault(name string, tree tree) textfile.Fault {
	file := strings.TrimSuffix(name, "/")
	fault := textfile.Fault{File: file, Key: "fault.gone"}
	stem := strings.ToLower(strings.TrimSuffix(path.Base(file), path.Ext(file)))
	names := tree.folders[path.Dir(file)]
	if file != name {
		names = slices.Sorted(maps.Keys(tree.folders))
	}
	for _, other := range names {
		if other != path.Base(file) && strings.HasPrefix(strings.ToLower(other), stem) {
			fault.Key, fault.Args = "fault.gone-renamed", []string{"other", path.Join(path.Dir(file), other)}
			break
		}
	}
	return fault
}

// take reads the folder and makes it the content, or holds it back.
func (b *Backend) take(old *state, tree tree, now time.Time) *state {
	next := load(b.folder, tree, old, b.config)
	if faults, lasting := guard(old, next, tree); len(faults) > 0 && !b.mayTake(tree.fingerprint, now) {
		b.hold(old, hold{tree.fingerprint, now, faults, lasting})
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
			b.config.Log.Warn("content: "+fault.Text(i18n.Of(i18n.EN)), "file", fault.File, "line", fault.Line)
		}
	}
	b.keep(next)
	return next
}

// hold keeps the content. Whoever shall know is told once of each thing that is gone.
func (b *Backend) hold(old *state, h hold) {
	known := b.heldBack()
	b.held.Store(&h)
	first := old.site.Texts.First()
	for _, fault := range h.faults {
		if slices.ContainsFunc(known, func(k textfile.Fault) bool { return k.File == fault.File }) {
			continue
		}
		b.config.Log.Error("content: "+fault.Text(i18n.Of(i18n.EN)), "file", fault.File)
		if b.config.Alert != nil {
			b.config.Alert(old.site, first.T("held.mail.subject"), fault.Place()+": "+fault.Text(first))
		}
	}
}

// unreadable holds a folder back that can't be read, as one of a disk that is not mounted.
func (b *Backend) unreadable(old *state, err error) {
	fault := textfile.Fault{File: ".", Key: "fault.folder-unreadable", Args: []string{"error", err.Error()}}
	b.hold(old, hold{"", b.config.Now(), []textfile.Fault{fault}, true})
}

// mayTake reports whether a folder that talents vanished from may be taken now.
func (b *Backend) mayTake(fingerprint string, now time.Time) bool {
	held := b.held.Load()
	if held != nil && held.fingerprint == fingerprint && !held.lasting && now.Sub(held.since) >= quiet {
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
	s.site = b.config.site(*s.Site)
	s.derive(b.config.Now())
	return s
}

// keep stores the content for a restart. It holds birth dates and is readable by its owner only.
func (b *Backend) keep(s *state) {
	if b.config.KeepDir == "" {
		return
	}
	err := disk.Replace(filepath.Join(b.config.KeepDir, lastFile), func(w io.Writer) error {
		return json.NewEncoder(w).Encode(s.goodVersions)
	})
	if err != nil {
		b.config.Log.Warn("the last good content is not kept for a restart", "error", err)
	}
}

// WithHeld are the guard's faults and then others, without those of files that are gone: one line says it.
func WithHeld(held, others []textfile.Fault) []textfile.Fault {
	isGone := func(other textfile.Fault) bool {
		return other.Line == 0 && slices.ContainsFunc(held, func(h textfile.Fault) bool { return h.File == other.File })
	}
	return slices.Concat(held, slices.DeleteFunc(slices.Clone(others), isGone))
}

// Held says why the guard holds the folder back, compared with the last content that was taken; and the fingerprint of
// the folder.
func Held(files fs.FS, config Config) (faults []textfile.Fault, fingerprint string, err error) {
	b := &Backend{folder: textfile.Folder(files), config: config.withDefaults()}
	tree, err := scan(b.folder)
	last := b.lastContent()
	if err != nil || last.Site == nil {
		return nil, "", err
	}
	faults, _ = guard(last, load(b.folder, tree, last, b.config), tree)
	if b.mayTake(tree.fingerprint, b.config.Now()) {
		faults = nil
	}
	return faults, tree.fingerprint, nil
}

// Accept lets a running site, or the next start, take the folder as it is now, whatever is gone. It returns what the
// guard says; nothing: nothing is held back.
func Accept(files fs.FS, config Config) ([]textfile.Fault, error) {
	faults, fingerprint, err := Held(files, config)
	if len(faults) == 0 || err != nil {
		return nil, err
	}
	return faults, os.WriteFile(filepath.Join(config.KeepDir, acceptedFile), []byte(fingerprint+"\n"), 0o600)
}
