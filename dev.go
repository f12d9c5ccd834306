package main

import (
	"context"
	"log/slog"
	"net/http"
	"os"

	"zedcard/i18n"
	"zedcard/internal/catalog"
	"zedcard/internal/live"
	"zedcard/static"
)

// reloading is the development server's layer: texts and built files are read from the work
// tree and again when they change, and with the content folder they make open pages reload.
func reloading(ctx context.Context, log *slog.Logger, ends backEnds, site *catalog.Catalog, next http.Handler) http.Handler {
	texts, files := os.DirFS("i18n"), os.DirFS("static/dist")
	sources := []live.Source{
		{Name: "texts", Version: func() string { return live.Stamp(texts, "*.json") }, Changed: func() error { return i18n.Use(texts) }},
		{Name: "built files", Version: func() string { return live.Stamp(files, "manifest.json") }, Changed: func() error { return static.Use(files) }},
	}
	if ends.embedded != nil {
		sources = append(sources, live.Source{Name: "content", Version: ends.embedded.Version, Changed: func() error {
			site.Forget()
			return nil
		}})
	}
	reloader := live.New(log, sources...)
	go reloader.Run(ctx)
	mux := http.NewServeMux()
	mux.Handle("/_live", reloader)
	mux.Handle("/", next)
	return mux
}
