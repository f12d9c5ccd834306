package embedded

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
)

// routes is the map of both APIs.
func (b *Backend) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/login", b.login)
	mux.HandleFunc("POST /api/signin", b.signIn)

	panel := func(pattern string, call http.HandlerFunc) { mux.HandleFunc(pattern, b.panel.guard(call)) }
	panel("GET /api/slides/{type}", b.slides)
	panel("GET /api/posts/{type}/pt", b.posts)
	panel("GET /api/posts/{type}/pt/{slug}", b.post)
	panel("GET /api/entities/{entity}", b.entity)
	panel("GET /api/social-medias", b.socialMedias)
	panel("POST /api/entry/{entry}/send", b.entry)
	panel("POST /api/contact/en", b.contact)
	panel("POST /api/get-scouted/en", b.getScouted)

	integration := func(pattern string, call http.HandlerFunc) { mux.HandleFunc(pattern, b.integration.guard(call)) }
	integration("POST /api/talents", b.talents)
	integration("GET /api/talent/profile", b.profile)
	integration("GET /api/talents/attributes", b.attributes)
	integration("POST /api/download/gallery", b.downloadGallery)
	integration("POST /api/download/zip", b.downloadZip)

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Before the mux, which would answer an odd path with a redirect to a better one.
		if strings.HasPrefix(r.URL.Path, storagePath) {
			b.serveStorage(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// answer writes JSON. The answers hold personal data, so no proxy may store them.
func answer(w http.ResponseWriter, status int, value any) {
	body, err := json.Marshal(value)
	if err != nil {
		panic(err) // every type of answer can be encoded
	}
	header := w.Header()
	header.Set("Content-Type", "application/json; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	header.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(body) // fails only if the client has left
}

func refuse(w http.ResponseWriter, status int, message string) {
	answer(w, status, errorAnswer{Message: message})
}

// maxJSON is the largest JSON body of a call, in bytes.
const maxJSON = 1 << 20

// readJSON decodes the body; if it can't, it writes the refusal and returns false.
func readJSON(w http.ResponseWriter, r *http.Request, into any) bool {
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxJSON)).Decode(into)
	if err == nil {
		return true
	}
	if tooLarge(err) {
		refuse(w, http.StatusRequestEntityTooLarge, "the body is too large")
	} else {
		refuse(w, http.StatusBadRequest, "the body is not the JSON that this call takes")
	}
	return false
}

// pageParams reads paginate and page; both count from 1, and invalid values count as absent.
func pageParams(r *http.Request, size int) (page, perPage int) {
	number := func(name string, fallback int) int {
		if n, err := strconv.Atoi(r.URL.Query().Get(name)); err == nil && n > 0 {
			return n
		}
		return fallback
	}
	return number("page", 1), min(number("paginate", size), 1000)
}

// paginate gives one page of a list and the number of the last one.
func paginate[T any](list []T, page, perPage int) (part []T, last int) {
	last = max((len(list)+perPage-1)/perPage, 1)
	if page > last {
		return nil, last
	}
	return list[(page-1)*perPage : min(page*perPage, len(list))], last
}
