package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/api"
	"zedcard/internal/config"
	"zedcard/internal/media"
	"zedcard/internal/picture"
)

// The storages that originals are read from. Their names are part of the pictures' addresses.
const (
	storageRoot     = "s"
	slidesRoot      = "slides"
	panelRoot       = "panel"
	integrationRoot = "integration"
)

// previewHosts serve the preview pictures of videos. The site fetches them itself, so that a visitor's browser contacts
// nobody else before a video is played.
var previewHosts = map[string]string{
	"yt":    "https://i.ytimg.com/",
	"yti":   "https://img.youtube.com/",
	"vimeo": "https://i.vimeocdn.com/",
}

// newWorker makes the worker that reads and makes pictures: this program, started again.
func newWorker() *picture.Worker {
	program, err := os.Executable()
	if err != nil {
		program = os.Args[0]
	}
	return picture.NewWorker(program)
}

// openPictures opens the store that makes and serves pictures.
func (a *App) openPictures(ctx context.Context, backEnds BackEnds, worker *picture.Worker) (*media.Store, error) {
	c := a.Config
	settings := media.Config{
		Dir: filepath.Join(c.DataDir, "media"), MaxBytes: c.MediaSize, Roots: MediaRoots(c, backEnds),
		Keys: a.mediaKeys(ctx), Worker: worker, AVIF: c.MediaAVIF, Log: a.Log,
	}
	if backEnds.embedded != nil {
		settings.IsDraft = backEnds.embedded.IsDraft
		if c.StorageURL == "" {
			settings.Folder = backEnds.embedded.Picture
		}
	}
	store, err := media.Open(settings)
	if err != nil {
		return nil, c.SettingError("DATA_DIR", err)
	}
	return store, nil
}

// MediaRoots are the storages from which pictures may come; pictures from anywhere else are not shown.
func MediaRoots(c config.Config, backEnds BackEnds) (roots []media.Root) {
	add := func(name, address string) {
		if u, err := url.Parse(address); err == nil { // the settings are checked
			roots = append(roots, media.Root{Name: name, URL: u})
		}
	}
	if c.StorageURL == "" {
		own := api.Storage{Pictures: backEnds.embedded.Pictures()}
		roots = append(roots, media.Root{Name: storageRoot, Transport: own})
	} else {
		add(storageRoot, c.StorageURL)
	}
	if slidesRootOf(c) == slidesRoot {
		add(slidesRoot, c.SlidesURL)
	}
	if !c.Embedded() { // a back end may give the full address of a picture
		add(panelRoot, c.PanelURL)
		add(integrationRoot, c.IntegrationURL)
	}
	for _, origin := range c.PictureHosts {
		add(hostRoot(origin), origin)
	}
	for name, host := range previewHosts {
		add(name, host)
	}
	return roots
}

// hostRoot names the storage of an origin, the same wherever it stands in the list.
func hostRoot(origin string) string {
	sum := sha256.Sum256([]byte(origin))
	return "h" + hex.EncodeToString(sum[:5])
}

// slidesRootOf is the storage of the slides: that of all pictures unless SLIDES_URL is set.
func slidesRootOf(c config.Config) string {
	if c.SlidesURL == c.StorageURL {
		return storageRoot
	}
	return slidesRoot
}

// keysTimeout is how long the start waits for keys from the database.
const keysTimeout = 5 * time.Second

// mediaKeys sign the pictures' addresses. They are derived from the site's secret keys, which all machines share. If
// the database is down at the start, none are returned, and addresses are valid until the next start.
func (a *App) mediaKeys(ctx context.Context) [][]byte {
	ctx, cancel := context.WithTimeout(ctx, keysTimeout)
	defer cancel()
	keys, err := a.Keys.For("media")(ctx)
	if err != nil {
		a.Log.Warn("picture addresses are valid until the next start only", "error", err)
	}
	return keys
}

// pictures gives the views the addresses of one storage's pictures.
type pictures struct {
	store *media.Store
	root  string
}

func (p pictures) Sources(picture agency.Picture, crop agency.Crop, minor bool) agency.Sources {
	return p.store.Picture(picture.File,
		media.Options{Crop: crop, Focus: picture.Focus, Minor: minor, Root: p.root})
}

func (p pictures) Print(ctx context.Context, picture agency.Picture) ([]byte, error) {
	return p.store.Print(ctx, picture.File, media.Options{Root: p.root})
}
