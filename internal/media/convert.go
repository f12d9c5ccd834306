package media

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"sync"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/picture"
)

// variant is an original in a shape.
type variant struct {
	original original
	shape    shape
}

// masterName is the file that all sizes are made from.
func masterName(p original, rec record) string { return p.id() + "-" + rec.Version + "-m.jpg" }

// fileName is the file of a size. Widths beyond a small original share one file.
func (v variant) fileName(rec record, format string) string {
	w, _ := rec.size(v.shape)
	return v.original.id() + "-" + rec.Version + "-" + shape{v.shape.crop, w}.String() + "." + format
}

// make makes a variant as JPEG, or joins the conversion in progress, and sends its result. The conversion continues
// when nobody waits any more.
func (s *Store) make(v variant) <-chan error {
	done := make(chan error, 1)
	s.background.Go(func() {
		_, err, _ := s.flights.Do("size "+v.shape.String()+" "+v.original.String(), func() (any, error) {
			err := s.makeSize(s.ctx, v, jpegFormat)
			if errors.Is(err, fs.ErrNotExist) { // the master was removed in the meantime
				err = s.makeSize(s.ctx, v, jpegFormat)
			}
			return nil, err
		})
		done <- err
	})
	return done
}

// makeSize makes a size in a format out of the master.
func (s *Store) makeSize(ctx context.Context, v variant, format string) error {
	rec, err := s.makeMaster(v)
	if err != nil || s.cache.has(v.fileName(rec, format)) {
		return err
	}
	file, err := s.cache.open(masterName(v.original, rec))
	if err != nil {
		return err
	}
	defer file.Close()
	master, err := io.ReadAll(file)
	if err != nil {
		return err
	}
	made, err := s.convert(ctx, recipe{Width: rec.Width, Height: rec.Height, Outputs: []output{v.output(rec, format)}},
		sizeMemory, master)
	if errors.Is(err, picture.ErrBroken) {
		s.cache.remove(masterName(v.original, rec)) // it is made again
	}
	if err != nil {
		return fmt.Errorf("%s: %w", format, err)
	}
	s.store(v.fileName(rec, format), made[0])
	return nil
}

// makeMaster makes the master if it is missing, and then the size, too.
func (s *Store) makeMaster(v variant) (record, error) {
	rec := s.records.get(v.original)
	if rec.known() && s.cache.has(masterName(v.original, rec)) {
		return rec, nil
	}
	if err := s.failed.recent(v.original, s.config.Now()); err != nil {
		return rec, err
	}
	err := s.load(v)
	return s.records.get(v.original), err
}

// load reads an original, or checks whether it has changed, and makes the master and the requested size. Only one load
// of a picture runs at a time.
func (s *Store) load(v variant) error {
	_, err, _ := s.flights.Do("load "+v.original.String(), func() (any, error) {
		err := s.loadOriginal(v)
		if err != nil && s.ctx.Err() == nil {
			s.failed.add(v.original, err, s.config.Now())
			s.logUnusable(v.original, err)
		}
		return nil, err
	})
	return err
}

// diskLogInterval is the time between two log lines about a disk that can't be written.
const diskLogInterval = time.Minute

// logUnusable logs an unusable original. A full or read-only disk affects all of them and is logged once.
func (s *Store) logUnusable(p original, err error) {
	var diskErr *fs.PathError
	if errors.As(err, &diskErr) {
		s.logDiskError(err)
		return
	}
	s.config.Log.Warn("media: original not usable", "picture", p.String(), "error", err)
}

func (s *Store) logDiskError(err error) {
	now, last := s.config.Now().UnixNano(), s.lastDiskLog.Load()
	if now-last > int64(diskLogInterval) && s.lastDiskLog.CompareAndSwap(last, now) {
		s.config.Log.Error("media: pictures can't be written, they are kept in memory", "error", err)
	}
}

