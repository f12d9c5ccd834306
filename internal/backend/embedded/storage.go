package embedded

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// servable reports whether a path below the folder is a file that may be served: a picture, with no hidden part in its
// path.
func servable(name string) bool {
	return fs.ValidPath(name) && pictureType(name) != "" &&
		!strings.HasPrefix(name, ".") && !strings.Contains(name, "/.") && !strings.ContainsAny(name, "\\\x00")
}

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

// serveStorage answers GET /storage/<path below the folder>. Anything but a picture is a 404,
// as if it were not there.
func (b *Backend) serveStorage(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed, "pictures can only be read")
		return
	}
	name := strings.TrimPrefix(r.URL.Path, storagePath)
	if !servable(name) {
		refuse(w, http.StatusNotFound, "no such picture")
		return
	}
	file, err := b.folder.Open(name)
	if err != nil {
		refuse(w, http.StatusNotFound, "no such picture")
		return
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		refuse(w, http.StatusNotFound, "no such picture")
		return
	}
	content, tag, err := seekable(file, info)
	if err != nil {
		b.config.Log.Error("reading a picture failed", "file", name, "error", err)
		refuse(w, http.StatusInternalServerError, "the picture can't be read")
		return
	}
	header := w.Header()
	header.Set("Content-Type", pictureType(name))
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "public, max-age=60") // an editor may put another picture in its place
	header.Set("ETag", tag)
	http.ServeContent(w, r, path.Base(name), info.ModTime(), content)
}

// seekable returns the file's bytes and an entity tag. The tag of a file without a modification time, as embedded ones
// are, is a hash of its content.
func seekable(file fs.File, info fs.FileInfo) (io.ReadSeeker, string, error) {
	seeker, ok := file.(io.ReadSeeker)
	if ok && !info.ModTime().IsZero() {
		return seeker, fmt.Sprintf(`"%x-%x"`, info.ModTime().UnixNano(), info.Size()), nil
	}
	data, err := io.ReadAll(file)
	if err != nil {
		return nil, "", err
	}
	sum := sha256.Sum256(data)
	return bytes.NewReader(data), `"` + hex.EncodeToString(sum[:12]) + `"`, nil
}
