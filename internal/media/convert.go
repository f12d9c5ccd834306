package media

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"io/fs"
	"sync"
	"time"

	"zedcard/internal/agency"
)

// Qualities, chosen by figures: see the benchmarks and TestPicturesAreSmallAndGood.
const (
	jpegQuality   = 75
	largeQuality  = 68 // of JPEGs from largeWidth on, whose pixels are small on every screen
	largeWidth    = 1080
	avifQuality   = 70
	masterQuality = 92
)

// made is a size of a picture.
type made struct {
	picture picture
	shape   shape
}

// masterName is the file that all sizes are made from.
func masterName(p picture, rec record) string { return p.id() + "-" + rec.Version + "-m.jpg" }

// fileName is the file of a size. Sizes that come to the same because the original is small share one.
func (m made) fileName(rec record, format string) string {
	w, _ := rec.size(m.shape)
	return m.picture.id() + "-" + rec.Version + "-" + shape{m.shape.crop, w}.String() + "." + format
}

// want has a size made as JPEG, unless it is being made already, and answers when it is there. It goes on when
// nobody waits any more.
func (s *Store) want(m made) <-chan error {
	done := make(chan error, 1)
	s.ending.Go(func() {
		_, err, _ := s.flights.Do("size "+m.shape.String()+" "+m.picture.String(), func() (any, error) {
			err := s.makeJPEG(m)
			if errors.Is(err, fs.ErrNotExist) { // the master went while we looked away
				err = s.makeJPEG(m)
			}
			return nil, err
		})
		done <- err
	})
	return done
}

func (s *Store) makeJPEG(m made) error {
	rec, err := s.ready(m)
	if err != nil || s.cache.has(m.fileName(rec, jpegFormat)) {
		return err
	}
	if err := s.weight.Acquire(s.ctx, weigh(0)); err != nil {
		return err
	}
	defer s.weight.Release(weigh(0))
	master, err := s.master(m.picture, rec)
	if err != nil {
		return err
	}
	return s.putSize(m, rec, master)
}

// ready sees to it that the master is there.
func (s *Store) ready(m made) (record, error) {
	rec := s.records.get(m.picture)
	if rec.known() && s.cache.has(masterName(m.picture, rec)) {
		return rec, nil
	}
	if err := s.failed.recent(m.picture, s.config.Now()); err != nil {
		return rec, err
	}
	err := s.load(m)
	return s.records.get(m.picture), err
}

// load reads an original, or asks whether it changed, and makes the master and the one size that is waited for.
// A picture is loaded once at a time.
func (s *Store) load(m made) error {
	_, err, _ := s.flights.Do("load "+m.picture.String(), func() (any, error) {
		err := s.loadOnce(m)
		if err != nil && s.ctx.Err() == nil {
			s.failed.add(m.picture, err, s.config.Now())
			s.complain(m.picture, err)
		}
		return nil, err
	})
	return err
}

// diskPause is how often a disk that takes no files is complained about.
const diskPause = time.Minute

// complain says which original is not usable. A disk that is full or read-only concerns all of them, and is said for one.
func (s *Store) complain(p picture, err error) {
	var disk *fs.PathError
	if !errors.As(err, &disk) {
		s.config.Log.Warn("media: original not usable", "picture", p.String(), "error", err)
		return
	}
	now, last := s.config.Now().UnixNano(), s.diskSaid.Load()
	if now-last > int64(diskPause) && s.diskSaid.CompareAndSwap(last, now) {
		s.config.Log.Error("media: pictures can't be kept", "error", err)
	}
}

func (s *Store) loadOnce(m made) error {
	p, before := m.picture, s.records.get(m.picture)
	known := before
	if known.known() && !s.cache.has(masterName(p, known)) {
		known = record{}
	}
	got, err := s.readOne(p, known)
	switch {
	case errors.Is(err, agency.ErrNotFound):
		s.records.forget(p)
		s.cache.removeAll(p.id() + "-")
		return err
	case err != nil:
		if known.known() { // what is there is good until the storage answers again
			known.Checked = s.config.Now().Add(retryCheck - s.config.Fresh)
			s.records.put(p, known)
		}
		return err
	}
	defer got.discard()
	if got.unchanged || known.known() && got.version == known.Version {
		known.Checked = s.config.Now()
		if !got.unchanged {
			known.ETag, known.LastModified = got.etag, got.lastModified
		}
		s.records.put(p, known)
		return nil
	}
	rec := record{Version: got.version, ETag: got.etag, LastModified: got.lastModified, Checked: s.config.Now()}
	if !s.reduced(p, &rec) {
		if err := s.reduce(m, got, &rec); err != nil {
			return err
		}
	}
	s.records.put(p, rec)
	if before.known() && before.Version != rec.Version {
		s.cache.removeAll(p.id() + "-" + before.Version)
	}
	return nil
}

// retryCheck is when a storage that didn't answer is asked again whether an original changed.
const retryCheck = 5 * time.Minute

func (s *Store) readOne(p picture, known record) (fetched, error) {
	if err := s.fetch.Acquire(s.ctx, 1); err != nil {
		return fetched{}, err
	}
	defer s.fetch.Release(1)
	return s.read(s.ctx, p, known)
}

// reduced finds the master of an earlier reading, or of another program's.
func (s *Store) reduced(p picture, rec *record) bool {
	file, err := s.cache.open(masterName(p, *rec))
	if err != nil {
		return false
	}
	defer file.Close()
	size, err := jpeg.DecodeConfig(file)
	rec.Width, rec.Height = size.Width, size.Height
	return err == nil
}

