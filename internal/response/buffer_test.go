package response_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"zedcard/internal/response"
)

func TestABufferKeepsTheFirstStatusAndHeader(t *testing.T) {
	var b response.Buffer
	b.WriteHeader(http.StatusEarlyHints)
	b.Header().Set("X", "sent")
	b.WriteHeader(http.StatusTeapot)
	b.WriteHeader(http.StatusOK)
	b.Header().Set("X", "too late")
	_, _ = io.WriteString(&b, "a")
	_, _ = io.WriteString(&b, "b")
	status, header, body := b.Result()
	assert.Equal(t, http.StatusTeapot, status)
	assert.Equal(t, "sent", header.Get("X"))
	assert.Equal(t, "ab", string(body))
}

func TestAnEmptyAnswerIs200(t *testing.T) {
	var b response.Buffer
	status, header, body := b.Result()
	assert.Equal(t, http.StatusOK, status)
	assert.Empty(t, header)
	assert.Empty(t, body)
}

func TestALentBodyIsNotCopiedAndReturnedOnce(t *testing.T) {
	var b response.Buffer
	b.Header().Set("X", "sent")
	page, returned := []byte("page"), 0
	b.Lend(page, func() { returned++ })
	status, header, body := b.Result()
	assert.Equal(t, http.StatusOK, status)
	assert.Equal(t, "sent", header.Get("X"))
	assert.Equal(t, "page", string(body))
	assert.Same(t, &page[0], &body[0])
	assert.Zero(t, returned, "the body is still in use")
	b.Release()
	b.Release()
	assert.Equal(t, 1, returned)
}
