// Figures: how small and how good.

package media

import (
	"image"
	"image/color"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/picture"
	"zedcard/internal/testkit/picturetest"
)

// noise is how far the brightness of two pictures of one size is apart, of 255 (the root of its mean square).
func noise(a, b image.Image) float64 {
	light := func(c color.Color) float64 { return float64(color.GrayModel.Convert(c).(color.Gray).Y) }
	var sum float64
	size := a.Bounds().Size()
	for i := range size.X * size.Y {
		x, y := i%size.X, i/size.X
		apart := light(a.At(x, y)) - light(b.At(x, y))
		sum += apart * apart
	}
	return math.Sqrt(sum / float64(size.X*size.Y))
}

// twelveMegapixels is an original as from a camera: the file PHOTO, or a generated one.
func twelveMegapixels(t testing.TB) []byte {
	t.Helper()
	if name := os.Getenv("PHOTO"); name != "" {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		return data
	}
	return picturetest.JPEG(t, photo(3000, 4000))
}

// TestPicturesAreSmallAndGood: on a phone of 390 points at 2x and 3x a card has under 40 kB and a picture that fills
// the screen under 120 kB, without a visible difference. PHOTO=original.jpg checks another picture.
func TestPicturesAreSmallAndGood(t *testing.T) {
	original := twelveMegapixels(t)
	from := &storage{}
	from.put("a.jpg", original)
	s := open(t, from, withAVIF)
	p, _ := s.resolve("a.jpg", "")
	full := decoded(t, original)
	for _, c := range []struct {
		shape shape
		limit int
	}{
		{shape{agency.CardCrop, 360}, 40_000}, {shape{agency.CardCrop, 540}, 40_000},
		{shape{agency.Whole, 720}, 120_000}, {shape{agency.Whole, 1080}, 120_000},
	} {
		require.NoError(t, s.makeFile(variant{original: p, shape: c.shape}, jpegFormat, false))
		require.NoError(t, s.makeFile(variant{original: p, shape: c.shape}, avifFormat, true))
		for _, format := range []string{jpegFormat, avifFormat} {
			name := variant{original: p, shape: c.shape}.fileName(s.record(p), format)
			data, err := os.ReadFile(s.files.path(name))
			require.NoError(t, err)
			got := decoded(t, data)
			want := picture.Scale(full, cropped(c.shape.crop, full.Bounds().Dx(), full.Bounds().Dy(), agency.Focus{}),
				got.Bounds().Dx(), got.Bounds().Dy())
			apart := noise(want, got)
			t.Logf("%s %s: %d bytes, noise %.2f", c.shape, format, len(data), apart)
			assert.Less(t, len(data), c.limit, name)
			assert.Less(t, apart, 1.5, name)
		}
	}
}
