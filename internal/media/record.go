package media

import (
	"encoding/json"
	"math"
	"time"

	"zedcard/internal/agency"
)

// record is the metadata of an original from when it was last read. It is stored beside the pictures made from it: a
// lost record costs one more read of its original. (In the database it would need a copy here for every page, and one
// to write later while the database is down.)
type record struct {
	Version       string    // the beginning of its bytes' SHA-256 in hex; empty: not read yet
	Width, Height int       // pixels, upright, of its master
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

// recordName is the file of an original's record.
func (p original) recordName() string { return p.id() + "-record.json" }

// record is what is known of an original.
func (s *Store) record(p original) record {
	return s.records.GetOrMake(p, func() record { return s.readRecord(p) })
}

// readRecord reads a stored record; a missing or damaged one counts as none.
func (s *Store) readRecord(p original) (rec record) {
	data, err := s.files.read(p.recordName())
	if err != nil || json.Unmarshal(data, &rec) != nil || !isVersion(rec.Version) || rec.Width < 1 || rec.Height < 1 {
		return record{}
	}
	return rec
}

// keep stores a record.
func (s *Store) keep(p original, rec record) {
	s.records.Set(p, rec)
	if data, err := json.Marshal(rec); err == nil { // of texts and numbers
		s.store(p.recordName(), data)
	}
}

// forget removes all files of an original.
func (s *Store) forget(p original) {
	s.records.Set(p, record{})
	s.files.removeAll(p.id() + "-")
}
