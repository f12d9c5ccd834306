package admission_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/admission"
)

// enter takes an amount that must fit.
func enter(t *testing.T, p *admission.Pool, client string, amount int64) *admission.Holding {
	t.Helper()
	h, ok := p.Enter(t.Context(), client, amount)
	require.True(t, ok)
	return h
}

func TestOneClientCantTakeTheWholePoolAndWaitsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := admission.NewPool(admission.Limits{Total: 4, Share: 3, Wait: time.Minute})
		school := enter(t, p, "school", 3)
		begin := time.Now()
		_, ok := p.Enter(t.Context(), "school", 1)
		assert.False(t, ok, "the client's share is used up")
		assert.Equal(t, time.Minute, time.Since(begin))

		home := enter(t, p, "home", 1)
		time.AfterFunc(time.Second, school.Close)
		begin = time.Now()
		assert.True(t, home.Take(t.Context(), 2))
		assert.Equal(t, time.Second, time.Since(begin), "freed room goes to the waiting client")
		home.Close()
		enter(t, p, "school", 3).Close()
	})
}

func TestFreedRoomGoesToTheClientThatHasHadLeast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := admission.NewPool(admission.Limits{Total: 1, Share: 1, Wait: time.Hour})
		var served []string
		ask := func(client string) {
			h, ok := p.Enter(t.Context(), client, 1)
			assert.True(t, ok)
			served = append(served, client)
			time.Sleep(time.Second)
			h.Close()
		}
		for range 3 {
			go ask("crawler")
		}
		synctest.Wait()
		time.Sleep(time.Millisecond)
		go ask("visitor")
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.Equal(t, []string{"crawler", "visitor", "crawler", "crawler"}, served)
	})
}

func TestAFullQueueRefusesAtOnceButKeepsRoomForOtherClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := admission.NewPool(admission.Limits{Total: 1, Share: 1, Wait: time.Minute, Queue: 8})
		first := enter(t, p, "crawler", 1)
		ctx, leave := context.WithCancel(t.Context())
		for range 2 {
			go p.Enter(ctx, "crawler", 1)
		}
		synctest.Wait()
		begin := time.Now()
		_, ok := p.Enter(t.Context(), "crawler", 1)
		assert.False(t, ok)
		assert.Zero(t, time.Since(begin))
		time.AfterFunc(time.Second, first.Close)
		enter(t, p, "visitor", 1).Close()
		leave()
	})
}

func TestWhatTurnsOutLargerIsCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := admission.NewPool(admission.Limits{Total: 10, Share: 10, Wait: time.Second})
		h := enter(t, p, "one", 1)
		h.Add(39)
		_, ok := p.Enter(t.Context(), "two", 1)
		assert.False(t, ok)
		h.Add(-35)
		enter(t, p, "two", 1).Close()
		h.Close()
		enter(t, p, "three", 10).Close()
	})
}

func TestTheSlowestGoesWhenOthersWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := admission.NewPool(admission.Limits{Total: 30, Share: 10, Wait: 10 * time.Second})
		var dropped []string
		hold := func(name string) *admission.Holding {
			h := enter(t, p, name, 10)
			h.DropIfSlow(func() {
				dropped = append(dropped, name)
				go h.Close()
			})
			return h
		}
		hold("slow")
		time.Sleep(time.Minute)
		assert.Empty(t, dropped, "nobody waits")
		beingCleaned := hold("cleaned")
		beingCleaned.DropIfSlow(nil)
		time.Sleep(time.Second)
		hold("fast")
		begin := time.Now()
		visitor := enter(t, p, "visitor", 1)
		assert.Equal(t, []string{"slow"}, dropped)
		assert.Less(t, time.Since(begin), 5*time.Second)
		visitor.Close()
		beingCleaned.Close()
	})
}
