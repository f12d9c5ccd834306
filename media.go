package main

import (
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/catalog"
	"zedcard/internal/config"
	"zedcard/internal/database"
	"zedcard/internal/media"
	"zedcard/views/ui"
)

// The storages that originals are read from. Their names are part of the pictures' addresses.
const (
	storageRoot     = "s"
	slidesRoot      = "slides"
	panelRoot       = "panel"
	integrationRoot = "integration"
)

// previewHosts have the preview pictures of videos (specification, section 7). The site reads them, so that a
// visitor's browser asks nobody else before a video is played.
var previewHosts = map[string]string{
	"yt":    "https://i.ytimg.com/",
	"yti":   "https://img.youtube.com/",
	"vimeo": "https://i.vimeocdn.com/",
}

// encodeAVIF is the command of the process that makes AVIFs; the site starts it by itself.
const encodeAVIFCommand = "encode-avif"

func encodeAVIF(context.Context, program) error { return media.EncodeAVIF(os.Stdin, os.Stdout) }

// openMedia opens what makes and serves the pictures.
func openMedia(ctx context.Context, c config.Config, log *slog.Logger, ends backEnds, keys database.Keys) (*media.Store, error) {
	roots, err := mediaRoots(c, ends)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("the program's own file, which makes AVIFs: %w", err)
	}
	settings := media.Config{
		Dir: filepath.Join(c.DataDir, "media"), MaxBytes: c.MediaSize, Roots: roots, Keys: mediaKeys(ctx, log, keys),
		Encoder: []string{self, encodeAVIFCommand}, Template: c.MediaURL, Log: log,
	}
	if ends.embedded != nil && c.ContentDir != "" {
		settings.Fresh = 5 * time.Second // an editor's new picture shows soon
	}
	store, err := media.Open(settings)
	if err != nil {
		return nil, mediaFault(c, err)
	}
	return store, nil
}

func mediaRoots(c config.Config, ends backEnds) ([]media.Root, error) {
	var roots []media.Root
	add := func(setting, name, address string) error {
		u, err := url.Parse(address)
		if err != nil {
			return fmt.Errorf("%s: %w", setting, err)
		}
		roots = append(roots, media.Root{Name: name, URL: u})
		return nil
	}
	if c.StorageURL == "" {
		roots = append(roots, media.Root{Name: storageRoot, Transport: ends.embedded.Transport()})
	} else if err := add("STORAGE_URL", storageRoot, c.StorageURL); err != nil {
		return nil, err
	}
	if slidesOf(c) == slidesRoot {
		if err := add("SLIDES_URL", slidesRoot, c.SlidesURL); err != nil {
			return nil, err
		}
	}
	if !c.Embedded() { // a back end may name a picture of its own by its whole address
		if err := add("PANEL_URL", panelRoot, c.PanelURL); err != nil {
			return nil, err
		}
		if err := add("INTEGRATION_URL", integrationRoot, c.IntegrationURL); err != nil {
			return nil, err
		}
	}
	if c.VideoPreviews {
		for name, host := range previewHosts {
			if err := add("VIDEO_PREVIEWS", name, host); err != nil {
				return nil, err
			}
		}
	}
	return roots, nil
}

// slidesOf is the storage of the slides: the same as of all other pictures unless it was set.
func slidesOf(c config.Config) string {
	if c.SlidesURL == c.StorageURL {
		return storageRoot
	}
	return slidesRoot
}

// keysWithin is how long the start waits for a database that keeps the keys.
const keysWithin = 5 * time.Second

// mediaKeys sign the pictures' addresses; they follow from the site's secret keys, which all machines share.
// Without a database a key beside the pictures does until the next start.
func mediaKeys(ctx context.Context, log *slog.Logger, keys database.Keys) [][]byte {
	ctx, cancel := context.WithTimeout(ctx, keysWithin)
	defer cancel()
	secrets, err := keys(ctx)
	if err != nil {
		log.Warn("picture addresses are signed with a key of this machine only", "error", err)
		return nil
	}
	var derived [][]byte
	for _, secret := range secrets {
		key, err := hkdf.Key(sha256.New, secret, nil, "zedcard media", 32)
		if err != nil {
			panic(err) // only for a length out of range
		}
		derived = append(derived, key)
	}
	return derived
}

// pictures gives the views the addresses of one storage's pictures.
type pictures struct {
	store *media.Store
	root  string
}

var crops = map[ui.Shape]media.Crop{ui.Whole: media.Whole, ui.Card: media.Card, ui.Share: media.Share}

func (p pictures) Sources(file string, shape ui.Shape, minor bool) ui.Sources {
	made := p.store.Picture(file, media.Options{Crop: crops[shape], Minor: minor, Root: p.root})
	sources := ui.Sources{Src: made.Src, Width: made.Width, Height: made.Height}
	if shape == ui.Share {
		return sources
	}
	sources.Srcset = made.JPEG
	if made.AVIF != "" {
		sources.Better = []ui.Set{{Type: "image/avif", Srcset: made.AVIF}}
	}
	return sources
}

func (p pictures) Expect(file string, shape ui.Shape) {
	p.store.Expect(file, media.Options{Crop: crops[shape], Root: p.root})
}

