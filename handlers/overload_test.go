package handlers_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/handlers"
	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/testkit"
)

// blockedPictures blocks until it is released: until then a page with a picture is being rendered. It reports the first
// such page.
type blockedPictures struct {
	storage
	begun, letGo chan struct{}
}

func (s blockedPictures) Sources(picture agency.Picture, crop agency.Crop, minor bool) agency.Sources {
	select {
	case s.begun <- struct{}{}:
		<-s.letGo
	case <-s.letGo:
	}
	return s.storage.Sources(picture, crop, minor)
}

func TestOverloadIsAnswered503InTimeAndRecovers(t *testing.T) {
	pictures := blockedPictures{begun: make(chan struct{}), letGo: make(chan struct{})}
	site := demoSite(t, func(s *handlers.Services) { s.Site.Pictures = pictures })
	var early sync.WaitGroup
	ask := func(path string) *httptest.ResponseRecorder { return get(site, path, "Cookie", "shortlist=mine") }
	room := 8 * runtime.GOMAXPROCS(0)
	for range room {
		early.Go(func() {
			assert.Equal(t, http.StatusOK, ask("/models/women").Code, "requests within capacity are served")
		})
	}
	for range room {
		<-pictures.begun
	}
	for path, words := range map[string]string{"/models/men": "Try again", "/pt/models": "Tentar de novo"} {
		late := ask(path)
		assert.Equal(t, http.StatusServiceUnavailable, late.Code)
		assert.NotEmpty(t, late.Header().Get("Retry-After"))
		has(t, late.Body.String(), words)
		assert.Less(t, late.Body.Len(), 1<<10, "it costs next to nothing")
	}
	form := ask("/contact")
	assert.Equal(t, http.StatusOK, form.Code, "form pages are served during overload")
	assert.Contains(t, form.Body.String(), `id="contact-form"`)

	close(pictures.letGo)
	early.Wait()
	assert.Equal(t, http.StatusOK, ask("/models/men").Code)
}

func TestPagesWaitingForABackEndDontBlockOthers(t *testing.T) {
	site, fake := fakeSite(t, func(*testkit.Content) {})
	require.Equal(t, http.StatusOK, get(site, "/models").Code)
	begun, letGo := make(chan struct{}), make(chan struct{})
	fake.Break("/api/posts", func(http.Handler) http.Handler {
		return http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			select {
			case begun <- struct{}{}:
				<-letGo
			case <-letGo: // asked again
			}
		})
	})
	var waiting sync.WaitGroup
	for number := range 2 * runtime.GOMAXPROCS(0) {
		waiting.Go(func() { get(site, fmt.Sprint("/blog/news/", number), client, fmt.Sprint(number)) })
	}
	for range 2 * runtime.GOMAXPROCS(0) {
		<-begun
	}
	assert.Equal(t, http.StatusOK, get(site, "/models/women").Code)
	close(letGo)
	waiting.Wait()
}

// stalledConnection is a visitor's connection that reads the headers and nothing more until it is released.
type stalledConnection struct {
	http.ResponseWriter
	begun, letGo chan struct{}
}

func (h stalledConnection) Write(data []byte) (int, error) {
	select {
	case <-h.letGo:
	case h.begun <- struct{}{}:
		<-h.letGo
	}
	return h.ResponseWriter.Write(data)
}

// stall requests an address that many times, each once the one before has begun to send its answer, which nobody reads
// until letGo.
func stall(site http.Handler, times int, address string, headers ...string) (letGo func()) {
	connection := stalledConnection{begun: make(chan struct{}), letGo: make(chan struct{})}
	var unread sync.WaitGroup
	for range times {
		connection.ResponseWriter = newCountingWriter()
		unread.Go(func() { site.ServeHTTP(connection, newRequest(http.MethodGet, address, "", headers...)) })
		<-connection.begun
	}
	return func() {
		close(connection.letGo)
		unread.Wait()
	}
}

func TestSlowDownloadsDontBlockOtherCards(t *testing.T) {
	site := demoSite(t)
	letGo := stall(site, 8, oneCard, client, "192.0.2.66:1")
	assert.Equal(t, http.StatusOK, get(site, oneCard).Code, "another visitor's card is served")
	letGo()
}

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
	left := make(chan time.Duration, 1)
	site := withComposites(t, func(ctx context.Context, _ int, _ *os.File) error {
		deadline, _ := ctx.Deadline()
		left <- time.Until(deadline)
		return context.DeadlineExceeded
	})
	for _, path := range []string{oneCard, "/favorites/composites?ids=101,102"} {
		answer := get(site, path)
		assert.Equal(t, http.StatusServiceUnavailable, answer.Code, path)
		assert.NotEmpty(t, answer.Header().Get("Retry-After"))
		assert.Less(t, <-left, 9*time.Second, path)
		has(t, answer.Body.String(), "prepare the composite")
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

func TestAnIPv6NetworkHasTenTimesTheLimitOfAHousehold(t *testing.T) {
	site := demoSite(t)
	ask := func(household int) int {
		return get(site, oneCard, client, fmt.Sprintf("2001:db8:1:%x::/64", household)).Code
	}
	for n := range 300 {
		require.NotEqual(t, http.StatusTooManyRequests, ask(n/30), n)
	}
	assert.Equal(t, http.StatusTooManyRequests, ask(11))
	assert.NotEqual(t, http.StatusTooManyRequests, get(site, oneCard, client, "2001:db8:2:1::/64").Code)
}
