package embedded

import (
	"encoding/json"
	"net/http"
	"strings"

	"zedcard/internal/agency"
)

func (b *Backend) signIn(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Salt   string `json:"salt"`
		APIKey string `json:"api_key"`
	}
	if !readJSON(w, r, &body) {
		return
	}
	token, ok := b.integration.issue(body.Salt, body.APIKey)
	if !ok {
		refuse(w, http.StatusUnauthorized, "salt or api_key is wrong")
		return
	}
	answer(w, http.StatusOK, struct {
		AccessToken string `json:"access_token"`
	}{token})
}

// talents answers with one page of the roster, in the order of the boards and without galleries. The filters in the
// body must be an object and are not applied: the site filters by itself.
func (b *Backend) talents(w http.ResponseWriter, r *http.Request) {
	var filters map[string]any
	if !readJSON(w, r, &filters) {
		return
	}
	roster := b.current().roster
	page, perPage := pageParams(r, 15)
	part, last := paginate(roster, page, perPage)
	list := []talentAnswer{}
	for _, t := range part {
		list = append(list, answerTalent(t))
	}
	total := len(roster)
	answer(w, http.StatusOK, dataAnswer{pageAnswer{Data: list, CurrentPage: page, LastPage: last, Total: &total}})
}

func (b *Backend) profile(w http.ResponseWriter, r *http.Request) {
	talent, ok := b.current().talent(r.URL.Query().Get("id"))
	if !ok {
		refuse(w, http.StatusNotFound, "no such talent")
		return
	}
	answer(w, http.StatusOK, dataAnswer{answerProfile(talent)})
}

func (c *content) talent(id string) (agency.Talent, bool) {
	index, ok := c.byID[id]
	if !ok {
		return agency.Talent{}, false
	}
	return c.roster[index], true
}

func (b *Backend) attributes(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	answer(w, http.StatusOK, b.current().options.attributes(query.Get("language"), query.Get("cities")))
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
