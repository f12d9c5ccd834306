package embedded

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
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

// servable reports whether a path below the folder is a file that may be served: a picture or a video, with no hidden
// part in its path.
func servable(name string) bool {
	return fs.ValidPath(name) && servedType(name) != "" &&
		!strings.HasPrefix(name, ".") && !strings.Contains(name, "/.") && !strings.ContainsAny(name, "\\\x00")
}

func servedType(name string) string { return cmp.Or(pictureType(name), videoTypes[path.Ext(name)]) }

// withStorage serves the pictures of the folder beside the APIs.
func (b *Backend) withStorage(apis http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Before a mux, which would answer an odd path with a redirect to a better one.
		if strings.HasPrefix(r.URL.Path, storagePath) {
			b.serveStorage(w, r)
			return
		}
		apis.ServeHTTP(w, r)
	})
}

// stored is a picture of the folder while it is read.
type stored struct {
	io.ReadSeeker
	io.Closer
	size    int64
	modTime time.Time
	tag     string // as in ETag
}

// open opens the picture at an address below storagePath. Anything but a picture is as if it were not there.
func (b *Backend) open(address string) (stored, error) {
	name, below := strings.CutPrefix(address, storagePath)
	if !below || !servable(name) {
		return stored{}, fs.ErrNotExist
	}
	file, err := b.folder.Open(name)
	if err != nil {
		return stored{}, fs.ErrNotExist
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		_ = file.Close() // nothing was written
		return stored{}, fs.ErrNotExist
	}
	s := stored{Closer: file, size: info.Size(), modTime: info.ModTime()}
	seeker, ok := file.(io.ReadSeeker)
	if ok && !s.modTime.IsZero() {
		s.ReadSeeker, s.tag = seeker, fmt.Sprintf(`"%x-%x"`, s.modTime.UnixNano(), s.size)
		return s, nil
	}
	data, err := io.ReadAll(file) // an embedded file, without a modification time: its tag is a hash of its content
	if err != nil {
		_ = file.Close()
		return stored{}, fmt.Errorf("%s: %w", name, err)
	}
	sum := sha256.Sum256(data)
	s.ReadSeeker, s.size, s.tag = bytes.NewReader(data), int64(len(data)), `"`+hex.EncodeToString(sum[:12])+`"`
	return s, nil
}

// serveStorage answers GET /storage/<path below the folder>.
func (b *Backend) serveStorage(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed, "pictures can only be read")
		return
	}
	switch picture, err := b.open(r.URL.Path); err {
	case nil:
		defer picture.Close()
		header := w.Header()
		header.Set("Content-Type", servedType(r.URL.Path))
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Cache-Control", "public, max-age=60") // an editor may put another picture in its place
		header.Set("ETag", picture.tag)
		http.ServeContent(w, r, path.Base(r.URL.Path), picture.modTime, picture)
	case fs.ErrNotExist:
		refuse(w, http.StatusNotFound, "no such picture")
	default:
		b.config.Log.Error("reading a picture failed", "error", err)
		refuse(w, http.StatusInternalServerError, "the picture can't be read")
	}
}

// Storage answers requests for pictures in this process, as Handler does over a port.
func (b *Backend) Storage() http.RoundTripper { return storage{b} }

type storage struct{ *Backend }

// RoundTrip answers a GET.
func (s storage) RoundTrip(r *http.Request) (*http.Response, error) {
	answer := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: http.NoBody, Request: r}
	switch picture, err := s.open(r.URL.Path); {
	case err == fs.ErrNotExist:
		answer.StatusCode = http.StatusNotFound
	case err != nil:
		return nil, err
	case r.Header.Get("If-None-Match") == picture.tag:
		answer.StatusCode = http.StatusNotModified
		return answer, picture.Close()
	default:
		answer.Header.Set("ETag", picture.tag)
		answer.Body, answer.ContentLength = picture, picture.size
	}
	return answer, nil
}
