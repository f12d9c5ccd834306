package embedded

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/folder"
)

// maxCards is how many talents' cards one zip may hold.
const maxCards = 100

// compo is the one gallery that can be downloaded.
const compo = "compo"

// idText reads an id that was sent as a number or as a text.
type idText string

func (id *idText) UnmarshalJSON(raw []byte) error {
	var number json.Number
	if err := json.Unmarshal([]byte(strings.Trim(string(raw), `"`)), &number); err != nil {
		return err
	}
	*id = idText(number)
	return nil
}

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
	a.answerCards(w, r, func(r *http.Request, file *os.File) error {
		return a.source.Composite(r.Context(), agency.Talent{ID: string(talent.ID)}, file)
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
	a.answerCards(w, r, func(r *http.Request, file *os.File) error {
		return a.source.Composites(r.Context(), ids, file)
	})
}

// answerCards lets write finish the zip, in the language that the request asks for, before the first byte is sent, so
// that a card that can't be made is an error and not half a zip.
func (a *api) answerCards(w http.ResponseWriter, r *http.Request, write func(*http.Request, *os.File) error) {
	if lang, ok := i18n.Parse(r.Header.Get("Accept-Language")); ok {
		r = r.WithContext(agency.WithLanguage(r.Context(), lang))
	}
	file, err := folder.TempFile(a.config.TempDir)
	if err == nil {
		defer file.Close()
		err = write(r, file)
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
