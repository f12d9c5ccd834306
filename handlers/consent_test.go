package handlers_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/handlers"
	"zedcard/internal/agency"
)

// A page with a form may be open for a day while the policy changes.
func TestAConsentNamesThePolicyOfThePageThatTheFormWasOn(t *testing.T) {
	o := open(t)
	moved := &formsSite{t: t, now: o.now, db: o.db, intake: o.intake, Handler: demoSite(t, func(s *handlers.Services) {
		s.Intake, s.Now = o.intake, func() time.Time { return o.now }
		s.Site.Address = "Rua Nova 1, Porto" // which the policy's page says
	})}
	page := get(o, "/be-a-model").Body.String()
	token, old := valueOf(t, page, "form_token"), valueOf(t, page, "policy")
	o.now = o.now.Add(23 * time.Hour)
	now := valueOf(t, get(moved, "/be-a-model").Body.String(), "policy")
	require.NotEqual(t, old, now)
	returned := moved.upload("/be-a-model", with(applicant, "form_token", token, "policy", old, "email", "x"), nil)
	assert.Equal(t, now, valueOf(t, returned.Body.String(), "policy"), "the page with the errors leads to the new one")
	for name, c := range map[string]struct{ posted, noted string }{
		"Old": {old, old}, "New": {now, now}, "Program": {"", now}, "Made up": {strings.Repeat("0", 64), ""},
		"Cut": {old[:20], ""},
	} {
		answer := moved.upload("/be-a-model",
			with(applicant, "realname", name+" Page", "form_token", token, "policy", c.posted), photosOf(t))
		require.Equal(t, http.StatusSeeOther, answer.Code, name)
		for _, s := range o.storedSubmissions() {
			if sender, _ := s.Contact(); sender == name+" Page" {
				assert.Equal(t, c.noted, agency.Consents(s.Fields)[0].Policy, name)
			}
		}
	}
	for hash, address := range map[string]bool{old: false, now: true} {
		policy, err := o.intake.Policy(t.Context(), hash)
		require.NoError(t, err)
		assert.Equal(t, address, strings.Contains(policy.HTML, "Rua Nova 1"), "with what the site itself writes on it")
		has(t, policy.HTML, "<h1>Privacy</h1>", "180 days", "How a parent or guardian confirms")
	}

	key := strings.SplitN(linkTo(t, o, o.storedSubmissions()[0].ID), "?", 2)[1]
	opened := get(o, "/_inbox/policy?"+key+"&hash="+old)
	assert.Equal(t, http.StatusOK, opened.Code)
	assertUncached(t, opened.Header())
	has(t, opened.Body.String(), "Privacy policy of 21 November 2026", "180 days")
	assert.Equal(t, http.StatusNotFound, get(o, "/_inbox/policy?"+key[:len(key)-1]+"&hash="+old).Code)
	assert.Equal(t, http.StatusNotFound, get(o, "/_inbox/policy?"+key+"&hash="+strings.Repeat("0", 64)).Code)
}
