package media

import (
	"context"
	"fmt"
	"io"
	"time"
)

// waitingPollInterval is how often Prepare checks whether visitors still wait.
const waitingPollInterval = 100 * time.Millisecond

// Prepare makes the same sizes as Warm, one picture after the other, and yields to visitors: while one waits for a
// picture it starts no conversion. Unusable originals are logged and skipped. It ends with ctx.
func (s *Store) Prepare(ctx context.Context, wanted []PictureSpec) {
	for _, w := range wanted {
		_ = s.warm(ctx, w, s.yieldToVisitors) // logged already, and a visitor's request tries again
		if ctx.Err() != nil {
			return
		}
	}
}

// phoneWidths are the widths that most phones request: ui.FullWidth, ui.HalfWidth.
var phoneWidths = map[Crop]int{Whole: 720, Card: 360, Share: 1200}

// maxPrefetches is how many pictures Prefetch makes at once: visitors, and crawlers even more, load pages faster than
// pictures are made.
const maxPrefetches = 2

// Prefetch starts making a picture whose original was not read yet, before the browser requests it: on a phone that
// takes half a second longer. Under load it does nothing.
func (s *Store) Prefetch(file string, o Options) {
	p, ok := s.find(file, o)
	if !ok || s.config.Template != "" || s.records.get(p).known() || s.failed.recent(p, s.config.Now()) != nil {
		return
	}
	if !s.prefetchSem.TryAcquire(1) {
		return
	}
	done := s.make(variant{p, shape{o.Crop, phoneWidths[o.Crop]}})
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
	v := variant{p, shape{o.Crop, renderedWidth}}
	select {
	case err := <-s.make(v):
		if err != nil {
			return nil, err
		}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	cached, err := s.cache.open(v.fileName(s.records.get(p), jpegFormat))
	if err != nil {
		return nil, err
	}
	defer cached.Close()
	return io.ReadAll(cached)
}

func (s *Store) yieldToVisitors(ctx context.Context) error {
	tick := time.NewTicker(waitingPollInterval)
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
