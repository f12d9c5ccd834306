package embedded

import (
	"net/http"
	"strconv"

	"zedcard/i18n"
)

func (b *Backend) login(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Salt     string `json:"salt"`
		APIToken string `json:"api_token"`
	}
	if !readJSON(w, r, &body) {
		return
	}
	token, ok := b.panel.issue(body.Salt, body.APIToken)
	if !ok {
		refuse(w, http.StatusUnauthorized, "salt or api_token is wrong")
		return
	}
	answer(w, http.StatusOK, struct {
		Token string `json:"token"`
	}{token})
}

func (b *Backend) slides(w http.ResponseWriter, r *http.Request) {
	if r.PathValue("type") != "home" {
		refuse(w, http.StatusNotFound, "there are slides for home only")
		return
	}
	list := []slideAnswer{}
	for _, s := range b.current().slides {
		list = append(list, slideAnswer{s.Mobile, s.Desktop, strconv.Itoa(s.Group)})
	}
	answer(w, http.StatusOK, dataAnswer{list})
}

// posts answers with one page of a type's posts, newest first; a type without posts has one empty page.
func (b *Backend) posts(w http.ResponseWriter, r *http.Request) {
	page, perPage := pageParams(r, 10)
	part, last := paginate(b.current().blog[r.PathValue("type")], page, perPage)
	list := []postAnswer{}
	for _, p := range part {
		list = append(list, answerPost(p))
	}
	answer(w, http.StatusOK, pageAnswer{Data: list, CurrentPage: page, LastPage: last})
}

func (b *Backend) post(w http.ResponseWriter, r *http.Request) {
	for _, p := range b.current().blog[r.PathValue("type")] {
		if p.Slug == r.PathValue("slug") {
			answer(w, http.StatusOK, dataAnswer{answerPost(p)})
			return
		}
	}
	refuse(w, http.StatusNotFound, "no such post")
}

// entity answers in the requested language where the page has it, else in English.
func (b *Backend) entity(w http.ResponseWriter, r *http.Request) {
	pages, name, lang := b.current().pages, r.PathValue("entity"), r.URL.Query().Get("language")
	found, ok := pages[page{name, lang}]
	if !ok {
		found, ok = pages[page{name, string(i18n.EN)}]
	}
	if !ok {
		refuse(w, http.StatusNotFound, "no such entity")
		return
	}
	entity := entityAnswer{Name: found.Name, Title: found.Title, Body: found.Body, Images: []imageAnswer{}}
	if lang != "" {
		entity.Language = found.Lang
	}
	for _, p := range found.Images {
		entity.Images = append(entity.Images, imageAnswer{p.File, p.Width, p.Height, p.Caption})
	}
	answer(w, http.StatusOK, dataAnswer{entity})
}

func (b *Backend) socialMedias(w http.ResponseWriter, _ *http.Request) {
	list := []socialAnswer{}
	for _, s := range b.current().social {
		list = append(list, socialAnswer(s))
	}
	answer(w, http.StatusOK, dataAnswer{list})
}
