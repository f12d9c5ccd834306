package app

import (
	"context"
	"errors"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/catalog"
	"zedcard/internal/config"
	"zedcard/internal/media"
)

// WarmPictures makes every size of the roster's pictures before a visitor asks, also beside a running site with the
// same DATA_DIR. onlyCovers leaves out galleries and the blog. progress is called after each picture.
func (a *App) WarmPictures(ctx context.Context, onlyCovers bool, progress func(done, total int)) error {
	backEnds, err := OpenBackEnds(a.Config, a.Log, nil, nil)
	if err != nil {
		return err
	}
	workers := newWorkers()
	defer closeLogged(a.Log, "picture workers", workers)
	store, err := a.openPictures(ctx, backEnds, workers, nil)
	if err != nil {
		return err
	}
	defer closeLogged(a.Log, "pictures", store)
	content := catalog.New(backEnds.Panel, backEnds.Integration, catalog.Options{Log: a.Log})
	defer content.Close()
	decided := backEnds.Site(a.Config)
	kinds, _ := decided.BlogKinds()
	wanted, err := shownPictures(ctx, a.Config, kinds, content, onlyCovers)
	if err != nil {
		return err
	}
	return store.Warm(ctx, wanted, progress)
}

// shownPictures lists the pictures of the site's screens, the most important first: slides, covers, and unless
// onlyCovers is set, every talent's galleries and the blog's newest covers.
func shownPictures(
	ctx context.Context, c config.Config, blogTypes []string, content *catalog.Catalog, onlyCovers bool,
) ([]media.PictureSpec, error) {
	wanted, err := slidePictures(ctx, c, content)
	if err != nil {
		return nil, err
	}
	add := func(file string, o media.Options) {
		if file != "" {
			wanted = append(wanted, media.PictureSpec{File: file, Options: o})
		}
	}
	roster, err := content.Roster(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range roster.All() {
		add(t.Cover.File, media.Options{Crop: media.Card, Focus: t.Cover.Focus})
	}
	if onlyCovers {
		return wanted, nil
	}
	for _, listed := range roster.All() {
		t, err := content.Talent(ctx, listed.ID)
		if errors.Is(err, agency.ErrNotFound) {
			continue // gone since the list
		}
		if err != nil {
			return nil, err
		}
		for _, picture := range append(t.Book, t.Snap...) {
			add(picture.File, media.Options{})
		}
		for _, video := range t.Video {
			add(video.Preview, media.Options{})
		}
	}
	for _, kind := range blogTypes {
		posts, _, err := content.Posts(ctx, kind, 10)
		if err != nil {
			return nil, err
		}
		for _, post := range posts {
			add(post.Cover, media.Options{})
		}
	}
	return wanted, nil
}

func slidePictures(ctx context.Context, c config.Config, content *catalog.Catalog) ([]media.PictureSpec, error) {
	slides, err := content.Slides(ctx)
	var wanted []media.PictureSpec
	for _, slide := range slides {
		for _, file := range []string{slide.Mobile, slide.Desktop} {
			if file != "" {
				wanted = append(wanted, media.PictureSpec{File: file, Options: media.Options{Root: slidesRootOf(c)}})
			}
		}
	}
	return wanted, err
}

// Covers are the pictures of slides and covers.
func Covers(ctx context.Context, c config.Config, content *catalog.Catalog) ([]media.PictureSpec, error) {
	return shownPictures(ctx, c, nil, content, true)
}

// firstPictures are those that most visitors see first: the slides, and the first page of covers of each board.
func firstPictures(ctx context.Context, c config.Config, content *catalog.Catalog) ([]media.PictureSpec, error) {
	wanted, err := slidePictures(ctx, c, content)
	if err != nil {
		return nil, err
	}
	roster, err := content.Roster(ctx)
	if err != nil {
		return nil, err
	}
	for _, group := range agency.Groups() {
		board := group.Filter.Board
		if group.Tag() != board {
			continue
		}
		for _, t := range roster.Select(agency.Filter{Board: board, Show: agency.PageSize}).Items {
			if t.Cover.File != "" {
				wanted = append(wanted, media.PictureSpec{
					File: t.Cover.File, Options: media.Options{Crop: media.Card, Focus: t.Cover.Focus},
				})
			}
		}
	}
	return wanted, nil
}

// prepareRetry is how long to wait before trying again if the back ends were down at the start.
const prepareRetry = time.Minute

// preparePictures makes the first pictures in the background until the returned function is called. With an image
// server there is nothing to do.
func preparePictures(ctx context.Context, c config.Config, content *catalog.Catalog, store *media.Store) (stop func()) {
	if !c.MediaPrepare || c.MediaURL != "" {
		return func() {}
	}
	return runInBackground(ctx, func(ctx context.Context) {
		for {
			// A back end that is down is in the log already.
			if wanted, err := firstPictures(ctx, c, content); err == nil {
				_ = store.Warm(ctx, wanted, nil) // what fails is in the log, and a visitor's request tries again
				return
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(prepareRetry):
			}
		}
	})
}
