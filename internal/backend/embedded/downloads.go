package embedded

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/folder"
)

// maxCards is how many talents' cards one zip may hold.
const maxCards = 100

// compo is the one gallery that can be downloaded.
const compo = "compo"

// downloadGallery answers with the zip of one talent's card.
func (a *api) downloadGallery(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Talent  string `json:"talent"` // a talent as JSON text; only its id is read
		Gallery string `json:"gallery"`
	}
	if !readJSON(w, r, &body) {
		return
	}
	var talent struct {
		ID idText `json:"id"`
	}
	if json.Unmarshal([]byte(body.Talent), &talent) != nil || body.Gallery != compo {
		refuse(w, http.StatusUnprocessableEntity, "talent must be the JSON text of a talent, gallery "+compo)
		return
	}
	a.answerCards(w, r, func(file *os.File) error {
		return a.source.Composite(inLanguage(r), agency.Talent{ID: string(talent.ID)}, file)
	})
}

// downloadZip answers with a zip of several talents' cards.
func (a *api) downloadZip(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Talents []idText `json:"talents"`
		Gallery string   `json:"gallery"`
	}
	if !readJSON(w, r, &body) {
		return
	}
	if len(body.Talents) == 0 || len(body.Talents) > maxCards || body.Gallery != compo {
		refuse(w, http.StatusUnprocessableEntity,
			fmt.Sprintf("talents must be 1 to %d ids, gallery %s", maxCards, compo))
		return
	}
	ids := make([]string, len(body.Talents))
	for i, id := range body.Talents {
		ids[i] = string(id)
	}
	a.answerCards(w, r, func(file *os.File) error { return a.source.Composites(inLanguage(r), ids, file) })
}

// inLanguage is the request's context with the language that its header asks for.
func inLanguage(r *http.Request) context.Context {
	if lang, ok := i18n.Parse(r.Header.Get("Accept-Language")); ok {
		return agency.WithLanguage(r.Context(), lang)
	}
	return r.Context()
}

// answerCards lets write finish the zip before the first byte is sent, so that a card that can't be made is an error
// and not half a zip.
func (a *api) answerCards(w http.ResponseWriter, r *http.Request, write func(*os.File) error) {
	file, err := folder.TempFile(a.config.TempDir)
	if err == nil {
		defer file.Close()
		err = write(file)
	}
	var size int64
	if err == nil {
		size, err = file.Seek(0, io.SeekEnd)
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	switch {
	case errors.Is(err, agency.ErrNotFound):
		refuse(w, http.StatusNotFound, "no such talent")
		return
	case err != nil:
		if r.Context().Err() == nil {
			a.config.Log.Error("a zip of composite cards can't be made", "error", err)
		}
		refuse(w, http.StatusInternalServerError, "the zip can't be made")
		return
	}
	header := w.Header()
	header.Set("Content-Type", "application/zip")
	header.Set("Content-Length", strconv.FormatInt(size, 10))
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	_, _ = io.Copy(w, file) // fails only if the client has left
}
