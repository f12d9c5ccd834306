package app_test

import (
	"io/fs"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"zedcard/internal/agency"
	"zedcard/internal/testkit"
)

// TestScripts runs the texts of testdata: each is a folder, what is done in it, and what is so then (testkit.Step).
//
//	# a remark
//	NAME=value             a variable of the following steps; DATA_DIR is data
//	zedcard check          a command; a number before it is its exit code, which is 0 otherwise
//	serve                  a running site, in the place of the one before
//	fake                   back ends over HTTP for what follows
//	GET /path 200          its answer, of which a redirect's address is a part: what changed in the folder shows soon
//	editor GET /path 200   the same, with a browser's cookies
//	cat FILE
//	edit FILE OLD NEW      replaces a text in a file
//	mv FROM TO, cp FROM TO, rm FILE, none FILE (which is not there)
//	files                  writes the files, which stand there from the beginning otherwise
func TestScripts(t *testing.T) {
	testkit.Scripts(t, func(t *testing.T, steps []testkit.Step, files []txtar.File) {
		t.Chdir(t.TempDir())
		jar, err := cookiejar.New(nil)
		require.NoError(t, err)
		s := &script{
			t: t, env: map[string]string{"DATA_DIR": "data", "DATABASE_URL": "sqlite:data/z.db"},
			files:  files,
			editor: &http.Client{Jar: jar, CheckRedirect: withoutRedirects.CheckRedirect},
		}
		if !slices.ContainsFunc(steps, func(step testkit.Step) bool { return step.Line == "files" }) {
			s.step(testkit.Step{Words: []string{"files"}})
		}
		for _, step := range steps {
			s.step(step)
		}
	})
}

var isVariable = regexp.MustCompile(`^[A-Z_]+=`)

// script is a text that runs.
type script struct {
	t      *testing.T
	env    map[string]string
	files  []txtar.File
	site   started
	editor *http.Client
}

// step does what a step says, and compares what it gives.
func (s *script) step(step testkit.Step) {
	s.t.Helper()
	words := step.Words
	switch words[0] {
	case "files":
		for _, file := range s.files {
			write(s.t, file.Name, string(file.Data))
		}
	case "none":
		_, err := os.Stat(words[1])
		require.ErrorIs(s.t, err, fs.ErrNotExist)
	case "cat":
		s.said(step, read(s.t, words[1]))
	case "edit":
		before := read(s.t, words[1])
		require.Contains(s.t, before, words[2], step.Line)
		write(s.t, words[1], strings.Replace(before, words[2], strings.ReplaceAll(words[3], `\n`, "\n"), 1))
	case "mv":
		require.NoError(s.t, os.Rename(words[1], words[2]))
	case "cp":
		write(s.t, words[2], read(s.t, words[1]))
	case "rm":
		require.NoError(s.t, os.RemoveAll(words[1]))
	case "serve":
		if s.site.stop != nil {
			s.site.stop()
		}
		s.site = start(s.t, s.env)
		s.said(step, s.site.log)
	case "fake":
		fake := testkit.NewFake(s.t)
		fake.Change(func(c *testkit.Content) {
			for _, name := range []string{"privacy", "future-face"} {
				c.Entities = append(slices.Clip(c.Entities), agency.Entity{Name: name, Body: "<p>Us.</p>"})
			}
		})
		maps.Copy(s.env, fake.Settings())
	case "GET":
		s.get(withoutRedirects, step, words[1:])
	case "editor":
		s.get(s.editor, step, words[2:])
	default:
		if name, value, _ := strings.Cut(step.Line, "="); isVariable.MatchString(step.Line) {
			s.env[name] = value
			return
		}
		want, err := strconv.Atoi(words[0])
		if err == nil {
			words = words[1:]
		}
		require.Equal(s.t, "zedcard", words[0], step.Line)
		code, out, errs := run(s.t, s.env, words[1:]...)
		require.Equal(s.t, want, code, step.Line+"\n"+out+errs)
		s.said(step, out+errs)
	}
}

// get waits until a page is answered as a step says.
func (s *script) get(client *http.Client, step testkit.Step, words []string) {
	s.t.Helper()
	differs := ""
	ok := assert.Eventually(s.t, func() bool {
		answer, err := client.Get(s.site.site + words[0])
		if err != nil {
			return false
		}
		var text strings.Builder
		_ = answer.Header.Write(&text)
		text.WriteString(body(s.t, answer))
		got := strings.TrimSpace(strconv.Itoa(answer.StatusCode) + " " + answer.Header.Get("Location"))
		if want := strings.Join(words[1:], " "); got != want {
			differs = got + " is not " + want
		} else {
			differs = step.Differs(s.t, text.String())
		}
		return differs == ""
	}, 20*time.Second, 50*time.Millisecond)
	require.True(s.t, ok, "%s: %s", step.Line, differs)
}

func (s *script) said(step testkit.Step, text string) {
	s.t.Helper()
	require.Empty(s.t, step.Differs(s.t, text), "%s:\n%s", step.Line, text)
}
