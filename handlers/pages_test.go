package handlers_test

import (
	"bytes"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"zedcard/handlers"
	"zedcard/internal/agency"
	"zedcard/internal/folder"
	"zedcard/internal/testkit"
)

// TestPages runs the texts of testdata: each is what a visitor without a script asks a site for, and what is so then
// (testkit.Step). The site is the demo agency's, or has the files of the text.
//
//	GET /path 200               any method and status; a redirect has its address behind it, where * is any word
//	POST /path?name=value 303   a form
//	with Name value             a header of the next request
//	site NAME                   begins anew with some of the settings below
//	forms                       begins anew with a database
//	stored                      what an operator reads of all that was sent
func TestPages(t *testing.T) {
	settings := map[string]func(*handlers.Services){
		"demo": func(*handlers.Services) {}, "no-training": noTraining,
		"no-contacts":  func(s *handlers.Services) { s.Site.Bookings, s.Site.Phone = "", "" },
		"no-phone":     func(s *handlers.Services) { s.Site.Phone = "" },
		"address":      func(s *handlers.Services) { s.Site.Address = "Rua de Cedofeita 100, 4050-174 Porto" },
		"security":     func(s *handlers.Services) { s.Site.Security = "https://best.example/report" },
		"skin-color":   func(s *handlers.Services) { s.AskSkinColor = true },
		"panel":        func(s *handlers.Services) { s.Site.Panel = true },
		"panel-asking": func(s *handlers.Services) { s.Site.Panel, s.AskGuardians = true, true },
		"no-pictures":  withoutPictures,
		"preview":      withPreview,
		"editors-open": func(s *handlers.Services) { s.EditorsOpen = true },
		"full":         func(s *handlers.Services) { s.FullMeasures = true },
		"official": func(s *handlers.Services) {
			contacts, err := agency.ParseOfficial([]string{"best.example", "+55 11 91234 5678", "@best"})
			require.NoError(t, err)
			s.Official = contacts
		},
	}
	testkit.Scripts(t, func(t *testing.T, steps []testkit.Step, files []txtar.File) {
		content := demo
		if len(files) > 0 {
			dir, err := txtar.FS(&txtar.Archive{Files: files})
			require.NoError(t, err)
			own, err := folder.Open(dir, withCards)
			require.NoError(t, err)
			content = func() (*folder.Folder, error) { return own, nil }
		}
		own, err := content()
		require.NoError(t, err)
		v, headers, forms := newVisitor(siteOf(t, own.Content(t.Context()), own)), []string(nil), (*formsSite)(nil)
		for _, step := range steps {
			words := step.Words
			switch words[0] {
			case "forms":
				forms = open(t)
				v = newVisitor(forms)
			case "stored":
				assert.Empty(t, step.Differs(t, forms.stored()), forms.stored())
			case "site":
				var options []func(*handlers.Services)
				for _, name := range words[1:] {
					require.Contains(t, settings, name)
					options = append(options, settings[name])
				}
				v = newVisitor(siteOf(t, own.Content(t.Context()), own, options...))
			case "with":
				headers = append(headers, words[1], strings.Join(words[2:], " "))
			default:
				path, form := words[1], ""
				if words[0] == http.MethodPost {
					path, form, _ = strings.Cut(path, "?")
					headers = append(headers, "Content-Type", formType)
				}
				answer := v.ask(newRequest(words[0], path, form, headers...))
				headers = nil
				got := strings.TrimSpace(strconv.Itoa(answer.Code) + " " + answer.Header().Get("Location"))
				want := strings.ReplaceAll(regexp.QuoteMeta(strings.Join(words[2:], " ")), `\*`, `\w+`)
				assert.Regexp(t, "^"+want+"$", got, step.Line)
				var text strings.Builder
				require.NoError(t, answer.Header().Write(&text))
				assert.Empty(t, step.Differs(t, text.String()+answer.Body.String()), step.Line)
			}
		}
	})
}

// stored is what an operator reads of all that was sent.
func (o *formsSite) stored() string {
	var text bytes.Buffer
	entries, err := o.intake.Entries(o.t.Context())
	require.NoError(o.t, err)
	for _, entry := range entries {
		require.NoError(o.t, o.intake.Show(o.t.Context(), &text, entry.ID))
	}
	return text.String()
}
