package photo

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mean is the mean colour of the pixels of m in a square.
func mean(m image.Image, area image.Rectangle) (sum [3]float64) {
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

func TestHalfOfAProgressiveJPEGIsTheSamePictureSmaller(t *testing.T) {
	files, err := filepath.Glob("testdata/*.jpg")
	require.NoError(t, err)
	require.Len(t, files, 6)
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			data, err := os.ReadFile(name)
			require.NoError(t, err)
			whole, err := jpeg.Decode(bytes.NewReader(data))
			require.NoError(t, err)
			half, err := decodeHalf(data)
			require.NoError(t, err)
			assert.Equal(t, image.Pt(51, 34), half.Bounds().Size())
			var off float64
			for y := range 34 {
				for x := range 51 {
					want, got := mean(whole, image.Rect(2*x, 2*y, 2*x+2, 2*y+2)), mean(half, image.Rect(x, y, x+1, y+1))
					for i := range want {
						off += max(want[i]-got[i], got[i]-want[i])
					}
				}
			}
			assert.Less(t, off/(3*34*51), 4.0, "mean difference, of 255; most where colours are coarser than light (4:2:0)")
		})
	}
}

func TestRestartsChangeNothing(t *testing.T) {
	plain, err := os.ReadFile("testdata/422.jpg")
	require.NoError(t, err)
	want, err := decodeHalf(plain)
	require.NoError(t, err)
	restarting, err := os.ReadFile("testdata/422-restart.jpeg") // which the standard library refuses
	require.NoError(t, err)
	got, err := decodeHalf(restarting)
	require.NoError(t, err)
	assert.Equal(t, want, got)

	for end := 2; end < len(restarting)-1; end++ { // the last marker has two bytes
		_, err := decodeHalf(restarting[:end])
		require.ErrorIs(t, err, ErrBroken, "cut after %d bytes", end)
	}
}

func TestAFileOfTooManyScansIsRefusedUnread(t *testing.T) {
	data, err := os.ReadFile("testdata/gray.jpg")
	require.NoError(t, err)
	last := bytes.LastIndex(data, []byte{0xff, 0xda})
	scan := data[last : len(data)-2]
	many := append(append(append([]byte{}, data[:last]...), bytes.Repeat(scan, maxScans)...), 0xff, 0xd9)
	_, err = Clean(t.Context(), many)
	require.ErrorIs(t, err, ErrBroken)
	require.ErrorContains(t, err, "scans")
}

func TestAPhotoIsEncodedUntilItIsSmallEnough(t *testing.T) {
	noise := image.NewGray(image.Rect(0, 0, 256, 256))
	state := uint32(1)
	for i := range noise.Pix {
		state = state*1664525 + 1013904223
		noise.Pix[i] = uint8(state >> 24)
	}
	best, err := encode(noise, 1<<20)
	require.NoError(t, err)
	bounded, err := encode(noise, len(best)*3/4)
	require.NoError(t, err)
	assert.LessOrEqual(t, len(bounded), len(best)*3/4)
	_, err = jpeg.Decode(bytes.NewReader(bounded))
	require.NoError(t, err)
}

func FuzzDecodeHalf(f *testing.F) {
	files, err := filepath.Glob("testdata/*.jpg")
	require.NoError(f, err)
	for _, name := range files {
		data, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 2 {
			return
		}
		config, err := jpeg.DecodeConfig(bytes.NewReader(data))
		if err != nil || config.Width*config.Height > 1<<20 {
			return
		}
		if m, err := decodeHalf(data); err == nil && m.Bounds().Empty() {
			t.Fatal("an empty photo")
		}
	})
}
