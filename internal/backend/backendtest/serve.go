package backendtest

import (
	"archive/zip"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"zedcard/internal/agency"
)

// object is a JSON object. The fake does not use the clients' types, so that a mistake in them is not made on both
// sides.
type object = map[string]any

func (f *Fake) panel() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/login", f.signIn("panel", "token", object{"salt": PanelSalt, "api_token": APIToken}))
	mux.Handle("GET /api/slides/{kind}", f.requireToken("panel", f.serveSlides))
	mux.Handle("GET /api/posts/{type}/pt", f.requireToken("panel", f.servePosts))
	mux.Handle("GET /api/posts/{type}/pt/{slug}", f.requireToken("panel", f.servePost))
	mux.Handle("GET /api/entities/{name}", f.requireToken("panel", f.serveEntity))
	mux.Handle("GET /api/social-medias", f.requireToken("panel", f.serveSocialMedias))
	message := f.requireToken("panel", f.acceptSubmission("name", "email", "phone", "message"))
	mux.Handle("POST /api/entry/contact/send", message)
	mux.Handle("POST /api/contact/en", message)
	application := f.requireToken("panel", f.acceptSubmission("realname", "email"))
	mux.Handle("POST /api/entry/getScouted/send", application)
	mux.Handle("POST /api/get-scouted/en", application)
	return mux
}

func (f *Fake) integration() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/signin",
		f.signIn("integration", "access_token", object{"salt": IntegrationSalt, "api_key": APIKey}))
	mux.Handle("POST /api/talents", f.requireToken("integration", f.serveTalents))
	mux.Handle("GET /api/talent/profile", f.requireToken("integration", f.serveProfile))
	mux.Handle("GET /api/talents/attributes", f.requireToken("integration", f.serveOptions))
	mux.Handle("POST /api/download/gallery", f.requireToken("integration", f.serveComposite))
	mux.Handle("POST /api/download/zip", f.requireToken("integration", f.serveComposites))
	return mux
}

func (f *Fake) token(backend string) string {
	return fmt.Sprintf("%s-token-%d", backend, f.generation.Load())
}

func (f *Fake) signIn(backend, field string, accepted object) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var given object
		if json.NewDecoder(r.Body).Decode(&given) != nil || fmt.Sprint(given) != fmt.Sprint(accepted) {
			reply(w, http.StatusUnauthorized, object{"message": "Unauthenticated."})
			return
		}
		reply(w, http.StatusOK, object{field: f.token(backend)})
	}
}

func (f *Fake) requireToken(backend string, next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+f.token(backend) {
			reply(w, http.StatusUnauthorized, object{"message": "Unauthenticated."})
			return
		}
		next(w, r)
	})
}

func reply(w http.ResponseWriter, code int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(value) // fails only if the client has left
}

func replyData(w http.ResponseWriter, value any) { reply(w, http.StatusOK, object{"data": value}) }

func notFound(w http.ResponseWriter) { reply(w, http.StatusNotFound, object{"message": "Not found."}) }

// paginate gives the asked page of items, and the numbers that go with it.
func paginate[T any](r *http.Request, items []T) ([]T, object) {
	size, _ := strconv.Atoi(r.URL.Query().Get("paginate"))
	page, _ := strconv.Atoi(r.URL.Query().Get("page"))
	size, page = cmp.Or(max(size, 0), 10), cmp.Or(max(page, 0), 1)
	from := min((page-1)*size, len(items))
	pagination := object{"current_page": page, "last_page": max((len(items)+size-1)/size, 1), "total": len(items)}
	return items[from:min(from+size, len(items))], pagination
}

func each[T any](items []T, shape func(T) object) []object {
	shapes := make([]object, len(items))
	for i, item := range items {
		shapes[i] = shape(item)
	}
	return shapes
}

func (f *Fake) serveTalents(w http.ResponseWriter, r *http.Request) {
	talents, answer := paginate(r, f.Content().Talents)
	answer["data"] = each(talents, talentShape)
	replyData(w, answer)
}

func (f *Fake) serveProfile(w http.ResponseWriter, r *http.Request) {
	id, talents := r.URL.Query().Get("id"), f.Content().Talents
	for i := range talents {
		if talents[i].ID == id { // a copy of each would take most of the time of a large roster
			t := talents[i]
			shape := talentShape(t)
			shape["book"], shape["snap"] = each(t.Book, pictureShape), each(t.Snap, pictureShape)
			shape["video"] = each(t.Video, func(v agency.Video) object {
				return object{"provider": v.Provider, "file": v.File, "preview": v.Preview}
			})
			replyData(w, shape)
			return
		}
	}
	notFound(w)
}

func talentShape(t agency.Talent) object {
	shape := object{
		"id": json.Number(t.ID), "name": t.Name, "cover": t.Cover.File,
		"categories": each(t.Categories, func(c agency.Category) object { return object{"id": c.ID, "name": c.Name} }),
	}
	if t.Gender != "" {
		shape["gender"] = t.Gender
	}
	if !t.Birthdate.IsZero() {
		shape["birthdate"] = t.Birthdate.Format(time.DateOnly)
	}
	for _, name := range agency.MeasureOrder {
		if text := t.Measures.Get(name); text != "" {
			shape[string(name)] = text
		}
	}
	return shape
}

func pictureShape(p agency.Picture) object {
	return object{"id": p.ID, "file": p.File, "width": p.Width, "height": p.Height, "caption": p.Caption}
}

