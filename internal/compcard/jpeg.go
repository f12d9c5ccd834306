package compcard

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/jpeg"
	"math"

	"golang.org/x/image/draw"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

const (
	pixelsPerMM = 10.0 // per mm: the JPEGs are 1480 × 2100
	webQuality  = 85
)

// rgb is a tone on a screen (the design's tokens).
func (t tone) rgb() color.Color {
	return [...]color.Color{
		ink:      color.RGBA{0x14, 0x14, 0x14, 0xff},
		softInk:  color.RGBA{0x57, 0x57, 0x57, 0xff},
		hairline: color.RGBA{0xd8, 0xd8, 0xd4, 0xff},
		mist:     color.RGBA{0xf2, 0xf2, 0xf0, 0xff},
	}[t]
}

// writeJPEG makes the JPEG of a trimmed side.
func writeJPEG(ctx context.Context, s side) ([]byte, error) {
	page := image.NewRGBA(image.Rect(0, 0, trimW*pixelsPerMM, trimH*pixelsPerMM))
	draw.Draw(page, page.Bounds(), image.White, image.Point{}, draw.Src)
	for _, b := range s.boxes {
		draw.Draw(page, b.pixels(), image.NewUniform(b.tone.rgb()), image.Point{}, draw.Src)
	}
	for _, f := range s.frames {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		draw.CatmullRom.Scale(page, f.pixels(), f.image, f.image.Bounds(), draw.Src, nil)
	}
	for _, w := range s.words {
		if err := drawWord(page, w); err != nil {
			return nil, err
		}
	}
	var out bytes.Buffer
	err := jpeg.Encode(&out, page, &jpeg.Options{Quality: webQuality})
	return out.Bytes(), err
}

// pixelsPerMM is the rectangle on the JPEG, at least a pixel thick.
func (r rect) pixels() image.Rectangle {
	at := func(mm float64) int { return int(math.Round(mm * pixelsPerMM)) }
	x, y := at(r.x), at(r.y)
	return image.Rect(x, y, max(x+1, at(r.x+r.w)), max(y+1, at(r.y+r.h)))
}

func drawWord(page *image.RGBA, w word) error {
	emMM := w.size * pointMM
	em := emMM * pixelsPerMM
	// The line with an em around it holds every accent and overhang.
	area := rect{w.x - emMM, w.y - 1.5*emMM, w.width + 2*emMM, 2.5 * emMM}.pixels()
	area = area.Intersect(page.Bounds())
	shape := vector.NewRasterizer(area.Dx(), area.Dy())
	var buf sfnt.Buffer
	for i, r := range w.letters {
		glyph, err := w.face.font.GlyphIndex(&buf, r)
		if err != nil {
			return err
		}
		segments, err := w.face.font.LoadGlyph(&buf, glyph, fixed.Int26_6(em*64), nil)
		if err != nil {
			return err
		}
		x, y := (w.x+w.line.x[i])*pixelsPerMM-float64(area.Min.X), w.y*pixelsPerMM-float64(area.Min.Y)
		outline(shape, segments, float32(x), float32(y))
	}
	shape.Draw(page, area, image.NewUniform(w.tone.rgb()), image.Point{})
	return nil
}

// outline adds a glyph whose origin is at x, y.
func outline(shape *vector.Rasterizer, segments sfnt.Segments, x, y float32) {
	at := func(p fixed.Point26_6) (float32, float32) { return x + float32(p.X)/64, y + float32(p.Y)/64 }
	for _, s := range segments {
		ax, ay := at(s.Args[0])
		bx, by := at(s.Args[1])
		cx, cy := at(s.Args[2])
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			shape.ClosePath()
			shape.MoveTo(ax, ay)
		case sfnt.SegmentOpLineTo:
			shape.LineTo(ax, ay)
		case sfnt.SegmentOpQuadTo:
			shape.QuadTo(ax, ay, bx, by)
		case sfnt.SegmentOpCubeTo:
			shape.CubeTo(ax, ay, bx, by, cx, cy)
		}
	}
	shape.ClosePath()
}
