package cards

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"math"

	"golang.org/x/image/draw"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

const (
	pixelsPerMM = 10.0 // the JPEGs are 1480 × 2100
	webQuality  = 85
)

// writeJPEG makes the JPEG of a side, of which w by h mm are seen.
func writeJPEG(k *look, s side, w, h float64) ([]byte, error) {
	page := image.NewRGBA(rect{w: w, h: h}.pixels())
	draw.Draw(page, page.Bounds(), image.NewUniform(k.Paper), image.Point{}, draw.Src)
	for _, b := range s.boxes {
		draw.Draw(page, b.pixels(), image.NewUniform(k.Tones[b.tone]), image.Point{}, draw.Src)
	}
	for _, f := range s.frames {
		draw.CatmullRom.Scale(page, f.pixels(), f.image, f.image.Bounds(), draw.Src, nil)
	}
	for _, m := range s.marks {
		draw.CatmullRom.Scale(page, m.pixels(), m.logo, m.logo.Bounds(), draw.Over, nil)
	}
	for _, w := range s.words {
		if err := drawWord(page, w, k.Tones[w.tone]); err != nil {
			return nil, err
		}
	}
	var out bytes.Buffer
	err := jpeg.Encode(&out, page, &jpeg.Options{Quality: webQuality})
	return out.Bytes(), err
}

// pixels is the rectangle on the JPEG, at least a pixel thick.
func (r rect) pixels() image.Rectangle {
	at := func(mm float64) int { return int(math.Round(mm * pixelsPerMM)) }
	x, y := at(r.x), at(r.y)
	return image.Rect(x, y, max(x+1, at(r.x+r.w)), max(y+1, at(r.y+r.h)))
}

func drawWord(page *image.RGBA, w word, tone color.Color) error {
	face, err := opentype.NewFace(w.face.font, &opentype.FaceOptions{Size: w.size * pointMM * pixelsPerMM, DPI: 72})
	if err != nil {
		return err
	}
	at := func(mm float64) fixed.Int26_6 { return fixed.Int26_6(math.Round(mm * pixelsPerMM * 64)) }
	for i, r := range w.letters {
		dot := fixed.Point26_6{X: at(w.x + w.line.x[i]), Y: at(w.y)}
		if area, mask, from, _, ok := face.Glyph(dot, r); ok {
			draw.DrawMask(page, area, image.NewUniform(tone), image.Point{}, mask, from, draw.Over)
		}
	}
	return nil
}
