package handlers

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
	"golang.org/x/sync/errgroup"

	"zedcard/internal/agency"
	"zedcard/internal/cards"
	"zedcard/internal/routes"
	"zedcard/views"
)

// maxPack is how many cards one pack holds at most: some 25 MB.
const maxPack = 40

// downloadPack sends a shortlist as a PDF to print or to send on (?ids=1,2,3), for somebody (?for=). It is made of what
// the catalogue has, so that every back end has it.
func (s *server) downloadPack(w http.ResponseWriter, r *http.Request) error {
	page := s.page(r)
	list, err := s.askedFor(r)
	if err != nil {
		return err
	}
	if list.For = queryOf(r).Get("for"); !isRecipient(list.For) {
		redirect(w, http.StatusSeeOther, list.Address(page, routes.Favorites)) // says so, and keeps what was typed
		return nil
	}
	list.For = strings.TrimSpace(list.For)
	list.Omitted = max(0, len(list.Talents)-maxPack)
	list.Talents = list.Talents[:len(list.Talents)-list.Omitted]
	if s.Limits.packs.exceeded(w, r, s.Client(r)) {
		s.fail(w, r, http.StatusTooManyRequests)
		return nil
	}
	ctx, cancel := context.WithTimeout(r.Context(), composingTimeout)
	defer cancel()
	profiles, err := s.profiles(ctx, list.Talents)
	if err != nil {
		return err
	}
	list.Talents = nil
	for i := range profiles {
		list.Talents = append(list.Talents, &profiles[i])
	}
	markMinors(w, list)
	file, err := s.makePack(ctx, page, list)
	if err != nil {
		return err
	}
	return sendDownload(w, cmp.Or(list.For, page.T("shortlist.title"))+s.fileSuffix(".pdf"), "application/pdf", file)
}

// A finished pack is kept for those who ask for the same one, the only one who asks again above all. Its file has no
// name, and is gone once nobody can send it any more: then the garbage collector closes it.
const (
	keptPacks    = 16
	keptPackTime = 5 * time.Minute
)

// makePack is the file of a pack, made once for all who ask for its content.
func (s *server) makePack(ctx context.Context, page *views.Page, list views.Shortlist) (*os.File, error) {
	pack := s.pack(page, list)
	var chosen [][]agency.Picture
	for _, t := range list.Talents {
		chosen = append(chosen, append(cards.Chosen(t), t.Digital.Picture()))
	}
	content, err := json.Marshal([]any{pack, chosen})
	if err != nil {
		return nil, fmt.Errorf("pack: %w", err)
	}
	return s.packs.Load(ctx, xxh3.Hash128(content), func(ctx context.Context) (*os.File, error) {
		ctx = context.WithoutCancel(ctx) // others may wait for it
		return s.compose(ctx, page.Lang.Lang, len(list.Talents), func(ctx context.Context, file *os.File) error {
			pictures, err := s.tempFile()
			if err != nil {
				return err
			}
			defer pictures.Close()
			if err := s.addPictures(ctx, pack, list, &spool{File: pictures}); err != nil {
				return err
			}
			pdf, omitted, err := pack.PDF(ctx, s.Worker)
			if err != nil {
				return fmt.Errorf("%w: %w", agency.ErrUnavailable, err)
			}
			for reason := range strings.Lines(omitted) {
				s.Log.WarnContext(ctx, "pack: picture left out", "reason", reason)
			}
			_, err = file.Write(pdf)
			return err
		})
	})
}

// contactLike is what a name has nothing of once it is folded: an address, more digits than a year, or control
// characters, which cards leave out.
var contactLike = regexp.MustCompile(`[@/\\:\pC]|www|http|[\pL\pN]\.\pL{2}|(?:\pN\PN*){5}`)

// isRecipient reports whether a text may stand on the agency's page as whom a shortlist is for; anybody can write the
// address of one, and must not send teenagers to a stranger's number with it. Cards have letters for it.
func isRecipient(text string) bool {
	return utf8.RuneCountInString(text) <= views.MaxRecipient && cards.Printable(text) &&
		!contactLike.MatchString(agency.Fold(text))
}

// A height in cm that can stand on a wall beside others.
const lowest, highest = 50, 250

