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
		assert.False(t, another.take(t.Context(), 1), "its share is taken")
		assert.Equal(t, time.Minute, time.Since(begin))
		another.release()

		home := s.reserve("home")
		assert.True(t, home.take(t.Context(), 1), "the school leaves room")
		time.AfterFunc(time.Second, school.release)
		begin = time.Now()
		assert.True(t, home.take(t.Context(), 2))
		assert.Equal(t, time.Second, time.Since(begin), "what comes free is theirs")
		home.release()
		assert.Empty(t, s.clients, "nobody is remembered")
	})
}

func TestAStandingQueueHasShortWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newPool(1, 1, maxWaits{normal: time.Second, overloaded: 50 * time.Millisecond})
		// wait is how long one waits in vain who comes now.
		wait := func() time.Duration {
			late := s.reserve("late")
			defer late.release()
			begin := time.Now()
			assert.False(t, late.take(t.Context(), 1))
			return time.Since(begin)
		}
		first := s.reserve("first")
		assert.True(t, first.take(t.Context(), 1))
		assert.Equal(t, time.Second, wait(), "a burst may pass")
		time.Sleep(time.Millisecond)
		assert.Equal(t, 50*time.Millisecond, wait(), "this is none")

		first.release()
		next := s.reserve("next")
		assert.True(t, next.take(t.Context(), 1))
		assert.Equal(t, time.Second, wait(), "the queue was empty for a moment")
		next.release()
	})
}

func TestAFullQueueRefusesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newPool(1, 1, sameWait(time.Second))
		s.total.longest = 2
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
		assert.True(t, reading.Resume(t.Context()), "a page that was begun is finished")
		reading.release()
		synctest.Wait()
		assert.True(t, s.reserve("fifth").take(t.Context(), 1), "there is room again")
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
		assert.True(t, waiting.Resume(t.Context()), "the other read goes on waiting")
		assert.False(t, waiting.Resume(t.Context()))

		working.release()
		assert.True(t, waiting.take(t.Context(), 1))
		waiting.Pause()
		waiting.release()
		assert.False(t, waiting.Resume(t.Context()), "the request is over")
		third := s.reserve("third")
		assert.True(t, third.take(t.Context(), 1), "nothing is lost or given back twice")
		third.release()
	})
}
