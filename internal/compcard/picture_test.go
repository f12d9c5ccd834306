package compcard

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
)

func TestABrokenPictureIsLeftOutAndReported(t *testing.T) {
	whole := plain(t, violet, 400, 600).Data
	for name, broken := range map[string][]byte{
		"no picture":              []byte("<html>not found</html>"),
		"nothing":                 {},
		"truncated in its body":   whole[:len(whole)*3/4],
		"more than 50 MP":         pngHeader(20_000, 20_000),
		"a size of 2^31":          pngHeader(1<<31-1, 1<<31-1),
		"header, no body":         pngHeader(100, 100),
		"truncated in its header": whole[:30],
	} {
		t.Run(name, func(t *testing.T) {
			card := sample(t, red, green, blue, yellow, violet)
			card.Pictures = append([]Picture{card.Pictures[0], {Data: broken}}, card.Pictures[1:]...)
			front, back, omitted := layOut(card)
			assertPrint(t, red, front, 74, 90)
			assertPrint(t, green, back, 30, 40)
			assertPrint(t, blue, back, 120, 40)
			assertPrint(t, yellow, back, 30, 130)
			assertPrint(t, violet, back, 120, 130)
			require.Len(t, omitted, 1)
			assert.Equal(t, 2, omitted[0].Number)
		})
	}
}

func TestABrokenCoverIsReplacedByTheBook(t *testing.T) {
	card := sample(t, red, green, blue)
	cover := &card.Pictures[0]
	cover.Data = cover.Data[:len(cover.Data)*3/4]
	front, back := laidOut(t, card)
	assertPrint(t, green, front, 74, 90)
	assertPrint(t, blue, back, 30, 40)
}

func TestOtherFormatsAndTransparency(t *testing.T) {
	half := image.NewNRGBA(image.Rect(0, 0, 90, 120)) // transparent but for its lower part
	for y := 60; y < 120; y++ {
		for x := range 90 {
			half.Set(x, y, blue)
		}
	}
	var asPNG, asGIF bytes.Buffer
	require.NoError(t, png.Encode(&asPNG, half))
	require.NoError(t, gif.Encode(&asGIF, half, nil))
	card := sample(t)
	card.Pictures = []Picture{{Data: asPNG.Bytes()}, {Data: asGIF.Bytes()}}
	front, back := laidOut(t, card)
	assertPrint(t, paper, front, 74, 30)
	assertPrint(t, blue, front, 74, 150)
	assertPrint(t, blue, back, 74, 130)
}

// A tall picture keeps its upper third, where the face is; a wide one its middle.
func TestPicturesAreCutAroundTheFace(t *testing.T) {
	card := sample(t)
	card.Pictures = []Picture{
		encode(t, 300, 900, func(_, y int) color.Color { return []color.Color{red, green, blue}[y/300] }),
		encode(t, 900, 300, func(x, _ int) color.Color { return []color.Color{red, green, blue}[x/300] }),
	}
	front, back := laidOut(t, card)
	assertPrint(t, red, front, 74, 20)
	assertPrint(t, green, front, 74, 160)
	for _, x := range []float64{10, 74, 137} {
		assertPrint(t, green, back, x, 90)
	}
}

// Large pictures are decoded smaller; nothing may shift or change its colour by that.
func TestALargePictureLooksLikeASmallOne(t *testing.T) {
	if testing.Short() {
		t.Skip("too slow with the race detector; see test-go in the Makefile")
	}
	card := sample(t, red, green, blue, yellow, violet)
	card.Pictures[1] = encode(t, 1801, 2401, func(x, _ int) color.Color {
		return []color.Color{red, green}[x/901]
	})
	_, back := laidOut(t, card)
	assertPrint(t, red, back, 9.3, 40)
	assertPrint(t, red, back, 40.5, 40)
	assertPrint(t, green, back, 41.5, 40)
	assertPrint(t, green, back, 72.7, 40)
}

