// Package response takes the answer of a handler into memory.
package response

import (
	"bytes"
	"net/http"
)

// Buffer is a ResponseWriter in memory. Its zero value is ready for use.
type Buffer struct {
	header, sent http.Header // sent is the header as it was when the status was written
	status       int
	body         bytes.Buffer
}

// Header is what the handler sets.
func (b *Buffer) Header() http.Header {
	if b.header == nil {
		b.header = http.Header{}
	}
	return b.header
}

// WriteHeader takes the first status that is not an early hint.
func (b *Buffer) WriteHeader(status int) {
	if b.status == 0 && status >= 200 {
		b.status, b.sent = status, b.Header().Clone()
	}
}

// Write adds to the body.
func (b *Buffer) Write(p []byte) (int, error) {
	b.WriteHeader(http.StatusOK)
	return b.body.Write(p)
}

// Result is the answer, once the handler has returned: 200 where it wrote nothing.
func (b *Buffer) Result() (status int, header http.Header, body []byte) {
	b.WriteHeader(http.StatusOK)
	return b.status, b.sent, b.body.Bytes()
}
