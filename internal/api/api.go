// Package api answers the panel's and the integration API over HTTP, and serves the pictures that their answers name:
// for zedcard backend, and for tests. docs/wire.md describes the calls.
package api

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/remote"
)

// Content is what both APIs read, by the methods of their clients.
type Content interface {
	agency.Panel
	agency.Integration
}

// Actions make composite cards and take submissions.
type Actions interface {
	Composite(ctx context.Context, talent agency.Talent, file *os.File) error
	Composites(ctx context.Context, ids []string, file *os.File) error
	Send(ctx context.Context, submission agency.Submission) error
}

// Config is what the APIs need beside their content.
type Config struct {
	// The credentials of the two sign-in calls. A call whose credentials are empty accepts nobody.
	PanelSalt, APIToken     string
	IntegrationSalt, APIKey string

	Pictures fs.FS            // the files below /storage/; nil: none are served
	TempDir  string           // of zips while they are made and sent; empty: the system's
	Now      func() time.Time // nil: time.Now
	Log      *slog.Logger     // nil: no log
}

type api struct {
	actions Actions
	config  Config
}

type object = map[string]any

// New answers both APIs from a content, which is asked for at each call.
func New(content func() Content, actions Actions, config Config) http.Handler {
	if config.Now == nil {
		config.Now = time.Now
	}
	config.Log = cmp.Or(config.Log, slog.New(slog.DiscardHandler))
	a := &api{actions, config}
	ofPanel := tokens{"panel", config.PanelSalt, config.APIToken, config.Now}
	ofIntegration := tokens{"integration", config.IntegrationSalt, config.APIKey, config.Now}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/login", ofPanel.signIn("api_token", "token"))
	mux.HandleFunc("POST /api/signin", ofIntegration.signIn("api_key", "access_token"))
	panel := func(pattern string, call http.HandlerFunc) { mux.HandleFunc(pattern, ofPanel.guard(call)) }
	integration := func(pattern string, call http.HandlerFunc) { mux.HandleFunc(pattern, ofIntegration.guard(call)) }

	panel("GET /api/slides/{type}", a.reads(func(r *http.Request) (any, error) {
		slides, err := content().Slides(r.Context(), r.PathValue("type"))
		return object{"data": remote.Each(slides, remote.SlideOf)}, err
	}))
	panel("GET /api/posts/{type}/pt", a.reads(func(r *http.Request) (any, error) {
		number, size := pageParams(r, 10)
		page, err := content().Posts(r.Context(), r.PathValue("type"), size, number)
		posts := remote.Each(page.Posts, remote.PostOf)
		return object{"data": posts, "current_page": page.Page, "last_page": page.LastPage}, err
	}))
	panel("GET /api/posts/{type}/pt/{slug}", a.reads(func(r *http.Request) (any, error) {
		post, err := content().Post(r.Context(), r.PathValue("type"), r.PathValue("slug"))
		return object{"data": remote.PostOf(post)}, err
	}))
	panel("GET /api/entities/{entity}", a.reads(func(r *http.Request) (any, error) {
		entity, err := content().Entity(r.Context(), r.PathValue("entity"), r.URL.Query().Get("language"))
		return object{"data": remote.WithLists(entity)}, err
	}))
	panel("GET /api/social-medias", a.reads(func(r *http.Request) (any, error) {
		medias, err := content().SocialMedias(r.Context())
		return object{"data": append([]agency.SocialMedia{}, medias...)}, err // null is no list
	}))
	panel("POST /api/entry/{entry}/send", func(w http.ResponseWriter, r *http.Request) {
		a.receive(w, r, agency.Kind(r.PathValue("entry")))
	})
	for path, kind := range map[string]agency.Kind{"contact": agency.Contact, "get-scouted": agency.GetScouted} {
		panel("POST /api/"+path+"/en", func(w http.ResponseWriter, r *http.Request) { a.receive(w, r, kind) })
	}

	talents := a.reads(func(r *http.Request) (any, error) {
		number, size := pageParams(r, 15)
		roster, err := content().Talents(r.Context())
		part, last := agency.PageOf(roster, number, size)
		return object{"data": object{
			"data": remote.Each(part, remote.TalentOf), "current_page": number, "last_page": last, "total": len(roster),
		}}, err
	})
	integration("POST /api/talents", func(w http.ResponseWriter, r *http.Request) {
		var filters object // must be an object and are not applied: the site filters by itself
		if readJSON(w, r, &filters) {
			talents(w, r)
		}
	})
	integration("GET /api/talent/profile", a.reads(func(r *http.Request) (any, error) {
		talent, err := content().Profile(r.Context(), r.URL.Query().Get("id"))
		return object{"data": remote.ProfileOf(&talent)}, err
	}))
	integration("GET /api/talents/attributes", a.reads(func(r *http.Request) (any, error) {
		query := agency.OptionsQuery{Language: r.URL.Query().Get("language"), Country: r.URL.Query().Get("cities")}
		options, err := content().Options(r.Context(), query)
		return remote.WithLists(options), err
	}))
	integration("POST /api/download/gallery", a.downloadGallery)
	integration("POST /api/download/zip", a.downloadZip)
	if config.Pictures == nil {
		return mux
	}
	return withStorage(config.Pictures, mux)
}

