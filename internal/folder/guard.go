package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"zedcard/i18n"
	"zedcard/internal/agency"
)

// The guard: a folder that is half synchronised, renamed or moved away must not take the talents off the site, nor make
// it anybody else's.

// hold is a state of the folder that is not taken.
type hold struct {
	fingerprint string
	faults      []Fault // why
	err         error   // where it could not be read
}

// needed are the files and folders that a site can't do without once it has them.
func (l *loader) needed() (all []string) {
	names := []string{"agency.yaml", "boards.yaml", "options.yaml", "brand/"}
	for _, lang := range l.next.decided.Languages {
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

// guard says why one content may not follow another.
func guard(old, next *state, tree tree) (faults []Fault) {
	for _, name := range old.needed {
		texts, isTexts := strings.CutPrefix(name, "texts/")
		lang := i18n.Lang(strings.TrimSuffix(texts, ".yaml"))
		inUse := func(l i18n.Lang) bool { return l == lang || l.Base() == lang }
		if slices.Contains(next.needed, name) || isTexts && !slices.ContainsFunc(next.decided.Languages, inUse) {
			continue
		}
		faults = append(faults, goneFault(name, tree))
	}
	left, gone := map[string]bool{}, 0
	for _, talent := range next.talents {
		left[talent.ID] = true
	}
	for _, talent := range old.talents {
		if !left[talent.ID] {
			gone++
		}
	}
	if agency.AreLost(gone, len(old.talents), len(left)) {
		faults = append(faults, Fault{File: "talents", Key: "fault.held", Args: []string{
			"n", strconv.Itoa(gone), "of", strconv.Itoa(len(old.talents)),
		}})
	}
	return faults
}

// goneFault says that a file is gone which the site needs, and what it seems to be called now: Windows makes
// agency.yaml.txt of agency.yaml.
func goneFault(name string, tree tree) Fault {
	file := strings.TrimSuffix(name, "/")
	fault := Fault{File: file, Key: "fault.gone"}
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

// isAccepted reports whether zedcard accept takes the folder, whatever is gone.
func (b *Folder) isAccepted(tree tree) bool {
	accepted, err := b.readKept(acceptedFile)
	return err == nil && strings.TrimSpace(string(accepted)) == tree.fingerprint
}

// read reads the folder, and says why it is not taken; err is why it could not even be listed.
func (b *Folder) read(old *state, tree tree, err error) (next *state, held *hold) {
	var read *loader
	if err == nil {
		read, err = load(b.folder, tree, old, b.config)
	}
	if err != nil {
		return nil, &hold{tree.fingerprint, []Fault{unreadable(err)}, err}
	}
	if faults := guard(old, read.next, tree); len(faults) > 0 && !b.isAccepted(tree) {
		return nil, &hold{tree.fingerprint, faults, nil}
	}
	return read.next, nil
}

// take makes the folder the content, or holds it back.
func (b *Folder) take(old *state, tree tree, err error) *state {
	next, held := b.read(old, tree, err)
	if held != nil {
		b.hold(old, held)
		return old
	}
	b.held.Store(nil)
	if old.fingerprint != "" {
		b.config.Log.Info("content reloaded", "version", tree.fingerprint, "faults", len(next.faults))
	}
	b.use(next)
	return next
}

// use makes a reading the content.
func (b *Folder) use(next *state) {
	b.state.Store(next)
	for _, fault := range next.faults {
		if !fault.Remark {
			b.config.Log.Warn("content: "+fault.Text(i18n.Of(i18n.EN)), "file", fault.File, "line", fault.Line)
		}
	}
	b.keep(next)
}

// hold keeps the content. Whoever shall know is told once.
func (b *Folder) hold(old *state, h *hold) {
	if b.held.Swap(h) != nil {
		return
	}
	for _, fault := range h.faults {
		b.config.Log.Error("content: "+fault.Text(i18n.Of(i18n.EN)), "file", fault.File)
	}
	if broken, ok := errors.AsType[*brokenError](h.err); ok {
		b.config.Log.Warn("content: the program failed", "stack", string(broken.stack))
	}
	if b.config.Alert != nil {
		first, lines := old.site.Texts.First(), ""
		for _, fault := range h.faults {
			lines += fault.Place() + ": " + fault.Text(first) + "\n"
		}
		b.config.Alert(old.site, first.T("held.mail.subject"), lines)
	}
}

// unreadable says that a folder can't be read, as one of a disk that is not mounted.
func unreadable(err error) Fault {
	fault := Fault{File: ".", Key: "fault.folder-unreadable", Args: []string{"error", err.Error()}}
	if broken, ok := errors.AsType[*brokenError](err); ok {
		fault.File, fault.Args[1] = broken.file, fmt.Sprint(broken.reason)
	}
	return fault
}

// brokenError is a panic of the program, or of a library, at a file.
type brokenError struct {
	file   string
	reason any
	stack  []byte
}

func (e *brokenError) Error() string { return fmt.Sprintf("%s: %v", e.file, e.reason) }

// broken, deferred, makes a panic an error.
func broken(file *string, err *error) {
	if reason := recover(); reason != nil {
		*err = &brokenError{*file, reason, debug.Stack()}
	}
}

// WithHeld are the guard's faults and then others, without those of files that are gone: one line says it.
func WithHeld(held, others []Fault) []Fault {
	isGone := func(other Fault) bool {
		return other.Line == 0 && slices.ContainsFunc(held, func(h Fault) bool { return h.File == other.File })
	}
	return slices.Concat(held, slices.DeleteFunc(slices.Clone(others), isGone))
}

// Held says why the folder is held back, compared with the last content that was taken; and its fingerprint.
func Held(files fs.FS, config Config) (faults []Fault, fingerprint string) {
	b := &Folder{folder: AnyForm{files}, config: config.withDefaults()}
	tree, err := scan(b.folder)
	if last := b.lastContent(); last.site != nil {
		if _, held := b.read(last, tree, err); held != nil {
			faults = held.faults
		}
	}
	return faults, tree.fingerprint
}

// Accept lets a running site, or the next start, take the folder as it is now, whatever is gone. It returns what the
// guard says; nothing: nothing is held back.
func Accept(files fs.FS, config Config) ([]Fault, error) {
	faults, fingerprint := Held(files, config)
	if len(faults) == 0 {
		return nil, nil
	}
	return faults, os.WriteFile(filepath.Join(config.KeepDir, acceptedFile), []byte(fingerprint+"\n"), 0o600)
}
