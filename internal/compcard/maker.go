package compcard

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"path"
	"time"

	"github.com/maypok86/otter/v2"
	"github.com/zeebo/xxh3"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/measures"
	"zedcard/internal/picture"
)

// cacheBytes is the memory for finished cards: some forty. A zip of twenty takes ten seconds to make, and bookers
// download the same shortlist more than once.
const cacheBytes = 48 << 20

// Config is what is the same on every card.
type Config struct {
	Agency, Phone, Email string
	Website              string // as it is printed; see Website
	FullMeasures         bool   // MINOR_MEASURES=full
	// Options has the names of colours in each language; nil: they are printed as the back end gave them.
	Options func() agency.Options
	Now     func() time.Time
	Worker  *picture.Worker
	Log     *slog.Logger
}

// Maker chooses the content of talents' cards, makes them, and caches finished ones. It is safe for concurrent use.
type Maker struct {
	config Config
	cache  fileCache
}

// fileCache is what is used of otter: with its whole type, every importer of the package would compile it, too.
type fileCache interface {
	Get(context.Context, xxh3.Uint128, otter.Loader[xxh3.Uint128, []File]) ([]File, error)
}

// NewMaker does no I/O.
func NewMaker(config Config) *Maker {
	cache := otter.Must(&otter.Options[xxh3.Uint128, []File]{
		MaximumWeight: cacheBytes,
		Weigher: func(_ xxh3.Uint128, files []File) uint32 {
			weight := 0
			for _, file := range files {
				weight += len(file.Data)
			}
			return uint32(min(weight, cacheBytes)) // far below 4 GiB
		},
	})
	return &Maker{config: config, cache: cache}
}

// Card returns the files of a talent's card, which must not be changed: the card, or only its pictures if the card's
// fonts lack a letter of the name. open reads a picture by its path in the talent; an unreadable one is left out.
func (m *Maker) Card(ctx context.Context, t agency.Talent, open func(file string) ([]byte, error)) ([]File, error) {
	pictures := m.pictures(ctx, t, open)
	card := m.card(agency.LanguageOf(ctx), t, pictures)
	files, err := m.cache.Get(ctx, fingerprint(card), otter.LoaderFunc[xxh3.Uint128, []File](
		func(ctx context.Context, _ xxh3.Uint128) ([]File, error) {
			if _, err := card.printable(); err != nil { // a *GlyphError
				m.config.Log.WarnContext(ctx,
					"a card's fonts can't write a name; its pictures are handed out instead", "talent", t.ID)
				return encodePrints(ctx, m.config.Worker, pictures)
			}
			return m.makeCard(ctx, card)
		}))
	return files, err
}

// makeCard makes a card in the worker.
func (m *Maker) makeCard(ctx context.Context, card Card) ([]File, error) {
	var pictures []picture.File
	for _, p := range card.Pictures {
		pictures = append(pictures, bytes.NewReader(p.Data))
	}
	out, made, err := cardTask.Run(ctx, m.config.Worker, limits(card.Pictures), card, pictures...)
	if err != nil {
		return nil, fmt.Errorf("compcard: %w", err)
	}
	for _, o := range out.Omitted {
		m.config.Log.WarnContext(ctx, "compcard: picture left out", "picture", o.Number, "error", o.Error)
	}
	files := make([]File, len(made))
	for i, data := range made {
		files[i] = File{Name: out.Names[i], Data: data}
	}
	return files, nil
}

// madeCard is what a worker says of the files that it made.
type madeCard struct {
	Names   []string
	Omitted []omission
}

var cardTask = picture.NewTask("composite card", func(card Card, pictures [][]byte) (madeCard, [][]byte, error) {
	for i, data := range pictures {
		card.Pictures[i].Data = data
	}
	files, omitted, err := card.make()
	out, made := madeCard{Omitted: omitted}, [][]byte(nil)
	for _, file := range files {
		out.Names, made = append(out.Names, file.Name), append(made, file.Data)
	}
	return out, made, err
})

// limits are for decoding the largest of the pictures, and for all of them in the size of a print.
func limits(pictures []Picture) picture.Limits {
	l := picture.Limits{Time: time.Minute, Memory: 64 << 20}
	largest := int64(0)
	for _, p := range pictures {
		if original, err := picture.Probe(bytes.NewReader(p.Data)); err == nil {
			largest = max(largest, original.Memory(0, 0))
		}
	}
	l.Memory += largest
	return l
}

// namedPicture is a picture with the name of its file.
type namedPicture struct {
	name string
	Picture
}

// pictures are those of the front and the back, in this order.
func (m *Maker) pictures(ctx context.Context, t agency.Talent, open func(file string) ([]byte, error)) []namedPicture {
	shown := t.Book
	if t.Cover.File != "" {
		shown = append([]agency.Picture{t.Cover}, t.Book...)
	}
	var pictures []namedPicture
	for i, p := range shown {
		if len(pictures) == 1+maxPictures {
			break
		}
		data, err := open(p.File)
		if err != nil {
			// its name may be the talent's
			m.config.Log.WarnContext(ctx, "compcard: picture left out", "talent", t.ID, "picture", i+1)
			continue
		}
		pictures = append(pictures, namedPicture{path.Base(p.File), Picture{Data: data, Focus: p.Focus}})
	}
	return pictures
}

// card is the content of a talent's card in a language.
func (m *Maker) card(lang i18n.Lang, t agency.Talent, pictures []namedPicture) Card {
	sheet := measures.Formatter{Today: m.config.Now(), Full: m.config.FullMeasures}
	if m.config.Options != nil {
		options := m.config.Options()
		sheet.Hair, sheet.Eyes = options.Hair, options.Eyes
	}
	card := Card{
		Name: t.Name, Board: board(lang, &t), Minor: sheet.Minor(&t),
		Agency: m.config.Agency, Phone: m.config.Phone, Email: m.config.Email, Website: m.config.Website,
	}
	for _, row := range sheet.Rows(lang, &t) {
		card.Rows = append(card.Rows, Row{Label: lang.T(row.Label), Metric: row.Metric, Imperial: row.Imperial})
	}
	for _, p := range pictures {
		card.Pictures = append(card.Pictures, p.Picture)
	}
	return card
}

// board names the list that a talent is booked from, and what one creative is, not all of them.
func board(lang i18n.Lang, t *agency.Talent) string {
	if t.Board() == agency.Creative {
		return lang.T(t.Job())
	}
	group := t.BookingList().Group()
	if group == nil {
		group = agency.GroupOf(t.Board())
	}
	return lang.T(group.Key)
}

// fingerprint is a hash of everything that can be seen on a card, so that an edit of the content invalidates this card
// only.
func fingerprint(card Card) xxh3.Uint128 {
	hash := xxh3.New()
	add := func(data []byte) {
		var size [8]byte
		binary.LittleEndian.PutUint64(size[:], uint64(len(data)))
		_, _ = hash.Write(size[:]) // a hash takes all
		_, _ = hash.Write(data)
	}
	pictures := card.Pictures
	card.Pictures = nil
	add(fmt.Appendf(nil, "%#v", card))
	for _, p := range pictures {
		add(p.Data)
		add(fmt.Appendf(nil, "%v", p.Focus))
	}
	return hash.Sum128()
}

// Website is the site's address as printed: its host, or nothing for an address that only one machine can open.
func Website(baseURL string) string {
	u, err := url.Parse(baseURL)
	if err != nil || u.Hostname() == "localhost" || net.ParseIP(u.Hostname()) != nil {
		return ""
	}
	return u.Host
}
