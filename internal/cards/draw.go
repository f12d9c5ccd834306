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

// sheet is the paper of a document, with its margin around what is left when it is cut.
type sheet struct {
	w, h, slug float64 // in mm, once it is cut; the margin, for bleed and crop marks
	marked     bool    // has crop marks, for which the margin has room; otherwise screens show it as it is cut
	quality    int     // of its pictures' JPEGs
}

// grey is a tone in print, 0 black to 255 paper. Greys are printed with black ink only: with several inks, small
// letters would blur where the plates are not aligned.
func (t tone) grey() int {
	return [...]int{ink: 0, softInk: 87, mist: 242}[t]
}

// inkSize is from how many points on words have the agency's own ink in print.
const inkSize = 11

// document is a PDF in the making.
type document struct {
	*fpdf.Fpdf
	sheet
	look     *look
	ownInk   bool
	pictures int
}

// newDocument begins a PDF with trim box and bleed box, and crop marks if the sheet has them.
func newDocument(k *look, s sheet, title, author string) *document {
	pdf := fpdf.NewCustom(&fpdf.InitType{
		UnitStr: "mm",
		Size:    fpdf.SizeType{Wd: s.w + 2*s.slug, Ht: s.h + 2*s.slug},
	})
	pdf.SetAutoPageBreak(false, 0)
	pdf.SetTitle(title, true)
	pdf.SetAuthor(author, true)
	pdf.SetPageBox("trim", s.slug, s.slug, s.w, s.h)
	pdf.SetPageBox("bleed", s.slug-bleed, s.slug-bleed, s.w+2*bleed, s.h+2*bleed)
	if !s.marked {
		pdf.SetPageBox("crop", s.slug, s.slug, s.w, s.h)
	}
	for _, f := range slices.Concat(faces, slices.Collect(maps.Values(k.faces))) {
		pdf.AddUTF8FontFromBytes(f.name, "", f.data)
	}
	return &document{Fpdf: pdf, sheet: s, look: k, ownInk: k.prints && k.Tones[ink] != brand.Colour("ink")}
}

// add adds a page.
func (d *document) add(s side) error {
	d.AddPage()
	if d.marked {
		d.cropMarks()
	}
	for _, b := range s.boxes {
		d.fill(b)
	}
	for _, f := range s.frames {
		if err := d.picture(f); err != nil {
			return err
		}
	}
	for _, r := range s.rules {
		d.SetAlpha(r.seen, "Normal")
		d.fill(r.box)
	}
	if len(s.rules) > 0 {
		d.SetAlpha(1, "Normal")
	}
	for _, m := range s.marks {
		options := fpdf.ImageOptions{ImageType: "PNG"}
		d.RegisterImageOptionsReader("logo", options, bytes.NewReader(d.look.Logo))
		d.ImageOptions("logo", d.slug+m.x, d.slug+m.y, m.w, m.h, false, options, 0, "")
	}
	for _, w := range s.words {
		grey := w.tone.grey()
		d.SetTextColor(grey, grey, grey)
		if own := d.look.Tones[ink]; d.ownInk && w.tone == ink && w.size >= inkSize {
			d.SetTextColor(int(own.R), int(own.G), int(own.B))
		}
		d.word(w)
	}
	for _, l := range s.links {
		d.LinkString(d.slug+l.x, d.slug+l.y, l.w, l.h, l.address)
	}
	return d.Error()
}

// bytes is the finished PDF.
func (d *document) bytes() ([]byte, error) {
	var out bytes.Buffer
	err := d.Output(&out)
	return out.Bytes(), err
}

func (d *document) fill(b box) {
	grey := b.tone.grey()
	d.SetFillColor(grey, grey, grey)
	d.Rect(d.slug+b.x, d.slug+b.y, b.w, b.h, "F")
}

func (d *document) picture(f *frame) error {
	var data bytes.Buffer
	if err := jpeg.Encode(&data, f.image, &jpeg.Options{Quality: d.quality}); err != nil {
		return err
	}
	d.pictures++
	name := fmt.Sprint(d.pictures) // a picture may be there more than once, cut differently
	options := fpdf.ImageOptions{ImageType: "JPG"}
	d.RegisterImageOptionsReader(name, options, &data)
	d.ImageOptions(name, d.slug+f.x, d.slug+f.y, f.w, f.h, false, options, 0, "")
	return nil
}

// word writes each run of letters between kerned pairs at its place, with the whole text as ActualText. Without
// it, readers would take spaced letters for words in search and copy.
func (d *document) word(w word) {
	d.SetFont(w.face.name, "", w.size)
	actualText := []byte{0xfe, 0xff}
	for _, unit := range utf16.Encode(w.letters) {
		actualText = binary.BigEndian.AppendUint16(actualText, unit)
	}
	d.RawWriteStr(fmt.Sprintf("/Span <</ActualText <%X>>> BDC", actualText))
	d.RawWriteStr(fmt.Sprintf("%.4f Tc", w.tracking*w.size))
	for start, end := 0, 1; end <= len(w.letters); end++ {
		if end == len(w.letters) || w.kerned[end] {
			d.Text(d.slug+w.x+w.line.x[start], d.slug+w.y, string(w.letters[start:end]))
			start = end
		}
	}
	d.RawWriteStr("EMC")
}

// cropMarks draws where to cut, outside the bleed.
func (d *document) cropMarks() {
	from, to := d.slug-bleed-1, 1.0
	d.SetLineWidth(.25 * pointMM)
	d.SetDrawColor(0, 0, 0)
	sheetW, sheetH := d.w+2*d.slug, d.h+2*d.slug
	for _, x := range []float64{d.slug, d.slug + d.w} {
		d.Line(x, to, x, from)
		d.Line(x, sheetH-from, x, sheetH-to)
	}
	for _, y := range []float64{d.slug, d.slug + d.h} {
		d.Line(to, y, from, y)
		d.Line(sheetW-from, y, sheetW-to, y)
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
