package media

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"math"
	"sync"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/picture"
)

// variant is an original in a shape. A crop has a focal point.
type variant struct {
	original original
	shape    shape
	focus    agency.Focus
}

// masterName is the file that all sizes are made from.
func masterName(p original, rec record) string { return p.id() + "-" + rec.Version + "-master" }

// fileName is the file of a size. Widths beyond a small original share one file.
func (v variant) fileName(rec record, format string) string {
	w, _ := rec.size(v.shape)
	name := v.original.id() + "-" + rec.Version + "-" + shape{v.shape.crop, w}.String()
	if v.focus != (agency.Focus{}) {
		name += fmt.Sprintf("-%d-%d", v.focus.X, v.focus.Y)
	}
	return name + "." + format
}

// record is the metadata of an original from when it was last read. It is stored beside the pictures made from it: a
// lost record costs one more read of its original. (In the database it would need a copy here for every page, and one
// to write later while the database is down.)
type record struct {
	Version       string    // the beginning of its bytes' SHA-256 in hex; empty: not read yet
	Width, Height int       // pixels, upright, of its master
	ETag          string    `json:",omitempty"`
	LastModified  string    `json:",omitempty"`
	Checked       time.Time // when the storage last confirmed it
	source        uint64    // Config.Source then
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
	s.version.Add(1)
	if data, err := json.Marshal(rec); err == nil { // of texts and numbers
		s.store(p.recordName(), data)
	}
}

// forget removes all files of an original.
func (s *Store) forget(p original) {
	s.records.Set(p, record{})
	s.files.removeAll(p.id() + "-")
}

// make makes a variant in a format, or joins whoever makes it already, and sends the result. It continues when nobody
// waits any more.
func (s *Store) make(v variant, format string) <-chan error {
	done := make(chan error, 1)
	s.background.Go(func() {
		_, err, _ := s.flights.Do(fmt.Sprint("make ", v, format), func() (any, error) {
			return nil, s.makeFile(v, format)
		})
		done <- err
	})
	return done
}