// warmMedia is `zedcard media warm`: it makes every size of the roster's pictures before a visitor asks, also beside
// a running site with the same DATA_DIR.
func warmMedia(ctx context.Context, p program) error {
	flags := flag.NewFlagSet("media warm", flag.ContinueOnError)
	covers := flags.Bool("covers", false, "")
	read := config.Flags(flags)
	if len(p.args) > 0 && p.args[0] == "warm" {
		p.args = p.args[1:]
	} else if len(p.args) == 0 || !strings.HasPrefix(p.args[0], "-") {
		return fmt.Errorf("%w: media does one thing: zedcard media warm", config.ErrUsage)
	}
	if err := config.Parse(flags, p.args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("%w: unknown argument %q", config.ErrUsage, flags.Arg(0))
	}
	c, err := read(p.env)
	if err != nil {
		return err
	}
	log := newLog(c, p.stderr)
	ends, err := openBackEnds(c, log, nil)
	if err != nil {
		return err
	}
	db, err := openDatabase(ctx, c, log)
	if err != nil {
		return err
	}
	defer closeDatabase(db, log)
	store, err := openMedia(ctx, c, log, ends, secretKeys(c, db))
	if err != nil {
		return err
	}
	defer closeMedia(store, log)
	site := catalog.New(ends.panel, ends.integration, catalog.Options{Log: log})
	defer site.Close()

	wanted, err := shownPictures(ctx, c, site, *covers)
	if err != nil {
		return err
	}
	err = store.Warm(ctx, wanted, bar(p.stdout))
	_, _ = fmt.Fprintln(p.stdout) // ends the bar's line
	return err
}

func closeMedia(store *media.Store, log *slog.Logger) {
	if err := store.Close(); err != nil {
		log.Error("what is known of the pictures was not kept", "error", err)
	}
}

// shownPictures lists the pictures of the site's screens in the order of their weight: slides, covers, and
// unless only covers are asked for, every talent's galleries and the blog's newest covers.
func shownPictures(ctx context.Context, c config.Config, site *catalog.Catalog, onlyCovers bool) ([]media.Wanted, error) {
	wanted, err := slidePictures(ctx, c, site)
	if err != nil {
		return nil, err
	}
	add := func(file string, o media.Options) {
		if file != "" {
			wanted = append(wanted, media.Wanted{File: file, Options: o})
		}
	}
	roster, err := site.Roster(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range roster.All() {
		add(t.Framed(), media.Options{Crop: media.Card})
	}
	if onlyCovers {
		return wanted, nil
	}
	for _, listed := range roster.All() {
		t, err := site.Talent(ctx, listed.ID)
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
	for _, kind := range c.BlogTypes {
		posts, _, err := site.Posts(ctx, kind, 10)
		if err != nil {
			return nil, err
		}
		for _, post := range posts {
			add(post.Cover, media.Options{})
		}
	}
	return wanted, nil
}

func slidePictures(ctx context.Context, c config.Config, site *catalog.Catalog) ([]media.Wanted, error) {
	slides, err := site.Slides(ctx)
	var wanted []media.Wanted
	for _, slide := range slides {
		for _, file := range []string{slide.Mobile, slide.Desktop} {
			if file != "" {
				wanted = append(wanted, media.Wanted{File: file, Options: media.Options{Root: slidesOf(c)}})
			}
		}
	}
	return wanted, err
}

// firstPictures are those that most visitors see first: the slides, and the covers with which each board begins.
func firstPictures(ctx context.Context, c config.Config, site *catalog.Catalog) ([]media.Wanted, error) {
	wanted, err := slidePictures(ctx, c, site)
	if err != nil {
		return nil, err
	}
	roster, err := site.Roster(ctx)
	if err != nil {
		return nil, err
	}
	for _, board := range []agency.Board{agency.Models, agency.Creative} {
		for _, t := range roster.Select(agency.Filter{Board: board, Show: agency.PageSize}).Items {
			if t.Cover != "" {
				wanted = append(wanted, media.Wanted{File: t.Framed(), Options: media.Options{Crop: media.Card}})
			}
		}
	}
	return wanted, nil
}

// prepareAgain is when a start that found the back ends down looks for the first pictures again.
const prepareAgain = time.Minute

// prepareMedia makes the first pictures behind; the returned function ends that. Where an image server makes the
// pictures there is nothing to do.
func prepareMedia(ctx context.Context, c config.Config, site *catalog.Catalog, store *media.Store) (end func()) {
	if !c.MediaPrepare || c.MediaURL != "" {
		return func() {}
	}
	return behind(ctx, func(ctx context.Context) {
		for {
			if wanted, err := firstPictures(ctx, c, site); err == nil { // a back end that is down is in the log already
				store.Prepare(ctx, wanted)
				return
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(prepareAgain):
			}
		}
	})
}

// bar draws progress on one line of a terminal.
func bar(w io.Writer) func(done, total int) {
	const width = 40
	return func(done, total int) {
		full := done * width / max(total, 1)
		_, _ = fmt.Fprintf(w, "\r[%s%s] %d of %d pictures", strings.Repeat("#", full), strings.Repeat(" ", width-full), done, total)
	}
}
