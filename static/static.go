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
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"zedcard/internal/compress"
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
	made     sync.Map // []byte by name and coding: Node 20 can't compress with zstd
}

var current atomic.Pointer[build]

// replacements are files in the place of the build's.
type replacements struct {
	names map[string]string // by logical name
	files map[string][]byte // by name; also those before, which pages already sent link to
}

var replaced atomic.Pointer[replacements]

func init() {
	replaced.Store(&replacements{})
	files, err := fs.Sub(embedded, "dist")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	// Without a build there is no manifest; pages then link to names that answer 404.
	if err := Use(files); err != nil && !errors.Is(err, fs.ErrNotExist) {
		panic(err)
	}
}

// Use replaces the build; the development server takes that of the work tree.
func Use(files fs.FS) error {
	b := build{files: files, manifest: map[string]entry{}}
	data, err := fs.ReadFile(files, "manifest.json")
	if err == nil {
		err = json.Unmarshal(data, &b.manifest)
	}
	if err == nil || current.Load() == nil {
		current.Store(&b)
	}
	if err != nil {
		return fmt.Errorf("static/dist/manifest.json: %w", err)
	}
	return nil
}

// Replace puts files of the agency in the place of those with the same logical names, or beside them. The last ones
// and those before them are served.
func Replace(files map[string][]byte) {
	old := replaced.Load()
	next := &replacements{names: map[string]string{}, files: map[string][]byte{}}
	for _, name := range old.names {
		next.files[name] = old.files[name]
	}
	for logical, data := range files {
		name := Name(logical, data)
		next.names[logical], next.files[name] = name, data
	}
	replaced.Store(next)
}

// Name is the name of a file with the hash of its content.
func Name(logical string, data []byte) string {
	sum := sha256.Sum256(data)
	ending := path.Ext(logical)
	return strings.TrimSuffix(logical, ending) + "-" + base32.StdEncoding.EncodeToString(sum[:5]) + ending
}

// Built reports whether the scripts and styles were built into this program.
func Built() bool { return len(current.Load().manifest) > 0 }

// URL is the address of a file by its logical name, such as "app.css" or "carousel.js".
func URL(name string) string {
	if own, ok := replaced.Load().names[name]; ok {
		return Prefix + own
	}
	if e, ok := current.Load().manifest[name]; ok {
		return Prefix + e.File
	}
	return Prefix + name
}

// Read is the content of a file, by its logical name.
func Read(name string) ([]byte, error) {
	b := current.Load()
	return fs.ReadFile(b.files, b.manifest[name].File)
}

// Handler serves the files below Prefix; notFound answers for one that does not exist.
func Handler(notFound http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, Prefix)
		b, own := current.Load(), replaced.Load()
		var err error
		data, isOwn := own.files[name]
		if !isOwn {
			data, err = fs.ReadFile(b.files, name)
		}
		if err != nil || name == "manifest.json" || path.Base(name) != name || strings.HasPrefix(name, ".") {
			notFound(w, r)
			return
		}
		header := w.Header()
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
		header.Set("Vary", "Accept-Encoding")
		header.Set("Content-Security-Policy", "default-src 'none'; sandbox") // an agency's drawing may have scripts
		header.Set("ETag", `"`+name+`"`)
		header.Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
		if coding := compress.Well.Negotiate(r); coding != "" {
			if compressed, ok := b.compressed(name, coding, data); ok {
				header.Set("Content-Encoding", coding)
				header.Set("ETag", `"`+name+"."+coding+`"`)
				data = compressed
			}
		}
		if r.Header.Get("Range") == "" { // ServeContent does not set it if there is a Content-Encoding
			header.Set("Content-Length", strconv.Itoa(len(data)))
		}
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
	})
}

// compressed is a file in a coding, made where the build has none; false if compressing it is not worthwhile.
func (b *build) compressed(name, coding string, data []byte) (compressed []byte, ok bool) {
	if ending := map[string]string{"br": ".br", "gzip": ".gz"}[coding]; ending != "" {
		if built, err := fs.ReadFile(b.files, name+ending); err == nil {
			return built, true
		}
	}
	if !slices.Contains([]string{".css", ".js", ".svg"}, path.Ext(name)) {
		return nil, false // a font or a picture
	}
	made, ok := b.made.Load(name + "." + coding)
	if !ok {
		made = compress.Well.Body(coding, data)
		b.made.Store(name+"."+coding, made)
	}
	return made.([]byte), true
}
