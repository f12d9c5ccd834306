package embedded

import (
	"net/http"

	"zedcard/internal/agency"
	"zedcard/internal/backend/wire"
)

func (a *api) slides(w http.ResponseWriter, r *http.Request) {
	slides, err := a.source.Slides(r.Context(), r.PathValue("type"))
	answerData(a, w, slides, err, func(slides []agency.Slide) any { return wire.Each(slides, wire.SlideOf) })
}

func (a *api) posts(w http.ResponseWriter, r *http.Request) {
	number, size := pageParams(r, 10)
	page, err := a.source.Posts(r.Context(), r.PathValue("type"), size, number)
	if !a.failed(w, err) {
		answer(w, http.StatusOK,
			pageAnswer{Data: wire.Each(page.Posts, wire.PostOf), CurrentPage: page.Page, LastPage: page.LastPage})
	}
}

func (a *api) post(w http.ResponseWriter, r *http.Request) {
	post, err := a.source.Post(r.Context(), r.PathValue("type"), r.PathValue("slug"))
	answerData(a, w, post, err, func(post agency.Post) any { return wire.PostOf(post) })
}

func (a *api) entity(w http.ResponseWriter, r *http.Request) {
	entity, err := a.source.Entity(r.Context(), r.PathValue("entity"), r.URL.Query().Get("language"))
	answerData(a, w, entity, err, func(e agency.Entity) any { return wire.EntityOf(e) })
}

func (a *api) socialMedias(w http.ResponseWriter, r *http.Request) {
	medias, err := a.source.SocialMedias(r.Context())
	answerData(a, w, medias, err, func(medias []agency.SocialMedia) any {
		return wire.Each(medias, wire.SocialMediaOf)
	})
}
