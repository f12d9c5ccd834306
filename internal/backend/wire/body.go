package wire

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
)

// Body is what a call sends. It stands in memory as parts that follow each other, so that the
// photos of an application are not copied, the length is known, and a call can be repeated.
type Body struct {
	Type  string // MIME type
	Parts [][]byte
}

// JSON is the body that holds value as JSON; value must be encodable, which is the caller's to know.
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
