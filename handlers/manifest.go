package handlers

import (
	"encoding/json"
	"net/http"

	"zedcard/static"
	"zedcard/views"
)

// showManifest lets the site be installed.
func (s *site) showManifest(w http.ResponseWriter, r *http.Request) error {
	type icon struct {
		Source  string `json:"src"`
		Sizes   string `json:"sizes"`
		Type    string `json:"type"`
		Purpose string `json:"purpose"`
	}
	manifest, err := json.Marshal(struct {
		Name       string `json:"name"`
		ID         string `json:"id"`
		Start      string `json:"start_url"`
		Scope      string `json:"scope"`
		Display    string `json:"display"`
		Background string `json:"background_color"`
		Theme      string `json:"theme_color"`
		Icons      []icon `json:"icons"`
	}{
		s.Site.Agency, "/", "/", "/", "standalone", views.Paper, views.Paper,
		[]icon{
			{static.URL("icon-192.png"), "192x192", "image/png", "any maskable"},
			{static.URL("icon-512.png"), "512x512", "image/png", "any maskable"},
			{static.URL("icon.svg"), "any", "image/svg+xml", "any"},
		},
	})
	if err != nil {
		return err
	}
	return s.sendFile(w, r, "application/manifest+json", manifest)
}
