package handlers

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestOneClientCantTakeAllAndWhoWaitsIsToldInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShares(4, 3, always(time.Minute))
		school := s.open("school")
		assert.True(t, school.take(t.Context(), 2))
		assert.True(t, school.take(t.Context(), 1))
		another := s.open("school")
		begin := time.Now()
		assert.False(t, another.take(t.Context(), 1), "its share is taken")
		assert.Equal(t, time.Minute, time.Since(begin))
		another.release()

		home := s.open("home")
		assert.True(t, home.take(t.Context(), 1), "the school leaves room")
		time.AfterFunc(time.Second, school.release)
		begin = time.Now()
		assert.True(t, home.take(t.Context(), 2))
		assert.Equal(t, time.Second, time.Since(begin), "what comes free is theirs")
		home.release()
		assert.Empty(t, s.clients, "nobody is remembered")
	})
}

func TestAQueueThatStaysIsNotWaitedIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShares(1, 1, waits{usual: time.Second, overloaded: 50 * time.Millisecond})
		// wait is how long one waits in vain who comes now.
		wait := func() time.Duration {
			late := s.open("late")
			defer late.release()
			begin := time.Now()
			assert.False(t, late.take(t.Context(), 1))
			return time.Since(begin)
		}
		first := s.open("first")
		assert.True(t, first.take(t.Context(), 1))
		assert.Equal(t, time.Second, wait(), "a burst may pass")
		time.Sleep(time.Millisecond)
		assert.Equal(t, 50*time.Millisecond, wait(), "this is none")

		first.release()
		next := s.open("next")
		assert.True(t, next.take(t.Context(), 1))
		assert.Equal(t, time.Second, wait(), "the queue was empty for a moment")
		next.release()
	})
}

func TestWhoFindsTheQueueFullIsToldAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShares(1, 1, always(time.Second))
		s.all.longest = 2
		reading := s.open("reading")
		assert.True(t, reading.take(t.Context(), 1))
		reading.Pause()
		making := s.open("making")
		assert.True(t, making.take(t.Context(), 1))
		for _, name := range []string{"second", "third"} {
			waiting := s.open(name)
			go func() {
				assert.True(t, waiting.take(t.Context(), 1))
				waiting.release()
			}()
		}
		synctest.Wait()

		begin := time.Now()
		assert.False(t, s.open("fourth").take(t.Context(), 1))
		assert.Zero(t, time.Since(begin))
		time.AfterFunc(time.Millisecond, making.release)
		assert.True(t, reading.Resume(t.Context()), "a page that was begun is finished")
		reading.release()
		synctest.Wait()
		assert.True(t, s.open("fifth").take(t.Context(), 1), "there is room again")
	})
}

func TestALongQueueOfOneClientIsNoOverload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShares(2, 1, waits{usual: time.Second, overloaded: 50 * time.Millisecond})
		first := s.open("proxy")
		assert.True(t, first.take(t.Context(), 1))
		for range 3 {
			next := s.open("proxy")
			begin := time.Now()
			assert.False(t, next.take(t.Context(), 1))
			assert.Equal(t, time.Second, time.Since(begin))
			next.release()
			time.Sleep(time.Millisecond)
		}
		first.release()
	})
}

func TestAPausedSlotIsThereForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShares(1, 1, always(time.Second))
		waiting, working := s.open("waiting"), s.open("working")
		assert.True(t, waiting.take(t.Context(), 1))
		waiting.Pause()
		waiting.Pause() // for a second read of the same request
		assert.True(t, working.take(t.Context(), 1))
		assert.True(t, waiting.Resume(t.Context()), "the other read goes on waiting")
		assert.False(t, waiting.Resume(t.Context()))

		working.release()
		assert.True(t, waiting.take(t.Context(), 1))
		waiting.Pause()
		waiting.release()
		assert.False(t, waiting.Resume(t.Context()), "the request is over")
		third := s.open("third")
		assert.True(t, third.take(t.Context(), 1), "nothing is lost or given back twice")
		third.release()
	})
}
