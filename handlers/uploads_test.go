package handlers

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOneClientCantTakeEveryPlaceAndWhoWaitsIsToldInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := newUploads(uploadWait)
		enter := func(client string) (leave func(), took time.Duration) {
			begin := time.Now()
			leave, _ = u.enter(t.Context(), client)
			return leave, time.Since(begin)
		}
		var first func()
		for range uploadsOfAClient {
			leave, took := enter("school")
			require.NotNil(t, leave)
			assert.Zero(t, took)
			first = leave
		}
		none, took := enter("school")
		assert.Nil(t, none)
		assert.Equal(t, uploadWait, took)

		for range uploadsAtOnce - uploadsOfAClient {
			leave, took := enter("home")
			require.NotNil(t, leave)
			assert.Zero(t, took, "the school leaves room")
		}
		time.AfterFunc(time.Second, first)
		leave, took := enter("office")
		require.NotNil(t, leave)
		assert.Equal(t, time.Second, took, "the next place is theirs")
		leave()
		assert.NotContains(t, u.of, "office", "nobody is remembered")
	})
}
