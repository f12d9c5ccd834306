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
