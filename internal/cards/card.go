// Package cards draws what the agency hands out with a talent's name on it. A composite card (zed card) is an A5 sheet
// with a large picture and the name on its front, up to four pictures, the measures and the agency on its back: a
// print-ready PDF and two JPEGs to look at and send. A pack is a shortlist of them in one PDF. Both are laid out in mm
// and drawn by a worker.
package cards

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"math"
	"slices"
	"strings"
	"unicode"

	"zedcard/internal/agency"
	"zedcard/internal/picture"
)

// cardSheet is the paper of a card.
var cardSheet = sheet{w: trimW, h: trimH, slug: 11, marked: true, quality: 88}

const (
	printDPI    = 300.0
	printSide   = 2480 // pixels: the longer side of a page of A5
	maxPictures = 4    // on the back
)

// Card is the content of a composite card. Texts are shown as given: the caller chooses the language and leaves out
// what may not be shown.
type Card struct {
	Name  string
	Board string // what the talent is booked as, such as "Women"; may be empty
	Rows  []Row  // the measures in order; may be empty
	// Measured says when they were taken; may be empty.
	Measured string

	Agency, Phone, Email, Website string // the contact; each but the agency may be empty

	Look Look

	Pictures []Picture // the first that can be read is on the front, four more are on the back

	// Minor marks the files as closed to data mining. On a minor's pages the header noimageindex does that, but headers
	// don't travel with a downloaded card.
	Minor bool

	Address string // of the profile, which a pack leads to; may be empty
	inPack  bool
}

// Row is one measure. Imperial is empty where there is no second unit.
type Row struct{ Label, Metric, Imperial string }

// Picture is a whole JPEG, PNG, GIF or WebP file of at most 50 megapixels. It is cropped around its focal point.
type Picture struct {
	Data  []byte `json:"-"` // sent to the worker as it is
	Focus agency.Focus
	// File is a pack's picture until a worker has it as Data.
	File picture.File `json:"-"`
}

// cardTask makes a card. Its last file has a line for each picture that was left out.
var cardTask = picture.NewTask("composite card", func(c Card, files [][]byte) ([][]byte, error) {
	c.Look.receive(files)
	for i := range c.Pictures {
		c.Pictures[i].Data = files[lookFiles+i]
	}
	made, omitted, err := withTypefaces(&c.Look, func() ([][]byte, []string, error) { return c.make() })
	return append(made, []byte(strings.Join(omitted, "\n"))), err
})

// fileEndings are those of the files that make makes.
var fileEndings = []string{"-card.pdf", "-front.jpg", "-back.jpg"}

// make makes the PDF, the front and the back. Pictures that can't be read are left out, and a card without any is made
// all the same. It keeps a core busy for seconds.
func (c Card) make() (files [][]byte, omitted []string, err error) {
	printed, ok := c.printable()
	if !ok {
		files, omitted = c.prints()
		return files, omitted, nil
	}
	k := c.Look.open()
	front, back, omitted := printed.layOut(k)
	sides := []side{front, back}
	if len(back.frames) == 0 { // a page of words alone would look like a mistake
		sides = sides[:1]
	}
	document := newDocument(k, cardSheet, printed.Name, printed.Agency)
	for _, s := range sides {
		if err := document.add(s); err != nil {
			return nil, nil, fmt.Errorf("PDF: %w", err)
		}
	}
	pdf, err := document.bytes()
	if err != nil {
		return nil, nil, fmt.Errorf("PDF: %w", err)
	}
	files = [][]byte{pdf}
	for _, s := range sides {
		data, err := writeJPEG(k, s, trimW, trimH)
		if err != nil {
			return nil, nil, fmt.Errorf("JPEG: %w", err)
		}
		if c.Minor {
			data = markJPEG(data)
		}
		files = append(files, data)
	}
	return files, omitted, nil
}

