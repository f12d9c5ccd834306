package app

import (
	"context"
	"errors"
	"slices"
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
	wanted, err := Covers(ctx, a.Config, content)
	if err == nil && !onlyCovers {
		site := backEnds.Site(a.Config)
		kinds, _ := site.BlogKinds()
		var inside []media.PictureSpec
		inside, err = insidePictures(ctx, content, kinds)
		wanted = append(wanted, inside...)
	}
	if err != nil {
		return err
	}
	return store.Warm(ctx, wanted, progress)
}

// Covers are the pictures of slides and covers.
func Covers(ctx context.Context, c config.Config, content *catalog.Catalog) ([]media.PictureSpec, error) {
	return outsidePictures(ctx, c, content, (*catalog.Roster).All)
}

// firstPictures are those that most visitors see first: the slides, and the first page of covers of each board.
func firstPictures(ctx context.Context, c config.Config, content *catalog.Catalog) ([]media.PictureSpec, error) {
	return outsidePictures(ctx, c, content, func(roster *catalog.Roster) (first []*agency.Talent) {
		for _, group := range agency.Groups() {
			if board := group.Filter.Board; group.Tag() == board {
				filter := agency.Filter{Board: board, Show: agency.PageSize}
				first = append(first, roster.Select(filter, time.Now()).Items...)
			}
		}
		return first
	})
}

// outsidePictures are the slides, and the covers of some of the talents.
func outsidePictures(
	ctx context.Context, c config.Config, content *catalog.Catalog, some func(*catalog.Roster) []*agency.Talent,
) (wanted []media.PictureSpec, err error) {
	slides, err := content.Slides(ctx)
	if err != nil {
		return nil, err
	}
	roster, err := content.Roster(ctx)
	if err != nil {
		return nil, err
	}
	for _, slide := range slides {
		for _, file := range []string{slide.Mobile, slide.Desktop} {
			wanted = append(wanted, media.PictureSpec{File: file, Options: media.Options{Root: slidesRootOf(c)}})
		}
	}
	for _, t := range some(roster) {
		options := media.Options{Crop: media.Card, Focus: t.Cover.Focus}
		wanted = append(wanted, media.PictureSpec{File: t.Cover.File, Options: options})
	}
	return slices.DeleteFunc(wanted, func(p media.PictureSpec) bool { return p.File == "" }), nil
}

// insidePictures are every talent's galleries and the covers of the blog's newest posts.
func insidePictures(
	ctx context.Context, content *catalog.Catalog, blogTypes []string,
) (wanted []media.PictureSpec, err error) {
	add := func(file string) {
		if file != "" {
			wanted = append(wanted, media.PictureSpec{File: file})
		}
	}
	roster, err := content.Roster(ctx)
	if err != nil {
		return nil, err
	}
	for _, listed := range roster.All() {
		profile, err := content.Talent(ctx, listed.ID)
		if err != nil && !errors.Is(err, agency.ErrNotFound) { // gone since the list
			return nil, err
		}
		for _, picture := range slices.Concat(profile.Book, profile.Snap) {
			add(picture.File)
		}
		for _, video := range profile.Video {
			add(video.Preview)
		}
	}
	for _, kind := range blogTypes {
		posts, _, err := content.Posts(ctx, kind, catalog.FirstPosts)
		if err != nil {
			return nil, err
		}
		for _, post := range posts {
			add(post.Cover)
		}
	}
	return wanted, nil
}

// prepareRetry is how long to wait before trying again if the back ends were down at the start.
const prepareRetry = time.Minute

// preparePictures makes the first pictures in the background until the returned function is called.
func preparePictures(ctx context.Context, c config.Config, content *catalog.Catalog, store *media.Store) (stop func()) {
	if !c.MediaPrepare {
		return func() {}
	}
	return runInBackground(ctx, func(ctx context.Context) {
		wanted, err := firstPictures(ctx, c, content)
		for err != nil { // a back end that is down is in the log already
			select {
			case <-ctx.Done():
				return
			case <-time.After(prepareRetry):
			}
			wanted, err = firstPictures(ctx, c, content)
		}
		_ = store.Warm(ctx, wanted, nil) // what fails is in the log, and a visitor's request tries again
	})
}
