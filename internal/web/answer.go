package web

import (
	"bytes"
	"cmp"
	"maps"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Handler makes an answer, or returns an error and writes nothing.
type Handler func(http.ResponseWriter, *http.Request) error

// Answer is an answer in memory.
type Answer struct {
	status int
	header http.Header
	tag    string // the strong ETag of the page; empty if it has none
	body   []byte

	// What is kept.
	version   PageVersion
	createdAt time.Time
	screen    string
}

// Render runs a handler as for a GET without conditions and codings, so that everybody can get the answer, and
// compresses it.
func Render(r *http.Request, handler Handler) (*Answer, error) {
	whole := r.Clone(r.Context())
	whole.Method = http.MethodGet
	whole.Header.Del("If-None-Match")
	whole.Header.Del("Accept-Encoding")
	var buffer Buffer
	defer buffer.Release()
	if err := handler(&buffer, whole); err != nil {
		return nil, err
	}
	a := &Answer{}
	var plain []byte
	a.status, a.header, plain = buffer.Result()
	a.compress(r, plain)
	return a, nil
}

// levelOf is how the answer for an address is compressed: well, unless there is any number of them.
func levelOf(r *http.Request) level {
	if isBounded(r.RequestURI) && anonymous(r) {
		return well
	}
	return fast
}

// compress takes the page in the coding that the request prefers. The ETag of a compressed answer becomes weak: it then
// identifies the page in all codings, and If-None-Match, which compares weakly, still works.
func (a *Answer) compress(r *http.Request, plain []byte) {
	a.tag = a.header.Get("ETag")
	a.body = levelOf(r).compress(r, a.header, plain)
	switch {
	case a.header.Get("Content-Encoding") == "":
		a.body = bytes.Clone(plain)
	case a.tag != "":
		a.header.Set("ETag", "W/"+a.tag)
	}
}

// isPersonal reports whether the answer is for one visitor only.
func (a *Answer) isPersonal() bool { return len(a.header["Set-Cookie"]) > 0 }

// isCacheable reports whether the answer is a complete page for everybody.
func (a *Answer) isCacheable() bool {
	return a.status == http.StatusOK && !a.isPersonal() && a.tag != "" &&
		strings.HasPrefix(a.header.Get("Cache-Control"), "public")
}

// Send answers a request.
func (a *Answer) Send(w http.ResponseWriter, r *http.Request) {
	if a.status == http.StatusOK && a.tag != "" && Matches(r.Header.Get("If-None-Match"), a.tag) {
		for _, name := range []string{"Cache-Control", "Etag", "Vary"} { // RFC 9110, 15.4.5
			if values, ok := a.header[name]; ok {
				w.Header()[name] = values
			}
		}
		w.WriteHeader(http.StatusNotModified)
		return
	}
	maps.Copy(w.Header(), a.header)
	w.WriteHeader(a.status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(a.body) // fails only if the visitor has left
	}
}

// Matches compares an If-None-Match header with a strong ETag, weakly: a compressed answer carries W/ before the tag.
func Matches(header, tag string) bool {
	for candidate := range strings.SplitSeq(header, ",") {
		if strings.TrimPrefix(strings.TrimSpace(candidate), "W/") == tag {
			return true
		}
	}
	return false
}

// Buffer is a ResponseWriter in memory. Its zero value is ready for use.
type Buffer struct {
	header http.Header
	status int
	body   *bytes.Buffer // of bodies; nil before something is written
}

// bodies are buffers for bodies: a page takes 100 KB, which would otherwise be allocated for each.
var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Header is the header that the handler sets.
func (b *Buffer) Header() http.Header {
	if b.header == nil {
		b.header = http.Header{}
	}
	return b.header
}

// WriteHeader records the first status that is not informational (1xx).
func (b *Buffer) WriteHeader(status int) {
	if b.status == 0 && status >= 200 {
		b.status = status
	}
}

// Write adds to the body.
func (b *Buffer) Write(p []byte) (int, error) {
	b.WriteHeader(http.StatusOK)
	if b.body == nil {
		b.body = bodies.Get().(*bytes.Buffer)
	}
	return b.body.Write(p)
}

// Result is the answer after the handler has returned; the status is 200 if it wrote nothing. The body is valid until
// Release.
func (b *Buffer) Result() (status int, header http.Header, body []byte) {
	if b.body != nil {
		body = b.body.Bytes()
	}
	return cmp.Or(b.status, http.StatusOK), b.Header(), body
}

// Release lets another Buffer use the memory of the body. Without it the body stays valid.
func (b *Buffer) Release() {
	if b.body != nil {
		b.body.Reset()
		bodies.Put(b.body)
		b.body = nil
	}
}
