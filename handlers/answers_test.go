package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/testkit/htmltest"
)

const forFerrand = "/favorites?ids=101,104,105&for=Maison+Ferrand"

// answersTo are the fields of the shared page as a browser posts them, filled in.
func answersTo(t *testing.T, o *formsSite, filled map[string]string) map[string]string {
	t.Helper()
	page := htmltest.Read(t, get(o, forFerrand).Body.String())
	assert.Equal(t, "/contact", page.Attr("#contact-form", "action"))
	values := with(message, "message", "")
	for _, name := range page.Attrs("#contact-form input[type=hidden]", "name") {
		values[name] = page.Attr("#contact-form input[name="+name+"]", "value")
	}
	for name, value := range filled {
		values[name] = value
	}
	return values
}

func messageOf(t *testing.T, o *formsSite) string {
	t.Helper()
	require.Len(t, o.storedSubmissions(), 1)
	fields := o.storedSubmissions()[0].Fields
	require.Len(t, fields, 4, "the panel's four fields are unchanged")
	return fields[3].Value
}

func TestAClientAnswersForEachPersonOnAShortlist(t *testing.T) {
	o := open(t)
	answer := get(o, forFerrand)
	assert.Equal(t, "private, no-cache", answer.Header().Get("Cache-Control"), "what was typed comes back with Back")
	assert.Equal(t, "noindex, nofollow", answer.Header().Get("X-Robots-Tag"))
	page := htmltest.Read(t, answer.Body.String())
	for _, id := range []string{"101", "104", "105"} {
		assert.Equal(t, []string{"yes", "maybe", "no"}, page.Attrs("input[type=radio][name=answer-"+id+"]", "value"))
		assert.Equal(t, "200", page.Attr("input[name=note-"+id+"]", "maxlength"))
	}
	assert.Equal(t, "Benedita Nascimento", page.Words("#contact-form fieldset legend")[0])
	assert.Equal(t, "#answer", page.Attr("#bar a.button", "href"), "an enquiry without the answers is not offered")
	for _, other := range []string{"101", "none&for=Maison", "101&for=a@b.c"} {
		unasked := get(o, "/favorites?ids="+other).Body.String()
		assert.Empty(t, htmltest.Read(t, unasked).Find("#contact-form"), other)
	}

	sent := o.post("/contact", answersTo(t, o, map[string]string{
		"answer-101": "no", "note-101": "too\ttall ", "answer-104": "perhaps", "answer-105": "yes", "answer-9": "yes",
		"note-105": strings.Repeat("é", 300),
	}))
	require.Equal(t, http.StatusSeeOther, sent.Code)
	assert.Regexp(t, `^/contact\?sent=B-261121-\w+&ids=105,101$`, sent.Header().Get("Location"))
	assert.Regexp(t, "^Shortlist: Maison Ferrand\n\n"+
		"Yes:\n[^\n]+ – https://best.example/[^\n]+/105/[^\n]+\n    é{200}\n\n"+
		"No:\nBenedita Nascimento – https://best.example/models/101/benedita-nascimento\n    too tall$",
		messageOf(t, o))
}

func TestAnswersAreWrittenInTheAgencysLanguageBelowTheMessage(t *testing.T) {
	o := open(t)
	values := answersTo(t, o, map[string]string{"answer-104": "maybe", "message": "Call me.", "city": "Porto"})
	require.Equal(t, http.StatusSeeOther, o.post("/pt/contato", values).Code)
	assert.Regexp(t, "^Shortlist: Maison Ferrand\n\nCall me.\n\nMaybe:\n[^\n]+/104/[^\n]+\n\nThe job:\nCity: Porto$",
		messageOf(t, o))
}

func TestAnswersComeBackWithTheirErrors(t *testing.T) {
	o := open(t)
	returned := o.post("/contact", answersTo(t, o, map[string]string{
		"answer-101": "maybe", "note-101": "Is <she> free?", "message": "Hello", "email": "julia@",
	}))
	require.Equal(t, http.StatusUnprocessableEntity, returned.Code)
	assert.Equal(t, "no-store", returned.Header().Get("Cache-Control"))
	page := htmltest.Read(t, returned.Body.String())
	assert.Equal(t, forFerrand, returned.Header().Get("HX-Replace-Url"), "a reload shows the shortlist again")
	assert.Equal(t, []string{"101", "104", "105"}, talentsOf(t, returned))
	has(t, page.Text("head title"), "Error: For Maison Ferrand")
	assert.Equal(t, "maybe", page.Attr("input[type=radio][checked]", "value"))
	assert.Equal(t, "Is <she> free?", page.Attr("input[name=note-101]", "value"))
	assert.Equal(t, "Hello", strings.TrimSpace(page.Text("textarea")))
	assert.Equal(t, "101,104,105", page.Attr("#contact-form input[name=ids]", "value"))
	assert.Equal(t, "/pt"+forFerrand, page.Attr("link[hreflang=pt]", "href")[len("https://best.example"):])
	assert.NotEmpty(t, faultOf(t, returned, "email"))

	nothing := o.post("/contact", answersTo(t, o, map[string]string{"note-101": "Is she free?"}))
	require.Equal(t, http.StatusUnprocessableEntity, nothing.Code)
	assert.Equal(t, "Choose an answer for at least one person, or write a message.", faultOf(t, nothing, "message"))

	forged := o.post("/contact", answersTo(t, o, map[string]string{"for": "you! Write to me@evil.example"}))
	assert.Equal(t, http.StatusUnprocessableEntity, forged.Code)
	lacks(t, forged.Body.String(), "For you!")
	assert.Empty(t, o.storedSubmissions())
}
