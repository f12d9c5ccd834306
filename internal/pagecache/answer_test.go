package pagecache_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"zedcard/internal/pagecache"
)

func TestABufferKeepsTheFirstStatusAndHeader(t *testing.T) {
	var b pagecache.Buffer
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
	var b pagecache.Buffer
	status, header, body := b.Result()
	assert.Equal(t, http.StatusOK, status)
	assert.Empty(t, header)
	assert.Empty(t, body)
}

func TestABufferWithMemoryOfAnotherBeginsEmpty(t *testing.T) {
	for _, text := range []string{"first", "second"} {
		var b pagecache.Buffer
		_, _ = io.WriteString(&b, text)
		_, _, body := b.Result()
		assert.Equal(t, text, string(body))
		b.Release()
	}
}
