package cards

import (
	"image/color"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
)

func TestABrokenPictureIsLeftOutAndReported(t *testing.T) {
	whole := plain(t, violet, 400, 600).Data
	for name, broken := range map[string][]byte{
		"no picture":            []byte("<html>not found</html>"),
		"truncated in its body": whole[:len(whole)*3/4],
	} {
		t.Run(name, func(t *testing.T) {
			card := sample(t, red, green, blue, yellow, violet)
			card.Pictures = append([]Picture{card.Pictures[0], {Data: broken}}, card.Pictures[1:]...)
			front, back, omitted := card.layOut(card.Look.open())
			assertPrint(t, red, front, 74, 90)
			assertPrint(t, green, back, 30, 40)
			assertPrint(t, blue, back, 120, 40)
			assertPrint(t, yellow, back, 30, 130)
			assertPrint(t, violet, back, 120, 130)
			require.Len(t, omitted, 1)
			assert.Contains(t, omitted[0], "picture 2: ")
			card.Pictures = card.Pictures[1:] // a broken cover
			front, back = laidOut(t, card)
			assertPrint(t, green, front, 74, 90)
			assertPrint(t, blue, back, 30, 40)
		})
	}
}

// A tall picture keeps its upper third, where the face is, or what an editor said; a wide one its middle.
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
	card.Pictures[0].Focus = agency.Focus{X: 50, Y: 95}
	front, _ = laidOut(t, card)
	assertPrint(t, blue, front, 74, 160)
}
