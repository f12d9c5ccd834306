// Package compcard makes the composite card (zed card) of one talent: an A5 sheet with a large picture and the name on
// its front, up to four pictures, the measures and the agency on its back. It makes a print-ready PDF and two JPEGs to
// look at and send.
package compcard

import (
	"context"
	"fmt"
	"log/slog"
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

	Cover    Picture   // without data: the first of Pictures
	Pictures []Picture // the book in order: the first four that can be read are used

	// Minor marks the files as closed to data mining. On a minor's pages the header noimageindex does that, but headers
	// don't travel with a downloaded card.
	Minor bool

	Log *slog.Logger // of pictures that were left out; nil: no log
}

// Row is one measure. Imperial is empty where there is no second unit.
type Row struct{ Label, Metric, Imperial string }

// Picture is a whole JPEG, PNG, GIF or WebP file of at most 50 megapixels. It is cropped around its focal point.
type Picture struct {
	Data  []byte
	Focus agency.Focus
}

// File is a finished file of the card.
type File struct {
	Name string // a file name without a folder, after the talent
	Data []byte
}

// Make makes the card: the PDF, the front and the back, in this order. Pictures that can't be read are left out, and a
// card without any is made all the same. The error is a *GlyphError when the card's fonts can't write one of its texts,
// or the context's. It takes some 100 MB, and keeps a core busy for seconds.
func Make(ctx context.Context, card Card) ([]File, error) {
	card, err := card.printable()
	if err != nil {
		return nil, err
	}
	front, back, err := layOut(ctx, card)
	if err != nil {
		return nil, fmt.Errorf("compcard: %w", err)
	}
	pdf, err := writePDF(ctx, card, front, back)
	if err != nil {
		return nil, fmt.Errorf("compcard: PDF: %w", err)
	}
	files := []File{{Name: fileName(card.Name) + "-card.pdf", Data: pdf}}
	for _, web := range []struct {
		side   side
		suffix string
	}{{front, "-front.jpg"}, {back, "-back.jpg"}} {
		data, err := writeJPEG(ctx, web.side)
		if err != nil {
			return nil, fmt.Errorf("compcard: JPEG: %w", err)
		}
		if card.Minor {
			data = markJPEG(data)
		}
		files = append(files, File{Name: fileName(card.Name) + web.suffix, Data: data})
	}
	return files, nil
}

// layOut lays out both sides and renders their pictures. The layout of the back depends on how many pictures are
// readable, which is only known after decoding: a broken one is dropped, and the sides are laid out again.
func layOut(ctx context.Context, card Card) (front, back side, err error) {
	usable := inspect(ctx, card)
	for {
		cover, book := usable.arrange()
		front, back = layFront(card, cover), layBack(card, book)
		broken, err := render(ctx, front, back)
		if err == nil {
			return front, back, nil
		}
		if ctx.Err() != nil {
			return side{}, side{}, ctx.Err()
		}
		card.logOmitted(ctx, broken.number, err)
		usable = slices.DeleteFunc(usable, func(s *source) bool { return s == broken })
	}
}

// logOmitted logs a picture by its number only: its file's name may be the talent's.
func (c Card) logOmitted(ctx context.Context, number int, err error) {
	if c.Log != nil {
		c.Log.WarnContext(ctx, "compcard: picture left out", "picture", number, "error", err)
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
