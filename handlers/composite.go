package handlers

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"zedcard/internal/agency"
	"zedcard/internal/routes"
)

// fileSuffix ends the file name of every composite card. Clients know it with this brand, whatever AGENCY_NAME is.
const fileSuffix = "-Best-Management.zip"

// downloadComposite sends a talent's composite card, once all of it has arrived from the back end.
func (s *site) downloadComposite(w http.ResponseWriter, r *http.Request) error {
	t, err := s.talent(r, routes.TalentComposite)
	if err != nil {
		return err
	}
	if t.Partial {
		return errPartial(t.ID)
	}
	var download agency.Download
	err = s.compose(r, 1, func(ctx context.Context) error {
		download, err = s.Composites.Composite(ctx, s.cardOf(t))
		return err
	})
	if err != nil {
		return err
	}
	sendZip(w, t.Name+fileSuffix, download.Data)
	return nil
}

// errPartial is the error for a talent whose profile has not arrived in full: its card would lack pictures.
func errPartial(id string) error {
	return fmt.Errorf("profile of talent %s: %w", id, agency.ErrUnavailable)
}

// fullTalent is a talent with everything that a card shows, or errPartial.
func (s *site) fullTalent(ctx context.Context, id string) (agency.Talent, error) {
	t, err := s.Catalog.Talent(ctx, id)
	if err == nil && t.Partial {
		err = errPartial(id)
	}
	return t, err
}

// cardOf is the talent as the card may show it: a minor only with the measures that the page shows.
func (s *site) cardOf(t *agency.Talent) agency.Talent {
	card := *t
	if s.hidesMeasures(t) {
		card.Measures = t.Measures.ForMinor()
	}
	return card
}

// hidesMeasures reports whether some measures of a talent are hidden because they are a minor.
func (s *site) hidesMeasures(t *agency.Talent) bool { return !s.FullMeasures && t.Minor(s.Now()) }

const (
	// If no card can be made, the visitor gets the error page within ten seconds, loading the profile included.
	composingTimeout = 7 * time.Second
	composingExtra   = time.Second // for each further card
)

// compose waits for a slot and runs cards, which makes the given number of cards. It must not write the answer: a slow
// download would keep the slot from others.
func (s *site) compose(r *http.Request, number int, makeCards func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(r.Context(), composingTimeout+time.Duration(number-1)*composingExtra)
	defer cancel()
	card, ok := s.Admission.Cards.Enter(ctx, s.Client(r), 1)
	if !ok {
		return fmt.Errorf("composite: too many at once: %w", agency.ErrUnavailable)
	}
	defer card.Close()
	err := makeCards(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("composite: %w: %w", agency.ErrUnavailable, err)
	}
	return err
}

func sendZip(w http.ResponseWriter, name string, data []byte) {
	header := w.Header()
	header.Set("Content-Type", "application/zip")
	header.Set("Content-Disposition", attachment(name))
	header.Set("Content-Length", strconv.Itoa(len(data)))
	header.Set("Cache-Control", "no-store")
	header.Set("X-Robots-Tag", "noindex")
	_, _ = w.Write(data) // fails only if the visitor has left
}

// attachment is the Content-Disposition of a file (RFC 6266): a name that is not ASCII is given twice, in an ASCII
// spelling and in full as filename*.
func attachment(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || strings.ContainsRune(`/\"`, r) {
			return -1
		}
		return r
	}, name)
	if isASCII(name) {
		return mime.FormatMediaType("attachment", map[string]string{"filename": name})
	}
	fallback := routes.Slug(strings.TrimSuffix(name, fileSuffix)) + fileSuffix
	return mime.FormatMediaType("attachment", map[string]string{"filename": fallback}) +
		"; filename*=UTF-8''" + strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
}

func isASCII(text string) bool {
	for _, r := range text {
		if r > unicode.MaxASCII {
			return false
		}
	}
	return true
}

func unescape(text string) string {
	if unescaped, err := url.PathUnescape(text); err == nil {
		return unescaped
	}
	return text
}
