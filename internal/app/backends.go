package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"zedcard/handlers"
	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/cards"
	"zedcard/internal/config"
	"zedcard/internal/folder"
	"zedcard/internal/picture"
	"zedcard/internal/remote"
	"zedcard/internal/site"
)

// BackEnds are the clients of the two back ends; or the embedded one, which is both, and is called without a client.
type BackEnds struct {
	Panel interface {
		agency.Panel
		Send(context.Context, agency.Submission) error
	}
	Integration interface {
		agency.Integration
		handlers.Composites
	}

	folder   *folder.Backend // of what the agency decides, also with external back ends
	embedded *folder.Backend // the same; nil: external back ends
	snapshot string          // file in which the catalogue stores its last good answers; empty: none
}

// OpenBackEnds makes the clients, without a request. The embedded back end, if the settings name no other, opens its
// content folder, puts submissions into inbox, and makes composite cards in the worker; nil: none are asked for.
func OpenBackEnds(
	c config.Config, log *slog.Logger, inbox folder.Inbox, worker *picture.Worker,
) (BackEnds, error) {
	if c.Embedded() {
		backend, err := openEmbedded(c, log, inbox, worker)
		return BackEnds{Panel: backend, Integration: backend, embedded: backend, folder: backend}, err
	}
	decided, err := openFolder(c, log, folder.Config{SiteOnly: true, Inbox: inbox})
	if err != nil {
		return BackEnds{}, err
	}
	decides := decided
	if c.ContentDir == "" {
		decides = nil
	}
	client := remote.NewPanel(remote.Config{
		BaseURL: c.PanelURL, Salt: string(c.PanelSalt), Key: string(c.PanelAPIToken), Log: log,
	})
	client.Storage = c.StorageURL
	return BackEnds{
		Panel: externalPanel{client, decides},
		Integration: externalIntegration{remote.NewIntegration(remote.IntegrationConfig{Config: remote.Config{
			BaseURL: c.IntegrationURL, Salt: string(c.IntegrationSalt), Key: string(c.IntegrationAPIKey),
			Log: log,
		}, DownloadURL: c.DownloadURL, MinorCategories: c.MinorCategories, Site: decided.Site})},
		folder:   decided,
		snapshot: filepath.Join(c.DataDir, "catalog.snapshot"),
	}, nil
}

// externalPanel is asked for languages without their region, which are those that it knows; what agency.yaml says goes
// before what it says.
type externalPanel struct {
	*remote.Panel
	folder *folder.Backend // nil: it decides nothing
}

func (p externalPanel) Entity(ctx context.Context, name, lang string) (agency.Entity, error) {
	return p.Panel.Entity(ctx, name, string(i18n.Lang(lang).Base()))
}

func (p externalPanel) SocialMedias(ctx context.Context) ([]agency.SocialMedia, error) {
	if p.folder != nil {
		return p.folder.Site().Social, nil
	}
	return p.Panel.SocialMedias(ctx)
}

// externalIntegration is asked for languages without their region, too.
type externalIntegration struct{ *remote.Integration }

func (i externalIntegration) Options(ctx context.Context, query agency.OptionsQuery) (agency.Options, error) {
	query.Language = string(i18n.Lang(query.Language).Base())
	return i.Integration.Options(ctx, query)
}

// Site is the site, as its folder is now and the settings have it.
func (backEnds BackEnds) Site() *site.Site { return backEnds.folder.Site() }

// SignIn signs in to both and gives an error for each that refuses or doesn't answer. The embedded one asks for none.
func (backEnds BackEnds) SignIn(ctx context.Context) (refused []error) {
	for _, backEnd := range []any{backEnds.Panel, backEnds.Integration} {
		if client, ok := backEnd.(interface{ SignIn(context.Context) error }); ok {
			if err := client.SignIn(ctx); err != nil {
				refused = append(refused, err)
			}
		}
	}
	return refused
}

func openEmbedded(
	c config.Config, log *slog.Logger, inbox folder.Inbox, worker *picture.Worker,
) (backend *folder.Backend, err error) {
	maker := cards.NewMaker(cards.Config{
		Site: func() *site.Site { return backend.Site() }, Website: cards.Website(c.BaseURL),
		FullMeasures: c.MinorMeasures == config.MeasuresFull, Now: time.Now, Worker: worker, Log: log,
		Options: func() agency.Options {
			all, _ := backend.Options(context.Background(), agency.OptionsQuery{}) // never fails
			return all
		},
	})
	backend, err = openFolder(c, log, folder.Config{Inbox: inbox, Card: maker.Card})
	return backend, err
}

func openFolder(c config.Config, log *slog.Logger, settings folder.Config) (*folder.Backend, error) {
	settings.Host, settings.MinorCategories, settings.Log = c.Host(), c.MinorCategories, log
	if settings.Inbox != nil { // a check writes nothing
		settings.KeepDir, settings.Alert = KeepDir(c), alert(c, log)
	}
	backend, err := folder.Open(ContentFolder(c), settings)
	if err != nil {
		return nil, c.SettingError("CONTENT_DIR", err)
	}
	return backend, nil
}

// ContentFolder is the folder that the embedded back end reads: CONTENT_DIR, or the demo content.
func ContentFolder(c config.Config) fs.FS {
	if c.ContentDir == "" {
		return folder.Demo()
	}
	return contentDir(c.ContentDir)
}

// contentDir is a folder whose symbolic links can't lead out of it. It is resolved at each use, so that an editor may
// replace it.
type contentDir string

// Open opens a file of the folder as it is now, or a folder. What is neither is not opened: a pipe would be waited for.
func (dir contentDir) Open(name string) (file fs.File, err error) {
	err = dir.do(func(root fs.FS) error {
		info, err := fs.Stat(root, name)
		if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
			err = &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
		}
		if err == nil {
			file, err = root.Open(name)
		}
		return err
	})
	return file, err
}

// Stat does not open the file.
func (dir contentDir) Stat(name string) (info fs.FileInfo, err error) {
	err = dir.do(func(root fs.FS) error {
		info, err = fs.Stat(root, name)
		return err
	})
	return info, err
}

func (dir contentDir) do(use func(root fs.FS) error) error {
	root, err := os.OpenRoot(string(dir))
	if err != nil {
		return err
	}
	defer root.Close()
	return use(root.FS())
}

// KeepDir is where the last good content of the folder is kept; empty for the built-in one.
func KeepDir(c config.Config) string {
	if c.ContentDir == "" {
		return ""
	}
	root, err := filepath.Abs(c.ContentDir)
	if err != nil {
		root = c.ContentDir
	}
	sum := sha256.Sum256([]byte(root))
	return filepath.Join(c.DataDir, "content-"+hex.EncodeToString(sum[:4]))
}

// Accept takes a content that the guard holds back. It returns why it was; nothing: nothing is held back.
func Accept(c config.Config) (why []string, err error) {
	held, err := folder.Accept(ContentFolder(c), folder.Config{
		KeepDir: KeepDir(c), SiteOnly: !c.Embedded(), MinorCategories: c.MinorCategories,
	})
	for _, fault := range held {
		why = append(why, fault.String())
	}
	return why, err
}
