package handlers_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"zedcard/handlers"
	"zedcard/i18n"
	"zedcard/internal/agency"
)

// composites is a back end that makes cards with this function, one or several.
type composites func(ctx context.Context, cards int, file *os.File) error

func (c composites) Composite(ctx context.Context, _ agency.Talent, file *os.File) error {
	return c(ctx, 1, file)
}

func (c composites) Composites(ctx context.Context, ids []string, file *os.File) error {
	return c(ctx, len(ids), file)
}

// withComposites is the demo site with this back end.
func withComposites(t *testing.T, back composites) http.Handler {
	t.Helper()
	return demoSite(t, func(s *handlers.Services) { s.Composites = back })
}

func TestCardsAreInThePagesLanguage(t *testing.T) {
	asked := make(chan i18n.Lang, 1)
	site := withComposites(t, func(ctx context.Context, _ int, _ *os.File) error {
		asked <- agency.LanguageOf(ctx)
		return agency.ErrUnavailable
	})
	for path, lang := range map[string]i18n.Lang{
		oneCard: i18n.EN, "/pt" + oneCard: i18n.PT, "/es" + manyCards: i18n.ES,
	} {
		get(site, path)
		assert.Equal(t, lang, <-asked, path)
	}
}

func TestACompositeThatIsNeverReadyIsAnsweredWithinTenSeconds(t *testing.T) {
	until := make(chan time.Time, 1)
	site := withComposites(t, func(ctx context.Context, _ int, _ *os.File) error {
		deadline, _ := ctx.Deadline()
		until <- deadline
		return context.DeadlineExceeded
	})
	for _, path := range []string{oneCard, "/favorites/composites?ids=101,102"} {
		begun := time.Now()
		answer := get(site, path)
		assert.Equal(t, http.StatusServiceUnavailable, answer.Code, path)
		assert.NotEmpty(t, answer.Header().Get("Retry-After"))
		assert.Less(t, (<-until).Sub(begun), 9*time.Second, path)
	}
}

func TestACancelledRequestIsAborted(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	site := withComposites(t, func(ctx context.Context, _ int, _ *os.File) error {
		leave()
		return ctx.Err()
	})
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, oneCard, nil)
	assert.PanicsWithValue(t, http.ErrAbortHandler, func() { answerTo(site, r) }, "the connection is aborted")
}

const (
	oneCard   = "/models/101/benedita-nascimento/composite"
	manyCards = "/favorites/composites?ids=101,102,103"
)

func TestLongDownloadsLeaveRoomForACard(t *testing.T) {
	begun, finish := make(chan struct{}, 100), make(chan struct{})
	site := withComposites(t, func(_ context.Context, cards int, _ *os.File) error {
		if cards > 1 {
			begun <- struct{}{}
			<-finish
		}
		return nil
	})
	var long sync.WaitGroup
	for _, address := range []string{"192.0.2.1:1", "192.0.2.1:1", "192.0.2.2:1", "192.0.2.2:1", "192.0.2.3:1"} {
		long.Go(func() { get(site, manyCards, client, address) })
	}
	for range 3 { // one of each client
		<-begun
	}
	assert.Equal(t, http.StatusOK, get(site, oneCard, client, "192.0.2.4:1").Code)
	assert.Empty(t, begun, "a client's second long download waits for its first one")
	close(finish)
	long.Wait()
}

func TestUnreadDownloadsOfOneClientAreBounded(t *testing.T) {
	site := withComposites(t, func(_ context.Context, _ int, file *os.File) error {
		return file.Truncate(128 << 20) // which takes no room
	})
	letGo := stall(site, 2, oneCard, client, "192.0.2.1:1") // its share
	refused := get(site, oneCard, client, "192.0.2.1:1")
	assert.Equal(t, http.StatusServiceUnavailable, refused.Code)
	assert.NotEmpty(t, refused.Header().Get("Retry-After"))

	answer := newCountingWriter()
	site.ServeHTTP(answer, newRequest(http.MethodGet, oneCard, "", client, "192.0.2.2:1"))
	assert.Equal(t, "134217728", answer.Header().Get("Content-Length"), "another visitor's card is served")
	letGo()
}
