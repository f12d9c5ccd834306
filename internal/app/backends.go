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
	"zedcard/internal/agency"
	"zedcard/internal/cards"
	"zedcard/internal/catalog"
	"zedcard/internal/config"
	"zedcard/internal/folder"
	"zedcard/internal/picture"
	"zedcard/internal/remote"
	"zedcard/internal/site"
)

// BackEnds are where content comes from and submissions go to: an agency's folder, or the two back ends over HTTP.
type BackEnds struct {
	Inbox interface {
		Send(context.Context, agency.Submission) error
	}
	Composites handlers.Composites

	folder      *folder.Folder // of what the agency decides, also with external back ends
	embedded    *folder.Folder // the same; nil: external back ends
	panel       *remote.Panel  // as the next, only with external back ends
	integration *remote.Integration
}

// OpenBackEnds makes the clients, without a request. The folder, if the settings name no back ends, is opened, puts
// submissions into inbox, and makes composite cards in the worker; nil: none are asked for.
func OpenBackEnds(
	c config.Config, log *slog.Logger, inbox folder.Inbox, worker *picture.Worker,
) (BackEnds, error) {
	if c.Embedded() {
		own, err := openEmbedded(c, log, inbox, worker)
		return BackEnds{Inbox: own, Composites: own, embedded: own, folder: own}, err
	}
	decided, err := openFolder(c, log, folder.Config{SiteOnly: true, Inbox: inbox})
	if err != nil {
		return BackEnds{}, err
	}
	panel := remote.NewPanel(remote.Config{
		BaseURL: c.PanelURL, Salt: string(c.PanelSalt), Key: string(c.PanelAPIToken), Log: log,
	})
	panel.Storage = c.StorageURL
	if c.ContentDir != "" {
		panel.Social = func() []agency.SocialMedia { return decided.Site().Social }
	}
	integration := remote.NewIntegration(remote.IntegrationConfig{Config: remote.Config{
		BaseURL: c.IntegrationURL, Salt: string(c.IntegrationSalt), Key: string(c.IntegrationAPIKey), Log: log,
	}, DownloadURL: c.DownloadURL, MinorCategories: c.MinorCategories, Site: decided.Site})
	return BackEnds{
		Inbox: panel, Composites: integration, folder: decided, panel: panel, integration: integration,
	}, nil
}

// Content is what the screens read. That of external back ends is cached, and has options; nil where the folder is the
// content. It must be closed.
func (backEnds BackEnds) Content(options remote.Options) (
	content func(context.Context) catalog.Content, cached *remote.Content,
) {
	if own := backEnds.embedded; own != nil {
		return func(ctx context.Context) catalog.Content { return own.Content(ctx) }, nil
	}
	options.Languages = func() []string { return backEnds.Site().Texts.Codes() }
	cached = remote.NewContent(backEnds.panel, backEnds.integration, options)
	return func(context.Context) catalog.Content { return cached }, cached
}

// OpenCatalog opens a catalogue that keeps nothing, for a command; end ends it.
func (backEnds BackEnds) OpenCatalog(log *slog.Logger) (content *catalog.Catalog, end func()) {
	source, cached := backEnds.Content(remote.Options{Log: log})
	end = func() {}
	if cached != nil {
		end = cached.Close
	}
	return catalog.Open(source, catalog.Options{Log: log}), end
}

// Answers are what the folder holds now, or the clients of the back ends, whose answers nobody keeps.
func (backEnds BackEnds) Answers(ctx context.Context) (agency.Panel, agency.Integration) {
	if own := backEnds.embedded; own != nil {
		content := own.Content(ctx)
		return content, content
	}
	return backEnds.panel, backEnds.integration
}

// Site is the site, as its folder is now and the settings have it.
func (backEnds BackEnds) Site() *site.Site { return backEnds.folder.Site() }

// SignIn signs in to external back ends and gives an error for each that refuses or doesn't answer.
func (backEnds BackEnds) SignIn(ctx context.Context) (refused []error) {
	if backEnds.embedded != nil {
		return nil
	}
	for _, signIn := range []func(context.Context) error{backEnds.panel.SignIn, backEnds.integration.SignIn} {
		if err := signIn(ctx); err != nil {
			refused = append(refused, err)
		}
	}
	return refused
}

func openEmbedded(
	c config.Config, log *slog.Logger, inbox folder.Inbox, worker *picture.Worker,
) (own *folder.Folder, err error) {
	maker := cards.NewMaker(cards.Config{
		Site: func() *site.Site { return own.Site() }, Website: cards.Website(c.BaseURL),
		FullMeasures: c.MinorMeasures == config.MeasuresFull, Now: time.Now, Worker: worker, Log: log,
		Options: func() agency.Options {
			ctx := context.Background()
			all, _ := own.Content(ctx).Options(ctx, agency.OptionsQuery{}) // never fails
			return all
		},
	})
	own, err = openFolder(c, log, folder.Config{Inbox: inbox, Card: maker.Card})
	return own, err
}

func openFolder(c config.Config, log *slog.Logger, settings folder.Config) (*folder.Folder, error) {
	settings.Host, settings.MinorCategories, settings.Log = c.Host(), c.MinorCategories, log
	if settings.Inbox != nil { // a check writes nothing
		settings.KeepDir, settings.Alert = KeepDir(c), alert(c, log)
	}
	own, err := folder.Open(ContentFolder(c), settings)
	if err != nil {
		return nil, c.SettingError("CONTENT_DIR", err)
	}
	return own, nil
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