// await waits for a variant until ctx ends.
func await(ctx context.Context, made <-chan error) error {
	select {
	case err := <-made:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (s *Store) makeFile(v variant, format string) error {
	rec := s.record(v.original)
	if !rec.known() || !s.files.has(masterName(v.original, rec)) {
		var err error
		if rec, err = s.makeMaster(v); err != nil {
			return err
		}
	}
	if s.files.has(v.fileName(rec, format)) {
		return nil
	}
	master, err := s.files.read(masterName(v.original, rec))
	if err != nil {
		return err
	}
	made, err := s.convert(master, recipe{rec.Width, rec.Height, []output{v.output(rec, format)}}, sizeMemory)
	if errors.Is(err, picture.ErrBroken) {
		s.files.removeAll(masterName(v.original, rec)) // it is made again
	}
	if err != nil {
		return fmt.Errorf("%s: %w", format, err)
	}
	s.store(v.fileName(rec, format), made[0])
	return nil
}

// makeMaster makes the master of an original, and a size with it, unless another process has just done so or it failed
// a moment ago.
func (s *Store) makeMaster(v variant) (record, error) {
	if rec := s.readRecord(v.original); rec.known() && s.files.has(masterName(v.original, rec)) {
		s.records.Set(v.original, rec)
		return rec, nil
	}
	if failed, ok := s.failures.Get(v.original); ok && s.config.Now().Before(failed.until) {
		return record{}, failed.err
	}
	err := s.load(v)
	return s.record(v.original), err
}

// failure is why an original could not be read, so that a missing one is not fetched for every visitor.
type failure struct {
	err   error
	until time.Time
}

// load reads an original, or asks the storage whether it has changed, and makes the master if it has. Only one load of
// a picture runs at a time. It logs why an original is unusable.
func (s *Store) load(v variant) error {
	_, err, _ := s.flights.Do("load "+v.original.String(), func() (any, error) {
		err := s.loadOriginal(v)
		if err != nil && s.ctx.Err() == nil {
			wait := time.Minute
			if errors.Is(err, agency.ErrUnavailable) {
				wait = 10 * time.Second
			}
			s.failures.Set(v.original, failure{err, s.config.Now().Add(wait)})
			s.config.Log.Warn("media: original not usable", "picture", v.original.String(), "error", err)
		}
		return nil, err
	})
	return err
}

// retryCheck is how long to wait before checking an original again if the storage did not answer.
const retryCheck = 5 * time.Minute

func (s *Store) loadOriginal(v variant) error {
	p, previous, source := v.original, s.record(v.original), s.config.Source()
	known := previous
	if known.known() && !s.files.has(masterName(p, known)) {
		known = record{}
	}
	got, err := s.readOriginal(s.ctx, p, known)
	defer s.bodySem.Release(got.held)
	switch {
	case errors.Is(err, agency.ErrNotFound):
		s.forget(p)
		return err
	case err != nil:
		if known.known() { // the known state is used until the storage answers again
			known.Checked, known.source = s.config.Now().Add(retryCheck-s.config.FreshFor), source
			s.records.Set(p, known)
		}
		return err
	case got.unchanged, got.version == known.Version:
		if !got.unchanged {
			known.ETag, known.LastModified = got.etag, got.lastModified
		}
		// Not stored: after a restart the storage is asked once more.
		known.Checked, known.source = s.config.Now(), source
		s.records.Set(p, known)
		return nil
	}
	rec, err := s.reduce(v, got)
	if err != nil {
		return err
	}
	rec.source = source
	s.keep(p, rec)
	if previous.known() && previous.Version != rec.Version {
		s.files.removeAll(p.id() + "-" + previous.Version)
	}
	return nil
}

// reduce makes an original's master, and the requested size. The original itself is the master unless it is very large,
// so that the first visitor waits for one encoding only.
func (s *Store) reduce(v variant, got fetched) (record, error) {
	rec := record{Version: got.version, ETag: got.etag, LastModified: got.lastModified, Checked: s.config.Now()}
	probed, err := picture.Probe(bytes.NewReader(got.body))
	if err != nil {
		return rec, fmt.Errorf("%w: %w", errRefused, err)
	}
	small := probed.Memory(0, 0) <= maxMaster
	rec.Width, rec.Height = probed.Width, probed.Height
	var r recipe
	if !small {
		rec.Width, rec.Height = probed.Fit(masterWidth, 2*masterWidth)
		whole := image.Rect(0, 0, rec.Width, rec.Height)
		r.Outputs = []output{{whole, rec.Width, rec.Height, masterQuality, false}}
	}
	r.Width, r.Height = rec.Width, rec.Height
	if v.shape.width > 0 {
		r.Outputs = append(r.Outputs, v.output(rec, jpegFormat))
	}
	made, err := s.convert(got.body, r, probed.Memory(rec.Width, rec.Height))
	if errors.Is(err, picture.ErrBroken) || errors.Is(err, picture.ErrSlow) {
		return rec, fmt.Errorf("%w: %w", errRefused, err)
	}
	if err != nil {
		return rec, err
	}
	if small {
		made = append([][]byte{got.body}, made...)
	}
	s.store(masterName(v.original, rec), made[0])
	if v.shape.width > 0 {
		s.store(v.fileName(rec, jpegFormat), made[1])
	}
	return rec, nil
}

// diskLogInterval is the time between two log lines about a disk that can't be written.
const diskLogInterval = time.Minute

// store puts a file into the cache. If that fails, the picture is still served.
func (s *Store) store(name string, data []byte) {
	if err := s.files.put(name, data); err != nil {
		s.diskLog.Do(func() {
			s.config.Log.Error("media: pictures can't be written, they are kept in memory", "error", err)
		})
	}
}

// makeQueued makes a requested AVIF.
func (s *Store) makeQueued(v variant) {
	if err := <-s.make(v, avifFormat); err != nil && s.ctx.Err() == nil {
		s.config.Log.Warn("media: not encoded", "picture",
			v.original.String(), "size", v.shape.String(), "error", err)
	}
}

// checkIfDue queues a check of a picture's original if the last one is older than FreshFor, or than the storage's last
// change.
func (s *Store) checkIfDue(p original, rec record) {
	if rec.known() && (rec.source != s.config.Source() || s.config.Now().Sub(rec.Checked) > s.config.FreshFor) {
		s.checks.push(p)
	}
}

// queue is a bounded queue that holds each item at most once.
type queue[T comparable] struct {
	items  chan T
	queued sync.Map
}

func newQueue[T comparable](size int) *queue[T] { return &queue[T]{items: make(chan T, size)} }

// push adds an item. If the queue is full the item is dropped: the next request adds it again.
func (q *queue[T]) push(item T) {
	if _, queued := q.queued.LoadOrStore(item, true); queued {
		return
	}
	select {
	case q.items <- item:
	default:
		q.queued.Delete(item)
	}
}

// work does the items one after the other until ctx ends.
func (q *queue[T]) work(ctx context.Context, do func(T)) {
	for {
		select {
		case <-ctx.Done():
			return
		case item := <-q.items:
			do(item)
			q.queued.Delete(item)
		}
	}
}
