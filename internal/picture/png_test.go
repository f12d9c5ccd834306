package picture

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// writePNG writes a PNG of any kind, with random pixels and every filter.
func writePNG(w, h int, about pngHeader, interlaced bool) []byte {
	random := rand.New(rand.NewPCG(1, 2))
	var out bytes.Buffer
	out.WriteString("\x89PNG\r\n\x1a\n")
	chunk := func(kind string, data []byte) {
		_ = binary.Write(&out, binary.BigEndian, uint32(len(data)))
		all := append([]byte(kind), data...)
		out.Write(all)
		_ = binary.Write(&out, binary.BigEndian, crc32.ChecksumIEEE(all))
	}
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(w)), uint32(h))
	passes := []pngPass{{0, 0, 1, 1}}
	head = append(head, byte(about.depth), about.colour, 0, 0, 0)
	if interlaced {
		head[12], passes = 1, pngPasses
	}
	chunk("IHDR", head)
	if about.palette != nil {
		chunk("PLTE", about.palette)
	}
	if about.transparent != nil {
		chunk("tRNS", about.transparent)
	}
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	for _, pass := range passes {
		wide, high := ceil(w-pass.x, pass.dx), ceil(h-pass.y, pass.dy)
		if wide <= 0 {
			continue
		}
		for y := range max(high, 0) {
			row := make([]byte, 1+ceil(wide*about.depth*about.samples(), 8))
			if w < 2000 { // a large one is of one colour
				for i := range row {
					row[i] = byte(random.IntN(256))
				}
				row[0] = byte(y % 5)
			}
			_, _ = z.Write(row)
		}
	}
	_ = z.Close()
	half := packed.Len() / 2
	chunk("IDAT", packed.Bytes()[:half])
	chunk("IDAT", packed.Bytes()[half:])
	chunk("IEND", nil)
	return out.Bytes()
}

func TestPNGsAreDecodedAsByTheStandardLibrary(t *testing.T) {
	palette := make([]byte, 3*256)
	for i := range palette {
		palette[i] = byte(7 * i)
	}
	kinds := []pngHeader{
		{depth: 1}, {depth: 2}, {depth: 4}, {depth: 8}, {depth: 16},
		{depth: 8, transparent: []byte{0, 7}}, {depth: 2, transparent: []byte{0, 1}},
		{depth: 8, colour: 2}, {depth: 16, colour: 2}, {depth: 8, colour: 2, transparent: []byte{0, 1, 0, 2, 0, 3}},
		{depth: 8, colour: 4}, {depth: 16, colour: 4}, {depth: 8, colour: 6}, {depth: 16, colour: 6},
		{depth: 1, colour: 3, palette: palette[:6]}, {depth: 2, colour: 3, palette: palette[:12]},
		{depth: 4, colour: 3, palette: palette[:48]},
		{depth: 8, colour: 3, palette: palette, transparent: []byte{0, 100, 200}},
	}
	for _, kind := range kinds {
		for _, interlaced := range []bool{false, true} {
			for _, size := range []image.Point{{37, 29}, {1, 1}, {3, 9}} {
				t.Run(fmt.Sprint(kind.depth, " ", kind.colour, " ", interlaced, size), func(t *testing.T) {
					data := writePNG(size.X, size.Y, kind, interlaced)
					theirs, err := png.Decode(bytes.NewReader(data))
					require.NoError(t, err)
					want := image.NewRGBA(theirs.Bounds())
					draw.Draw(want, want.Rect, image.White, image.Point{}, draw.Src)
					draw.Draw(want, want.Rect, theirs, image.Point{}, draw.Over)
					got := decode(t, data, image.Rectangle{Max: size}, size.X, size.Y)
					require.Equal(t, want.Rect, got.Rect)
					for i := range want.Pix {
						require.InDelta(t, want.Pix[i], got.Pix[i], 2) // of 16 bits the standard library takes all
					}
				})
			}
		}
	}
}

func TestALargeInterlacedPNGIsReadAtALowerResolution(t *testing.T) {
	data := writePNG(640, 480, pngHeader{depth: 8, colour: 2}, true)
	o, err := Probe(bytes.NewReader(data))
	require.NoError(t, err)
	plan, err := o.Plan(o.Bounds(), 160, 120, 300_000)
	require.NoError(t, err)
	assert.LessOrEqual(t, plan.Memory, int64(300_000))
	got, err := plan.Decode(t.Context())
	require.NoError(t, err)
	theirs, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	for _, p := range []image.Point{{0, 0}, {7, 3}, {159, 119}} {
		assert.Equal(t, color.RGBAModel.Convert(theirs.At(4*p.X, 4*p.Y)), got.At(p.X, p.Y),
			"every fourth pixel is read")
	}
}

func TestADamagedPNGIsRefused(t *testing.T) {
	data := writePNG(64, 64, pngHeader{depth: 8, colour: 3, palette: []byte{1, 2, 3}}, false)
	o, err := Probe(bytes.NewReader(data))
	require.NoError(t, err)
	plan, err := o.Plan(o.Bounds(), 64, 64, 1<<20)
	require.NoError(t, err)
	_, err = plan.Decode(t.Context())
	require.ErrorIs(t, err, ErrBroken, "a colour index outside the palette is refused")

	data = writePNG(64, 64, pngHeader{depth: 8, colour: 2}, false)
	for _, end := range []int{20, 33, 60, len(data) / 2, len(data) - 40} {
		o, err := Probe(bytes.NewReader(data[:end]))
		if err == nil {
			plan, err = o.Plan(o.Bounds(), 64, 64, 1<<20)
			require.NoError(t, err)
			_, err = plan.Decode(t.Context())
		}
		require.ErrorIs(t, err, ErrBroken, "refused when cut after %d bytes", end)
	}
}
