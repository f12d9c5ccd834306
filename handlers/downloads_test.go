package handlers_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/handlers"
	"zedcard/i18n"
	"zedcard/internal/agency"
)

// cardsBackend makes zips of this size, which take no room; calls for several talents wait until finish is closed.
type cardsBackend struct {
	size   int64
	begun  chan struct{}
	finish chan struct{}
}

func (b cardsBackend) Composite(_ context.Context, _ agency.Talent, file *os.File) error {
	return file.Truncate(b.size)
}

func (b cardsBackend) Composites(ctx context.Context, _ []string, file *os.File) error {
	b.begun <- struct{}{}
	select {
	case <-b.finish:
	case <-ctx.Done():
		return ctx.Err()
	}
	return file.Truncate(b.size)
}

// languageBackend notes the language that each card is asked for in.
type languageBackend chan i18n.Lang

func (b languageBackend) Composite(ctx context.Context, _ agency.Talent, _ *os.File) error {
	b <- agency.LanguageOf(ctx)
	return agency.ErrUnavailable
}

func (b languageBackend) Composites(ctx context.Context, _ []string, _ *os.File) error {
	b <- agency.LanguageOf(ctx)
	return agency.ErrUnavailable
}

func TestCardsAreInThePagesLanguage(t *testing.T) {
	back := make(languageBackend, 1)
	site := demoSite(t, func(s *handlers.Services) { s.Composites = back })
	for path, lang := range map[string]i18n.Lang{
		oneCard: i18n.EN, "/pt" + oneCard: i18n.PT, "/es" + manyCards: i18n.ES,
	} {
		get(site, path)
		assert.Equal(t, lang, <-back, path)
	}
}

const (
	oneCard   = "/models/101/benedita-nascimento/composite"
	manyCards = "/favorites/composites?ids=101,102,103"
)

func TestLongDownloadsLeaveRoomForACard(t *testing.T) {
	back := cardsBackend{begun: make(chan struct{}, 100), finish: make(chan struct{})}
	site := demoSite(t, func(s *handlers.Services) { s.Composites = back })
	var long sync.WaitGroup
	for _, address := range []string{"192.0.2.1:1", "192.0.2.1:1", "192.0.2.2:1", "192.0.2.2:1", "192.0.2.3:1"} {
		long.Go(func() { get(site, manyCards, client, address) })
	}
	for range 3 { // one of each client
		<-back.begun
	}
	assert.Equal(t, http.StatusOK, get(site, oneCard, client, "192.0.2.4:1").Code)
	assert.Empty(t, back.begun, "a client's second long download waits for its first one")
	close(back.finish)
	long.Wait()
}

func TestUnreadDownloadsOfOneClientAreBounded(t *testing.T) {
	back := cardsBackend{size: 128 << 20}
	site := demoSite(t, func(s *handlers.Services) { s.Composites = back })
	begun, letGo := make(chan struct{}), make(chan struct{})
	var unread sync.WaitGroup
	for range 2 { // its share
		unread.Go(func() {
			site.ServeHTTP(stalledConnection{discardingWriter{http.Header{}}, begun, letGo},
				newRequest(http.MethodGet, oneCard, "", client, "192.0.2.1:1"))
		})
		<-begun
	}
	refused := get(site, oneCard, client, "192.0.2.1:1")
	assert.Equal(t, http.StatusServiceUnavailable, refused.Code)
	assert.NotEmpty(t, refused.Header().Get("Retry-After"))

	answer := discardingWriter{http.Header{}}
	site.ServeHTTP(answer, newRequest(http.MethodGet, oneCard, "", client, "192.0.2.2:1"))
	assert.Equal(t, "134217728", answer.Header().Get("Content-Length"), "another visitor's card is served")
	close(letGo)
	unread.Wait()
}

func TestADownloadLeavesNoFile(t *testing.T) {
	folder := t.TempDir()
	site := demoSite(t, func(s *handlers.Services) { s.TempDir = folder })
	require.Equal(t, http.StatusOK, get(site, oneCard).Code)
	require.Equal(t, http.StatusOK, get(site, manyCards).Code)
	left, err := os.ReadDir(folder)
	require.NoError(t, err)
	assert.Empty(t, left)

	file := filepath.Join(t.TempDir(), "no folder")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	nowhere := demoSite(t, func(s *handlers.Services) { s.TempDir = file })
	assert.Equal(t, http.StatusServiceUnavailable, get(nowhere, oneCard).Code)
}
