package media

import (
	"bytes"
	"container/list"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/maypok86/otter/v2"

	"zedcard/internal/folder"
)

// cache is a folder of files with a maximum total size: the least recently used are removed first. Files are written
// atomically. Their names are made here (hashes and shapes) and never a visitor's. Another process may fill the same
// folder, as `zedcard media warm` does beside the site: its files are found, and count for the size from their first
// use.
//
// If the disk is full or read-only, files are cached in memory for a while.
type cache struct {
	dir      string
	maxBytes int64
	now      func() time.Time
	memory   memoryFiles // files that could not be written

	mu      sync.Mutex
	size    int64
	files   map[string]*list.Element // of *cacheEntry, by name
	recency *list.List               // most recently used in front
}

// memoryFiles is what is used of otter: with its whole type, every importer of the package would compile it, too.
type memoryFiles interface {
	GetIfPresent(name string) ([]byte, bool)
	Set(name string, data []byte) ([]byte, bool)
	Invalidate(name string) ([]byte, bool)
	Keys() iter.Seq[string]
}

type cacheEntry struct {
	name     string
	size     int64
	lastUsed time.Time // the modification time on disk
}

// memoryBytes bounds the files in memory: some 300 sizes, or 30 masters.
const memoryBytes = 48 << 20

// abandonedAfter is the age from which an unfinished file counts as abandoned.
const abandonedAfter = time.Hour

// lastUsedPrecision is the precision of a file's last use on disk.
const lastUsedPrecision = time.Hour

// openCache lists the files of earlier runs and removes those of interrupted writes.
func openCache(dir string, limit int64, now func() time.Time) (*cache, error) {
	c := &cache{
		dir: dir, maxBytes: limit, now: now, files: map[string]*list.Element{}, recency: list.New(),
		memory: otter.Must(&otter.Options[string, []byte]{
			MaximumWeight: memoryBytes,
			Weigher:       func(_ string, data []byte) uint32 { return uint32(len(data)) }, // #nosec G115 -- a picture
		}),
	}
	if err := os.MkdirAll(dir, 0o750); folder.MayPass(err) {
		return c, nil // the folder is made with the first file that can be written
	} else if err != nil {
		return nil, err
	}
	leftovers, err := filepath.Glob(filepath.Join(filepath.Dir(dir), "original-*"))
	if err != nil {
		return nil, err
	}
	for _, file := range leftovers {
		if info, err := os.Stat(file); err == nil && now().Sub(info.ModTime()) > abandonedAfter {
			_ = os.Remove(file) // the next start tries again
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var found []cacheEntry
	err = fs.WalkDir(root.FS(), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil // removed in the meantime
		}
		if err != nil {
			return err
		}
		if strings.HasPrefix(entry.Name(), tempPrefix) {
			if now().Sub(info.ModTime()) > abandonedAfter {
				_ = root.Remove(path)
			}
			return nil
		}
		found = append(found, cacheEntry{entry.Name(), info.Size(), info.ModTime()})
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found, func(a, b cacheEntry) int { return a.lastUsed.Compare(b.lastUsed) })
	for _, f := range found {
		c.files[f.name] = c.recency.PushFront(&f)
		c.size += f.size
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.evict("")
	return c, nil
}

// path is a file's path: in one of 256 folders, so that none grows large.
func (c *cache) path(name string) string { return filepath.Join(c.dir, name[:2], name) }

// has reports whether a file exists, without counting as use.
func (c *cache) has(name string) bool {
	if _, ok := c.memory.GetIfPresent(name); ok {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lookup(name) != nil
}

// lookup is a file's place in the order of use, nil if it does not exist; the caller holds mu.
func (c *cache) lookup(name string) *list.Element {
	if element := c.files[name]; element != nil {
		return element
	}
	info, err := os.Stat(c.path(name))
	if err != nil {
		return nil
	}
	c.files[name] = c.recency.PushFront(&cacheEntry{name, info.Size(), info.ModTime()})
	c.size += info.Size()
	return c.files[name]
}

// memoryFile is a file that could not be written.
type memoryFile struct{ *bytes.Reader }

func (memoryFile) Close() error { return nil }

// open opens a file for reading and counts as use. Errors are those of os.Open.
func (c *cache) open(name string) (io.ReadSeekCloser, error) {
	if data, ok := c.memory.GetIfPresent(name); ok {
		return memoryFile{bytes.NewReader(data)}, nil
	}
	c.mu.Lock()
	element := c.lookup(name)
	if element == nil {
		c.mu.Unlock()
		return nil, fs.ErrNotExist
	}
	c.recency.MoveToFront(element)
	entry := element.Value.(*cacheEntry)
	now := c.now()
	stale := now.Sub(entry.lastUsed) > lastUsedPrecision
	if stale {
		entry.lastUsed = now
	}
	c.mu.Unlock()
	file, err := os.Open(c.path(name))
	if err != nil {
		c.remove(name) // removed from the folder by somebody else
		return nil, err
	}
	if stale {
		// Only the order of use after a restart depends on it.
		_ = os.Chtimes(c.path(name), now, now)
	}
	return file, nil
}

// put writes a file and makes room for it. If that fails, it keeps the file in memory and returns the error.
func (c *cache) put(name string, data []byte) error {
	if err := writeFile(c.path(name), data); err != nil {
		c.memory.Set(name, data)
		return err
	}
	c.memory.Invalidate(name)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unindex(name)
	c.files[name] = c.recency.PushFront(&cacheEntry{name, int64(len(data)), c.now()})
	c.size += int64(len(data))
	c.evict(name)
	return nil
}

// removeAll removes the files whose names begin with prefix.
func (c *cache) removeAll(prefix string) {
	var names []string
	for name := range c.memory.Keys() {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	c.mu.Lock()
	for name := range c.files {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	c.mu.Unlock()
	for _, name := range names {
		c.remove(name)
	}
}

func (c *cache) remove(name string) {
	c.memory.Invalidate(name)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unindex(name)
	_ = os.Remove(c.path(name)) // it may be gone already
}

// unindex removes a file from the index; the caller holds mu.
func (c *cache) unindex(name string) {
	if element := c.files[name]; element != nil {
		c.size -= element.Value.(*cacheEntry).size
		c.recency.Remove(element)
		delete(c.files, name)
	}
}

// evict removes the least recently used files, except the given one, until the rest fits; the caller holds mu.
func (c *cache) evict(except string) {
	for c.size > c.maxBytes && c.recency.Len() > 0 {
		name := c.recency.Back().Value.(*cacheEntry).name
		if name == except {
			return
		}
		c.unindex(name)
		_ = os.Remove(c.path(name))
	}
}

// newFile creates a file in a folder, and the folder if it is missing or was removed.
func newFile(dir, pattern string) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, err
	}
	return os.CreateTemp(dir, pattern)
}

const tempPrefix = ".new-"

// writeFile writes a file atomically.
func writeFile(path string, data []byte) error {
	file, err := newFile(filepath.Dir(path), tempPrefix+"*")
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	err = errors.Join(err, file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}
