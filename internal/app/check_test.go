package app_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"zedcard/internal/agency"
	"zedcard/internal/testkit"
)

func TestCheckNamesWhatBackEndsDoNotGiveAndWhatVisitorsMiss(t *testing.T) {
	t.Chdir(t.TempDir())
	down := testkit.Status(http.StatusInternalServerError)
	for _, c := range []struct {
		faults map[string]testkit.Fault
		set    string // SMTP_URL
		count  int    // of lines; 0: any
		says   []string
	}{
		{faults: map[string]testkit.Fault{
			"/api/talent/profile": down, "/api/talents/attributes": down, "/api/slides": down,
			"/api/social-medias": down, "/api/posts/news/pt/post-": down,
			"POST /api/talents": testkit.Answer(`{"data": [{"id": 1}, {"uuid": 2}], "total": 9}`),
		}, says: []string{
			"integration: talent 1: unavailable: answered 500; visitors miss the galleries",
			"integration: options: unavailable: answered 500; visitors miss the application form",
			"panel: slides of home: unavailable: answered 500; visitors miss the home page",
			"panel: social medias: unavailable: answered 500; visitors miss the links",
			`panel: post "post-1" of news: unavailable: answered 500; visitors miss the texts`,
			"the list of talents ends before its total",
		}},
		{faults: map[string]testkit.Fault{"POST /api/talents": down}, count: 1, says: []string{"integration"}},
		{count: 6, says: []string{ // two pages in each language; safety need not be there
			"page future-face (en): can't be read", "page privacy (es): can't be read",
		}},
		{set: "smtp://127.0.0.1:1", says: []string{"SMTP_URL: the mail server takes no mail of the site: "}},
	} {
		fake := testkit.NewFake(t)
		fake.Change(func(c *testkit.Content) { c.Entities = []agency.Entity{{Name: "about", Body: "<p>Us.</p>"}} })
		for path, fault := range c.faults {
			fake.Break(path, fault)
		}
		settings := fake.Settings()
		settings["SMTP_URL"] = c.set
		code, out, _ := run(t, settings, "check")
		assert.Equal(t, 1, code)
		for _, line := range c.says {
			assert.Contains(t, out, line)
		}
		if c.count > 0 {
			assert.Equal(t, c.count, strings.Count(out, "\n"), out)
		}
	}
}
