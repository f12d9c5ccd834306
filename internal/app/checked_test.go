package app_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/app"
	"zedcard/internal/config"
	"zedcard/internal/testkit"
)

// checked is what a check of a site over these back ends finds.
func checked(t *testing.T, fake *testkit.Fake, changed map[string]string) app.Report {
	t.Helper()
	t.Chdir(t.TempDir())
	settings := fake.Settings()
	maps.Copy(settings, changed)
	c, err := config.Load(nil, func(name string) string { return settings[name] })
	require.NoError(t, err)
	return app.Check(t.Context(), c)
}

func TestABackEndThatRefusesTheSignInEndsTheCheck(t *testing.T) {
	report := checked(t, testkit.NewFake(t), map[string]string{"PANEL_SALT": "another"})
	require.Len(t, report.Problems, 1)
	assert.Contains(t, report.Problems[0], "panel")
	assert.Empty(t, report.Notes, "nothing was read")
}

func TestABackEndThatAnswersNothingIsNamedOnce(t *testing.T) {
	fake := testkit.NewFake(t)
	fake.Break("POST /api/talents", testkit.Status(http.StatusInternalServerError))
	report := checked(t, fake, nil)
	require.Len(t, report.Problems, 1)
	assert.Contains(t, report.Problems[0], "integration")
}

func TestPagesThatAPanelDoesNotGiveAreNamed(t *testing.T) {
	fake := testkit.NewFake(t)
	fake.Change(func(c *testkit.Content) { c.Entities = []agency.Entity{{Name: "about", Body: "<p>Us.</p>"}} })
	problems := checked(t, fake, nil).Problems
	assert.Len(t, problems, 6, "two in each language; safety need not be there")
	for _, page := range []string{"page future-face (en): can't be read", "page privacy (es): can't be read"} {
		assert.Contains(t, strings.Join(problems, "\n"), page)
	}
}

func TestAMailServerThatTakesNoMailIsNamed(t *testing.T) {
	report := checked(t, testkit.NewFake(t), map[string]string{"SMTP_URL": "smtp://127.0.0.1:1"})
	problems := strings.Join(report.Problems, "\n")
	assert.Contains(t, problems, "SMTP_URL: the mail server takes no mail of the site: ")
}
