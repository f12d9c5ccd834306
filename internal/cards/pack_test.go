package cards

import (
	"bytes"
	"image/color"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/picture"
	"zedcard/internal/testkit/pdftest"
)

// digital is somebody in black, a fifth of the picture wide, from its crown at .2 to its ground at .95, on a wall of
// this grey.
func digital(t testing.TB, grey uint8) Picture {
	return encode(t, 100, 200, func(x, y int) color.Color {
		if x >= 40 && x < 60 && y >= 40 && y < 190 {
			return color.Black
		}
		return color.Gray{grey}
	})
}

// packOf is a pack with somebody on the wall for each height.
func packOf(t testing.TB, heights ...float64) Pack {
	p := Pack{
		Title: "For Maison Ferrand", Line: "Five faces · 25 November", Lang: "en", Agency: "Best Management",
		Ask:      "Tell us who you would like to book, where and when.",
		Contacts: []Contact{{"Women", []string{"Marta Lima", "+351 222 000 112", "marta@best.example"}}},
	}
	for i, height := range heights {
		p.Cards = append(p.Cards, sample(t, red, green))
		p.Wall = append(p.Wall, Figure{
			Card: i, Height: height, Label: "tall", Picture: digital(t, 200), Crown: .2, Ground: .95,
		})
	}
	return p
}

func finished(t testing.TB, p Pack) string {
	t.Helper()
	pdf, omitted, err := p.make()
	require.NoError(t, err)
	assert.Empty(t, omitted)
	return string(pdf)
}

func pagesOf(pdf string) int { return strings.Count(pdf, "<</Type /Page\n") }

func TestAPackIsACoverAWallACardEachAndTheBooker(t *testing.T) {
	p := packOf(t, 179, 176, 188, 175, 193)
	p.Cards[1].Measured = "Measured November 2026"
	p.Cards[2].Name, p.Cards[3].Name = "Łucja Groß-Þórðardóttir", "Yuki 山田"
	pdf := finished(t, p)
	assert.Equal(t, 1+2+5+1, pagesOf(pdf))
	assert.Contains(t, pdf, "/PageLayout /TwoPageRight", "the wall is a spread")
	assert.Equal(t, 9, strings.Count(pdf, "/CropBox [8.50 8.50 850.39 603.78]"), "a screen shows A4 without the bleed")
	assert.Equal(t, 9, strings.Count(pdf, "/BleedBox [0.00 0.00 858.90 612.28]"))
	assert.Contains(t, pdf, "/URI (mailto:marta@best.example)")
	text := strings.Join(pdftest.Words(t, []byte(pdf)), "")
	for _, want := range []string{
		"For Maison Ferrand", "FIVE FACES · 25 NOVEMBER", "BEST MANAGEMENT", "tall", "ŁUCJA", "YUKI\n",
		"178 cm / 5′10½″", "Measured November 2026", "Marta Lima", "+351 222 000 112",
	} {
		assert.Contains(t, text, want)
	}
	assert.Equal(t, 2, strings.Count(text, "ŁUCJA\n"), "on the wall, and once on her card")
	assert.NotContains(t, pdf, "DMI-PROHIBITED")
	p.Cards[0].Minor = true
	assert.Contains(t, finished(t, p), "DMI-PROHIBITED")
}

func TestEverybodyStandsOnTheWallOnceAndToScale(t *testing.T) {
	k := Look{}.open()
	for n, pages := range map[int]int{1: 1, 3: 1, 4: 1, 5: 2, 9: 2, 10: 4, 40: 10} {
		heights := make([]float64, n)
		for i := range heights {
			heights[i] = float64(150 + i%50)
		}
		p := packOf(t, heights...)
		for i := range p.Wall {
			p.Wall[i].Picture = Picture{} // a rod is as high, and quickly drawn
			p.Cards[i].Pictures = nil
		}
		var rods []float64
		laid := 0
		for _, w := range p.walls() {
			for _, page := range w.pages(k, p) {
				laid++
				for _, r := range page().rules {
					if r.seen == 1 && r.h > 1 {
						assert.InDelta(t, ground, r.y+r.h, .01, "the feet are on the floor")
						assert.Greater(t, r.x, margin, "nobody stands on the fold")
						assert.Less(t, r.x, packW-margin)
						assert.Greater(t, r.y, margin)
						rods = append(rods, r.h)
					}
				}
			}
		}
		assert.Equal(t, pages, laid, n)
		require.Len(t, rods, n)
		for i := range rods {
			assert.InDelta(t, heights[i]/heights[0], rods[i]/rods[0], .001, "%d of %d", i, n)
		}
	}
}

