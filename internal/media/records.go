package media

import (
	"encoding/json"
	"math"
	"os"
	"sync"
	"time"

	"zedcard/internal/agency"
)

// record is the metadata of an original from when it was last read.
type record struct {
	Version       string    // the beginning of its bytes' SHA-256 in hex; empty: not read yet
	Width, Height int       // pixels of its master, upright
	ETag          string    `json:",omitempty"`
	LastModified  string    `json:",omitempty"`
	Checked       time.Time // when the storage last confirmed it
}

func (r record) known() bool { return r.Version != "" }

// size is the size in pixels of a shape of this original, at most the original's.
func (r record) size(sh shape) (w, h int) {
	area := sh.crop.rect(r.Width, r.Height, agency.Focus{})
	w = min(sh.width, area.Dx())
	return w, max(1, int(math.Round(float64(w)*float64(area.Dy())/float64(area.Dx()))))
}

// encoded reports whether a shape of this original is also made as AVIF.
func (r record) encoded(sh shape) bool {
	w, h := r.size(sh)
	return w*h <= maxAVIFPixels
}

// bestFormat is the smallest format of a shape. An original that has not been read yet counts as a portrait of 3:4.
func (r record) bestFormat(sh shape) string {
	if !r.known() {
		r.Width, r.Height = masterWidth, masterWidth*4/3
	}
	if r.encoded(sh) {
		return avifFormat
	}
	return jpegFormat
}

// maxRecordAge is the age from which the record of an unused original is dropped. Those of used originals are renewed
// every hour.
const maxRecordAge = 90 * 24 * time.Hour

// records are kept in one small file: a lost record costs one more read of its original. Processes that share the
// folder share the records.
type records struct {
	file string
	now  func() time.Time

	mu         sync.RWMutex
	byOriginal map[original]record
	changed    bool
	modTime    time.Time // the file's modification time when it was last read or written
}

// openRecords reads the file; a missing or damaged one counts as empty.
func openRecords(file string, now func() time.Time) *records {
	r := &records{file: file, now: now, byOriginal: map[original]record{}}
	r.merge()
	return r
}

// merge takes over records that another process has written since the file was last read or written.
func (r *records) merge() {
	r.mu.Lock()
	defer r.mu.Unlock()
	info, err := os.Stat(r.file)
	if err != nil || info.ModTime().Equal(r.modTime) {
		return
	}
	r.modTime = info.ModTime()
	stored := map[string]record{}
	if data, err := os.ReadFile(r.file); err != nil || json.Unmarshal(data, &stored) != nil {
		return
	}
	for name, rec := range stored {
		p, ok := parseOriginal(name)
		if ok && isVersion(rec.Version) && rec.Width > 0 && rec.Height > 0 && r.now().Sub(rec.Checked) < maxRecordAge &&
			rec.Checked.After(r.byOriginal[p].Checked) {
			r.byOriginal[p] = rec
		}
	}
	r.changed = r.changed || len(r.byOriginal) > len(stored)
}

func (r *records) get(p original) record {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.byOriginal[p]
}

// originalsOf are the known originals of a file, with every focal point.
func (r *records) originalsOf(file original) (known []original) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for p := range r.byOriginal {
		if p.root == file.root && p.path == file.path {
			known = append(known, p)
		}
	}
	return known
}

func (r *records) put(p original, rec record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.byOriginal[p], r.changed = rec, true
}

func (r *records) remove(p original) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.byOriginal, p)
	r.changed = true
}

// save writes the file if anything changed.
func (r *records) save() error {
	r.merge()
	r.mu.Lock()
	if !r.changed {
		r.mu.Unlock()
		return nil
	}
	stored := make(map[string]record, len(r.byOriginal))
	for p, rec := range r.byOriginal {
		stored[p.String()] = rec
	}
	r.changed = false
	r.mu.Unlock()
	data, err := json.Marshal(stored)
	if err != nil {
		return err
	}
	if err := writeFile(r.file, data); err != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.changed = true
		return err
	}
	if info, err := os.Stat(r.file); err == nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.modTime = info.ModTime()
	}
	return nil
}
