package app

import (
	"context"
	"io/fs"
	"log/slog"
	"net/http"
	"os"

	"zedcard/i18n"
	"zedcard/internal/catalog"
	"zedcard/static"
)

// liveReload is the development server's middleware: it reads texts and built files from the work tree, loads them
// again when they change, and then reloads open pages. The content folder makes pages reload, too.
func liveReload(
	ctx context.Context, log *slog.Logger, backEnds BackEnds, content *catalog.Catalog, next http.Handler,
) http.Handler {
	sources := []source{
		watchFolder("texts", os.DirFS("i18n"), "*.json", i18n.Use),
		watchFolder("built files", os.DirFS("static/dist"), "manifest.json", static.Use),
	}
	if backEnds.embedded != nil {
		forget := func() error { content.Clear(); return nil }
		sources = append(sources,
			source{Name: "content", Version: backEnds.embedded.Version, Reload: forget})
	}
	reloader := newReloader(log, sources...)
	go reloader.Run(ctx)
	mux := http.NewServeMux()
	mux.Handle("/_live", reloader)
	mux.Handle("/", next)
	return mux
}

// watchFolder is a folder that is loaded again when a file that matches the pattern changes.
func watchFolder(name string, folder fs.FS, pattern string, use func(fs.FS) error) source {
	return source{
		Name:    name,
		Version: func() string { return fingerprint(folder, pattern) },
		Reload:  func() error { return use(folder) },
	}
}
