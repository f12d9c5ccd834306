package handlers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path"
	"strconv"
	"strings"
	"time"
	"unicode"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/disk"
	"zedcard/internal/routes"
)

// fileSuffix ends the name of every file that is handed out: with the agency's name, by which clients know whose it is.
func (s *server) fileSuffix(kind string) string {
	return "-" + strings.Join(strings.Fields(s.Site.Name), "-") + kind
}

// downloadComposite sends a talent's composite card.
func (s *server) downloadComposite(w http.ResponseWriter, r *http.Request) error {
	t, err := s.talent(r, s.Site.Routes.TalentComposite)
	if err != nil {
		return err
	}
	if t.Partial {
		return errPartial(t.ID)
	}
	if t.Minor(s.Now()) {
		markMinor(w)
	}
	return s.download(w, r, t.Name+s.fileSuffix(".zip"), zipType, 1, func(ctx context.Context, file *os.File) error {
		return s.Composites.Composite(ctx, s.cardOf(t), file)
	})
}

// errPartial is the error for a talent whose profile has not arrived in full: its card would lack pictures.
func errPartial(id string) error {
	return fmt.Errorf("profile of talent %s: %w", id, agency.ErrUnavailable)
}

// cardOf is the talent as the card may show it: a minor only with the measures that the page shows.
func (s *server) cardOf(t *agency.Talent) agency.Talent {
	card := *t
	if s.hidesMeasures(t) {
		card.Measures = t.Measures.ForMinor()
	}
	return card
}

// hidesMeasures reports whether some measures of a talent are hidden because they are a minor.
func (s *server) hidesMeasures(t *agency.Talent) bool { return !s.FullMeasures && t.Minor(s.Now()) }

const (
	// If no card can be made, the visitor gets the error page within ten seconds, loading the profile included.
	composingTimeout = 7 * time.Second
	composingExtra   = time.Second // for each further card
)

const zipType = "application/zip"

// download makes a file with a number of cards, which write writes into an empty one, and sends it. The file is
// complete before the first byte is sent, so that a card that can't be made is an error and not half a file; and a slow
// visitor takes up neither memory nor the room of those who wait for their cards.
func (s *server) download(
	w http.ResponseWriter, r *http.Request, name, kind string, cards int, write func(context.Context, *os.File) error,
) error {
	if s.Limits.downloads.exceeded(w, r, s.Client(r)) {
		s.fail(w, r, http.StatusTooManyRequests)
		return nil
	}
	file, err := s.compose(r.Context(), s.routeOf(r).Lang.Lang, cards, write)
	if err != nil {
		return err
	}
	defer file.Close()
	return sendDownload(w, name, kind, file)
}

// sendDownload sends a file from its beginning.
func sendDownload(w http.ResponseWriter, name, kind string, file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("composite: %w: %w", agency.ErrUnavailable, err)
	}
	header := w.Header()
	header.Set("Content-Type", kind)
	header.Set("Content-Disposition", attachment(name))
	header.Set("Content-Length", strconv.FormatInt(info.Size(), 10))
	header.Set("Cache-Control", "no-store")
	header.Add("X-Robots-Tag", "noindex")
	_, _ = io.Copy(w, io.NewSectionReader(file, 0, info.Size())) // fails only if the visitor has left
	return nil
}

// tempFile is an empty file that is gone once it is closed.
func (s *server) tempFile() (*os.File, error) {
	file, err := disk.TempFile(s.TempDir)
	if err != nil {
		return nil, fmt.Errorf("composite: %w: %w", agency.ErrUnavailable, err)
	}
	return file, nil
}

// compose makes a file with the given number of cards once there is room.
func (s *server) compose(
	ctx context.Context, lang i18n.Lang, number int, write func(context.Context, *os.File) error,
) (*os.File, error) {
	ctx, cancel := context.WithTimeout(ctx, composingTimeout+time.Duration(number-1)*composingExtra)
	defer cancel()
	weight := int64(min(number, 2))
	if err := enter(ctx, s.Limits.cards, weight, roomWait); err != nil {
		return nil, fmt.Errorf("composite: %w: %w", agency.ErrUnavailable, err)
	}
	defer s.Limits.cards.Release(weight)
	file, err := s.tempFile()
	if err != nil {
		return nil, err
	}
	if err = write(agency.WithLanguage(ctx, lang), file); err == nil {
		return file, nil
	}
	_ = file.Close() // it is lost
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("composite: %w: %w", agency.ErrUnavailable, err)
	}
	return nil, err
}

// attachment is the Content-Disposition of a file (RFC 6266): a name that is not ASCII is given twice, in an ASCII
// spelling and in full as filename*.
func attachment(name string) string {
	name = strings.NewReplacer("/", "", `\`, "", `"`, "").Replace(agency.Clean(name, false))
	if strings.IndexFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) < 0 {
		return mime.FormatMediaType("attachment", map[string]string{"filename": name})
	}
	kind := path.Ext(name)
	who, rest, _ := strings.Cut(strings.TrimSuffix(name, kind), "-")
	if strings.IndexFunc(rest, func(r rune) bool { return r > unicode.MaxASCII }) >= 0 {
		rest = routes.Slug(rest)
	}
	fallback := routes.Slug(who) + "-" + rest + kind
	return mime.FormatMediaType("attachment", map[string]string{"filename": fallback}) +
		"; filename*=UTF-8''" + strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
}
