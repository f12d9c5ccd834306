package backendtest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"go.uber.org/goleak"

	"zedcard/internal/backend/backendtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestFakeTalentsAreDeterministicAndOfEveryKind(t *testing.T) {
	talents := backendtest.Talents(1000)
	assert.Equal(t, talents, backendtest.Talents(1000))
	assert.Equal(t, talents[:10], backendtest.Talents(10))
	names := map[string]int{}
	for _, talent := range talents {
		names[talent.Name]++
	}
	assert.Equal(t, 100, names[""])
	for _, name := range backendtest.HostileNames {
		assert.Positive(t, names[name], "%.30q", name)
	}
}
