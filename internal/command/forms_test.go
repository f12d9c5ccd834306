package command_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var formToken = regexp.MustCompile(`name="form_token" value="([^"]+)"`)

// sendMessage fills in the contact form as a person does, and more fields by name and value, and gives the status of
// the answer.
func sendMessage(t *testing.T, site string, more ...string) int {
	t.Helper()
	_, page := get(t, site+"/contact")
	token := formToken.FindStringSubmatch(page)
	require.NotNil(t, token)
	values := url.Values{
		"form_token": {token[1]}, "name": {"Júlia Prado"}, "email": {"julia@example.com"},
		"phone": {"+351 912 345 678"}, "message": {"Two days."},
	}
	for i := 0; i < len(more); i += 2 {
		values.Set(more[i], more[i+1])
	}
	for { // a form that is sent sooner than a person can comes back
		res, err := withoutRedirects.PostForm(site+"/contact", values)
		require.NoError(t, err)
		body, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		_ = res.Body.Close()
		if res.StatusCode != http.StatusUnprocessableEntity ||
			!strings.Contains(string(body), "it reached us too quickly") {
			return res.StatusCode
		}
		time.Sleep(250 * time.Millisecond)
	}
}

func TestAMessageIsDeliveredAndShownByInbox(t *testing.T) {
	t.Chdir(t.TempDir())
	env := map[string]string{"LISTEN_ADDR": "127.0.0.1:0", "ADMIN_ADDR": "127.0.0.1:0", "SESSION_KEYS": "any,b"}
	p := start(t, 2, nil, env)
	require.Equal(t, http.StatusSeeOther, sendMessage(t, p.site))
	require.Eventually(t, func() bool {
		_, metrics := get(t, p.admin+"/metrics")
		return strings.Contains(metrics, `zedcard_outbox_submissions{state="delivered"} 1`)
	}, 10*time.Second, 20*time.Millisecond)
	_, metrics := get(t, p.admin+"/metrics")
	assert.Contains(t, metrics, `zedcard_outbox_submissions{state="queued"} 0`)
	assert.Contains(t, metrics, "zedcard_outbox_oldest_seconds 0")

	inbox := func(args ...string) string {
		var out, errs strings.Builder
		code := run(t.Context(), append([]string{"inbox"}, args...), env, &out, &errs)
		require.Zero(t, code, errs.String())
		return out.String()
	}
	assert.Regexp(t, `^[0-9a-f]{32} +contact +delivered +\S+ +Júlia Prado +julia@example.com +due \S+\n$`,
		inbox("list"))
	var entries []struct{ ID, Name string }
	require.NoError(t, json.Unmarshal([]byte(inbox("--json", "list")), &entries))
	require.Len(t, entries, 1)
	assert.Contains(t, inbox("show", entries[0].ID), "Two days.")
	inbox("export", "out")
	exported, err := os.ReadFile(filepath.Join("out", "submissions.csv"))
	require.NoError(t, err)
	assert.Contains(t, string(exported), "Júlia Prado")
	assert.Zero(t, p.stop())
}

func TestASuspectedMessageIsDeliveredWhenTheOperatorSaysSo(t *testing.T) {
	t.Chdir(t.TempDir())
	env := map[string]string{"LISTEN_ADDR": "127.0.0.1:0", "ADMIN_ADDR": "127.0.0.1:0"}
	p := start(t, 2, nil, env)
	require.Equal(t, http.StatusSeeOther, sendMessage(t, p.site, "homepage", "filled in by a program"))
	inbox := func(args ...string) string {
		var out, errs strings.Builder
		code := run(t.Context(), append([]string{"inbox"}, args...), env, &out, &errs)
		require.Zero(t, code, errs.String())
		return out.String()
	}
	line := strings.Fields(inbox("list"))
	require.Equal(t, []string{"contact", "suspected"}, line[1:3])
	_, metrics := get(t, p.admin+"/metrics")
	assert.Contains(t, metrics, `zedcard_outbox_submissions{state="suspected"} 1`)
	inbox("deliver", line[0])
	require.Eventually(t, func() bool { return strings.Contains(inbox("list"), " delivered ") },
		10*time.Second, 50*time.Millisecond)
	assert.Zero(t, p.stop())
}

func TestTheOperatorErasesAllHeldSubmissions(t *testing.T) {
	t.Chdir(t.TempDir())
	env := map[string]string{"LISTEN_ADDR": "127.0.0.1:0", "ADMIN_ADDR": "off"}
	p := start(t, 1, nil, env)
	require.Equal(t, http.StatusSeeOther, sendMessage(t, p.site, "homepage", "filled in by a program"))
	require.Equal(t, http.StatusSeeOther, sendMessage(t, p.site, "homepage", "and again", "message", "Three days."))
	require.Equal(t, http.StatusSeeOther, sendMessage(t, p.site))
	inbox := func(args ...string) string {
		var out, errs strings.Builder
		require.Zero(t, run(t.Context(), append([]string{"inbox"}, args...), env, &out, &errs), errs.String())
		return out.String()
	}
	require.Equal(t, 2, strings.Count(inbox("list"), " suspected "))
	assert.Equal(t, 2, strings.Count(inbox("erase", "--held"), " erased\n"))
	assert.Equal(t, 1, strings.Count(inbox("list"), "\n"), "what a person sent is still there")
	assert.Empty(t, inbox("erase", "--held"))
	assert.Zero(t, p.stop())
}

func TestInboxPrintsItsUsage(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range [][]string{
		{"inbox"}, {"inbox", "list", "all"}, {"inbox", "show"},
		{"inbox", "deliver"}, {"inbox", "drop", "x"}, {"inbox", "list", "--xml"}, {"inbox", "erase"},
		{"inbox", "list", "--held"}, {"inbox", "erase", "x", "--held"},
		{"inbox", "erase", "--held", "--email", "a@b.c"},
	} {
		var out, errs strings.Builder
		assert.Equal(t, 2, run(t.Context(), args, nil, &out, &errs), args)
		assert.Equal(t, 1, strings.Count(errs.String(), "\n"), errs.String())
	}
	var out, errs strings.Builder
	assert.Equal(t, 1, run(t.Context(), []string{"inbox", "show", "unknown"}, nil, &out, &errs))
	assert.Contains(t, errs.String(), "unknown: not found")
}

func TestSiteStartsWithItsDatabaseDown(t *testing.T) {
	t.Chdir(t.TempDir())
	p := start(t, 1, nil, map[string]string{
		"LISTEN_ADDR": "127.0.0.1:0", "ADMIN_ADDR": "off", "DATABASE_URL": "postgres://zedcard@127.0.0.1:1/zedcard",
		"SESSION_KEYS": "a key that is configured",
	})
	assert.Equal(t, http.StatusOK, statusOf(t, p.site+"/models"))
	assert.Equal(t, http.StatusServiceUnavailable, sendMessage(t, p.site),
		"a message that can't be stored is not reported as sent")
	assert.Zero(t, p.stop())
}
