package handlers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"net/http"
	"strings"
	"time"

	"github.com/maypok86/otter/v2"

	"zedcard/internal/agency"
	"zedcard/internal/routes"
	"zedcard/internal/sharecard"
	"zedcard/views"
	"zedcard/views/ui"
)

const (
	keptCards   = 300        // of some 60 kB each
	cardsFor    = time.Hour  // how long one is kept: its pictures may change
	cardPixels  = 50_000_000 // of a picture that goes onto a card
	pictureWait = 5 * time.Second
	onBoardCard = 4 // pictures on a board's card
)

// cards draws what social networks show, one at a time, and keeps it.
type cards struct {
	drawn   *otter.Cache[cardKey, []byte]
	drawing chan struct{} // holds a token while one is drawn
}

// cardKey is all that a card shows; pictures are their addresses, with line feeds between them.
type cardKey struct{ name, line, pictures string }

func newCards() cards {
	return cards{
		drawn: otter.Must(&otter.Options[cardKey, []byte]{
			MaximumSize: keptCards, ExpiryCalculator: otter.ExpiryWriting[cardKey, []byte](cardsFor),
		}),
		drawing: make(chan struct{}, 1),
	}
}

// shareScreen is the card of a board, or of the whole agency for every other screen. It shows no
// minors.
func (s *site) shareScreen(w http.ResponseWriter, r *http.Request) error {
	page := s.page(r)
	screen := routes.Screen(variable(r, "screen"))
	var card cardKey
	switch screen {
	case routes.Home:
		screen, card.name = routes.Models, page.Agency
	case routes.Models, routes.Creative, routes.Women, routes.Men, routes.Fluid, routes.Kids:
		card.name = views.ListTitle(page, screen)
	default:
		return agency.ErrNotFound
	}
	roster, err := s.Catalog.Roster(r.Context())
	if err != nil {
		return err
	}
	var pictures []string
	for _, t := range roster.Select(routes.ListFilter(screen)).Items {
		if len(pictures) < onBoardCard && t.Cover != "" && !t.Minor(s.Now()) {
			pictures = append(pictures, t.Framed())
		}
	}
	if len(pictures) == onBoardCard {
		card.pictures = strings.Join(pictures, "\n")
	}
	return s.sendCard(w, r, card)
}

// shareTalent is the card of a talent; there is none of a minor.
func (s *site) shareTalent(w http.ResponseWriter, r *http.Request) error {
	t, err := s.Catalog.Talent(r.Context(), variable(r, "id"))
	if err != nil {
		return err
	}
	if t.Minor(s.Now()) {
		return agency.ErrNotFound
	}
	return s.sendCard(w, r, cardKey{name: t.Name, line: views.JobTitle(s.page(r), &t), pictures: t.Framed()})
}

func (s *site) sendCard(w http.ResponseWriter, r *http.Request, key cardKey) error {
	data, err := s.cards.drawn.Get(r.Context(), key, otter.LoaderFunc[cardKey, []byte](s.drawCard))
	if err != nil {
		return err
	}
	return s.send(w, r, "image/jpeg", data)
}

func (s *site) drawCard(ctx context.Context, key cardKey) ([]byte, error) {
	// Others wait for the same card; it is not given up with the first of them.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pictureWait)
	defer cancel()
	select {
	case s.cards.drawing <- struct{}{}:
	case <-ctx.Done():
		return nil, fmt.Errorf("share picture: %w: too many at once", agency.ErrUnavailable)
	}
	defer func() { <-s.cards.drawing }()
	card := sharecard.Card{Name: key.name, Line: key.line, Agency: s.Site.Agency}
	for file := range strings.SplitSeq(key.pictures, "\n") {
		picture, err := s.ownPicture(ctx, file)
		if err != nil {
			s.Log.Warn("a share picture does without", "picture", file, "error", err)
			continue
		}
		if picture != nil {
			card.Pictures = append(card.Pictures, picture)
		}
	}
	return sharecard.JPEG(card)
}

// ownPicture is a picture as this site shows it on a card, nil for no file. The site asks itself,
// so that all that holds for its pictures holds here too.
func (s *site) ownPicture(ctx context.Context, file string) (image.Image, error) {
	if file == "" {
		return nil, nil
	}
	const ours = true // what minors' pictures always are, also with an image server in front
	address := s.Site.Pictures.Sources(file, ui.Card, ours).Src
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	answer := inside{header: http.Header{}}
	s.all.ServeHTTP(&answer, r)
	if answer.status != 0 && answer.status != http.StatusOK {
		return nil, errors.New(http.StatusText(answer.status))
	}
	size, err := jpeg.DecodeConfig(bytes.NewReader(answer.body.Bytes()))
	if err != nil {
		return nil, err
	}
	if size.Width*size.Height > cardPixels {
		return nil, errors.New("too large")
	}
	return jpeg.Decode(&answer.body)
}

// inside takes an answer that the site gives itself.
type inside struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (i *inside) Header() http.Header         { return i.header }
func (i *inside) Write(p []byte) (int, error) { return i.body.Write(p) }
func (i *inside) WriteHeader(status int)      { i.status = status }
