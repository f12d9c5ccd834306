// Package static serves the built scripts, styles, fonts and images under names with a hash of their content, so that
// they may be cached for a year.
package static

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"
)

//go:embed all:dist
var embedded embed.FS

// Prefix is the path prefix of the files.
const Prefix = "/static/"

type entry struct {
	File string `json:"file"`
}

// build is the output of scripts/build.mjs: the files, and their names by logical name.
type build struct {
	files    fs.FS
	manifest map[string]entry
}

// program is the build of this program; the development server takes that of the work tree before it makes anything.
var program build

func init() {
	files, err := fs.Sub(embedded, "dist")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	// Without a build there is no manifest; pages then link to names that answer 404.
	if err := Use(files); err != nil && !errors.Is(err, fs.ErrNotExist) {
		panic(err)
	}
}

// Use replaces the build; a folder without one changes nothing.
func Use(files fs.FS) error {
	b := build{files, map[string]entry{}}
	data, err := fs.ReadFile(files, "manifest.json")
	if err == nil {
		err = json.Unmarshal(data, &b.manifest)
	}
	if err == nil || program.files == nil {
		program = b
	}
	if err != nil {
		return fmt.Errorf("static/dist/manifest.json: %w", err)
	}
	return nil
}

// Files are those of one site: the build's, and an agency's in the place of those with the same logical names, or
// beside them. They never change.
type Files struct {
	names map[string]string // of the agency's, by logical name
	own   map[string][]byte // by name
}

// New are the files with an agency's own, by logical name.
func New(own map[string][]byte) *Files {
	f := &Files{names: map[string]string{}, own: map[string][]byte{}}
	for logical, data := range own {
		name := Name(logical, data)
		f.names[logical], f.own[name] = name, data
	}
	return f
}

// Own is the agency's own file of a logical name; nil: it has none.
func (f *Files) Own(logical string) []byte { return f.own[f.names[logical]] }

// HasOwn reports whether any file is the agency's own.
func (f *Files) HasOwn() bool { return len(f.names) > 0 }

// URL is the address of a file by its logical name.
func (f *Files) URL(logical string) string {
	if own, ok := f.names[logical]; ok {
		return Prefix + own
	}
	return URL(logical)
}

// Name is the name of a file with the hash of its content.
func Name(logical string, data []byte) string {
	sum := sha256.Sum256(data)
	ending := path.Ext(logical)
	return strings.TrimSuffix(logical, ending) + "-" + base32.StdEncoding.EncodeToString(sum[:5]) + ending
}

// Built reports whether the scripts and styles were built into this program.
func Built() bool { return len(program.manifest) > 0 }

// URL is the address of a file of the build by its logical name, such as "text.css" or "carousel.js".
func URL(logical string) string {
	if e, ok := program.manifest[logical]; ok {
		return Prefix + e.File
	}
	return Prefix + logical
}

// hashed is a name that Name makes.
var hashed = regexp.MustCompile(`^(.+)-[A-Z2-7]{8}(\.\w+)$`)

// Handler serves the files below Prefix. A page that was sent before the agency changed a file links to it as it was,
// and gets it as it is. coding is the one that a request prefers; notFound answers for a file that does not exist.
func (f *Files) Handler(coding func(*http.Request) string, notFound http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, Prefix)
		kept := "public, max-age=31536000, immutable"
		data, isOwn := f.own[name]
		var err error
		if !isOwn {
			data, err = fs.ReadFile(program.files, name)
		}
		if now, changed := f.names[hashed.ReplaceAllString(name, "$1$2")]; err != nil && changed {
			name, kept = now, "no-cache"
			data, isOwn, err = f.own[name], true, nil
		}
		if err != nil || name == "manifest.json" || path.Base(name) != name || strings.HasPrefix(name, ".") {
			notFound(w, r)
			return
		}
		header := w.Header()
		header.Set("Cache-Control", kept)
		header.Set("Vary", "Accept-Encoding")
		header.Set("Content-Security-Policy", "default-src 'none'; sandbox") // an agency's drawing may have scripts
		header.Set("ETag", `"`+name+`"`)
		header.Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
		if preferred := coding(r); preferred != "" {
			if built, err := fs.ReadFile(program.files, name+codingEndings[preferred]); err == nil && !isOwn {
				header.Set("Content-Encoding", preferred)
				header.Set("ETag", `"`+name+"."+preferred+`"`)
				data = built
			}
		}
		if r.Header.Get("Range") == "" { // ServeContent does not set it if there is a Content-Encoding
			header.Set("Content-Length", strconv.Itoa(len(data)))
		}
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
	})
}

// codingEndings are of the files that the build compresses, beside themselves.
var codingEndings = map[string]string{"br": ".br", "gzip": ".gz"}
