// Figures: how small and how good.

package media

import (
	"image"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/picture"
)

// similarity is SSIM over brightness in windows of 8 by 8 pixels, 1 for the same picture.
func similarity(a, b image.Image) float64 {
	light := func(m image.Image) ([]float64, int, int) {
		w, h := m.Bounds().Dx(), m.Bounds().Dy()
		out := make([]float64, 0, w*h)
		for p := picture.Scale(m, m.Bounds(), w, h).Pix; len(p) > 0; p = p[4:] {
			out = append(out, 0.299*float64(p[0])+0.587*float64(p[1])+0.114*float64(p[2]))
		}
		return out, w, h
	}
	p, w, h := light(a)
	q, _, _ := light(b)
	const window, c1, c2 = 8, 6.5025, 58.5225
	var sum float64
	var n int
	for y := 0; y+window <= h; y += 4 {
		for x := 0; x+window <= w; x += 4 {
			var mp, mq, pp, qq, pq float64
			for j := y; j < y+window; j++ {
				for i := j*w + x; i < j*w+x+window; i++ {
					mp, mq = mp+p[i], mq+q[i]
					pp, qq, pq = pp+p[i]*p[i], qq+q[i]*q[i], pq+p[i]*q[i]
				}
			}
			const k = window * window
			mp, mq = mp/k, mq/k
			sum += (2*mp*mq + c1) * (2*(pq/k-mp*mq) + c2) / ((mp*mp + mq*mq + c1) * (pp/k - mp*mp + qq/k - mq*mq + c2))
			n++
		}
	}
	return sum / float64(n)
}

// twelveMegapixels is an original as from a camera: the file PHOTO, or a generated one.
func twelveMegapixels(t testing.TB) []byte {
	t.Helper()
	if name := os.Getenv("PHOTO"); name != "" {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		return data
	}
	return asJPEG(t, photo(3000, 4000), 92)
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
			alike := similarity(want, got)
			t.Logf("%s %s: %d bytes, SSIM %.4f", c.shape, format, len(data), alike)
			assert.Less(t, len(data), c.limit, name)
			assert.Greater(t, alike, 0.93, name)
		}
	}
}
