package embedded

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"zedcard/internal/agency"
)

// api answers both APIs from a source.
type api struct {
	source             Source
	config             Config
	panel, integration tokens
	keys               idempotencyKeys
}

// NewAPI answers both APIs over HTTP from a source. Of config it needs the credentials, TempDir, Now and Log.
func NewAPI(source Source, config Config) http.Handler {
	config = config.withDefaults()
	a := &api{
		source: source, config: config,
		panel:       tokens{"panel", config.PanelSalt, config.APIToken, config.Now},
		integration: tokens{"integration", config.IntegrationSalt, config.APIKey, config.Now},
		keys:        idempotencyKeys{now: config.Now, keys: map[string]delivery{}},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/login", a.panel.signIn("api_token", "token"))
	mux.HandleFunc("POST /api/signin", a.integration.signIn("api_key", "access_token"))

	panel := func(pattern string, call http.HandlerFunc) { mux.HandleFunc(pattern, a.panel.guard(call)) }
	panel("GET /api/slides/{type}", a.slides)
	panel("GET /api/posts/{type}/pt", a.posts)
	panel("GET /api/posts/{type}/pt/{slug}", a.post)
	panel("GET /api/entities/{entity}", a.entity)
	panel("GET /api/social-medias", a.socialMedias)
	panel("POST /api/entry/{entry}/send", a.entry)
	panel("POST /api/contact/en", a.contact)
	panel("POST /api/get-scouted/en", a.getScouted)

	integration := func(pattern string, call http.HandlerFunc) { mux.HandleFunc(pattern, a.integration.guard(call)) }
	integration("POST /api/talents", a.talents)
	integration("GET /api/talent/profile", a.profile)
	integration("GET /api/talents/attributes", a.attributes)
	integration("POST /api/download/gallery", a.downloadGallery)
	integration("POST /api/download/zip", a.downloadZip)
	return mux
}

// answerData answers with what a source gave, in its wire shape under data, or with the error's status.
func answerData[T any](a *api, w http.ResponseWriter, found T, err error, shape func(T) any) {
	if a.failed(w, err) {
		return
	}
	answer(w, http.StatusOK, dataAnswer{shape(found)})
}

// failed answers with the status of an error, if there is one.
func (a *api) failed(w http.ResponseWriter, err error) bool {
	switch {
	case err == nil:
		return false
	case errors.Is(err, agency.ErrNotFound):
		refuse(w, http.StatusNotFound, "not found")
	default:
		a.config.Log.Error("the content can't be read", "error", err)
		refuse(w, http.StatusServiceUnavailable, "the content can't be read now")
	}
	return true
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

// dataAnswer wraps what most calls answer with.
type dataAnswer struct {
	Data any `json:"data"`
}

// pageAnswer is one page of a list.
type pageAnswer struct {
	Data        any  `json:"data"`
	CurrentPage int  `json:"current_page"`
	LastPage    int  `json:"last_page"`
	Total       *int `json:"total,omitempty"`
}

// errorAnswer is the body of every refusal; Errors says what is wrong with each field.
type errorAnswer struct {
	Message string              `json:"message"`
	Errors  map[string][]string `json:"errors,omitempty"`
}
