package handlers_test

import (
	"bytes"
	"encoding/base64"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/handlers"
)

// sender is the browser of a minor who has just applied.
type sender struct {
	*formsSite
	receipt string // its address
	cookie  string
	log     bytes.Buffer
}

// apply sends a minor's application, of a teenager unless the values say otherwise.
func apply(t *testing.T, path string, values ...string) *sender {
	t.Helper()
	s := &sender{}
	s.formsSite = open(t, func(services *handlers.Services) {
		services.AskGuardians, services.Log = true, slog.New(slog.NewTextHandler(&s.log, nil))
	})
	teenager := with(minorApplicant(), "birthdate", "22/11/2012", "form_token", s.token(path))
	answer := s.upload(path, with(teenager, values...), photosOf(t))
	require.Equal(t, http.StatusSeeOther, answer.Code)
	s.receipt = answer.Header().Get("Location")
	s.keep(answer)
	s.intake.SendMails(t.Context())
	return s
}

// keep keeps the answer's cookie.
func (s *sender) keep(answer *httptest.ResponseRecorder) {
	for _, c := range answer.Result().Cookies() {
		s.cookie = c.Name + "=" + c.Value
	}
}

func (s *sender) shown() string { return get(s, s.receipt, "Cookie", s.cookie).Body.String() }

func (s *sender) ask(values map[string]string) *httptest.ResponseRecorder {
	answer := post(s, s.receipt, values, "Cookie", s.cookie)
	s.keep(answer)
	s.intake.SendMails(s.t.Context())
	return answer
}

func (s *sender) lastLink() string {
	return strings.TrimPrefix(confirmationLink.FindString(s.mail[len(s.mail)-1].Text), "https://best.example")
}

func TestTheSenderOfAMinorsApplicationHasTheGuardianAskedAgain(t *testing.T) {
	for path, says := range map[string]struct{ sent, again, another, invalid, own, often string }{
		"/be-a-model": {"on its way to r•••@example.com", "Send it again", "Use another address",
			"a complete email", "email address of their own", "several times"},
		"/pt/become-a-model": {"a caminho de r•••@example.com", "Enviar de novo", "Usar outro endereço",
			"e-mail completo", "e-mail próprio", "escrevemos algumas vezes"},
		"/es/become-a-model": {"va camino de r•••@example.com", "Enviar de nuevo", "Usar otra dirección",
			"correo completo", "correo propio", "bastantes veces"},
	} {
		t.Run(path, func(t *testing.T) {
			s := apply(t, path)
			for _, text := range []string{says.sent, says.again, says.another} {
				assert.Contains(t, s.shown(), text)
				assert.NotContains(t, get(s, s.receipt).Body.String(), text, "in another browser")
			}
			lacks(t, s.shown(), "rosa@", "Souza", "22/11/2012")
			first := s.lastLink()

			require.Equal(t, http.StatusSeeOther, s.ask(nil).Code)
			require.Len(t, s.mail, 2)
			assert.Equal(t, first, s.lastLink(), "the same link")
			assert.NotEqual(t, s.mail[0].ID, s.mail[1].ID)

			for address, message := range map[string]string{
				"": "", "tia@": says.invalid, "ANA+tia@example.com": says.own, // the applicant’s own
			} {
				answer := s.ask(map[string]string{"another": address})
				require.Equal(t, http.StatusUnprocessableEntity, answer.Code)
				assert.Contains(t, answer.Body.String(), `id="another-error"`)
				assert.Contains(t, answer.Body.String(), message)
				assert.Equal(t, "no-store", answer.Header().Get("Cache-Control"))
			}
			require.Len(t, s.mail, 2)

			require.Equal(t, http.StatusSeeOther, s.ask(map[string]string{"another": "tia@example.org"}).Code)
			require.Len(t, s.mail, 3)
			assert.Equal(t, "tia@example.org", s.mail[2].To)
			assert.Contains(t, s.shown(), "t•••@example.org")
			assert.Equal(t, http.StatusNotFound, get(s, first).Code, "the old link has ended")
			assert.Equal(t, http.StatusOK, get(s, s.lastLink()).Code)
			assert.Equal(t, "tia@example.org", s.storedSubmissions()[0].GuardianAddress(), "for the agency, too")

			require.Equal(t, http.StatusSeeOther, s.ask(nil).Code)
			require.Len(t, s.mail, 4)
			assert.Contains(t, s.shown(), says.often)
			lacks(t, s.shown(), says.again, says.another)
			for _, values := range []map[string]string{nil, {"another": "avo@example.org"}} {
				answer := s.ask(values)
				assert.Equal(t, http.StatusConflict, answer.Code)
				assert.Contains(t, answer.Body.String(), says.often)
			}
			assert.Len(t, s.mail, 4)

			entries, err := s.intake.Entries(t.Context())
			require.NoError(t, err)
			history, err := s.intake.History(t.Context(), entries[0].ID)
			require.NoError(t, err)
			var actions []string
			for _, event := range history {
				actions = append(actions, event.Action)
			}
			assert.Equal(t, []string{"asked again", "asked at another address", "asked again"}, actions)
			lacks(t, s.log.String(), "example.com", "example.org", "token")
		})
	}
}

