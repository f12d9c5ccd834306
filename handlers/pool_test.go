package handlers

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestOneClientCantTakeTheWholePoolAndWaitsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newPool(4, 3, sameWait(time.Minute))
		school := s.reserve("school")
		assert.True(t, school.take(t.Context(), 2))
		assert.True(t, school.take(t.Context(), 1))
		another := s.reserve("school")
		begin := time.Now()
		assert.False(t, another.take(t.Context(), 1), "the client's share is used up")
		assert.Equal(t, time.Minute, time.Since(begin))
		another.release()

		home := s.reserve("home")
		assert.True(t, home.take(t.Context(), 1), "another client still gets a slot")
		time.AfterFunc(time.Second, school.release)
		begin = time.Now()
		assert.True(t, home.take(t.Context(), 2))
		assert.Equal(t, time.Second, time.Since(begin), "a freed slot goes to the waiting client")
		home.release()
		assert.Empty(t, s.clients, "clients without requests are forgotten")
	})
}

func TestAStandingQueueHasShortWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newPool(1, 1, maxWaits{normal: time.Second, overloaded: 50 * time.Millisecond})
		// wait is how long a request that arrives now waits before it is refused.
		wait := func() time.Duration {
			late := s.reserve("late")
			defer late.release()
			begin := time.Now()
			assert.False(t, late.take(t.Context(), 1))
			return time.Since(begin)
		}
		first := s.reserve("first")
		assert.True(t, first.take(t.Context(), 1))
		assert.Equal(t, time.Second, wait(), "a new queue has the long wait")
		time.Sleep(time.Millisecond)
		assert.Equal(t, 50*time.Millisecond, wait(), "a standing queue has the short wait")

		first.release()
		next := s.reserve("next")
		assert.True(t, next.take(t.Context(), 1))
		assert.Equal(t, time.Second, wait(), "a queue that was empty has the long wait again")
		next.release()
	})
}

func TestAFullQueueRefusesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newPool(1, 1, sameWait(time.Second))
		s.total.maxWaiting = 2
		reading := s.reserve("reading")
		assert.True(t, reading.take(t.Context(), 1))
		reading.Pause()
		making := s.reserve("making")
		assert.True(t, making.take(t.Context(), 1))
		for _, name := range []string{"second", "third"} {
			waiting := s.reserve(name)
			go func() {
				assert.True(t, waiting.take(t.Context(), 1))
				waiting.release()
			}()
		}
		synctest.Wait()

		begin := time.Now()
		assert.False(t, s.reserve("fourth").take(t.Context(), 1))
		assert.Zero(t, time.Since(begin))
		time.AfterFunc(time.Millisecond, making.release)
		assert.True(t, reading.Resume(t.Context()), "a paused page gets a slot again and finishes")
		reading.release()
		synctest.Wait()
		assert.True(t, s.reserve("fifth").take(t.Context(), 1), "a slot is free again")
	})
}

func TestALongQueueOfOneClientIsNotOverload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newPool(2, 1, maxWaits{normal: time.Second, overloaded: 50 * time.Millisecond})
		first := s.reserve("proxy")
		assert.True(t, first.take(t.Context(), 1))
		for range 3 {
			next := s.reserve("proxy")
			begin := time.Now()
			assert.False(t, next.take(t.Context(), 1))
			assert.Equal(t, time.Second, time.Since(begin))
			next.release()
			time.Sleep(time.Millisecond)
		}
		first.release()
	})
}

func TestAPausedSlotIsAvailableToOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newPool(1, 1, sameWait(time.Second))
		waiting, working := s.reserve("waiting"), s.reserve("working")
		assert.True(t, waiting.take(t.Context(), 1))
		waiting.Pause()
		waiting.Pause() // for a second read of the same request
		assert.True(t, working.take(t.Context(), 1))
		assert.True(t, waiting.Resume(t.Context()), "the second pause is still resumed")
		assert.False(t, waiting.Resume(t.Context()))

		working.release()
		assert.True(t, waiting.take(t.Context(), 1))
		waiting.Pause()
		waiting.release()
		assert.False(t, waiting.Resume(t.Context()), "a released request can't resume")
		third := s.reserve("third")
		assert.True(t, third.take(t.Context(), 1), "no slot is lost or released twice")
		third.release()
	})
}
