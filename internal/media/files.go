package media

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/disk"
)

// files is a folder of files with a maximum total size: the least recently used are removed first. Files are written
// atomically. Their names are made here (hashes and shapes) and never a visitor's. Another process may fill the same
// folder, as `zedcard media warm` does beside the site.
type files struct {
	dir      string
	maxBytes int64
	now      func() time.Time

	mu   sync.Mutex
	size int64 // bytes on the disk: as found by the last removal, and written since
}

// lastUsedPrecision is the precision of a file's last use, which is its modification time.
const lastUsedPrecision = time.Hour

// openFiles removes what is too much in the folder.
func openFiles(dir string, limit int64, now func() time.Time) (*files, error) {
	f := &files{dir: dir, maxBytes: limit, now: now}
	if err := os.MkdirAll(dir, 0o750); disk.MayPass(err) {
		return f, nil // the folder is made with the first file that can be written
	} else if err != nil {
		return nil, err
	}
	return f, f.shrink(limit)
}

// shrink removes the least recently used files until the rest is no larger than limit.
func (f *files) shrink(limit int64) error {
	type file struct {
		path     string
		size     int64
		lastUsed time.Time
	}
	var found []file
	f.size = 0
	err := filepath.WalkDir(f.dir, func(path string, entry fs.DirEntry, err error) error {
		var info fs.FileInfo
		if err == nil {
			info, err = entry.Info()
		}
		switch {
		case errors.Is(err, fs.ErrNotExist): // removed in the meantime
			return nil
		case err != nil || entry.IsDir():
			return err
		}
		found = append(found, file{path, info.Size(), info.ModTime()}) // also one of which a crash left a part
		f.size += info.Size()
		return nil
	})
	slices.SortFunc(found, func(a, b file) int { return a.lastUsed.Compare(b.lastUsed) })
	for _, file := range found {
		if f.size <= limit {
			break
		}
		_ = os.Remove(file.path) // it may be gone already
		f.size -= file.size
	}
	return err
}

// path is a file's path: in one of 256 folders, so that none grows large.
func (f *files) path(name string) string { return filepath.Join(f.dir, name[:2], name) }

// has reports whether a file exists, without counting as use.
func (f *files) has(name string) bool {
	_, err := os.Stat(f.path(name))
	return err == nil
}

// open opens a file for reading and counts as use. Errors are those of os.Open.
func (f *files) open(name string) (*os.File, error) {
	file, err := os.Open(f.path(name))
	if err != nil {
		return nil, err
	}
	now := f.now()
	if info, err := file.Stat(); err == nil && now.Sub(info.ModTime()) > lastUsedPrecision {
		_ = os.Chtimes(file.Name(), now, now) // only the order of removal depends on it
	}
	return file, nil
}

// read reads a whole file and counts as use.
func (f *files) read(name string) ([]byte, error) {
	file, err := f.open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

// put writes a file. If there is too much in the folder then, a tenth of it is removed, so that the folder is rarely
// listed.
func (f *files) put(name string, data []byte) error {
	write := func(to io.Writer) error {
		_, err := to.Write(data)
		return err
	}
	if err := disk.Replace(f.path(name), write); err != nil {
		return fmt.Errorf("%w: %w", agency.ErrUnavailable, err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.size += int64(len(data))
	if f.size <= f.maxBytes {
		return nil
	}
	return f.shrink(f.maxBytes - f.maxBytes/10)
}

// removeAll removes the files whose names begin with prefix, which names the folder.
func (f *files) removeAll(prefix string) {
	onDisk, _ := os.ReadDir(filepath.Dir(f.path(prefix))) // what can't be read is not served either
	for _, entry := range onDisk {
		if strings.HasPrefix(entry.Name(), prefix) {
			_ = os.Remove(f.path(entry.Name())) // it may be gone already
		}
	}
}
