package handlers

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestOneClientCantTakeAllAndWhoWaitsIsToldInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShares(4, 3, time.Minute)
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
