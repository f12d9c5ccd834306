package cards

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf16"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/draw"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"zedcard/internal/brand"
)

const (
	slug         = 11.0 // the sheet's margin around the trimmed card, for bleed and crop marks
	printQuality = 88
)

// grey is a tone in print, 0 black to 255 paper. Greys are printed with black ink only: with several inks, small
// letters would blur where the plates are not aligned.
func (t tone) grey() int {
	return [...]int{ink: 0, softInk: 87, mist: 242}[t]
}

// inkSize is from how many points on words have the agency's own ink in print.
const inkSize = 11

// writePDF makes the PDF: one page for each side, with trim box, bleed box and crop marks.
func writePDF(k *look, card Card, sides ...side) ([]byte, error) {
	pdf := fpdf.NewCustom(&fpdf.InitType{
		UnitStr: "mm",
		Size:    fpdf.SizeType{Wd: trimW + 2*slug, Ht: trimH + 2*slug},
	})
	pdf.SetAutoPageBreak(false, 0)
	pdf.SetTitle(card.Name, true)
	pdf.SetAuthor(card.Agency, true)
	pdf.SetPageBox("trim", slug, slug, trimW, trimH)
	pdf.SetPageBox("bleed", slug-bleed, slug-bleed, trimW+2*bleed, trimH+2*bleed)
	for _, f := range slices.Concat(faces, slices.Collect(maps.Values(k.faces))) {
		pdf.AddUTF8FontFromBytes(f.name, "", f.data)
	}
	ownInk := k.prints && k.Tones[ink] != brand.Colour("ink")
	for _, s := range sides {
		pdf.AddPage()
		cropMarks(pdf)
		for _, b := range s.boxes {
			grey := b.tone.grey()
			pdf.SetFillColor(grey, grey, grey)
			pdf.Rect(slug+b.x, slug+b.y, b.w, b.h, "F")
		}
		for _, f := range s.frames {
			if err := printFrame(pdf, f); err != nil {
				return nil, err
			}
		}
		for _, m := range s.marks {
			options := fpdf.ImageOptions{ImageType: "PNG"}
			pdf.RegisterImageOptionsReader("logo", options, bytes.NewReader(k.Logo))
			pdf.ImageOptions("logo", slug+m.x, slug+m.y, m.w, m.h, false, options, 0, "")
		}
		for _, w := range s.words {
			grey := w.tone.grey()
			pdf.SetTextColor(grey, grey, grey)
			if own := k.Tones[ink]; ownInk && w.tone == ink && w.size >= inkSize {
				pdf.SetTextColor(int(own.R), int(own.G), int(own.B))
			}
			printWord(pdf, w)
		}
	}
	var out bytes.Buffer
	err := pdf.Output(&out)
	return out.Bytes(), err
}

func printFrame(pdf *fpdf.Fpdf, f *frame) error {
	var data bytes.Buffer
	if err := jpeg.Encode(&data, f.image, &jpeg.Options{Quality: printQuality}); err != nil {
		return err
	}
	name := fmt.Sprint(f.source.number, f.rect) // a picture may be on both sides, cut differently
	options := fpdf.ImageOptions{ImageType: "JPG"}
	pdf.RegisterImageOptionsReader(name, options, &data)
	pdf.ImageOptions(name, slug+f.x, slug+f.y, f.w, f.h, false, options, 0, "")
	return nil
}

// printWord writes each run of letters between kerned pairs at its place, with the whole text as ActualText. Without
// it, readers would take spaced letters for words in search and copy.
func printWord(pdf *fpdf.Fpdf, w word) {
	pdf.SetFont(w.face.name, "", w.size)
	actualText := []byte{0xfe, 0xff}
	for _, unit := range utf16.Encode(w.letters) {
		actualText = binary.BigEndian.AppendUint16(actualText, unit)
	}
	pdf.RawWriteStr(fmt.Sprintf("/Span <</ActualText <%X>>> BDC", actualText))
	pdf.RawWriteStr(fmt.Sprintf("%.4f Tc", w.tracking*w.size))
	for start, end := 0, 1; end <= len(w.letters); end++ {
		if end == len(w.letters) || w.kerned[end] {
			pdf.Text(slug+w.x+w.line.x[start], slug+w.y, string(w.letters[start:end]))
			start = end
		}
	}
	pdf.RawWriteStr("EMC")
}

// cropMarks draws where to cut, outside the bleed.
func cropMarks(pdf *fpdf.Fpdf) {
	const from, to = slug - bleed - 1, 1.0
	pdf.SetLineWidth(.25 * pointMM)
	pdf.SetDrawColor(0, 0, 0)
	const sheetW, sheetH = trimW + 2*slug, trimH + 2*slug
	for _, x := range []float64{slug, slug + trimW} {
		pdf.Line(x, to, x, from)
		pdf.Line(x, sheetH-from, x, sheetH-to)
	}
	for _, y := range []float64{slug, slug + trimH} {
		pdf.Line(to, y, from, y)
		pdf.Line(sheetW-from, y, sheetW-to, y)
	}
}

// noMining is the metadata of a minor's JPEGs: the IPTC property Data Mining, prohibited.
var noMining = strings.TrimSpace(`
<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:plus="http://ns.useplus.org/ldf/xmp/1.0/">
<plus:DataMining>http://ns.useplus.org/ldf/vocab/DMI-PROHIBITED</plus:DataMining>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`)

// markJPEG puts noMining into a JPEG, as a segment right after its start.
func markJPEG(data []byte) []byte {
	body := "http://ns.adobe.com/xap/1.0/\x00" + noMining
	segment := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(body)+2)) // #nosec G115 -- a constant text
	return bytes.Join([][]byte{data[:2], segment, []byte(body), data[2:]}, nil)
}

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
