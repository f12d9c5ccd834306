package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/app"
	"zedcard/internal/catalog"
	"zedcard/internal/config"
	"zedcard/internal/media"
)

// imageServerFaults asks the image server of MEDIA_URL for a cover in both formats, as a visitor's browser would.
func imageServerFaults(ctx context.Context, c config.Config, ends app.BackEnds) []string {
	if c.MediaURL == "" {
		return nil
	}
	addresses, err := imageServerAddresses(ctx, c, ends)
	if errors.Is(err, media.ErrTemplate) {
		return []string{c.Wrong("MEDIA_URL", err).Error()}
	}
	if err != nil {
		return []string{"MEDIA_URL: " + err.Error()}
	}
	var faults []string
	for _, address := range addresses {
		if err := askForPicture(ctx, address); err != nil {
			faults = append(faults, fmt.Sprintf("MEDIA_URL: %s: %v", address, err))
		}
	}
	return faults
}

// imageServerAddresses are a cover's addresses as JPEG and as AVIF; none where no adult has a cover.
func imageServerAddresses(ctx context.Context, c config.Config, ends app.BackEnds) ([]string, error) {
	folder, err := os.MkdirTemp("", "zedcard-check-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	roots, err := app.MediaRoots(c, ends)
	if err != nil {
		return nil, err
	}
	store, err := media.Open(media.Config{Dir: folder, Roots: roots, Template: c.MediaURL})
	if err != nil {
		return nil, err
	}
	defer func() { _ = store.Close() }() // only its folder could fail, which goes
	site := catalog.New(ends.Panel, ends.Integration, catalog.Options{Log: slog.New(slog.DiscardHandler)})
	defer site.Close()
	roster, err := site.Roster(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range roster.Select(agency.Filter{Show: agency.PageSize}).Items {
		if t.Cover.File == "" || t.Minor(time.Now()) {
			continue
		}
		source := store.Picture(t.Cover.File, media.Options{Crop: media.Card})
		avif, _, _ := strings.Cut(source.AVIF, " ")
		return []string{source.Src, avif}, nil
	}
	return nil, nil
}

func askForPicture(ctx context.Context, address string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	kind := answer.Header.Get("Content-Type")
	size, err := io.Copy(io.Discard, answer.Body)
	switch {
	case err != nil:
		return err
	case answer.StatusCode != http.StatusOK:
		return fmt.Errorf("status %d", answer.StatusCode)
	case !strings.HasPrefix(kind, "image/") || size == 0:
		return fmt.Errorf("answers with %d bytes of %q instead of a picture", size, kind)
	}
	return nil
}
