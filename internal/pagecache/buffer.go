package pagecache

import (
	"bytes"
	"net/http"
	"strings"
	"sync"
)

// Buffer is a ResponseWriter in memory. Its zero value is ready for use.
type Buffer struct {
	header, sentHeader http.Header // sent is a copy of the header from when the status was written
	status             int
	body               *bytes.Buffer // of bodies; nil before something is written
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
		b.status, b.sentHeader = status, b.Header().Clone()
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
	b.WriteHeader(http.StatusOK)
	if b.body != nil {
		body = b.body.Bytes()
	}
	return b.status, b.sentHeader, body
}

// Release lets another Buffer use the memory of the body. Without it the body stays valid.
func (b *Buffer) Release() {
	if b.body != nil {
		b.body.Reset()
		bodies.Put(b.body)
		b.body = nil
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
