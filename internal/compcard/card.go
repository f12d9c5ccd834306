// Package compcard makes the composite card (zed card) of one talent: an A5 sheet with a large picture and the name on
// its front, up to four pictures, the measures and the agency on its back. It makes a print-ready PDF and two JPEGs to
// look at and send.
package compcard

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"zedcard/internal/agency"
)

// Card is the content of a card. Texts are shown as given: the caller chooses the language and leaves out what may not
// be shown.
type Card struct {
	Name  string
	Board string // what the talent is booked as, such as "Women"; may be empty
	Rows  []Row  // the measures in order; may be empty

	Agency, Phone, Email, Website string // the contact; each but the agency may be empty

	Pictures []Picture // the first that can be read is on the front, four more are on the back

	// Minor marks the files as closed to data mining. On a minor's pages the header noimageindex does that, but headers
	// don't travel with a downloaded card.
	Minor bool
}

// Row is one measure. Imperial is empty where there is no second unit.
type Row struct{ Label, Metric, Imperial string }

// Picture is a whole JPEG, PNG, GIF or WebP file of at most 50 megapixels. It is cropped around its focal point.
type Picture struct {
	Data  []byte `json:"-"` // sent to the worker as it is
	Focus agency.Focus
}

// File is a finished file of the card.
type File struct {
	Name string // a file name without a folder, after the talent
	Data []byte
}

// omission is a picture that was left out, by its number only: its file's name may be the talent's.
type omission struct {
	Number int
	Error  string
}

// make makes the card: the PDF, the front and the back, in this order. Pictures that can't be read are left out, and a
// card without any is made all the same. The error is a *GlyphError when the card's fonts can't write one of its texts.
// It keeps a core busy for seconds.
func (c Card) make() ([]File, []omission, error) {
	card, err := c.printable()
	if err != nil {
		return nil, nil, err
	}
	front, back, omitted := layOut(card)
	pdf, err := writePDF(card, front, back)
	if err != nil {
		return nil, nil, fmt.Errorf("compcard: PDF: %w", err)
	}
	files := []File{{Name: fileName(card.Name) + "-card.pdf", Data: pdf}}
	for _, web := range []struct {
		side   side
		suffix string
	}{{front, "-front.jpg"}, {back, "-back.jpg"}} {
		data, err := writeJPEG(web.side)
		if err != nil {
			return nil, nil, fmt.Errorf("compcard: JPEG: %w", err)
		}
		if card.Minor {
			data = markJPEG(data)
		}
		files = append(files, File{Name: fileName(card.Name) + web.suffix, Data: data})
	}
	return files, omitted, nil
}

// layOut lays out both sides and renders their pictures. The layout of the back depends on how many pictures are
// readable, which is only known after decoding: a broken one is dropped, and the sides are laid out again.
func layOut(card Card) (front, back side, omitted []omission) {
	usable, omitted := inspect(card)
	for {
		cover, book := usable.arrange()
		front, back = layFront(card, cover), layBack(card, book)
		broken, err := render(front, back)
		if err == nil {
			return front, back, omitted
		}
		omitted = append(omitted, omission{broken.number, err.Error()})
		usable = slices.DeleteFunc(usable, func(s *source) bool { return s == broken })
	}
}

// printable is the card with every text in letters that the card's fonts have.
func (c Card) printable() (Card, error) {
	var firstErr error
	clean := func(text *string) {
		var err error
		if *text, err = printable(*text); err != nil && firstErr == nil {
			firstErr = err
		}
	}
	for _, text := range []*string{&c.Name, &c.Board, &c.Agency, &c.Phone, &c.Email, &c.Website} {
		clean(text)
	}
	c.Rows = slices.Clone(c.Rows)
	for i := range c.Rows {
		clean(&c.Rows[i].Label)
		clean(&c.Rows[i].Metric)
		clean(&c.Rows[i].Imperial)
	}
	return c, firstErr
}

// fileName is the name in letters and figures that every file system takes.
func fileName(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.Join(words, "-")
}