func (f *Fake) serveOptions(w http.ResponseWriter, r *http.Request) {
	options := f.Content().Options
	list := func(options []agency.Option) []object {
		return each(options,
			func(o agency.Option) object { return object{"value": o.Value, "label": o.Label, "value2": o.Value2} })
	}
	places := func(places []agency.Place) []object {
		return each(places, func(p agency.Place) object { return object{"id": p.ID, "value": p.Value} })
	}
	answer := object{
		"countries": places(options.Countries), "eyes": list(options.Eyes),
		"hair": list(options.Hair), "gender": list(options.Gender),
		"height": list(options.Height), "bust": list(options.Bust),
		"waist": list(options.Waist), "hips": list(options.Hips),
		"shoes": list(options.Shoes), "suit": list(options.Suit), "skin_color": list(options.SkinColor),
	}
	if r.URL.Query().Has("cities") {
		answer["cities"] = places(options.Cities)
		answer["hair_kind"], answer["hair_size"] = list(options.HairKind), list(options.HairSize)
	}
	reply(w, http.StatusOK, answer)
}

func (f *Fake) serveSlides(w http.ResponseWriter, _ *http.Request) {
	replyData(w, each(f.Content().Slides, func(s agency.Slide) object {
		return object{"image_mobile": s.Mobile, "image_desktop": s.Desktop, "description": strconv.Itoa(s.Group)}
	}))
}

func (f *Fake) servePosts(w http.ResponseWriter, r *http.Request) {
	all, found := f.Content().Posts[r.PathValue("type")]
	if !found {
		notFound(w)
		return
	}
	posts, answer := paginate(r, all)
	answer["data"] = each(posts, postShape)
	reply(w, http.StatusOK, answer)
}

func (f *Fake) servePost(w http.ResponseWriter, r *http.Request) {
	posts := f.Content().Posts[r.PathValue("type")]
	i := slices.IndexFunc(posts, func(p agency.Post) bool { return p.Slug == r.PathValue("slug") })
	if i < 0 {
		notFound(w)
		return
	}
	replyData(w, postShape(posts[i]))
}

func postShape(p agency.Post) object {
	return object{
		"id": p.ID, "type": p.Type, "slug": p.Slug, "title": p.Title, "excerpt": p.Excerpt, "body": p.Body,
		"cover": p.Cover, "published_at": p.PublishedAt.Format(time.RFC3339), "author": p.Author,
	}
}

func (f *Fake) serveEntity(w http.ResponseWriter, r *http.Request) {
	entities := f.Content().Entities
	i := slices.IndexFunc(entities, func(e agency.Entity) bool { return e.Name == r.PathValue("name") })
	if i < 0 {
		notFound(w)
		return
	}
	e := entities[i]
	replyData(w, object{"name": e.Name, "title": e.Title, "body": e.Body, "images": each(e.Images, pictureShape)})
}

func (f *Fake) serveSocialMedias(w http.ResponseWriter, _ *http.Request) {
	replyData(w, each(f.Content().SocialMedias,
		func(s agency.SocialMedia) object { return object{"name": s.Name, "url": s.URL} }))
}

// acceptSubmission accepts a submission that has the required fields, once for each idempotency key.
func (f *Fake) acceptSubmission(required ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		const inMemory = 64 << 20
		if err := r.ParseMultipartForm(inMemory); err != nil {
			reply(w, http.StatusBadRequest, object{"message": "Not a form."})
			return
		}
		missing := object{}
		for _, name := range required {
			if r.PostFormValue(name) == "" {
				missing[name] = []string{"The " + name + " field is required."}
			}
		}
		if len(missing) > 0 {
			reply(w, http.StatusUnprocessableEntity, object{"errors": missing})
			return
		}
		submission := Submission{
			Path: r.URL.Path, Key: r.Header.Get("Idempotency-Key"),
			Fields: map[string]string{}, Files: map[string][]byte{},
		}
		for name := range r.PostForm {
			submission.Fields[name] = r.PostFormValue(name)
		}
		for name, headers := range r.MultipartForm.File {
			file, err := headers[0].Open()
			if err != nil {
				panic(err)
			}
			if submission.Files[name], err = io.ReadAll(file); err != nil {
				panic(err)
			}
			_ = file.Close()
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		if slices.ContainsFunc(f.submissions,
			func(s Submission) bool { return s.Key != "" && s.Key == submission.Key }) {
			reply(w, http.StatusConflict, object{"message": "Known."})
			return
		}
		f.submissions = append(f.submissions, submission)
		reply(w, http.StatusCreated, object{"id": len(f.submissions)})
	}
}

func (f *Fake) serveComposite(w http.ResponseWriter, r *http.Request) {
	var request struct{ Talent, Gallery string }
	var talent struct{ ID json.Number }
	if json.NewDecoder(r.Body).Decode(&request) != nil || json.Unmarshal([]byte(request.Talent), &talent) != nil ||
		talent.ID == "" {
		reply(w, http.StatusUnprocessableEntity,
			object{"errors": object{"talent": []string{"The talent field is required."}}})
		return
	}
	zipped(w, "card.pdf")
}

func (f *Fake) serveComposites(w http.ResponseWriter, r *http.Request) {
	var request struct{ Talents []json.Number }
	if json.NewDecoder(r.Body).Decode(&request) != nil || len(request.Talents) == 0 {
		reply(w, http.StatusUnprocessableEntity,
			object{"errors": object{"talents": []string{"The talents field is required."}}})
		return
	}
	var names []string
	for _, id := range request.Talents {
		names = append(names, id.String()+"/card.pdf")
	}
	zipped(w, names...)
}

func zipped(w http.ResponseWriter, names ...string) {
	w.Header().Set("Content-Type", "application/zip")
	archive := zip.NewWriter(w)
	for _, name := range names {
		entry, err := archive.Create(name)
		if err != nil {
			panic(err)
		}
		_, _ = io.WriteString(entry, strings.Repeat("%PDF-1.7 "+name, 50))
	}
	_ = archive.Close() // fails only if the client has left
}