// reduce decodes an original and puts its master and a size of it into the cache.
func (s *Store) reduce(m made, got fetched, rec *record) error {
	if _, err := got.file.Seek(0, 0); err != nil {
		return err
	}
	o, err := probe(got.file)
	if err != nil {
		return err
	}
	weight := weigh(o.memory)
	if err := s.weight.Acquire(s.ctx, weight); err != nil {
		return err
	}
	defer s.weight.Release(weight)
	master, err := o.pixels()
	if err != nil {
		return err
	}
	rec.Width, rec.Height = master.Rect.Dx(), master.Rect.Dy()
	if m.shape.width > 0 {
		if err := s.putSize(m, *rec, master); err != nil {
			return err
		}
	}
	return s.putJPEG(masterName(m.picture, *rec), master, masterQuality)
}

// weigh is a conversion's share of memory: at least what keeps conversions at the number of cores.
func weigh(bytes int64) int64 { return min(max(bytes, memory/conversions()), memory) }

// master reads the master from the cache. Of one that is damaged the cache is rid, so that it is made again.
func (s *Store) master(p picture, rec record) (image.Image, error) {
	file, err := s.cache.open(masterName(p, rec))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	master, err := jpeg.Decode(file)
	if err != nil {
		s.cache.remove(masterName(p, rec))
	}
	return master, err
}

// render draws a size of a master.
func render(master image.Image, rec record, m made) *image.RGBA {
	w, h := rec.size(m.shape)
	area := m.shape.crop.rect(rec.Width, rec.Height, m.picture.focus)
	if whole, ok := master.(*image.RGBA); ok && area == whole.Rect && w == rec.Width {
		return whole
	}
	return scale(master, area, w, h)
}

func (s *Store) putSize(m made, rec record, master image.Image) error {
	picture, quality := render(master, rec, m), jpegQuality
	if picture.Rect.Dx() >= largeWidth {
		quality = largeQuality
	}
	return s.putJPEG(m.fileName(rec, jpegFormat), picture, quality)
}

func (s *Store) putJPEG(name string, m *image.RGBA, quality int) error {
	var data bytes.Buffer
	if err := jpeg.Encode(&data, m, &jpeg.Options{Quality: quality}); err != nil {
		return err
	}
	return s.cache.put(name, data.Bytes())
}

// makeAVIF makes a size as AVIF. It counts as one of the conversions that may run at once, so that the encoder's
// process and ours together keep within the cores and the memory.
func (s *Store) makeAVIF(ctx context.Context, m made) error {
	rec, err := s.ready(m)
	if err != nil {
		return err
	}
	name := m.fileName(rec, avifFormat)
	if s.cache.has(name) {
		return nil
	}
	if err := s.weight.Acquire(ctx, weigh(0)); err != nil {
		return err
	}
	defer s.weight.Release(weigh(0))
	master, err := s.master(m.picture, rec)
	if err != nil {
		return err
	}
	data, err := s.encoder.encode(ctx, render(master, rec, m))
	if err != nil {
		return fmt.Errorf("avif: %w", err)
	}
	return s.cache.put(name, data)
}

// encodeBehind makes the AVIFs that were asked for, one after the other, and lets the encoder go when there was
// nothing to do for a while.
func (s *Store) encodeBehind() {
	idle := time.NewTimer(time.Minute)
	defer idle.Stop()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-idle.C:
			s.encoder.close()
		case m := <-s.avif.next:
			if err := s.makeAVIF(s.ctx, m); err != nil && s.ctx.Err() == nil {
				s.config.Log.Warn("media: not encoded", "picture", m.picture.String(), "size", m.shape.String(), "error", err)
			}
			s.avif.done(m)
			idle.Reset(time.Minute)
		}
	}
}

// checkIfDue has a picture's original looked at behind, where that was not done for Fresh.
func (s *Store) checkIfDue(p picture, rec record) {
	if rec.known() && s.config.Now().Sub(rec.Checked) > s.config.Fresh {
		s.checks.push(p)
	}
}

func (s *Store) checkBehind() {
	for {
		select {
		case <-s.ctx.Done():
			return
		case p := <-s.checks.next:
			_ = s.load(made{picture: p}) // load logs what went wrong
			s.checks.done(p)
		}
	}
}

// queue holds what waits, each once, no more than its size.
type queue[T comparable] struct {
	next chan T

	mu      sync.Mutex
	waiting map[T]bool
}

func newQueue[T comparable](size int) *queue[T] {
	return &queue[T]{next: make(chan T, size), waiting: map[T]bool{}}
}

// push adds to the queue. In a full one it is lost: whoever misses it will ask again.
func (q *queue[T]) push(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.waiting[item] {
		return
	}
	select {
	case q.next <- item:
		q.waiting[item] = true
	default:
	}
}

func (q *queue[T]) done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.waiting, item)
}

// failures remembers what could not be read, so that a missing picture is not asked for with every visitor.
type failures struct {
	mu   sync.Mutex
	last map[picture]failure
}

type failure struct {
	err   error
	until time.Time
}

const maxFailures = 10_000

func (f *failures) add(p picture, err error, now time.Time) {
	wait := time.Minute
	var disk *fs.PathError
	if errors.Is(err, agency.ErrUnavailable) || errors.As(err, &disk) {
		wait = 10 * time.Second
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.last == nil || len(f.last) >= maxFailures {
		f.last = map[picture]failure{}
	}
	f.last[p] = failure{err, now.Add(wait)}
}

// recent is the error that the picture gave lately, nil where it may be tried again.
func (f *failures) recent(p picture, now time.Time) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if last, ok := f.last[p]; ok && now.Before(last.until) {
		return last.err
	}
	delete(f.last, p)
	return nil
}
