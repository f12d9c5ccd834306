package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/disk"
	"zedcard/internal/remote"
)

// maxCards is how many talents' cards one zip may hold.
const maxCards = 100

// compo is the one gallery that can be downloaded.
const compo = "compo"

// downloadGallery answers with the zip of one talent's card.
func (a *api) downloadGallery(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Talent  string // a talent as JSON text; only its id is read
		Gallery string
	}
	if !readJSON(w, r, &body) {
		return
	}
	var talent struct{ ID string }
	if !remote.Unmarshal([]byte(body.Talent), &talent) || body.Gallery != compo {
		refuse(w, http.StatusUnprocessableEntity, "talent must be the JSON text of a talent, gallery "+compo)
		return
	}
	a.answerCards(w, r, func(ctx context.Context, file *os.File) error {
		return a.actions.Composite(ctx, agency.Talent{ID: talent.ID}, file)
	})
}

// downloadZip answers with a zip of several talents' cards.
func (a *api) downloadZip(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Talents json.RawMessage
		Gallery string
	}
	if !readJSON(w, r, &body) {
		return
	}
	var ids []string
	if !remote.Unmarshal(body.Talents, &ids) || len(ids) == 0 || len(ids) > maxCards || body.Gallery != compo {
		refuse(w, http.StatusUnprocessableEntity,
			fmt.Sprintf("talents must be 1 to %d ids, gallery %s", maxCards, compo))
		return
	}
	a.answerCards(w, r, func(ctx context.Context, file *os.File) error {
		return a.actions.Composites(ctx, ids, file)
	})
}

// answerCards lets write finish the zip, in the language that the request asks for, before the first byte is sent, so
// that a card that can't be made is an error and not half a zip.
func (a *api) answerCards(w http.ResponseWriter, r *http.Request, write func(context.Context, *os.File) error) {
	ctx := r.Context()
	if lang := r.Header.Get("Accept-Language"); lang != "" {
		ctx = agency.WithLanguage(ctx, i18n.Lang(lang))
	}
	file, err := disk.TempFile(a.config.TempDir)
	if err == nil {
		defer file.Close()
		err = write(ctx, file)
	}
	switch {
	case errors.Is(err, agency.ErrNotFound):
		refuse(w, http.StatusNotFound, "no such talent")
	case err != nil:
		if ctx.Err() == nil {
			a.config.Log.ErrorContext(ctx, "a zip of composite cards can't be made", "error", err)
		}
		refuse(w, http.StatusInternalServerError, "the zip can't be made")
	default:
		header := w.Header()
		header.Set("Content-Type", "application/zip")
		header.Set("Cache-Control", "no-store")
		header.Set("X-Content-Type-Options", "nosniff")
		http.ServeContent(w, r, "", time.Time{}, file)
	}
}
