package app_test

import (
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tokenOf is that of a form that was just shown.
func tokenOf(t *testing.T, address string) string {
	t.Helper()
	return pageAt(t, address).Attr("input[name=form_token]", "value")
}

// messageForm is a contact form that was just shown, as a person fills it in.
func messageForm(t *testing.T, site string) url.Values {
	t.Helper()
	return url.Values{
		"form_token": {tokenOf(t, site+"/contact")}, "name": {"Júlia Prado"}, "email": {"julia@example.com"},
		"phone": {"+351 912 345 678"}, "message": {"Two days."},
	}
}

// send posts a body, where one is named from a client behind a proxy, and returns the answer.
func send(t *testing.T, address, client, contentType string, sent io.Reader) (status int, page string) {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, address, sent)
	require.NoError(t, err)
	req.Header.Set("Content-Type", contentType)
	if client != "" {
		req.Header.Set("X-Forwarded-For", client)
	}
	res, err := withoutRedirects.Do(req)
	require.NoError(t, err)
	return res.StatusCode, body(t, res)
}

func post(t *testing.T, address, client string, form url.Values) (status int, page string) {
	t.Helper()
	return send(t, address, client, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()))
}

// sendMessage sends a contact form, with more fields by name and value, and gives the status of the answer.
func sendMessage(t *testing.T, site string, more ...string) int {
	t.Helper()
	return sendForm(t, site, messageForm(t, site), more...)
}

// sendForm sends a form that was shown before: each other message of it is one more.
func sendForm(t *testing.T, site string, values url.Values, more ...string) int {
	t.Helper()
	for i := 0; i < len(more); i += 2 {
		values.Set(more[i], more[i+1])
	}
	status, _ := post(t, site+"/contact", "", values)
	return status
}

func TestAMessageIsDeliveredAndShownByInbox(t *testing.T) {
	t.Chdir(t.TempDir())
	env := map[string]string{"SESSION_KEYS": "any,b"}
	p := start(t, env)
	require.Equal(t, http.StatusSeeOther, sendMessage(t, p.site))
	require.Eventually(t, func() bool {
		_, metrics := get(t, p.admin+"/metrics")
		return strings.Contains(metrics, `zedcard_outbox_submissions{state="delivered"} 1`)
	}, time.Minute, 20*time.Millisecond)
	_, metrics := get(t, p.admin+"/metrics")
	assert.Contains(t, metrics, `zedcard_outbox_submissions{state="queued"} 0`)
	assert.Contains(t, metrics, "zedcard_outbox_oldest_seconds 0")
	list := output(t, env, "inbox", "list")
	assert.Regexp(t, `^[0-9a-f]{32} +contact +delivered +\S+ +Júlia Prado +julia@example.com\n$`, list)
	assert.Contains(t, output(t, env, "inbox", "show", strings.Fields(list)[0]), "Two days.")
	output(t, env, "inbox", "export", "out")
	exported := read(t, filepath.Join("out", "submissions.csv"))
	assert.Contains(t, exported, "Júlia Prado")
}

func TestSuspectedMessagesAreDeliveredOrErasedWhenTheOperatorSaysSo(t *testing.T) {
	t.Chdir(t.TempDir())
	p := start(t, nil)
	inbox := func(args ...string) string { return output(t, nil, append([]string{"inbox"}, args...)...) }
	form := messageForm(t, p.site)
	require.Equal(t, http.StatusSeeOther, sendForm(t, p.site, form, "homepage", "filled in by a program"))
	line := strings.Fields(inbox("list"))
	require.Equal(t, []string{"contact", "suspected"}, line[1:3])
	_, metrics := get(t, p.admin+"/metrics")
	assert.Contains(t, metrics, `zedcard_outbox_submissions{state="suspected"} 1`)
	inbox("deliver", line[0])
	require.Eventually(t, func() bool { return strings.Contains(inbox("list"), " delivered ") },
		time.Minute, 50*time.Millisecond)

	require.Equal(t, http.StatusSeeOther, sendForm(t, p.site, form, "homepage", "and again", "message", "Three days."))
	require.Equal(t, http.StatusSeeOther, sendForm(t, p.site, form, "homepage", "and again", "message", "Four days."))
	require.Equal(t, 2, strings.Count(inbox("list"), " suspected "))
	assert.Equal(t, 2, strings.Count(inbox("erase", "--held"), " erased\n"))
	assert.Equal(t, 1, strings.Count(inbox("list"), "\n"), "what was delivered is still there")
	assert.Empty(t, inbox("erase", "--held"))
}

func TestSiteStartsWithItsDatabaseDown(t *testing.T) {
	t.Chdir(t.TempDir())
	p := start(t, map[string]string{
		"DATABASE_URL": "postgres://zedcard@127.0.0.1:1/zedcard", "SESSION_KEYS": "a key that is configured",
	})
	assert.Equal(t, http.StatusOK, statusOf(t, p.site+"/models"))
	assert.Equal(t, http.StatusServiceUnavailable, sendMessage(t, p.site),
		"a message that can't be stored is not reported as sent")
}
