package embedded

import (
	"encoding/json"
	"net/http"
	"strings"

	"zedcard/internal/agency"
	"zedcard/internal/backend/wire"
)

// talents answers with one page of the roster. The filters in the body must be an object and are not applied: the site
// filters by itself.
func (a *api) talents(w http.ResponseWriter, r *http.Request) {
	var filters map[string]any
	if !readJSON(w, r, &filters) {
		return
	}
	page, perPage := pageParams(r, 15)
	roster, err := a.source.Talents(r.Context())
	answerData(a, w, roster, err, func(roster []*agency.Talent) any {
		part, last := paginate(roster, page, perPage)
		total := len(roster)
		return pageAnswer{Data: wire.Each(part, wire.TalentOf), CurrentPage: page, LastPage: last, Total: &total}
	})
}

func (a *api) profile(w http.ResponseWriter, r *http.Request) {
	talent, err := a.source.Profile(r.Context(), r.URL.Query().Get("id"))
	answerData(a, w, talent, err, func(t agency.Talent) any { return wire.ProfileOf(&t) })
}

func (a *api) attributes(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	options, err := a.source.Options(r.Context(),
		agency.OptionsQuery{Language: query.Get("language"), Country: query.Get("cities")})
	if !a.failed(w, err) {
		answer(w, http.StatusOK, wire.OptionsOf(options))
	}
}

// idText reads an id that was sent as a number or as a text.
type idText string

func (id *idText) UnmarshalJSON(raw []byte) error {
	var number json.Number
	text := strings.Trim(string(raw), `"`)
	if err := json.Unmarshal([]byte(text), &number); err != nil {
		return err
	}
	*id = idText(number)
	return nil
}
