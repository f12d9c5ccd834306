package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/app"
	"zedcard/internal/catalog"
	"zedcard/internal/config"
	"zedcard/internal/media"
)

// pictureProblems are the origins of slides and covers that are not shown, and what is wrong with the image server of
// MEDIA_URL.
func pictureProblems(ctx context.Context, c config.Config, backEnds app.BackEnds) (problems []string) {
	err := withPictures(c, backEnds, func(store *media.Store, site *catalog.Catalog) error {
		if c.MediaURL != "" {
			problems = imageServerProblems(ctx, store, site)
		}
		foreign, err := foreignPictures(ctx, c, store, site)
		problems = append(problems, foreign...)
		return err
	})
	switch {
	case errors.Is(err, media.ErrTemplate):
		return []string{c.SettingError("MEDIA_URL", err).Error()}
	case err != nil:
		return append(problems, err.Error())
	}
	return problems
}

// withPictures opens the store of pictures and the catalogue while a function runs.
func withPictures(
	c config.Config, backEnds app.BackEnds, look func(store *media.Store, site *catalog.Catalog) error,
) error {
	folder, err := os.MkdirTemp("", "zedcard-check-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	store, err := media.Open(media.Config{Dir: folder, Roots: app.MediaRoots(c, backEnds), Template: c.MediaURL})
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }() // its folder is temporary
	site := catalog.New(backEnds.Panel, backEnds.Integration, catalog.Options{Log: slog.New(slog.DiscardHandler)})
	defer site.Close()
	return look(store, site)
}

// imageServerProblems requests a cover from the image server in both formats, as a visitor's browser would.
func imageServerProblems(ctx context.Context, store *media.Store, site *catalog.Catalog) (problems []string) {
	addresses, err := imageServerAddresses(ctx, store, site)
	if err != nil {
		return []string{"MEDIA_URL: " + err.Error()}
	}
	for _, address := range addresses {
		if err := fetchPicture(ctx, address); err != nil {
			problems = append(problems, fmt.Sprintf("MEDIA_URL: %s: %v", address, err))
		}
	}
	return problems
}

// imageServerAddresses are a cover's addresses as JPEG and as AVIF; none where no adult has a cover.
func imageServerAddresses(ctx context.Context, store *media.Store, site *catalog.Catalog) ([]string, error) {
	roster, err := site.Roster(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range roster.Select(agency.Filter{Show: agency.PageSize}).Items {
		if t.Cover.File != "" && !t.Minor(time.Now()) {
			source := store.Picture(t.Cover.File, media.Options{Crop: media.Card})
			avif, _, _ := strings.Cut(source.AVIF, " ")
			return []string{source.Src, avif}, nil
		}
	}
	return nil, nil
}

// foreignPictures names the origins of slides and covers that are not shown.
func foreignPictures(
	ctx context.Context, c config.Config, store *media.Store, site *catalog.Catalog,
) (problems []string, err error) {
	shown, err := app.Covers(ctx, c, site)
	for _, picture := range shown {
		store.Picture(picture.File, picture.Options)
	}
	for origin, count := range store.ForeignOrigins() {
		problems = append(problems, fmt.Sprintf("PICTURE_HOSTS: %d pictures of %s are not shown", count, origin))
	}
	slices.Sort(problems)
	return problems, err
}

func fetchPicture(ctx context.Context, address string) error {
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
