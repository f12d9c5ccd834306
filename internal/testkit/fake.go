// Package testkit has what tests of back ends need: Fake is the embedded back end's HTTP side with content and
// faults that a test decides, and a record of what was requested.
package testkit

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/remote"
)

// The credentials that the fake accepts.
const (
	PanelSalt       = "fake-panel-salt"
	APIToken        = "fake-panel-api-token" // #nosec G101 -- of the fake
	IntegrationSalt = "fake-integration-salt"
	APIKey          = "fake-integration-api-key"
)

// Content is what the fake answers with.
type Content struct {
	Talents      []agency.Talent
	Options      agency.Options // Cities are given for any country
	Slides       []agency.Slide
	Posts        map[string][]agency.Post // by type, newest first
	Entities     []agency.Entity
	SocialMedias []agency.SocialMedia
}

// Request is a request as the fake received it.
type Request struct {
	Method, Path string
	Query        url.Values
	Header       http.Header
	Body         []byte
	Broken       bool // by a fault
}

// Fake is a panel and an integration back end on a port of this machine.
type Fake struct {
	PanelURL, IntegrationURL string

	revoked     atomic.Int64 // how many times tokens were revoked
	connections atomic.Int64

	mu          sync.Mutex
	content     Content
	roster      []*agency.Talent // the content's; nil: not made yet
	requests    []Request
	submissions []agency.Submission
	faults      []rule // the latest comes before the others
}

type rule struct {
	pattern string
	fault   Fault
}

// NewFake starts a server with a little content; it ends with the test.
func NewFake(t testing.TB) *Fake {
	f := &Fake{content: smallContent()}
	server := httptest.NewUnstartedServer(f.Record(f.APIs()))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			f.connections.Add(1)
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	f.PanelURL, f.IntegrationURL = server.URL, server.URL
	return f
}

// Record keeps a request, and passes it on through the faults that are set for it.
func (f *Fake) Record(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Reading it all also lets the server notice a client that gives up.
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // a client that left in the middle
		}
		r.Body = io.NopCloser(bytes.NewReader(body))

		f.mu.Lock()
		request := Request{r.Method, r.URL.Path, r.URL.Query(), r.Header.Clone(), body, false}
		handler := next
		for _, rule := range f.faults {
			if matches(rule.pattern, r.Method, r.URL.Path) {
				handler, request.Broken = rule.fault(handler), true
			}
		}
		f.requests = append(f.requests, request)
		f.mu.Unlock()
		handler.ServeHTTP(w, r)
	})
}

// matches reports whether pattern, the beginning of a path with or without a method before it
// ("/api/talents", "POST /api/login", ""), fits the request.
func matches(pattern, method, path string) bool {
	return strings.HasPrefix(path, pattern) || strings.HasPrefix(method+" "+path, pattern)
}

// Break sets a fault for the requests that begin with pattern: a path, or a method and a path, or nothing for all. It
// comes before the faults that are already set.
func (f *Fake) Break(pattern string, fault Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.faults = append(f.faults, rule{pattern, fault})
}

// Heal removes all faults.
func (f *Fake) Heal() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.faults = nil
}

// RevokeTokens makes all tokens given so far invalid: it sets the clock to after their end.
func (f *Fake) RevokeTokens() { f.revoked.Add(1) }

func (f *Fake) clock() time.Time {
	return time.Now().Add(time.Duration(f.revoked.Load()) * 24 * time.Hour)
}

// Change changes the content. It must replace lists and maps and not write to them, because a call may be reading them.
func (f *Fake) Change(change func(*Content)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(&f.content)
	f.roster = nil
}

// Content is what the fake answers with now.
func (f *Fake) Content() Content {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.content
}

// Requests are the requests so far that begin with pattern, as in Break.
func (f *Fake) Requests(pattern string) []Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	found := []Request{}
	for _, request := range f.requests {
		if matches(pattern, request.Method, request.Path) {
			found = append(found, request)
		}
	}
	return found
}

// Submissions are those that the fake accepted.
func (f *Fake) Submissions() []agency.Submission {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.submissions)
}

// Connections is the number of connections that were opened so far.
func (f *Fake) Connections() int { return int(f.connections.Load()) }