func TestPicturesAreTurnedUpright(t *testing.T) {
	// Where the file's first row and first column are seen, after the Exif standard.
	sides := map[int][2]string{
		1: {"top", "left"}, 2: {"top", "right"}, 3: {"bottom", "right"}, 4: {"bottom", "left"},
		5: {"left", "top"}, 6: {"right", "top"}, 7: {"right", "bottom"}, 8: {"left", "bottom"},
	}
	seen := map[[2]string]color.Color{ // of the upright picture's quarters
		{"top", "left"}: red, {"top", "right"}: green, {"bottom", "left"}: blue, {"bottom", "right"}: yellow,
	}
	opposite := map[string]string{"top": "bottom", "bottom": "top", "left": "right", "right": "left"}
	for value, edges := range sides {
		orders := []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian}
		if value != 6 { // what telephones write
			orders = orders[:1]
		}
		for _, order := range orders {
			t.Run(fmt.Sprint(value, order), func(t *testing.T) {
				w, h := 154, 179 // the front's proportions
				if value >= 5 {
					w, h = h, w
				}
				picture := encode(t, w, h, func(x, y int) color.Color {
					vertical, horizontal := edges[0], edges[1]
					if y >= h/2 {
						vertical = opposite[vertical]
					}
					if x >= w/2 {
						horizontal = opposite[horizontal]
					}
					if c, ok := seen[[2]string{vertical, horizontal}]; ok {
						return c
					}
					return seen[[2]string{horizontal, vertical}]
				})
				card := sample(t)
				card.Pictures = []Picture{{Data: withOrientation(picture.Data, value, order)}}
				front, _ := laidOut(t, card)
				assertPrint(t, red, front, 10, 10)
				assertPrint(t, green, front, 138, 10)
				assertPrint(t, blue, front, 10, 165)
				assertPrint(t, yellow, front, 138, 165)
			})
		}
	}
}

// withOrientation puts an Exif segment with one entry into a JPEG.
func withOrientation(data []byte, value int, order binary.AppendByteOrder) []byte {
	mark := "II"
	if order == binary.AppendByteOrder(binary.BigEndian) {
		mark = "MM"
	}
	tiff := order.AppendUint32(order.AppendUint16([]byte(mark), 42), 8)
	tiff = order.AppendUint16(tiff, 1)
	tiff = order.AppendUint16(order.AppendUint16(tiff, 0x0112), 3)
	tiff = order.AppendUint32(tiff, 1)
	tiff = order.AppendUint32(order.AppendUint16(order.AppendUint16(tiff, uint16(value)), 0), 0)
	body := append([]byte("Exif\x00\x00"), tiff...)
	out := binary.BigEndian.AppendUint16([]byte{0xff, 0xd8, 0xff, 0xe1}, uint16(len(body)+2))
	return append(append(out, body...), data[2:]...)
}

// pngHeader is a PNG that ends after its header.
func pngHeader(w, h uint32) []byte {
	chunk := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte("IHDR"), w), h)
	chunk = append(chunk, 8, 2, 0, 0, 0)
	out := append([]byte("\x89PNG\r\n\x1a\n"), 0, 0, 0, 13)
	return binary.BigEndian.AppendUint32(append(out, chunk...), crc32.ChecksumIEEE(chunk))
}

// TestACutKeepsTheFocalPoint: an editor said what stays in sight; the site's cards show it, and so does this one.
func TestACutKeepsTheFocalPoint(t *testing.T) {
	card := sample(t)
	tall := encode(t, 300, 900, func(_, y int) color.Color { return []color.Color{red, green, blue}[y/300] })
	tall.Focus = agency.Focus{X: 50, Y: 95}
	card.Pictures = []Picture{tall}
	front, _ := laidOut(t, card)
	assertPrint(t, blue, front, 74, 160)
}

// TestColoursOfAPhoneAreThoseOfAScreen: phones write Display P3, whose numbers mean stronger colours than sRGB's.
func TestColoursOfAPhoneAreThoseOfAScreen(t *testing.T) {
	data, err := os.ReadFile("../picture/testdata/display-p3.jpeg")
	require.NoError(t, err)
	card := sample(t)
	card.Pictures = []Picture{{Data: data}}
	front, _ := laidOut(t, card)
	assertPrint(t, color.RGBA{209, 148, 115, 255}, front, 74, 90)
}
