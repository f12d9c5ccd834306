package check

import (
	"context"
	"errors"
	"fmt"
	"io"
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
func pictureProblems(
	ctx context.Context, c config.Config, backEnds app.BackEnds, site *catalog.Catalog,
) (problems []string) {
	folder, err := os.MkdirTemp("", "zedcard-check-")
	if err != nil {
		return []string{err.Error()}
	}
	defer func() { _ = os.RemoveAll(folder) }()
	store, err := media.Open(media.Config{Dir: folder, Roots: app.MediaRoots(c, backEnds), Template: c.MediaURL})
	switch {
	case errors.Is(err, media.ErrTemplate):
		return []string{c.SettingError("MEDIA_URL", err).Error()}
	case err != nil:
		return []string{err.Error()}
	}
	defer func() { _ = store.Close() }() // its folder is temporary
	if c.MediaURL != "" {
		problems = imageServerProblems(ctx, store, site)
	}
	foreign, err := foreignPictures(ctx, c, store, site)
	if problems = append(problems, foreign...); err != nil {
		problems = append(problems, err.Error())
	}
	return problems
}

// imageServerProblems requests a cover of an adult from the image server as JPEG and as AVIF, as a visitor's browser
// would.
func imageServerProblems(ctx context.Context, store *media.Store, site *catalog.Catalog) (problems []string) {
	roster, err := site.Roster(ctx)
	if err != nil {
		return []string{"MEDIA_URL: " + err.Error()}
	}
	covers := roster.Select(agency.Filter{Show: agency.PageSize}, time.Now()).Items
	at := slices.IndexFunc(covers, func(t *agency.Talent) bool { return t.Cover.File != "" && !t.Minor(time.Now()) })
	if at < 0 {
		return nil
	}
	source := store.Picture(covers[at].Cover.File, media.Options{Crop: media.Card})
	avif, _, _ := strings.Cut(source.AVIF, " ")
	for _, address := range []string{source.Src, avif} {
		if err := fetchPicture(ctx, address); err != nil {
			problems = append(problems, fmt.Sprintf("MEDIA_URL: %s: %v", address, err))
		}
	}
	return problems
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