// Limits are for back ends that answer, however busy the machine is. Retries follow at once.
var Limits = remote.Limits{
	Read:    20 * time.Second,
	Long:    30 * time.Second,
	Backoff: 5 * time.Millisecond,
	Open:    50 * time.Millisecond,
}

// QuickLimits keep a test of back ends that hang short: a read may take three seconds.
var QuickLimits = remote.Limits{
	Read:    3 * time.Second,
	Long:    4 * time.Second,
	Backoff: Limits.Backoff,
	Open:    Limits.Open,
}

// Settings are those of a site on the fake.
func (f *Fake) Settings() map[string]string {
	return map[string]string{
		"PANEL_URL": f.PanelURL, "PANEL_SALT": PanelSalt, "PANEL_API_TOKEN": APIToken,
		"INTEGRATION_URL": f.IntegrationURL, "INTEGRATION_SALT": IntegrationSalt, "INTEGRATION_API_KEY": APIKey,
	}
}

// PanelConfig is for a client of the fake's panel.
func (f *Fake) PanelConfig(limits remote.Limits) remote.Config {
	return remote.Config{BaseURL: f.PanelURL, Salt: PanelSalt, Key: APIToken, Limits: limits}
}

// IntegrationConfig is for a client of the fake's integration.
func (f *Fake) IntegrationConfig(limits remote.Limits) remote.Config {
	return remote.Config{BaseURL: f.IntegrationURL + "/", Salt: IntegrationSalt, Key: APIKey, Limits: limits}
}

// Panel is a client of the fake, with Limits.
func (f *Fake) Panel() *remote.Panel { return remote.NewPanel(f.PanelConfig(Limits)) }

// Integration is a client of the fake, with Limits.
func (f *Fake) Integration() *remote.Integration {
	return remote.NewIntegration(remote.IntegrationConfig{Config: f.IntegrationConfig(Limits)})
}

func smallContent() Content {
	sizes := []agency.Option{{Value: "40", Label: "40"}}
	content := Content{
		Talents: Talents(30),
		Options: agency.Options{
			Countries: []agency.Place{{ID: "1", Value: "Brazil"}, {ID: "2", Value: "Portugal"}},
			Cities:    []agency.Place{{ID: "11", Value: "São Paulo"}},
			Eyes:      []agency.Option{{Value: "Blue", Label: "Azul", Value2: "Azul"}},
			Hair:      []agency.Option{{Value: "Black", Label: "Negro", Value2: "Preto"}},
			Gender:    []agency.Option{{Value: "woman", Label: "Woman"}, {Value: "man", Label: "Man"}},
			HairKind:  []agency.Option{{Value: "Curly", Label: "Rizado", Value2: "Cacheado"}},
			HairSize:  []agency.Option{{Value: "Long", Label: "Largo", Value2: "Longo"}},
			Height:    sizes, Bust: sizes, Waist: sizes, Hips: sizes, Shoes: sizes, Suit: sizes,
		},
		Slides: []agency.Slide{
			{Mobile: "slides/m1.jpg", Desktop: "slides/d1.jpg", Group: 1},
			{Mobile: "slides/m2.jpg", Desktop: "slides/d2.jpg", Group: 2},
		},
		Posts: map[string][]agency.Post{},
		Entities: []agency.Entity{{
			Name: "about", Title: "About us", Body: "<p>An agency.</p>",
			Images: []agency.Picture{{File: "staff/1.jpg", Width: 600, Height: 800, Caption: "Ana — director"}},
		}},
		SocialMedias: []agency.SocialMedia{{Name: "Instagram", URL: "https://social.example/agency"}},
	}
	for i := range 13 {
		number := strconv.Itoa(i + 1)
		content.Posts["news"] = append(content.Posts["news"], agency.Post{
			ID: number, Type: "news", Slug: "post-" + number, Title: "Notícia " + number, Author: "Ana",
			Excerpt: "Um resumo", Body: "<p>Texto</p>", Cover: "blog/" + number + ".jpg",
			PublishedAt: time.Date(2026, 5, 28-i, 0, 0, 0, 0, time.UTC),
		})
	}
	return content
}
