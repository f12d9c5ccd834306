package media

import (
	"context"
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

// expected are the sizes that phones ask for.
var expected = map[Crop]int{Whole: 1080, Card: 540, Share: 1200}

// atOnce is how many pictures Expect begins at once: pages are read faster than pictures are made, by robots above all.
const atOnce = 2

// Expect begins with a picture that was not read yet, because a page that shows it first is on its way: its request is
// half a second behind on a phone. With too much to do it does nothing.
func (s *Store) Expect(file string, o Options) {
	p, ok := s.find(file, o)
	if !ok || s.config.Template != "" || s.records.get(p).known() || s.failed.recent(p, s.config.Now()) != nil {
		return
	}
	if !s.ahead.TryAcquire(1) {
		return
	}
	done := s.want(made{p, shape{o.Crop, expected[o.Crop]}})
	s.ending.Go(func() {
		<-done
		s.ahead.Release(1)
	})
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
