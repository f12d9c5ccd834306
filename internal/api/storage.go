package api

import (
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// storagePath is where pictures are served.
const storagePath = "/storage/"

// openPicture opens the picture at an address below storagePath.
func openPicture(pictures fs.FS, address string) (file fs.File, info fs.FileInfo, tag string, ok bool) {
	name, below := strings.CutPrefix(address, storagePath)
	if !below || !fs.ValidPath(name) {
		return nil, nil, "", false
	}
	file, err := pictures.Open(name)
	if err != nil {
		return nil, nil, "", false
	}
	if info, err = file.Stat(); err != nil {
		_ = file.Close() // nothing was written
		return nil, nil, "", false
	}
	return file, info, fmt.Sprintf(`"%x-%x"`, info.ModTime().UnixNano(), info.Size()), true
}

// withStorage serves pictures beside the APIs.
func withStorage(pictures fs.FS, apis http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Before a mux, which would answer an odd path with a redirect to a better one.
		if !strings.HasPrefix(r.URL.Path, storagePath) {
			apis.ServeHTTP(w, r)
			return
		}
		file, info, tag, ok := openPicture(pictures, r.URL.Path)
		if !ok {
			refuse(w, http.StatusNotFound, "no such picture")
			return
		}
		defer file.Close()
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			refuse(w, http.StatusMethodNotAllowed, "pictures can only be read")
			return
		}
		header := w.Header()
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Cache-Control", "public, max-age=60") // an editor may put another picture in its place
		header.Set("ETag", tag)
		http.ServeContent(w, r, path.Base(r.URL.Path), info.ModTime(), file.(io.ReadSeeker))
	})
}

// Storage answers requests for pictures in this process, as New does over a port.
type Storage struct{ Pictures fs.FS }

// RoundTrip answers a GET.
func (s Storage) RoundTrip(r *http.Request) (*http.Response, error) {
	answer := &http.Response{StatusCode: http.StatusNotFound, Header: http.Header{}, Body: http.NoBody, Request: r}
	file, info, tag, ok := openPicture(s.Pictures, r.URL.Path)
	switch {
	case !ok:
	case r.Header.Get("If-None-Match") == tag:
		answer.StatusCode = http.StatusNotModified
		return answer, file.Close()
	default:
		answer.StatusCode, answer.Body, answer.ContentLength = http.StatusOK, file, info.Size()
		answer.Header.Set("ETag", tag)
	}
	return answer, nil
}
