package app_test

import (
	"encoding/csv"
	"html"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
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

// TestScripts runs the texts of testdata: each is a folder, what is done in it, and what is said then. Steps:
//
//	# a remark
//	NAME=value             a variable of the following steps; DATA_DIR is data
//	zedcard check          a command; a number before it is its exit code, which is 0 otherwise
//	serve                  a running site, in the place of the one before
//	fake                   back ends over HTTP for what follows
//	GET /path 200          its answer, of which a redirect's address is a part: what changed in the folder shows soon
//	editor GET /path 200   the same, with a browser's cookies
//	cat FILE
//	edit FILE OLD NEW      replaces a text in a file; a text with blanks has quotation marks
//	mv FROM TO, cp FROM TO, rm FILE, none FILE (which is not there)
//	files                  writes the files, which stand there from the beginning otherwise
//
// Lines below a step with two blanks before them are about what it gives (of an answer the page as a person reads it,
// below its headers): a text that is in it; after a minus one that is not; after a tilde an expression that matches;
// after a number and an x a text that is in it so often.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		require.NoError(t, err)
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Chdir(t.TempDir())
			jar, err := cookiejar.New(nil)
			require.NoError(t, err)
			s := &script{
				t: t, env: map[string]string{"DATA_DIR": "data", "DATABASE_URL": "sqlite:data/z.db"},
				files:  archive.Files,
				editor: &http.Client{Jar: jar, CheckRedirect: withoutRedirects.CheckRedirect},
			}
			if !strings.Contains(string(archive.Comment), "\nfiles\n") {
				s.step("files", "")
			}
			for block := range strings.SplitSeq(stepEnd.ReplaceAllString(string(archive.Comment), "\x00$1"), "\x00") {
				step, says, _ := strings.Cut(strings.TrimSpace(block), "\n")
				if step != "" && step[0] != '#' {
					s.step(step, says)
				}
			}
		})
	}
}

var (
	stepEnd    = regexp.MustCompile(`\n([^ \n])`)
	isVariable = regexp.MustCompile(`^[A-Z_]+=`)
)

// script is a text that runs.
type script struct {
	t      *testing.T
	env    map[string]string
	files  []txtar.File
	site   started
	editor *http.Client
}

// step does what the first line of a step says, and compares what it gives with the others.
func (s *script) step(step, says string) {
	s.t.Helper()
	fields := csv.NewReader(strings.NewReader(step))
	fields.Comma = ' '
	words, err := fields.Read()
	require.NoError(s.t, err, step)
	switch words[0] {
	case "files":
		for _, file := range s.files {
			write(s.t, file.Name, string(file.Data))
		}
	case "none":
		_, err := os.Stat(words[1])
		require.ErrorIs(s.t, err, fs.ErrNotExist)
	case "cat":
		s.said(step, says, read(s.t, words[1]))
	case "edit":
		before := read(s.t, words[1])
		require.Contains(s.t, before, words[2], step)
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
		s.said(step, says, s.site.log)
	case "fake":
		fake := testkit.NewFake(s.t)
		fake.Change(func(c *testkit.Content) {
			for _, name := range []string{"privacy", "future-face"} {
				c.Entities = append(slices.Clip(c.Entities), agency.Entity{Name: name, Body: "<p>Us.</p>"})
			}
		})
		maps.Copy(s.env, fake.Settings())
	case "GET":
		s.get(withoutRedirects, step, says, words[1:])
	case "editor":
		s.get(s.editor, step, says, words[2:])
	default:
		if name, value, _ := strings.Cut(step, "="); isVariable.MatchString(step) {
			s.env[name] = value
			return
		}
		want, err := strconv.Atoi(words[0])
		if err == nil {
			words = words[1:]
		}
		require.Equal(s.t, "zedcard", words[0], step)
		code, out, errs := run(s.t, s.env, words[1:]...)
		require.Equal(s.t, want, code, step+"\n"+out+errs)
		s.said(step, says, out+errs)
	}
}

// get waits until a page is answered as a step says.
func (s *script) get(client *http.Client, step, says string, words []string) {
	s.t.Helper()
	missing := ""
	ok := assert.Eventually(s.t, func() bool {
		answer, err := client.Get(s.site.site + words[0])
		if err != nil {
			return false
		}
		defer answer.Body.Close()
		page, err := io.ReadAll(answer.Body)
		var header strings.Builder
		_ = answer.Header.Write(&header)
		got := strings.TrimSpace(strconv.Itoa(answer.StatusCode) + " " + answer.Header.Get("Location"))
		if want := strings.Join(words[1:], " "); got != want {
			missing = got + " is not " + want
		} else {
			missing = differs(says, header.String()+html.UnescapeString(string(page)))
		}
		return err == nil && missing == ""
	}, 20*time.Second, 50*time.Millisecond)
	require.True(s.t, ok, "%s: %s", step, missing)
}

func (s *script) said(step, says, text string) {
	s.t.Helper()
	missing := differs(says, text)
	require.Empty(s.t, missing, "%s:\n%s", step, text)
}

// differs is the first line of a step that is not so.
func differs(says, text string) string {
	for line := range strings.Lines(says) {
		line = strings.TrimSpace(line)
		sign, rest, _ := strings.Cut(line, " ")
		times, err := strconv.Atoi(strings.TrimSuffix(sign, "x"))
		ok := strings.Contains(text, line)
		switch {
		case line == "" || line[0] == '#':
			ok = true
		case sign == "-":
			ok = !strings.Contains(text, rest)
		case sign == "~":
			ok = regexp.MustCompile("(?m)" + rest).MatchString(text)
		case err == nil && strings.HasSuffix(sign, "x"):
			ok = strings.Count(text, rest) == times
		}
		if !ok {
			return line
		}
	}
	return ""
}
