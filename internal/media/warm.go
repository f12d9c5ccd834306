package media

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// PictureSpec is a picture that pages show.
type PictureSpec struct {
	File    string
	Options Options
}

const (
	// warmed is how many pictures Warm makes at once: while one becomes AVIF, the next becomes JPEG.
	warmed = 2
	// waitingPollInterval is how often Warm checks whether visitors still wait.
	waitingPollInterval = 100 * time.Millisecond
)

// Warm makes all sizes of these pictures in every format, and calls progress (if not nil) after each. It yields to
// visitors: while one waits for a picture it begins no other. Unusable files are logged and don't stop it; the error
// joins one for each.
func (s *Store) Warm(ctx context.Context, wanted []PictureSpec, progress func(done, total int)) error {
	var (
		mu     sync.Mutex
		done   int
		failed []error
		group  errgroup.Group
	)
	group.SetLimit(warmed)
	for _, w := range wanted {
		group.Go(func() error {
			err := s.warm(ctx, w)
			mu.Lock()
			defer mu.Unlock()
			if err != nil && ctx.Err() == nil {
				failed = append(failed, fmt.Errorf("media: %s: %w", w.File, err))
			}
			done++
			if progress != nil {
				progress(done, len(wanted))
			}
			return nil
		})
	}
	_ = group.Wait() // errors are in failed
	return errors.Join(append(failed, ctx.Err())...)
}

// warm makes the sizes of a picture.
func (s *Store) warm(ctx context.Context, w PictureSpec) error {
	p, ok := s.find(w.File, w.Options)
	if !ok {
		return errRefused
	}
	for _, width := range crops[w.Options.Crop].offered {
		v := p.in(shape{w.Options.Crop, width})
		for _, format := range []string{jpegFormat, avifFormat} {
			none := !s.config.AVIF || v.shape.crop == Share || !s.record(p.original).encoded(v.shape)
			if format == avifFormat && none {
				continue
			}
			for s.waiting.Load() > 0 && ctx.Err() == nil {
				select {
				case <-ctx.Done():
				case <-time.After(waitingPollInterval):
				}
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err := await(ctx, s.make(v, format)); err != nil {
				return err
			}
		}
	}
	return nil
}

// maxPrefetches is how many pictures Prefetch makes at once: visitors, and crawlers even more, load pages faster than
// pictures are made.
const maxPrefetches = 2

// Prefetch starts making a picture whose original was not read yet, before the browser requests it: on a phone that
// takes half a second longer. Under load it does nothing.
func (s *Store) Prefetch(file string, o Options) {
	p, ok := s.find(file, o)
	if !ok || s.config.Template != "" || s.record(p.original).known() || !s.prefetchSem.TryAcquire(1) {
		return
	}
	done := s.make(p.in(shape{o.Crop, crops[o.Crop].phone}), jpegFormat)
	s.background.Go(func() {
		<-done
		s.prefetchSem.Release(1)
	})
}

// renderedWidth is the width of what JPEG returns. A share picture shows a card 630 pixels high, so 473 wide.
const renderedWidth = 540

// JPEG returns a picture for drawing, and waits until it is made. Errors are those of its original, or ctx's.
func (s *Store) JPEG(ctx context.Context, file string, o Options) ([]byte, error) {
	p, ok := s.find(file, o)
	if !ok {
		return nil, fmt.Errorf("media: not below a storage: %w", errRefused)
	}
	v := p.in(shape{o.Crop, renderedWidth})
	if err := await(ctx, s.make(v, jpegFormat)); err != nil {
		return nil, err
	}
	return s.files.read(v.fileName(s.record(p.original), jpegFormat))
}