// layOut lays out both sides and renders their pictures. The layout of the back depends on how many pictures are
// readable, which is only known after decoding: a broken one is dropped, and the sides are laid out again.
func (c Card) layOut(k *look) (front, back side, omitted []string) {
	usable, omitted := inspect(c.Pictures)
	for {
		var cover *source
		book := usable[min(1, len(usable)):min(len(usable), 1+maxPictures)]
		if len(usable) > 0 {
			cover = usable[0]
		}
		if len(usable) == 1 {
			book = usable
		}
		front, back = layFront(k, c, cover), layBack(k, c, book)
		dpi := printDPI
		if c.inPack {
			dpi = packDPI
		}
		broken, err := render(dpi, front, back)
		if err == nil {
			return front, back, omitted
		}
		omitted = append(omitted, omission(broken.number, err))
		usable = slices.DeleteFunc(usable, func(s *source) bool { return s == broken })
	}
}

// prints makes an upright JPEG of each picture without its metadata, such as where it was taken.
func (c Card) prints() (files [][]byte, omitted []string) {
	usable, omitted := inspect(c.Pictures)
	for _, s := range usable {
		w, h := s.Fit(printSide, printSide)
		m, err := s.Decode(s.Bounds(), w, h)
		var data bytes.Buffer
		if err == nil {
			err = jpeg.Encode(&data, m, &jpeg.Options{Quality: webQuality})
		}
		if err != nil {
			omitted = append(omitted, omission(s.number, err))
			continue
		}
		files = append(files, data.Bytes())
	}
	return files, omitted
}

// omission says of a picture why it was left out, by its number only: its file's name may be the talent's.
func omission(number int, err error) string { return fmt.Sprintf("picture %d: %v", number, err) }

// printable is the card with every text in letters that the card's typefaces have; false if that can't be. No card is
// made then, only prints: cards are printed by the hundred, and a box or a gap in a name would be noticed too late.
func (c Card) printable() (Card, bool) {
	c.Rows = slices.Clone(c.Rows)
	for _, text := range c.texts() {
		var ok bool
		if *text, ok = printable(*text); !ok {
			return c, false
		}
	}
	return c, true
}

// texts are all that is written on the card.
func (c *Card) texts() []*string {
	texts := []*string{&c.Name, &c.Board, &c.Measured, &c.Agency, &c.Phone, &c.Email, &c.Website}
	for i := range c.Rows {
		texts = append(texts, &c.Rows[i].Label, &c.Rows[i].Metric, &c.Rows[i].Imperial)
	}
	return texts
}

// fileName is the name in letters and figures that every file system takes.
func fileName(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.Join(words, "-")
}

// source is a picture with a readable header.
type source struct {
	*picture.Original
	number int // from 1
	focus  agency.Focus
}

func (s *source) landscape() bool { return s.Width > s.Height }

// inspect reads the headers of pictures.
func inspect(pictures []Picture) (usable []*source, omitted []string) {
	for i, p := range pictures {
		found, err := picture.Probe(bytes.NewReader(p.Data))
		if err != nil {
			omitted = append(omitted, omission(i+1, err))
			continue
		}
		usable = append(usable, &source{Original: found, number: i + 1, focus: p.Focus})
	}
	return usable, omitted
}

// frame is the place of a picture on a side; render fills in its image.
type frame struct {
	rect
	source *source
	image  *image.RGBA // opaque
}

// render fills the frames of the sides: each picture cropped and scaled, at this resolution or its own lower one. When
// a picture is broken it is returned with the error.
func render(dpi float64, sides ...side) (*source, error) {
	for _, s := range sides {
		for _, f := range s.frames {
			area := picture.Crop(image.Pt(f.source.Width, f.source.Height), f.w/f.h, f.source.focus)
			width := min(area.Dx(), int(math.Round(f.w/25.4*dpi)))
			var err error
			f.image, err = f.source.Decode(area, width, max(1, int(math.Round(float64(width)*f.h/f.w))))
			if err != nil {
				return f.source, err
			}
		}
	}
	return nil, nil
}