// reads answers with what a function found, or with its error's status.
func (a *api) reads(find func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		switch found, err := find(r); {
		case err == nil:
			answer(w, http.StatusOK, found)
		case errors.Is(err, agency.ErrNotFound):
			refuse(w, http.StatusNotFound, "not found")
		default:
			a.config.Log.ErrorContext(r.Context(), "the content can't be read", "error", err)
			refuse(w, http.StatusServiceUnavailable, "the content can't be read now")
		}
	}
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
	answer(w, status, object{"message": message})
}

// maxJSON is the largest JSON body of a call, in bytes.
const maxJSON = 1 << 20

// readJSON decodes the body; if it can't, it writes the refusal and returns false.
func readJSON(w http.ResponseWriter, r *http.Request, into any) bool {
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxJSON)).Decode(into)
	switch {
	case tooLarge(err):
		refuse(w, http.StatusRequestEntityTooLarge, "the body is too large")
	case err != nil:
		refuse(w, http.StatusBadRequest, "the body is not the JSON that this call takes")
	}
	return err == nil
}

// pageParams reads page and paginate; both count from 1, and invalid values count as absent.
func pageParams(r *http.Request, size int) (page, perPage int) {
	number := func(name string, fallback int) int {
		if n, err := strconv.Atoi(r.URL.Query().Get(name)); err == nil && n > 0 {
			return n
		}
		return fallback
	}
	return number("page", 1), min(number("paginate", size), 1000)
}

// tokenTTL is how long a token is good for at least; a client signs in again after it.
const tokenTTL = 12 * time.Hour

// tokens are the bearer tokens of one API: of each half day one, signed with the credentials. They outlive a restart,
// and back ends with the same credentials accept each other's.
type tokens struct {
	api, salt, key string
	now            func() time.Time
}

// signIn answers with a token, in this field, who sends the salt and the key.
func (t tokens) signIn(keyField, tokenField string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var body object
		if !readJSON(w, r, &body) {
			return
		}
		salt, _ := body["salt"].(string)
		key, _ := body[keyField].(string)
		match := subtle.ConstantTimeCompare([]byte(salt), []byte(t.salt)) &
			subtle.ConstantTimeCompare([]byte(key), []byte(t.key))
		if match != 1 || t.salt == "" || t.key == "" {
			refuse(w, http.StatusUnauthorized, "salt or "+keyField+" is wrong")
			return
		}
		answer(w, http.StatusOK, object{tokenField: t.at(t.now())})
	}
}

// at is the token of the half day of a time.
func (t tokens) at(time time.Time) string {
	mac := hmac.New(sha256.New, []byte(t.key))
	halfDay := strconv.FormatInt(time.Unix()/int64(tokenTTL.Seconds()), 10)
	_, _ = mac.Write([]byte(t.api + "\x00" + t.salt + "\x00" + halfDay)) // a hash takes all
	return hex.EncodeToString(mac.Sum(nil))
}

// guard lets only requests with the token of this half day or the last one through.
func (t tokens) guard(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		isGood := hmac.Equal([]byte(token), []byte(t.at(t.now()))) ||
			hmac.Equal([]byte(token), []byte(t.at(t.now().Add(-tokenTTL))))
		if !isGood || t.key == "" || !strings.EqualFold(scheme, "bearer") {
			w.Header().Set("WWW-Authenticate", "Bearer")
			refuse(w, http.StatusUnauthorized, "sign in first")
			return
		}
		next(w, r)
	}
}
