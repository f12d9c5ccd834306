package wire

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
)

// Body is what a call sends. It is kept in memory as consecutive parts, so that the photos of an application are not
// copied, the length is known, and a call can be repeated.
type Body struct {
	Type  string // MIME type
	Parts [][]byte
}

// JSON is a body with value as JSON. It panics if value can't be encoded.
func JSON(value any) *Body {
	text, err := json.Marshal(value)
	if err != nil {
		panic("wire: a body that can't be encoded: " + err.Error())
	}
	return &Body{Type: "application/json", Parts: [][]byte{text}}
}

func (b *Body) attach(request *http.Request) {
	request.Header.Set("Content-Type", b.Type)
	for _, part := range b.Parts {
		request.ContentLength += int64(len(part))
	}
	request.GetBody = func() (io.ReadCloser, error) { return b.open(), nil }
	request.Body = b.open()
}

func (b *Body) open() io.ReadCloser {
	readers := make([]io.Reader, len(b.Parts))
	for i, part := range b.Parts {
		readers[i] = bytes.NewReader(part)
	}
	return io.NopCloser(io.MultiReader(readers...))
}
