package cache_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"zedcard/internal/cache"
)

func TestACacheIsBoundedInBytes(t *testing.T) {
	c := cache.New(cache.Options[int, []byte]{
		MaxBytes: 1000, Bytes: func(_ int, data []byte) int { return len(data) },
	})
	for i := range 100 {
		c.Set(i, make([]byte, 100))
	}
	assert.Eventually(t, func() bool { return c.Len() <= 10 }, time.Minute, time.Millisecond)
}
