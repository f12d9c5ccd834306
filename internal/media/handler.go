package media

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/picture"
)

// How long browsers and caches may keep an answer.
const (
	cacheImmutable   = "public, max-age=31536000, immutable" // the address identifies the bytes
	cacheUnversioned = "public, max-age=300"                 // the right picture at an address without a version
	cacheSubstitute  = "public, max-age=30"                  // another size, or JPEG until the AVIF is made
	cacheMinor       = "private, max-age=3600"               // so that a taken-down one is soon nowhere
	cacheNotFound    = "public, max-age=60"
	cacheNever       = "no-store"
)

var contentTypes = map[string]string{jpegFormat: "image/jpeg", avifFormat: "image/avif"}

// Handler answers GET and HEAD below Prefix. If a picture can't be shown, the answer is the default picture with a
// status: 404 for an address that the site did not make or an original that is gone, 502 if the storage does not answer
// or not with a picture, 503 if there is too much to do. The handler must not be used after Close.
func (s *Store) Handler() http.Handler { return http.HandlerFunc(s.serve) }

func (s *Store) serve(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	path := r.URL.EscapedPath()
	for c := range crops {
		if path == DefaultPictureAddress(agency.Crop(c)) {
			header.Set("Cache-Control", cacheImmutable)
			serveMissing(w, r, agency.Crop(c), http.StatusOK)
			return
		}
	}
	a, ok := s.parse(path)
	if !ok {
		s.serveError(w, r, agency.Whole, agency.ErrNotFound)
		return
	}
	if a.minor {
		header.Set("X-Robots-Tag", "noimageindex")
		header.Set("Content-Usage", agency.NoTraining)
	}
	s.servePicture(w, r, a)
}

func (s *Store) servePicture(w http.ResponseWriter, r *http.Request, a address) {
	// A conversion that began before a take-down may still store its files.
	if _, refused := s.refused.Load(a.original); refused || s.isDraft(a.original) && !agency.SeesDrafts(r.Context()) {
		s.serveError(w, r, a.shape.crop, agency.ErrNotFound)
		return
	}
	s.checkIfDue(a.original)
	if s.serveCached(w, r, a) {
		return
	}
	made := s.begin(a.in(a.shape), jpegFormat, false)
	wait := func(limit time.Duration) error {
		ctx, cancel := context.WithTimeoutCause(r.Context(), limit, errTooSlow)
		defer cancel()
		return await(ctx, made)
	}
	err := wait(s.staleWait)
	if errors.Is(err, errTooSlow) {
		if s.serveNearest(w, r, a) {
			return
		}
		err = wait(maxWait)
	}
	if err == nil && s.serveCached(w, r, a) {
		return
	}
	s.serveError(w, r, a.shape.crop, cmp.Or(err, errTooSlow))
}

func (s *Store) isDraft(p original) bool {
	return s.config.IsDraft != nil && p.root == s.roots[0].Name && s.config.IsDraft(p.path)
}

// errTooSlow: the conversion takes longer than a visitor should wait.
var errTooSlow = errors.New("too much to do")

// serveCached serves the size from the cache in its format, or its JPEG while the AVIF is made in the background.
func (s *Store) serveCached(w http.ResponseWriter, r *http.Request, a address) bool {
	v, rec := a.in(a.shape), s.record(a.original)
	if !rec.known() {
		return false
	}
	cacheControl := cacheUnversioned
	if a.version == a.shown.version(rec, a.shape.crop) {
		cacheControl = cacheImmutable
	}
	if a.format == avifFormat && s.config.AVIF && rec.encoded(v.shape) {
		if s.serveFile(w, r, a, v.fileName(rec, avifFormat), avifFormat, cacheControl) {
			return true
		}
		s.encode(v)
		cacheControl = cacheSubstitute
	}
	return s.serveFile(w, r, a, v.fileName(rec, jpegFormat), jpegFormat, cacheControl)
}

// serveNearest serves the existing size that is nearest to the requested one.
func (s *Store) serveNearest(w http.ResponseWriter, r *http.Request, a address) bool {
	rec := s.record(a.original)
	if !rec.known() {
		return false
	}
	widths := slices.Clone(crops[a.shape.crop].served)
	distance := func(width int) int { return max(width-a.shape.width, a.shape.width-width) }
	slices.SortFunc(widths, func(a, b int) int { return distance(a) - distance(b) })
	return slices.ContainsFunc(widths, func(width int) bool {
		name := a.in(shape{a.shape.crop, width}).fileName(rec, jpegFormat)
		return s.serveFile(w, r, a, name, jpegFormat, cacheSubstitute)
	})
}

// serveFile serves a file of the cache, if it exists.
func (s *Store) serveFile(
	w http.ResponseWriter, r *http.Request, a address, name, format, cacheControl string,
) bool {
	file, err := s.files.open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	switch {
	case !a.minor:
	case cacheControl == cacheImmutable:
		cacheControl = cacheMinor
	default:
		cacheControl = strings.Replace(cacheControl, "public", "private", 1)
	}
	w.Header().Set("Content-Type", contentTypes[format])
	w.Header().Set("Cache-Control", cacheControl)
	_, tag, _ := strings.Cut(name, "-") // version and size
	w.Header().Set("ETag", strconv.Quote(tag))
	http.ServeContent(w, r, "", time.Time{}, file)
	return true
}

// serveError shows the default picture, unless the visitor has left: that is no fault.
func (s *Store) serveError(w http.ResponseWriter, r *http.Request, c agency.Crop, err error) {
	if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
		panic(http.ErrAbortHandler) // as for pages
	}
	status, cacheControl := http.StatusBadGateway, cacheNever
	switch {
	case errors.Is(err, agency.ErrNotFound):
		status, cacheControl = http.StatusNotFound, cacheNotFound
	case errors.Is(err, errTooSlow), errors.Is(err, picture.ErrBusy):
		status = http.StatusServiceUnavailable
		w.Header().Set("Retry-After", "10")
	}
	w.Header().Set("Cache-Control", cacheControl)
	serveMissing(w, r, c, status)
}

// missing has the default picture in each crop's aspect ratio: a mist frame with crop marks, as the design shows a
// missing picture.
//
//go:embed missing/*.png
var missing embed.FS

func missingName(c agency.Crop) string { return "missing/" + crops[c].letter + ".png" }

func serveMissing(w http.ResponseWriter, r *http.Request, c agency.Crop, status int) {
	data, err := missing.ReadFile(missingName(c))
	if err != nil {
		panic(err) // embedded above
	}
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(data) // fails only if the visitor has left
	}
}
