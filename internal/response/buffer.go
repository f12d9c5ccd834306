// Package response buffers the answer of a handler in memory.
package response

import (
	"bytes"
	"net/http"
)

// Buffer is a ResponseWriter in memory. Its zero value is ready for use.
type Buffer struct {
	header, sentHeader http.Header // sent is a copy of the header from when the status was written
	status             int
	body               bytes.Buffer
	lent               []byte // the body, if it is not in body
	release            func()
}

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
	return b.body.Write(p)
}

// Lend makes body the whole body without copying it; nothing else is written. It must not change before the Buffer's
// owner calls Release, which calls release.
func (b *Buffer) Lend(body []byte, release func()) {
	b.WriteHeader(http.StatusOK)
	b.lent, b.release = body, release
}

// Result is the answer after the handler has returned; the status is 200 if it wrote nothing. The body is valid until
// Release.
func (b *Buffer) Result() (status int, header http.Header, body []byte) {
	b.WriteHeader(http.StatusOK)
	if b.lent != nil {
		return b.status, b.sentHeader, b.lent
	}
	return b.status, b.sentHeader, b.body.Bytes()
}

// Release returns a body that was lent. An owner who may still need it need not call this.
func (b *Buffer) Release() {
	if b.release != nil {
		b.release()
	}
	b.lent, b.release = nil, nil
}
