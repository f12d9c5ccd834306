package picture

import (
	"bytes"
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestADecompressionBombTakesLittleMemory: a PNG of less than 300 KB holds 49 megapixels.
// All that decoding allocates counts, also what is free again at once.
func TestADecompressionBombTakesLittleMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("too slow with the race detector; see test-go in the Makefile")
	}
	data := writePNG(7000, 7000, pngHeader{depth: 8, colour: 6}, false)
	require.Less(t, len(data), 300<<10)
	o, err := Probe(bytes.NewReader(data))
	require.NoError(t, err)
	w, h := o.Fit(3000, 3000)
	plan, err := o.Plan(o.Bounds(), w, h, 96<<20)
	require.NoError(t, err)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = plan.Decode(t.Context())
	require.NoError(t, err)
	runtime.ReadMemStats(&after)
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<20))
}

// BenchmarkDecode decodes PHOTO (a file) to 3000 pixels, as an upload is.
func BenchmarkDecode(b *testing.B) {
	data, err := os.ReadFile(os.Getenv("PHOTO"))
	if err != nil {
		b.Skip("set PHOTO to the file of a photo")
	}
	for b.Loop() {
		o, err := Probe(bytes.NewReader(data))
		require.NoError(b, err)
		w, h := o.Fit(3000, 3000)
		plan, err := o.Plan(o.Bounds(), w, h, 96<<20)
		require.NoError(b, err)
		b.ReportMetric(float64(plan.Memory>>20), "MB-planned")
		b.ReportMetric(float64(plan.scale), "scale")
		_, err = plan.Decode(b.Context())
		require.NoError(b, err)
	}
}
