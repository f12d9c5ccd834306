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
	wanted, roster, err := slides(ctx, a.Config, content)
	if err != nil {
		return err
	}
	wanted.addCovers(roster.All())
	if !onlyCovers {
		site := backEnds.Site(a.Config)
		kinds, _ := site.BlogKinds()
		if err := wanted.addInside(ctx, content, roster.All(), kinds); err != nil {
			return err
		}
	}
	return store.Warm(ctx, wanted, progress)
}

// pictureList are pictures of the site's screens, the most important first.
type pictureList []media.PictureSpec

func (l *pictureList) add(file string, options media.Options) {
	if file != "" {
		*l = append(*l, media.PictureSpec{File: file, Options: options})
	}
}

func (l *pictureList) addCovers(talents []*agency.Talent) {
	for _, t := range talents {
		l.add(t.Cover.File, media.Options{Crop: media.Card, Focus: t.Cover.Focus})
	}
}

// addInside adds every talent's galleries and the covers of the blog's newest posts.
func (l *pictureList) addInside(
	ctx context.Context, content *catalog.Catalog, listed []*agency.Talent, blogTypes []string,
) error {
	for _, t := range listed {
		profile, err := content.Talent(ctx, t.ID)
		if err != nil && !errors.Is(err, agency.ErrNotFound) { // gone since the list
			return err
		}
		for _, picture := range append(profile.Book, profile.Snap...) {
			l.add(picture.File, media.Options{})
		}
		for _, video := range profile.Video {
			l.add(video.Preview, media.Options{})
		}
	}
	for _, kind := range blogTypes {
		posts, _, err := content.Posts(ctx, kind, catalog.FirstPosts)
		if err != nil {
			return err
		}
		for _, post := range posts {
			l.add(post.Cover, media.Options{})
		}
	}
	return nil
}

// slides are the pictures of the home page, and the roster for those of lists.
func slides(ctx context.Context, c config.Config, content *catalog.Catalog) (pictureList, *catalog.Roster, error) {
	all, err := content.Slides(ctx)
	if err != nil {
		return nil, nil, err
	}
	var wanted pictureList
	for _, slide := range all {
		wanted.add(slide.Mobile, media.Options{Root: slidesRootOf(c)})
		wanted.add(slide.Desktop, media.Options{Root: slidesRootOf(c)})
	}
	roster, err := content.Roster(ctx)
	return wanted, roster, err
}

// Covers are the pictures of slides and covers.
func Covers(ctx context.Context, c config.Config, content *catalog.Catalog) ([]media.PictureSpec, error) {
	wanted, roster, err := slides(ctx, c, content)
	if err == nil {
		wanted.addCovers(roster.All())
	}
	return wanted, err
}

// firstPictures are those that most visitors see first: the slides, and the first page of covers of each board.
func firstPictures(ctx context.Context, c config.Config, content *catalog.Catalog) ([]media.PictureSpec, error) {
	wanted, roster, err := slides(ctx, c, content)
	if err != nil {
		return nil, err
	}
	for _, group := range agency.Groups() {
		if board := group.Filter.Board; group.Tag() == board {
			wanted.addCovers(roster.Select(agency.Filter{Board: board, Show: agency.PageSize}, time.Now()).Items)
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
