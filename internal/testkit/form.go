package testkit

import (
	"bytes"
	"io"
	"mime/multipart"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Form is a multipart form as browsers post it, of names and values; a value that begins with @ is a file.
func Form(t testing.TB, pairs ...string) (body, contentType string) {
	t.Helper()
	var buffer bytes.Buffer
	w := multipart.NewWriter(&buffer)
	for i := 0; i < len(pairs); i += 2 {
		data, isFile := strings.CutPrefix(pairs[i+1], "@")
		if !isFile {
			assert.NoError(t, w.WriteField(pairs[i], data))
			continue
		}
		part, err := w.CreateFormFile(pairs[i], pairs[i]+".png")
		assert.NoError(t, err)
		_, err = io.WriteString(part, data)
		assert.NoError(t, err)
	}
	assert.NoError(t, w.Close())
	return buffer.String(), w.FormDataContentType()
}