// Between two pictures with different walls there is no step, and the figures are where they are in their pictures.
func TestTheWallIsOneFromEdgeToEdge(t *testing.T) {
	p := packOf(t, 180, 180, 180)
	p.Wall[0].Picture, p.Wall[1].Picture, p.Wall[2].Picture = digital(t, 220), digital(t, 160), digital(t, 230)
	w := p.walls()[0]
	laid := w.page(Look{}.open(), p, 0)
	wall := laid.frames[0]
	assert.Equal(t, rect{-bleed, -bleed, packW + 2*bleed, coverBottom + bleed}, wall.rect)
	grey := func(mmX, mmY float64) int { return int(wall.image.RGBAAt(pixel(mmX), pixel(mmY)).G) }
	crown := ground - 180*w.scale
	for i := range 3 {
		middle := beside + w.pitch*(float64(i)+.5)
		assert.Less(t, grey(middle, crown+2), 60, "the head is below the line")
		assert.Greater(t, grey(middle, crown-3), 140)
		assert.Less(t, grey(middle, ground-2), 60, "the feet are above the floor")
		assert.Greater(t, grey(middle, ground+3), 140)
	}
	for mm := -bleed; mm < packW+bleed-1; mm += .5 {
		assert.InDelta(t, grey(mm, 20), grey(mm+.5, 20), 12, "a step at %v mm", mm)
	}
}

func TestAPackIsMadeOfWhatThereIs(t *testing.T) {
	for name, change := range map[string]func(*Pack){
		"nobody on the wall": func(p *Pack) { p.Wall = nil },
		"no pictures":        func(p *Pack) { p.Cards[0].Pictures, p.Wall[0].Picture = nil, Picture{} },
		"broken ones": func(p *Pack) {
			p.Cards[0].Pictures[1].Data, p.Wall[0].Picture.Data = []byte("none"), []byte("none")
		},
		"nobody": func(p *Pack) { p.Title, p.Contacts, p.Cards[0].Name = "", nil, "" },
		"long words": func(p *Pack) {
			p.Title, p.Cards[0].Name = strings.Repeat("W", 60), strings.Repeat("Mw", 30)
			p.Contacts = []Contact{{strings.Repeat("w", 60), []string{"a.example/" + strings.Repeat("123,", 99)}}}
			p.Notes = []string{strings.Repeat("Left out: somebody. ", 9)}
		},
	} {
		p := packOf(t, 170)
		change(&p)
		pdf, _, err := p.make()
		require.NoError(t, err, name)
		assert.Equal(t, 3+len(p.Wall), pagesOf(string(pdf)), name)
	}
}

// Eight people with pictures of a camera's grain, as heavy as any.
func TestAPackOfEightIsSmall(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	p := packOf(t, 179, 176, 188, 175, 193, 181, 174, 186)
	for i := range p.Cards {
		grainy := encode(t, 800, 1200, func(x, y int) color.Color {
			return color.Gray{uint8(90 + x/20 + y/30 + random.IntN(30))} // #nosec G115 -- at most 200
		})
		p.Cards[i].Pictures = nil
		for n := range MaxPictures { // each another part: the same is in a PDF only once
			grainy.Focus = agency.Focus{X: 50, Y: 35 + 5*n}
			p.Cards[i].Pictures = append(p.Cards[i].Pictures, grainy)
		}
	}
	for _, one := range p.pictures() {
		one.File, one.Data = bytes.NewReader(one.Data), nil
	}
	worker := picture.NewWorker(os.Args[0])
	defer func() { assert.NoError(t, worker.Close()) }()
	pdf, omitted, err := p.PDF(t.Context(), worker)
	require.NoError(t, err)
	assert.Empty(t, omitted)
	assert.Equal(t, 1+2+8+1, bytes.Count(pdf, []byte("<</Type /Page\n")))
	assert.Less(t, len(pdf), 6<<20)
	t.Logf("%d kB", len(pdf)>>10)
}

func TestWhatAContactLeadsTo(t *testing.T) {
	for text, want := range map[string]string{
		"+55 (11) 91234-5678": "tel:+5511912345678", "bookings@best.example": "mailto:bookings@best.example",
		"best.example/favorites?ids=1": "https://best.example/favorites?ids=1", "Rua São João 148": "", "": "",
	} {
		assert.Equal(t, want, leadsTo(text), text)
	}
}
