package handlers_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"zedcard/handlers"
	"zedcard/internal/agency"
	"zedcard/views/ui"
)

// slowStorage has no picture in time.
type slowStorage struct{ storage }

func (slowStorage) JPEG(context.Context, agency.Picture, ui.Shape) ([]byte, error) {
	return nil, fmt.Errorf("picture: %w", context.DeadlineExceeded)
}

func TestASharePictureThatTakesTooLongIsAskedForAgain(t *testing.T) {
	site := demoSite(t, func(s *handlers.Services) { s.Pictures = slowStorage{} })
	answer := get(site, "/share/talent/101.jpg")
	assert.Equal(t, http.StatusServiceUnavailable, answer.Code, "a picture without the talent would be kept")
	assert.NotEmpty(t, answer.Header().Get("Retry-After"))
}
