package media

import (
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"time"
)

// lookAgain is how often Prepare looks whether visitors still wait.
const lookAgain = 100 * time.Millisecond

// Prepare makes the sizes that Warm would, one picture after the other, and lets visitors go first: while one waits
// for a picture it begins nothing. What can't be shown is passed over; it is in the log. It ends with ctx.
func (s *Store) Prepare(ctx context.Context, wanted []Wanted) {
	for _, w := range wanted {
		_ = s.warm(ctx, w, s.letVisitorsGoFirst) // logged where it happened, and a visitor's request tries again
		if ctx.Err() != nil {
			return
		}
	}
}

// phoneWidths are the sizes that phones ask for.
var phoneWidths = map[Crop]int{Whole: 1080, Card: 540, Share: 1200}

// prefetches is how many pictures Prefetch begins at once: pages are
// read faster than pictures are made, by robots above all.
const prefetches = 2

// Prefetch begins with a picture that was not read yet, because a page that shows it first is on its way: its request
// is half a second behind on a phone. With too much to do it does nothing.
func (s *Store) Prefetch(file string, o Options) {
	p, ok := s.find(file, o)
	if !ok || s.config.Template != "" || s.records.get(p).known() || s.failed.recent(p, s.config.Now()) != nil {
		return
	}
	if !s.prefetch.TryAcquire(1) {
		return
	}
	done := s.ensure(variant{p, shape{o.Crop, phoneWidths[o.Crop]}})
	s.ending.Go(func() {
		<-done
		s.prefetch.Release(1)
	})
}

// Render gives a picture in the size that phones ask for, once it is made. Errors are those of its original, or ctx's.
func (s *Store) Render(ctx context.Context, file string, o Options) (image.Image, error) {
	p, ok := s.find(file, o)
	if !ok {
		return nil, fmt.Errorf("media: not below a storage: %w", errRefused)
	}
	v := variant{p, shape{o.Crop, phoneWidths[o.Crop]}}
	select {
	case err := <-s.ensure(v):
		if err != nil {
			return nil, err
		}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	data, err := s.cache.open(v.fileName(s.records.get(p), jpegFormat))
	if err != nil {
		return nil, err
	}
	defer data.Close()
	return jpeg.Decode(data)
}

func (s *Store) letVisitorsGoFirst(ctx context.Context) error {
	tick := time.NewTicker(lookAgain)
	defer tick.Stop()
	for s.waiting.Load() > 0 {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
	return ctx.Err()
}
