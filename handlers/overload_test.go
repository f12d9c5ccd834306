package handlers_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"zedcard/handlers"
	"zedcard/internal/agency"
	"zedcard/views/ui"
)

// stuck shows pictures once it is let go: until then a page that has one is being made, and says so once.
type stuck struct {
	storage
	begun, letGo chan struct{}
}

func (s stuck) Sources(picture agency.Picture, shape ui.Shape, minor bool) ui.Sources {
	select {
	case s.begun <- struct{}{}:
		<-s.letGo
	case <-s.letGo:
	}
	return s.storage.Sources(picture, shape, minor)
}

func TestOverloadIsSaidInTimeAndPasses(t *testing.T) {
	pictures := stuck{begun: make(chan struct{}), letGo: make(chan struct{})}
	site := demo(t, func(s *handlers.Services) { s.Site.Pictures = pictures })
	ask := func(client int, path string) *httptest.ResponseRecorder {
		r, w := httptest.NewRequest(http.MethodGet, path, nil), httptest.NewRecorder()
		r.RemoteAddr = fmt.Sprint(client)
		site.ServeHTTP(w, r)
		return w
	}
	var early sync.WaitGroup
	for client := range 4 * runtime.GOMAXPROCS(0) {
		early.Go(func() { assert.Equal(t, http.StatusOK, ask(client, "/models/women").Code, "who came first") })
	}
	for range 4 * runtime.GOMAXPROCS(0) {
		<-pictures.begun
	}

	late := ask(-1, "/models/men")
	assert.Equal(t, http.StatusServiceUnavailable, late.Code)
	assert.NotEmpty(t, late.Header().Get("Retry-After"))
	assert.Contains(t, late.Body.String(), `href="/models/men"`, "the page offers to try again")
	form := ask(-1, "/contact")
	assert.Equal(t, http.StatusOK, form.Code, "a form is never refused")
	assert.Contains(t, form.Body.String(), `id="contact-form"`)

	close(pictures.letGo)
	early.Wait()
	assert.Equal(t, http.StatusOK, ask(-1, "/models/men").Code)
}
