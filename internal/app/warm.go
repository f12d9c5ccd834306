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
// same DATA_DIR. onlyCovers leaves out galleries. progress is called after each picture.
func (a *App) WarmPictures(ctx context.Context, onlyCovers bool, progress func(done, total int)) error {
	backEnds, err := OpenBackEnds(a.Config, a.Log, nil, nil)
	if err != nil {
		return err
	}
	worker := newWorker()
	defer closeLogged(a.Log, "picture worker", worker)
	store, err := a.openPictures(ctx, backEnds, worker)
	if err != nil {
		return err
	}
	defer closeLogged(a.Log, "pictures", store)
	content, end := backEnds.OpenCatalog(a.Log)
	defer end()
	wanted, err := Covers(ctx, a.Config, content)
	if err != nil {
		return err
	}
	roster, err := content.Roster(ctx)
	if err != nil {
		return err
	}
	for _, listed := range roster.All() {
		if onlyCovers {
			break
		}
		profile, err := content.Talent(ctx, listed.ID)
		if err != nil && !errors.Is(err, agency.ErrNotFound) { // gone since the list
			return err
		}
		for _, picture := range slices.Concat(profile.Book, profile.Snap) {
			wanted = append(wanted, media.PictureSpec{File: picture.File})
		}
	}
	return store.Warm(ctx, wanted, progress)
}

// Covers are what most visitors see first: the slides and the covers, in the roster's order.
func Covers(ctx context.Context, c config.Config, content *catalog.Catalog) (wanted []media.PictureSpec, err error) {
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
	for _, t := range roster.All() {
		options := media.Options{Crop: agency.CardCrop, Focus: t.Cover.Focus}
		wanted = append(wanted, media.PictureSpec{File: t.Cover.File, Options: options})
	}
	return slices.DeleteFunc(wanted, func(p media.PictureSpec) bool { return p.File == "" }), nil
}

const (
	// prepareAfter is how long a start prepares nothing: who waits for the site then waits for other pictures. It is
	// the time between two tries, too.
	prepareAfter = 10 * time.Second
	maxPrepared  = 200 // pictures: of more, most would wait longer for their turn than for a visitor
)

// preparePictures makes the first of the covers before a visitor asks, as soon as the back ends give them.
func preparePictures(ctx context.Context, c config.Config, content *catalog.Catalog, store *media.Store) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(prepareAfter):
		}
		wanted, err := Covers(ctx, c, content)
		if err != nil { // of a back end that is down, which is in the log already
			continue
		}
		_ = store.Warm(ctx, wanted[:min(len(wanted), maxPrepared)], nil) // each that fails is in the log
		return
	}
}
