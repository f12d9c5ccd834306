package handlers

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/cards"
	"zedcard/internal/routes"
	"zedcard/views"
	"zedcard/views/ui"
)

const (
	shareCards        = 300       // in memory, some 60 kB each
	shareCardTTL      = time.Hour // in memory: its pictures may change
	shareCardTimeout  = 5 * time.Second
	boardCardPictures = 4 // pictures on a board's card
)

// shareKey is everything that a card shows; pictures without a file are left out.
type shareKey struct {
	name, line string
	pictures   [boardCardPictures]agency.Picture
}

// shareScreen is the card of a board, of a shortlist (?ids=1,2,3), or of the whole agency for every other screen. It
// shows no minors.
func (s *site) shareScreen(w http.ResponseWriter, r *http.Request) error {
	page := s.page(r)
	screen := routes.Screen(variable(r, "screen"))
	var card shareKey
	var talents []*agency.Talent
	switch {
	case screen == routes.Favorites:
		list, err := s.askedFor(r)
		if err != nil {
			return err
		}
		talents, card.name = list.Talents, page.N("share.shortlist", len(list.Talents))
	case screen == routes.Home:
		screen, card.name = routes.Models, page.Site.Name
	case slices.Contains(s.Site.Routes.Lists(), screen):
		card.name = views.ListTitle(page, screen)
	default:
		return agency.ErrNotFound
	}
	if talents == nil {
		roster, err := s.Catalog.Roster(r.Context())
		if err != nil {
			return err
		}
		talents = roster.Select(s.Site.Routes.ListFilter(screen), s.Now()).Items
	}
	var covers []agency.Picture
	for _, t := range talents {
		if len(covers) < boardCardPictures && t.Cover.File != "" && !t.Minor(s.Now()) {
			covers = append(covers, t.Cover)
		}
	}
	if len(covers) == boardCardPictures || screen == routes.Favorites { // a board with fewer has words alone
		copy(card.pictures[:], covers)
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
	card := shareKey{name: t.Name, line: s.page(r).T(s.Site.Boards.Job(&t))}
	card.pictures[0] = t.Cover
	return s.sendCard(w, r, card)
}

func (s *site) sendCard(w http.ResponseWriter, r *http.Request, key shareKey) error {
	unread, ok := s.Admission.Answers.Enter(r.Context(), s.Client(r), 0)
	if !ok {
		return errBusy
	}
	defer unread.Close()
	draw := func(ctx context.Context) ([]byte, error) {
		data, err := s.drawCard(ctx, s.Client(r), key)
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("%w: %w", agency.ErrUnavailable, err)
		}
		return data, err
	}
	data, err := s.sharePictures.Load(r.Context(), key, draw)
	if err != nil {
		return err
	}
	unread.Add(int64(len(data))) // it may leave the cache before it was read
	return s.send(w, r, "image/jpeg", data)
}

func (s *site) drawCard(ctx context.Context, client string, key shareKey) ([]byte, error) {
	// Others may wait for the same card, so the first one's leaving must not cancel it.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shareCardTimeout)
	defer cancel()
	turn, ok := s.Admission.SharePictures.Enter(ctx, client, 1)
	if !ok {
		return nil, fmt.Errorf("share picture: %w: too many at once", agency.ErrUnavailable)
	}
	defer turn.Close()
	card := cards.Share{Name: key.name, Line: key.line, Agency: s.Site.Name, Look: cards.LookOf(s.Site.Look)}
	for _, cover := range key.pictures {
		if cover.File == "" {
			continue
		}
		data, err := s.Pictures.JPEG(ctx, cover, ui.Whole)
		if errors.Is(err, context.DeadlineExceeded) {
			return nil, fmt.Errorf("share picture: %w", err)
		}
		if err != nil {
			s.Log.WarnContext(ctx, "share picture made without its photo", "picture", cover.File, "error", err)
			continue
		}
		card.Pictures = append(card.Pictures, cards.Picture{Data: data, Focus: cover.Focus})
	}
	return card.JPEG(ctx, s.Worker)
}
