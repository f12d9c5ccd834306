package app

import (
	"crypto/rand"
	"fmt"
	"io/fs"
	"net/http"
	"os"

	"zedcard/i18n"
	"zedcard/static"
)

// useWorkTree makes the development server read texts and built files from the work tree. Those of the program are used
// in the place of faulty ones.
func (a *App) useWorkTree() {
	for folder, use := range map[string]func(fs.FS) error{"i18n": i18n.Use, "static/dist": static.Use} {
		if err := use(os.DirFS(folder)); err != nil {
			a.Log.Warn("a folder of the work tree is not used", "folder", folder, "error", err)
		}
	}
}

// liveReload is the development server's middleware. scripts/dev.mjs starts the program again after each change, and a
// page whose event stream then comes from another run reloads (islands/dev.ts).
func liveReload(next http.Handler) http.Handler {
	run := rand.Text()
	mux := http.NewServeMux()
	mux.HandleFunc("/_live", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = fmt.Fprintf(w, "retry: 150\nevent: run\ndata: %s\n\n", run) // fails only if the page was left
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	mux.Handle("/", next)
	return mux
}
