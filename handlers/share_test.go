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

// shownPictures remembers the pictures of cards.
type shownPictures struct {
	storage
	files *[]string
}

func (s shownPictures) JPEG(_ context.Context, picture agency.Picture, _ ui.Shape) ([]byte, error) {
	*s.files = append(*s.files, picture.File)
	return nil, agency.ErrNotFound
}

func TestASharedShortlistsPictureShowsItsFirstFourAdults(t *testing.T) {
	var files []string
	site := demoSite(t, func(s *handlers.Services) { s.Pictures = shownPictures{files: &files} })
	page := get(site, "/favorites?ids=101,121,102,103,104,105").Body.String()
	const address = "/share/favorites.jpg?ids=101%2C121%2C102%2C103%2C104%2C105"
	assert.Contains(t, page, `property="og:image" content="https://best.example`+address+`"`)
	assert.Equal(t, http.StatusOK, get(site, address).Code)
	assert.Len(t, files, 4)
	for _, file := range files {
		assert.NotContains(t, file, "/210-", "a minor is not shown")
	}
	assert.Equal(t, http.StatusNotFound, get(site, "/share/favorites.jpg?ids=nobody").Code)
	assert.Equal(t, http.StatusNotFound, get(site, "/share/favorites.jpg").Code)
}
