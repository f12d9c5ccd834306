package cards

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/cache"
	"zedcard/internal/picture"
	"zedcard/internal/site"
)

// cacheBytes is the memory for finished cards: some forty. A zip of twenty takes ten seconds to make, and bookers
// download the same shortlist more than once.
const cacheBytes = 48 << 20

// Config is what is the same on every card.
type Config struct {
	Site         func() *site.Site
	Website      string // as it is printed; see Website
	FullMeasures bool   // MINOR_MEASURES=full
	// Options has the names of colours in each language; nil: they are printed as the back end gave them.
	Options func() agency.Options
	Now     func() time.Time
	Worker  *picture.Worker
	Log     *slog.Logger
}

// Maker chooses the content of talents' cards, makes them, and caches finished ones. It is safe for concurrent use.
type Maker struct {
	config Config
	cache  cache.Cache[xxh3.Uint128, []agency.File]
}

// NewMaker does no I/O.
func NewMaker(config Config) *Maker {
	return &Maker{config, cache.New(cache.Options[xxh3.Uint128, []agency.File]{
		MaxBytes: cacheBytes,
		Bytes: func(_ xxh3.Uint128, files []agency.File) (bytes int) {
			for _, file := range files {
				bytes += len(file.Data)
			}
			return bytes
		},
	})}
}

// Card returns the files of a talent's card, which must not be changed: the card, or only its pictures if the card's
// typefaces lack a letter of the name. Their names are made of the talent's. open reads a picture by its path in the
// talent; an unreadable one is left out.
func (m *Maker) Card(
	ctx context.Context, t agency.Talent, open func(file string) ([]byte, error),
) ([]agency.File, error) {
	card := m.card(agency.LanguageOf(ctx), t, m.pictures(ctx, t, open))
	return m.cache.Load(ctx, card.fingerprint(), func(ctx context.Context) (made []agency.File, err error) {
		printed, printable := card.printable()
		if !printable {
			m.config.Log.WarnContext(ctx,
				"a card's typefaces can't write a name; its pictures are handed out instead", "talent", t.ID)
		}
		sent := card.Look.files()
		for _, p := range card.Pictures {
			sent = append(sent, bytes.NewReader(p.Data))
		}
		limits := picture.Limits{Time: time.Minute, Background: true}
		results, err := cardTask.Run(ctx, m.config.Worker, limits, card, sent...)
		if err != nil {
			return nil, fmt.Errorf("cards: %w", err)
		}
		last := len(results) - 1
		for omitted := range strings.Lines(string(results[last])) {
			m.config.Log.WarnContext(ctx, "cards: picture left out", "talent", t.ID, "reason", omitted)
		}
		for i, data := range results[:last] {
			name := fmt.Sprintf("%d.jpg", i+1)
			if printable {
				name = fileName(printed.Name) + fileEndings[i]
			}
			made = append(made, agency.File{Name: name, Data: data})
		}
		return made, nil
	})
}

// pictures are those of Chosen that can be read.
func (m *Maker) pictures(ctx context.Context, t agency.Talent, open func(string) ([]byte, error)) (read []Picture) {
	for i, p := range Chosen(&t) {
		if len(read) == MaxPictures {
			break
		}
		data, err := open(p.File)
		if err != nil {
			// its name may be the talent's
			m.config.Log.WarnContext(ctx, "cards: picture left out", "talent", t.ID, "picture", i+1)
			continue
		}
		read = append(read, Picture{Data: data, Focus: p.Focus})
	}
	return read
}

// MaxPictures is how many pictures a card has.
const MaxPictures = 1 + maxPictures

// Chosen are the pictures of the front and the back, in this order: the cover, the book, and last a snap with a face.
// Those beyond MaxPictures stand in for others that can't be read.
func Chosen(t *agency.Talent) []agency.Picture {
	isCover := func(p agency.Picture) bool { return p.File == t.Cover.File }
	shown := slices.DeleteFunc(slices.Clone(t.Book), isCover)
	if t.Cover.File != "" {
		shown = append([]agency.Picture{t.Cover}, shown...)
	}
	if len(t.Snap) > 0 {
		shown = append(shown[:min(len(shown), maxPictures)], faceOf(t.Snap))
	}
	return shown
}

// faceOf is the snap that is most likely a face alone: the squarest.
func faceOf(snaps []agency.Picture) agency.Picture {
	square := func(p agency.Picture) float64 {
		return math.Abs(math.Log(float64(max(p.Width, 1)) / float64(max(p.Height, 1))))
	}
	return slices.MinFunc(snaps, func(a, b agency.Picture) int { return cmp.Compare(square(a), square(b)) })
}

// card is the content of a talent's card in a language.
func (m *Maker) card(tag i18n.Lang, t agency.Talent, pictures []Picture) Card {
	site := m.config.Site()
	lang, known := site.Texts.Parse(string(tag))
	if !known {
		lang = site.Texts.First()
	}
	issuer := Issuer{
		Agency: site.Name, Phone: site.Phone, Email: site.Bookings, Website: m.config.Website,
		Look: LookOf(site.Look), Boards: site.Boards,
		Sheet: agency.MeasureFormatter{Today: m.config.Now(), Full: m.config.FullMeasures, Metric: site.Metric},
	}
	if m.config.Options != nil {
		options := m.config.Options()
		issuer.Sheet.Hair, issuer.Sheet.Eyes, issuer.Sheet.Sizes = options.Hair, options.Eyes, options.Sizes
	}
	card := issuer.Card(lang, &t)
	card.Pictures = pictures
	return card
}

// Issuer is whose cards they are, and how measures are written on them.
type Issuer struct {
	Agency, Phone, Email, Website string
	Look                          Look
	Boards                        *agency.Boards
	Sheet                         agency.MeasureFormatter
}

// Card is the content of a talent's card in a language, without pictures.
func (i Issuer) Card(lang *i18n.Language, t *agency.Talent) Card {
	card := Card{
		Name: t.Name, Board: board(i.Boards, lang, t), Minor: i.Sheet.Minor(t),
		Agency: i.Agency, Phone: i.Phone, Email: i.Email, Website: i.Website, Look: i.Look,
	}
	if i.Boards.BoardOf(t) == agency.Creative {
		return card // booked by work, not by measures
	}
	for _, row := range i.Sheet.Rows(lang, t) {
		card.Rows = append(card.Rows, Row{Label: lang.T(row.Label), Metric: row.Metric, Imperial: row.Imperial})
	}
	if len(card.Rows) > 0 && !t.Measured.IsZero() {
		card.Measured = lang.T("profile.measured", "month", lang.MonthYear(t.Measured))
	}
	return card
}

// board names the list that a talent is booked from, and what one creative is, not all of them.
func board(boards *agency.Boards, lang *i18n.Language, t *agency.Talent) string {
	if boards.BoardOf(t) == agency.Creative {
		return lang.T(boards.Job(t))
	}
	return cmp.Or(boards.BookingList(t).Group(), boards.HomeGroup(t)).Name(lang)
}

// fingerprint is a hash of everything that can be seen on a card, so that an edit of the content invalidates this card
// only.
func (c Card) fingerprint() xxh3.Uint128 {
	hash := xxh3.New()
	_ = json.NewEncoder(hash).Encode(c) // texts and numbers, and a hash takes all
	for _, file := range [][]byte{c.Look.Logo, c.Look.Display, c.Look.Text} {
		_, _ = hash.Write(file)
	}
	for _, p := range c.Pictures {
		_, _ = fmt.Fprint(hash, len(p.Data))
		_, _ = hash.Write(p.Data)
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