func TestTheCookieOfASenderIsSealedAndEndsSoon(t *testing.T) {
	for scheme, name := range map[string]string{"http": "guardian", "https": "__Host-guardian"} {
		o := open(t, func(s *handlers.Services) {
			s.AskGuardians, s.HTTPS = true, func(*http.Request) bool { return scheme == "https" }
		})
		answer := o.upload("/be-a-model", with(minorApplicant(), "form_token", o.token("/be-a-model")), photosOf(t))
		require.Len(t, answer.Result().Cookies(), 1)
		c := answer.Result().Cookies()[0]
		assert.Equal(t, name, c.Name)
		assert.Equal(t, scheme == "https", c.Secure)
		assert.True(t, c.HttpOnly)
		assert.Equal(t, http.SameSiteLaxMode, c.SameSite)
		assert.Equal(t, 1800, c.MaxAge)
		assert.Equal(t, "no-store", answer.Header().Get("Cache-Control"))
		content, err := base64.RawURLEncoding.DecodeString(c.Value)
		require.NoError(t, err)
		lacks(t, string(content), "rosa", "example.com")
	}
}

func TestNobodyIsAskedAgainWhereThatIsOver(t *testing.T) {
	for name, over := range map[string]struct {
		before func(s *sender)
		says   string
	}{
		"confirmed": {func(s *sender) {
			link := s.lastLink()
			token := link[strings.Index(link, "=")+1:]
			confirmed := s.post("/guardian", map[string]string{"token": token, "agree": "on", "data": "on"})
			require.Equal(s.t, http.StatusSeeOther, confirmed.Code)
		}, "has already confirmed"},
		"erased": {func(s *sender) {
			require.NoError(s.t, s.intake.Erase(s.t.Context(), &bytes.Buffer{}, s.storedSubmissions()[0].ID))
		}, "no longer here"},
		"half an hour later": {func(s *sender) { s.now = s.now.Add(30 * time.Minute) }, "for 30 minutes"},
		"another browser":    {func(s *sender) { s.cookie = "" }, "for 30 minutes"},
		"a forged cookie":    {func(s *sender) { s.cookie = s.cookie[:len(s.cookie)-4] + "AAAA" }, "for 30 minutes"},
		"another reference":  {func(s *sender) { s.receipt = "/be-a-model?sent=G-261121-9F3C07" }, "for 30 minutes"},
	} {
		t.Run(name, func(t *testing.T) {
			s := apply(t, "/be-a-model")
			over.before(s)
			for _, values := range []map[string]string{nil, {"another": "tia@example.org"}} {
				answer := s.ask(values)
				assert.Equal(t, http.StatusConflict, answer.Code)
				assert.Contains(t, answer.Body.String(), over.says)
				assert.Contains(t, answer.Body.String(), "<title>Error")
			}
			for _, m := range s.mail[1:] {
				assert.NotContains(t, m.ID, "guardian-", "no further mail to a guardian")
			}
		})
	}
}

func TestTheSmallestHaveTheirParentsAddressAgain(t *testing.T) {
	s := apply(t, "/be-a-model", "birthdate", "22/11/2015")
	require.Equal(t, http.StatusSeeOther, s.ask(map[string]string{"another": applicant["email"]}).Code)
	assert.Equal(t, applicant["email"], s.mail[1].To)
}

func TestAnAdultGetsNoCookieAndNoFormsOfAReceipt(t *testing.T) {
	o := open(t, func(s *handlers.Services) { s.AskGuardians = true })
	answer := o.upload("/be-a-model", with(applicant, "form_token", o.token("/be-a-model")), photosOf(t))
	require.Equal(t, http.StatusSeeOther, answer.Code)
	assert.Empty(t, answer.Header().Values("Set-Cookie"))
	assert.Equal(t, http.StatusNotFound, o.post(answer.Header().Get("Location"), nil).Code)
}
