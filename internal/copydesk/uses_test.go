package copydesk_test

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/copydesk"
)

func TestUsesAreFollowedFromTheScreensHandlers(t *testing.T) {
	uses, err := readUses(fstest.MapFS{
		"internal/routes/routes.go": {Data: []byte(`package routes
type Screen string
const ( About Screen = "about"; Contact Screen = "contact-us" )`)},
		"handlers/routes.go": {Data: []byte(`package handlers
import "zedcard/internal/routes"
var screens = map[routes.Screen]handler{ routes.About: s.showAbout, routes.Contact: s.showContact }`)},
		"handlers/about.go": {Data: []byte(`package handlers
import "zedcard/views"
func (s *site) showAbout() { s.page(); return views.About(p) }
func (s *site) showContact() { return s.fail() }
func (s *site) page() { return p.N("list.count", 3) }
func (s *site) fail() { return p.T("error.404") }`)},
		"views/about_templ.go": {Data: []byte(`package views
func About(p Page) { Layout(p); return p.title() }
func Layout(p Page) { return p.T("nav.menu") }
func (p Page) title() string { return words["x"] }
var words = map[string]string{"x": "nav.about"}`)},
		"views/about_test.go": {Data: []byte(`package views; func About() { return "nav.contact" }`)},
	})
	require.NoError(t, err)
	assert.Equal(t, map[string]copydesk.Use{
		"nav.about":        {Files: []string{"views/about.templ"}, Screens: []string{"about"}},
		"list.count.one":   {Files: []string{"handlers/about.go"}, Screens: []string{"about"}},
		"list.count.other": {Files: []string{"handlers/about.go"}, Screens: []string{"about"}},
		"nav.menu":         {Files: []string{"views/about.templ"}, Screens: []string{copydesk.EveryPage}},
		"error.404":        {Files: []string{"handlers/about.go"}, Screens: []string{copydesk.ErrorPage}},
	}, uses)
}

var update = flag.Bool("update", false, "write uses.json anew")

// Editors see where a text is used without the program having its sources.
func TestUsesMatchTheSources(t *testing.T) {
	if testing.Short() {
		t.Skip("too slow with the race detector; see test-go in the Makefile")
	}
	uses, err := readUses(os.DirFS("../.."))
	require.NoError(t, err)
	lines := make([]string, 0, len(uses))
	for _, key := range slices.Sorted(maps.Keys(uses)) {
		assert.NotEmpty(t, uses[key].Screens, "%s: no screen; was a function of frames renamed?", key)
		line, err := json.Marshal(uses[key])
		require.NoError(t, err)
		lines = append(lines, strconv.Quote(key)+": "+string(line))
	}
	written := "{\n" + strings.Join(lines, ",\n") + "\n}\n"
	if *update {
		require.NoError(t, os.WriteFile("uses.json", []byte(written), 0o600))
		return
	}
	kept, err := os.ReadFile("uses.json")
	require.NoError(t, err)
	assert.Equal(t, written, string(kept), "uses.json is out of date: run go generate ./internal/copydesk")
}

// A text without a screen would be missing from every filter of the desk.
func TestTheSitesOwnTextsHaveTheirScreens(t *testing.T) {
	uses := copydesk.Uses()
	for key, screens := range map[string][]string{
		"nav.menu":             {copydesk.EveryPage},
		"error.503":            {copydesk.ErrorPage},
		"profile.back":         {"misplaced", "profile"},
		"copy.title":           {copydesk.EditorsView},
		"copy.found":           {copydesk.EditorsView},
		"guardian.mail.text":   {copydesk.Mail},
		"about.about":          {"about"},
		"apply.realname":       {"apply", "inbox"},
		"contact.lede":         {"contact", "dock", "favorites"},
		"compare.title":        {"compare"},
		"future-face.faces":    {"future-face"},
		"error.email.required": {"apply", "contact"},
	} {
		assert.Equal(t, screens, uses[key].Screens, key)
	}
	for key, use := range uses {
		assert.NotEmpty(t, use.Screens, "%s, used in %v, has a screen", key, use.Files)
	}
}
