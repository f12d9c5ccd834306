package folder

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"zedcard/internal/disk"
)

// The files in Config.KeepDir.
const (
	lastFile     = "content.zip"      // the last good content, for a restart
	acceptedFile = "content.accepted" // the fingerprint of the folder that zedcard accept takes
)

// lastGood is the folder's own files, each as it was when it had no fault, in one zip: texts, and what draws the brand.
// Pictures, and the files of public/, stay in the folder and are listed.
type lastGood struct {
	*zip.Reader
	data []byte
}

// listFile is the list: width, height, version and name of each picture that the content names; 0 0 0 before the name
// of a file of public/.
const listFile = "list.txt"

// keep is the last good content after this reading.
func (l *loader) keep() *lastGood {
	var list strings.Builder
	for _, name := range slices.Sorted(maps.Keys(l.next.sizes)) {
		if size := l.next.sizes[name]; size.fault == "" {
			fmt.Fprintf(&list, "%d %d %s %s\n", size.width, size.height, size.version, name)
		}
	}
	for _, name := range l.next.files {
		fmt.Fprintf(&list, "0 0 0 %s\n", name)
	}
	l.good[listFile] = []byte(list.String())
	var file bytes.Buffer // takes all
	archive := zip.NewWriter(&file)
	for _, name := range slices.Sorted(maps.Keys(l.good)) {
		entry, _ := archive.CreateHeader(&zip.FileHeader{Name: name}) // stored as it is: texts are small
		_, _ = entry.Write(l.good[name])
	}
	_ = archive.Close()
	kept, _ := openLast(file.Bytes())
	return kept
}

func openLast(data []byte) (*lastGood, error) {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	return &lastGood{archive, data}, err
}

// fill gives the tree what was last in the places that can't be read now. It returns the sizes of pictures there.
func (t tree) fill(last *lastGood) map[string]size {
	fill := func(name string) bool {
		at := name
		for t.closed[at] == "" && at != "." {
			at = path.Dir(at)
		}
		if t.closed[at] == "" {
			return false
		}
		t.files[name], t.filled[name] = stamp{}, true
		t.folders[path.Dir(name)] = append(t.folders[path.Dir(name)], path.Base(name))
		return true
	}
	if len(t.closed) == 0 {
		return nil
	}
	for _, file := range last.File {
		if file.Name != listFile {
			fill(file.Name)
		}
	}
	sizes := map[string]size{}
	list, _ := fs.ReadFile(last, listFile) // without one nothing is listed
	for line := range strings.Lines(string(list)) {
		if words := strings.SplitN(strings.TrimSpace(line), " ", 4); len(words) == 4 && fill(words[3]) {
			width, _ := strconv.Atoi(words[0])
			height, _ := strconv.Atoi(words[1])
			sizes[words[3]] = size{version: words[2], width: width, height: height}
		}
	}
	return sizes
}

func (b *Folder) readKept(name string) ([]byte, error) {
	if b.config.KeepDir == "" {
		return nil, fs.ErrNotExist
	}
	return os.ReadFile(filepath.Join(b.config.KeepDir, name))
}

// lastContent is the content that was taken before a restart; without one it has no site.
func (b *Folder) lastContent() *state {
	data, err := b.readKept(lastFile)
	if err != nil {
		return &state{}
	}
	last, err := openLast(data)
	if err == nil {
		var read *loader
		unread := newTree()
		unread.closed["."] = "fault.folder-closed"
		read, err = load(b.folder, unread, &state{kept: last}, b.config)
		if err == nil {
			read.next.faults = nil
			return read.next
		}
	}
	b.config.Log.Warn("the last good content can't be read", "error", err)
	return &state{}
}

// keep stores the last good content for a restart. It holds birth dates and is readable by its owner only.
func (b *Folder) keep(s *state) {
	if b.config.KeepDir == "" {
		return
	}
	err := disk.Replace(filepath.Join(b.config.KeepDir, lastFile), func(w io.Writer) error {
		_, err := w.Write(s.kept.data)
		return err
	})
	if err != nil {
		b.config.Log.Warn("the last good content is not kept for a restart", "error", err)
	}
}
