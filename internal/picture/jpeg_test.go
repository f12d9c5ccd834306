package picture

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// meanColour is the mean of the pixels of m in an area.
func meanColour(m image.Image, area image.Rectangle) (sum [3]float64) {
	area = area.Intersect(m.Bounds())
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			c := color.RGBAModel.Convert(m.At(x, y)).(color.RGBA)
			for i, v := range []uint8{c.R, c.G, c.B} {
				sum[i] += float64(v) / float64(area.Dx()*area.Dy())
			}
		}
	}
	return sum
}

// difference is how much two pictures of one size differ on the mean, of 255.
func difference(a, b image.Image) (off float64) {
	size := a.Bounds().Size()
	for y := range size.Y {
		for x := range size.X {
			want := meanColour(a, image.Rect(x, y, x+1, y+1).Add(a.Bounds().Min))
			got := meanColour(b, image.Rect(x, y, x+1, y+1).Add(b.Bounds().Min))
			for i := range want {
				off += max(want[i]-got[i], got[i]-want[i])
			}
		}
	}
	return off / float64(3*size.X*size.Y)
}

// decodeAt decodes a JPEG here at scale/8 and scales the result to w by h pixels.
func decodeAt(t testing.TB, data []byte, at, w, h int) (*image.RGBA, error) {
	t.Helper()
	o, err := Probe(bytes.NewReader(data))
	require.NoError(t, err)
	o.header.jpeg.progressive = true // else the standard library decodes it where it is not made smaller
	p := Plan{original: o, area: o.Bounds(), w: w, h: h, scale: at}
	return p.Decode(t.Context())
}

func TestAJPEGIsTheSamePictureAtEveryScale(t *testing.T) {
	files, err := filepath.Glob("testdata/*.jpg")
	require.NoError(t, err)
	require.Len(t, files, 6)
	for _, name := range files {
		progressive, err := os.ReadFile(name)
		require.NoError(t, err)
		whole, err := jpeg.Decode(bytes.NewReader(progressive))
		require.NoError(t, err)
		var plain bytes.Buffer
		require.NoError(t, jpeg.Encode(&plain, whole, &jpeg.Options{Quality: 95}))
		for kind, data := range map[string][]byte{"progressive": progressive, "baseline": plain.Bytes()} {
			for k := 1; k <= 8; k++ {
				t.Run(fmt.Sprintf("%s %s %d", filepath.Base(name), kind, k), func(t *testing.T) {
					w, h := ceil(102*k, 8), ceil(67*k, 8)
					got, err := decodeAt(t, data, k, w, h)
					require.NoError(t, err)
					want := Scale(whole, whole.Bounds(), w, h)
					// A picture of 102 x 67 pixels has a fringe that is a
					// part of a block, and hues that are coarser than light.
					assert.Less(t, difference(want, got), 4+12/float64(k))
				})
			}
		}
	}
}

func TestRestartMarkersChangeNothing(t *testing.T) {
	plain, err := os.ReadFile("testdata/422.jpg")
	require.NoError(t, err)
	want, err := decodeAt(t, plain, 4, 51, 34)
	require.NoError(t, err)
	restarting, err := os.ReadFile("testdata/422-restart.jpeg") // which the standard library refuses
	require.NoError(t, err)
	got, err := decodeAt(t, restarting, 4, 51, 34)
	require.NoError(t, err)
	assert.Equal(t, want, got)

	for end := 700; end < len(restarting)-1; end++ { // the last marker has two bytes
		o, err := Probe(bytes.NewReader(restarting[:end]))
		if err == nil {
			_, err = Plan{original: o, area: o.Bounds(), w: 51, h: 34, scale: 4}.Decode(t.Context())
		}
		require.ErrorIs(t, err, ErrBroken, "refused when cut after %d bytes", end)
	}
}

func TestAFileOfTooManyScansIsRefusedUnread(t *testing.T) {
	data, err := os.ReadFile("testdata/gray.jpg")
	require.NoError(t, err)
	last := bytes.LastIndex(data, []byte{0xff, 0xda})
	scan := data[last : len(data)-2]
	many := append(append(append([]byte{}, data[:last]...), bytes.Repeat(scan, maxScans)...), 0xff, 0xd9)
	_, err = decodeAt(t, many, 4, 51, 34)
	require.ErrorIs(t, err, ErrBroken)
	require.ErrorContains(t, err, "scans")
}

func FuzzDecode(f *testing.F) {
	files, err := filepath.Glob("testdata/*")
	require.NoError(f, err)
	for _, name := range files {
		if data, err := os.ReadFile(name); err == nil { // fuzz is a folder
			f.Add(data)
		}
	}
	f.Add([]byte("GIF89a"))
	f.Fuzz(func(t *testing.T, data []byte) {
		o, err := Probe(bytes.NewReader(data))
		if err != nil || o.Width*o.Height > 1<<20 {
			return
		}
		w, h := o.Fit(100, 100)
		for _, budget := range []int64{1 << 30, int64(40*1024 + len(data))} {
			plan, err := o.Plan(o.Bounds(), w, h, budget)
			if err != nil {
				continue
			}
			if m, err := plan.Decode(context.Background()); err == nil && m.Rect.Size() != image.Pt(w, h) {
				t.Fatalf("decoded as %v, want %d x %d", m.Rect, w, h)
			}
		}
	})
}
