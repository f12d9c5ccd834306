package folder

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"
)

// stamp tells two states of a file apart without reading it.
type stamp struct {
	size    int64
	modTime time.Time
}

// tree is the list of a folder's files at one moment.
type tree struct {
	files       map[string]stamp
	folders     map[string][]string // the files directly in a folder by name, in order
	closed      map[string]string   // what can't be read, by name: the key of its fault
	filled      map[string]bool     // what is as it was last, for it can't be read
	conflicts   map[string]string   // copies that synchronisation made, by name: of what
	fingerprint string              // differs when any file differs
}

func newTree() tree {
	return tree{
		files: map[string]stamp{}, folders: map[string][]string{}, filled: map[string]bool{},
		closed: map[string]string{}, conflicts: map[string]string{},
	}
}

// scan lists the folder, without what is nobody's content. One entry that can't be read keeps no other from being read.
func scan(folder fs.FS) (t tree, err error) {
	t = newTree()
	sum, at := sha256.New(), "."
	defer broken(&at, &err)
	err = fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		at = name
		isClutter := name != "." && IsClutter(entry.Name()) && name != "public/.well-known"
		switch {
		case err != nil && name == ".":
			return err
		case isClutter && entry.IsDir():
			return fs.SkipDir
		case errors.Is(err, fs.ErrNotExist): // it went meanwhile
			return fs.SkipDir
		case err != nil: // of a folder
			t.closed[norm.NFC.String(name)] = "fault.folder-closed"
			return fs.SkipDir
		case copyOf(entry.Name()) != "":
			t.conflicts[norm.NFC.String(name)] = copyOf(norm.NFC.String(entry.Name()))
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case isClutter || entry.IsDir():
			return nil
		}
		name = norm.NFC.String(name)
		info, err := fs.Stat(folder, name) // not entry.Info: follows links
		if err != nil || !info.Mode().IsRegular() {
			t.closed[name] = "fault.file-plain"
			return nil
		}
		t.files[name] = stamp{info.Size(), info.ModTime()}
		t.folders[path.Dir(name)] = append(t.folders[path.Dir(name)], path.Base(name))
		fmt.Fprintf(sum, "%s\x00%d\x00%d\n", name, info.Size(), info.ModTime().UnixNano())
		if info.ModTime().IsZero() && isContentFile(name) {
			// Embedded files have no modification time: two builds may differ in the text only.
			text, err := fs.ReadFile(folder, name)
			if err != nil {
				return err
			}
			sum.Write(text)
		}
		return nil
	})
	t.fingerprint = hex.EncodeToString(sum.Sum(nil)[:8])
	return t, err
}

// isContentFile reports whether a file is text that editors write.
func isContentFile(name string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".md"}, strings.ToLower(path.Ext(name)))
}

// isEmpty reports whether the folder holds nothing that an editor wrote.
func (t tree) isEmpty() bool {
	return !slices.ContainsFunc(slices.Collect(maps.Keys(t.files)), isContentFile)
}

func (t tree) has(name string) bool {
	_, ok := t.files[name]
	return ok
}

// isFilled reports whether a folder, whose name ends in a slash, holds a file somewhere.
func (t tree) isFilled(folder string) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(t.files)), func(name string) bool {
		return strings.HasPrefix(name, folder)
	})
}

// subfolders lists the folders directly in a folder that hold a file somewhere, in order.
func (t tree) subfolders(parent string) []string {
	var names []string
	for folder := range t.folders {
		if rest, ok := strings.CutPrefix(folder, parent+"/"); ok {
			name, _, _ := strings.Cut(rest, "/")
			names = append(names, name)
		}
	}
	for closed, key := range t.closed { // what was in it stays as it was
		if rest, ok := strings.CutPrefix(closed, parent+"/"); ok && key == "fault.folder-closed" {
			names = append(names, strings.Split(rest, "/")[0])
		}
	}
	slices.SortFunc(names, ByNumber)
	return slices.Compact(names)
}