// pack is the content of a shortlist's pack, without pictures.
func (s *server) pack(page *views.Page, list views.Shortlist) cards.Pack {
	p := cards.Pack{
		Title: list.Heading(page), Line: list.Contents(page), Lang: string(page.Lang.Lang),
		Agency: page.Site.Name, Look: cards.LookOf(page.Look),
		Ask: page.T("contact.lede"), Contacts: s.packContacts(page, list),
		Cards: make([]cards.Card, len(list.Talents)),
	}
	website := cards.Website(page.BaseURL)
	issuer := cards.Issuer{
		Agency: page.Site.Name, Phone: page.Phone, Email: page.Bookings, Website: website,
		Boards: page.Boards, Sheet: list.Measures,
	}
	left := map[string][]string{} // who is not on the wall, by why
	for i, t := range list.Talents {
		p.Cards[i] = issuer.Card(page.Lang, t)
		if website != "" {
			p.Cards[i].Address = page.Absolute(page.Routes.Talent(page.Lang, t))
		}
		height, _ := agency.ParseLength(t.Measures.Height)
		switch {
		case list.Measures.Minor(t):
			left["compare.minors"] = append(left["compare.minors"], t.Name)
		case page.Boards.BoardOf(t) == agency.Creative:
			left["compare.creatives"] = append(left["compare.creatives"], t.Name)
		case height < lowest || height > highest:
			left["pack.no-height"] = append(left["pack.no-height"], t.Name)
		default:
			p.Wall = append(p.Wall, cards.Figure{
				Card: i, Height: height, Label: page.Lang.Centimetres(height),
				Crown: t.Digital.Crown, Ground: t.Digital.Ground,
			})
		}
	}
	for _, why := range []string{"compare.minors", "compare.creatives", "pack.no-height"} {
		if names := left[why]; names != nil {
			p.Notes = append(p.Notes, page.T(why, "names", strings.Join(names, ", ")))
		}
	}
	if list.Omitted > 0 {
		p.Notes = append(p.Notes, page.N("favorites.omitted", list.Omitted))
	}
	return p
}

// addPictures reads the pictures of a pack into a file. Those that can't be read are left out, unless their storage is
// down: a client would miss a face.
func (s *server) addPictures(ctx context.Context, p cards.Pack, list views.Shortlist, to *spool) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(profilesAtOnce)
	read := func(t *agency.Talent, picture agency.Picture) (cards.Picture, error) {
		data, err := s.Pictures.Print(ctx, picture)
		switch {
		case err == nil:
			file, err := to.put(data)
			return cards.Picture{File: file, Focus: picture.Focus}, err
		case ctx.Err() != nil, errors.Is(err, context.DeadlineExceeded), errors.Is(err, agency.ErrUnavailable):
			return cards.Picture{}, err
		}
		s.Log.WarnContext(ctx, "pack made without a picture", "talent", t.ID) // whose name may be the talent's
		return cards.Picture{}, nil
	}
	for i, t := range list.Talents {
		group.Go(func() error {
			for _, chosen := range cards.Chosen(t) {
				if len(p.Cards[i].Pictures) == cards.MaxPictures {
					break
				}
				picture, err := read(t, chosen)
				if err != nil {
					return err
				}
				if picture.File != nil {
					p.Cards[i].Pictures = append(p.Cards[i].Pictures, picture)
				}
			}
			return nil
		})
	}
	for i, figure := range p.Wall {
		if t := list.Talents[figure.Card]; t.Digital.ToScale() {
			group.Go(func() (err error) {
				p.Wall[i].Picture, err = read(t, t.Digital.Picture())
				return err
			})
		}
	}
	return group.Wait()
}

// spool is a file of pictures that wait for the worker: those of a long pack are too many for the memory.
type spool struct {
	*os.File
	mu   sync.Mutex
	size int64
}

func (s *spool) put(data []byte) (*io.SectionReader, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.WriteAt(data, s.size); err != nil {
		return nil, fmt.Errorf("pack: %w: %w", agency.ErrUnavailable, err)
	}
	s.size += int64(len(data))
	return io.NewSectionReader(s, s.size-int64(len(data)), int64(len(data))), nil
}

// packContacts are the bookers of those on a shortlist, the agency, and the shortlist's page.
func (s *server) packContacts(page *views.Page, list views.Shortlist) (all []cards.Contact) {
	add := func(label string, lines ...string) {
		lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" })
		if len(lines) > 0 {
			all = append(all, cards.Contact{Label: label, Lines: lines})
		}
	}
	var named []string
	for _, t := range list.Talents {
		group := page.Boards.HomeGroup(t)
		if b := group.Booker; b.Name != "" && !slices.Contains(named, b.Name) {
			named = append(named, b.Name)
			add(group.Name(page.Lang), b.Name, b.Phone, b.Email)
		}
	}
	add(page.T("contact.bookings"), page.Phone, page.Bookings)
	add(page.T("contact.address"), page.Site.Address)
	if cards.Website(page.BaseURL) != "" {
		_, address, _ := strings.Cut(page.Absolute(list.Address(page, routes.Favorites)), "://")
		add(page.T("shortlist.title"), address)
	}
	return all
}
