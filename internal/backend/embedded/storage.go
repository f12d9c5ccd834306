package embedded

import (
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"
)

// storagePath is where the pictures of the folder are served.
const storagePath = "/storage/"

// servable reports whether a path below the folder is a file that may be served: a picture, with no hidden
// part in its path.
func servable(name string) bool {
	return fs.ValidPath(name) && pictureType(name) != "" &&
		!strings.HasPrefix(name, ".") && !strings.Contains(name, "/.") && !strings.ContainsAny(name, "\\\x00")
}

// stored is a picture of the folder while it is read.
type stored struct {
	fs.File
	io.Seeker
	size    int64
	modTime time.Time
	tag     string // as in ETag
}

// open opens the picture at an address below storagePath. Anything but a picture is as if it were not there.
func (b *Backend) open(address string) (s stored, ok bool) {
	name, below := strings.CutPrefix(address, storagePath)
	if !below || !servable(name) {
		return stored{}, false
	}
	file, err := b.folder.Open(name)
	if err != nil {
		return stored{}, false
	}
	info, err := file.Stat()
	seeker, seekable := file.(io.Seeker)
	if err != nil || !info.Mode().IsRegular() || !seekable {
		_ = file.Close() // nothing was written
		return stored{}, false
	}
	tag := fmt.Sprintf(`"%x-%x"`, info.ModTime().UnixNano(), info.Size())
	return stored{file, seeker, info.Size(), info.ModTime(), tag}, true
}

// withStorage serves the pictures of the folder beside the APIs.
func (b *Backend) withStorage(apis http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Before a mux, which would answer an odd path with a redirect to a better one.
		if !strings.HasPrefix(r.URL.Path, storagePath) {
			apis.ServeHTTP(w, r)
			return
		}
		picture, ok := b.open(r.URL.Path)
		if !ok {
			refuse(w, http.StatusNotFound, "no such picture")
			return
		}
		defer picture.Close()
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			refuse(w, http.StatusMethodNotAllowed, "pictures can only be read")
			return
		}
		header := w.Header()
		header.Set("Content-Type", pictureType(r.URL.Path))
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Cache-Control", "public, max-age=60") // an editor may put another picture in its place
		header.Set("ETag", picture.tag)
		http.ServeContent(w, r, path.Base(r.URL.Path), picture.modTime, picture)
	})
}

// Storage answers requests for pictures in this process, as Handler does over a port.
func (b *Backend) Storage() http.RoundTripper { return storage{b} }

type storage struct{ *Backend }

// RoundTrip answers a GET.
func (s storage) RoundTrip(r *http.Request) (*http.Response, error) {
	answer := &http.Response{StatusCode: http.StatusNotFound, Header: http.Header{}, Body: http.NoBody, Request: r}
	picture, ok := s.open(r.URL.Path)
	switch {
	case !ok:
	case r.Header.Get("If-None-Match") == picture.tag:
		answer.StatusCode = http.StatusNotModified
		return answer, picture.Close()
	default:
		answer.StatusCode, answer.Body, answer.ContentLength = http.StatusOK, picture, picture.size
		answer.Header.Set("ETag", picture.tag)
	}
	return answer, nil
}
