package check_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/backend/backendtest"
	"zedcard/internal/check"
	"zedcard/internal/config"
)

// run checks a site with these settings, whose files are in a folder of their own.
func run(t *testing.T, settings map[string]string) check.Report {
	t.Helper()
	data := t.TempDir()
	c, err := config.Load(nil, func(name string) string {
		switch value, set := settings[name]; {
		case set:
			return value
		case name == "DATA_DIR":
			return data
		case name == "DATABASE_URL":
			return "sqlite:" + filepath.Join(data, "zedcard.db")
		}
		return ""
	})
	require.NoError(t, err)
	return check.Run(t.Context(), c)
}

// fakeBackEnds are the settings of both back ends, which the test can change.
func fakeBackEnds(t *testing.T) (*backendtest.Fake, map[string]string) {
	fake := backendtest.NewFake(t)
	return fake, map[string]string{
		"PANEL_URL": fake.PanelURL, "PANEL_SALT": backendtest.PanelSalt, "PANEL_API_TOKEN": backendtest.APIToken,
		"INTEGRATION_URL": fake.IntegrationURL, "INTEGRATION_SALT": backendtest.IntegrationSalt,
		"INTEGRATION_API_KEY": backendtest.APIKey,
	}
}

func contains(t *testing.T, lines []string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		assert.Contains(t, strings.Join(lines, "\n"), text)
	}
}

func TestABackEndThatRefusesTheSignInEndsTheCheck(t *testing.T) {
	_, settings := fakeBackEnds(t)
	settings["PANEL_SALT"] = "another"
	report := run(t, settings)
	require.Len(t, report.Problems, 1)
	contains(t, report.Problems, "panel")
	assert.Empty(t, report.Notes, "nothing was read")
}

func TestABackEndThatAnswersNothingIsNamedOnce(t *testing.T) {
	fake, settings := fakeBackEnds(t)
	fake.Break("POST /api/talents", backendtest.Status(http.StatusInternalServerError))
	report := run(t, settings)
	require.Len(t, report.Problems, 1)
	contains(t, report.Problems, "integration")
}

func TestPagesThatAPanelDoesNotGiveAreNamed(t *testing.T) {
	fake, settings := fakeBackEnds(t)
	fake.Change(func(c *backendtest.Content) { c.Entities = []agency.Entity{{Name: "about", Body: "<p>Us.</p>"}} })
	problems := run(t, settings).Problems
	contains(t, problems, "page future-face (en): can't be read", "page privacy (es): can't be read")
	assert.Len(t, problems, 6, "two in each language; safety need not be there")
}