func (s *Store) loadOriginal(v variant) error {
	p, previous := v.original, s.records.get(v.original)
	known := previous
	if known.known() && !s.cache.has(masterName(p, known)) {
		known = record{}
	}
	got, err := s.readWhenFree(p, known)
	switch {
	case errors.Is(err, agency.ErrNotFound):
		s.records.remove(p)
		s.cache.removeAll(p.id() + "-")
		return err
	case err != nil:
		if known.known() { // the known state is used until the storage answers again
			known.Checked = s.config.Now().Add(retryCheck - s.config.FreshFor)
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
	if !s.findMaster(p, &rec) {
		if err := s.reduce(v, got, &rec); err != nil {
			return err
		}
	}
	s.records.put(p, rec)
	if previous.known() && previous.Version != rec.Version {
		s.cache.removeAll(p.id() + "-" + previous.Version)
	}
	return nil
}

// retryCheck is how long to wait before checking an original again if the storage did not answer.
const retryCheck = 5 * time.Minute

func (s *Store) readWhenFree(p original, known record) (fetched, error) {
	if err := s.fetchSem.Acquire(s.ctx, 1); err != nil {
		return fetched{}, err
	}
	defer s.fetchSem.Release(1)
	return s.readOriginal(s.ctx, p, known)
}

// findMaster finds the master that was made earlier, or by another process.
func (s *Store) findMaster(p original, rec *record) bool {
	file, err := s.cache.open(masterName(p, *rec))
	if err != nil {
		return false
	}
	defer file.Close()
	master, err := picture.Probe(file)
	if err != nil {
		return false
	}
	rec.Width, rec.Height = master.Width, master.Height
	return true
}

// reduce makes an original's master and the requested size.
func (s *Store) reduce(v variant, got fetched, rec *record) error {
	file, err := got.spool.reader()
	if err != nil {
		return err
	}
	probed, err := picture.Probe(file)
	if err != nil {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	rec.Width, rec.Height = probed.Fit(masterWidth, 2*masterWidth)
	wanted := recipe{Width: rec.Width, Height: rec.Height, Outputs: []output{{
		Area: image.Rect(0, 0, rec.Width, rec.Height), Width: rec.Width, Height: rec.Height, Quality: masterQuality,
	}}}
	if v.shape.width > 0 {
		wanted.Outputs = append(wanted.Outputs, v.output(*rec, jpegFormat))
	}
	var data []byte
	wanted.Path, data = got.spool.content()
	made, err := s.convert(s.ctx, wanted, probed.Memory(rec.Width, rec.Height), data)
	if errors.Is(err, picture.ErrBroken) || errors.Is(err, picture.ErrSlow) {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	if err != nil {
		return err
	}
	s.store(masterName(v.original, *rec), made[0])
	if v.shape.width > 0 {
		s.store(v.fileName(*rec, jpegFormat), made[1])
	}
	return nil
}

// store puts a file into the cache. If that fails, the picture is still served.
func (s *Store) store(name string, data []byte) {
	if err := s.cache.put(name, data); err != nil {
		s.logDiskError(err)
	}
}

// encodeQueued makes the requested AVIFs one after the other.
func (s *Store) encodeQueued() {
	for {
		select {
		case <-s.ctx.Done():
			return
		case v := <-s.avif.items:
			if err := s.makeSize(s.ctx, v, avifFormat); err != nil && s.ctx.Err() == nil {
				s.config.Log.Warn("media: not encoded", "picture",
					v.original.String(), "size", v.shape.String(), "error", err)
			}
			s.avif.done(v)
		}
	}
}

// checkIfDue queues a check of a picture's original if the last one is older than FreshFor.
func (s *Store) checkIfDue(p original, rec record) {
	if rec.known() && s.config.Now().Sub(rec.Checked) > s.config.FreshFor {
		s.checks.push(p)
	}
}

func (s *Store) checkQueued() {
	for {
		select {
		case <-s.ctx.Done():
			return
		case p := <-s.checks.items:
			_ = s.load(variant{original: p}) // load logs what went wrong
			s.checks.done(p)
		}
	}
}

// queue is a bounded queue that holds each item at most once.
type queue[T comparable] struct {
	items chan T

	mu     sync.Mutex
	queued map[T]bool
}

func newQueue[T comparable](size int) *queue[T] {
	return &queue[T]{items: make(chan T, size), queued: map[T]bool{}}
}

// push adds an item. If the queue is full the item is dropped: the next request adds it again.
func (q *queue[T]) push(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.queued[item] {
		return
	}
	select {
	case q.items <- item:
		q.queued[item] = true
	default:
	}
}

func (q *queue[T]) done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.queued, item)
}

// failures remembers originals that could not be read, so that a missing one is not fetched for every visitor.
type failures struct {
	mu         sync.Mutex
	byOriginal map[original]failure
}

type failure struct {
	err   error
	until time.Time
}

const maxFailures = 10_000

func (f *failures) add(p original, err error, now time.Time) {
	wait := time.Minute
	var diskErr *fs.PathError
	if errors.Is(err, agency.ErrUnavailable) || errors.As(err, &diskErr) {
		wait = 10 * time.Second
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.byOriginal == nil || len(f.byOriginal) >= maxFailures {
		f.byOriginal = map[original]failure{}
	}
	f.byOriginal[p] = failure{err, now.Add(wait)}
}

// forget makes the pictures of a file be tried again at once.
func (f *failures) forget(file original) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for p := range f.byOriginal {
		if p.root == file.root && p.path == file.path {
			delete(f.byOriginal, p)
		}
	}
}

// recent is the picture's recent error, nil if it may be tried again.
func (f *failures) recent(p original, now time.Time) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if failed, ok := f.byOriginal[p]; ok && now.Before(failed.until) {
		return failed.err
	}
	delete(f.byOriginal, p)
	return nil
}
