package agency_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"zedcard/internal/agency"
)

func TestAReferenceIsParsedAsItWasWritten(t *testing.T) {
	came := time.Date(2026, 11, 22, 23, 59, 0, 0, time.FixedZone("", -3*60*60))
	reference := agency.NewReference(agency.ApplicationReference, came, "9f3c07a1b2c3d4e5f60718293a4b5c6d")
	assert.Equal(t, "A-261123-9F3C07", reference.String(), "the date is one of the agency’s time zone")

	local := time.Local
	time.Local = time.FixedZone("", -4*60*60)
	t.Cleanup(func() { time.Local = local })
	assert.Equal(t, "A-261122-9F3C07", agency.NewReference(agency.ApplicationReference, came,
		"9f3c07a1b2c3d4e5f60718293a4b5c6d").String())
	time.Local = local
	read, ok := agency.ParseReference(" a-261123-9f3c07 ")
	assert.True(t, ok)
	assert.Equal(t, reference, read)
	for _, text := range []string{
		"", "1", "X-261123-9F3C07", "A-261323-9F3C07", "A-261123-9F3C0", "A-261123-9F3C07<b>",
	} {
		_, ok := agency.ParseReference(text)
		assert.False(t, ok, text)
	}
}
