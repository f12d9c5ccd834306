package cache_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/cache"
)

func TestACacheIsBoundedInBytes(t *testing.T) {
	c := cache.New(cache.Options[int, []byte]{
		MaxBytes: 1000, Bytes: func(_ int, data []byte) int { return len(data) },
	})
	for i := range 100 {
		c.Set(i, make([]byte, 100))
	}
	assert.Eventually(t, func() bool { return c.Bytes() <= 1000 }, time.Minute, time.Millisecond)
}

func TestAValueIsLoadedOnceForAllWhoAsk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := cache.New(cache.Options[string, int]{MaxEntries: 10})
		var loads atomic.Int32
		load := func(context.Context) (int, error) {
			time.Sleep(time.Second)
			return int(loads.Add(1)), nil
		}
		for range 5 {
			go func() {
				value, err := c.Load(t.Context(), "key", load)
				assert.NoError(t, err)
				assert.Equal(t, 1, value)
			}()
		}
		time.Sleep(time.Minute)
		assert.EqualValues(t, 1, loads.Load())
	})
}

func TestAnErrorIsNotCached(t *testing.T) {
	c := cache.New(cache.Options[string, int]{MaxEntries: 10})
	broken := errors.New("broken")
	_, err := c.Load(t.Context(), "key", func(context.Context) (int, error) { return 0, broken })
	require.ErrorIs(t, err, broken)
	assert.Equal(t, 2, c.GetOrMake("key", func() int { return 2 }))
	for key, value := range c.All() {
		assert.Equal(t, "key 2", key+" "+string(rune('0'+value)))
	}
	c.Remove("key")
	_, ok := c.Get("key")
	assert.False(t, ok)
}
