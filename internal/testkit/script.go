package testkit

import (
	"encoding/csv"
	"html"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"zedcard/internal/testkit/htmltest"
)

// Step is a step of a test that is a text: what is done, and below it, with two blanks before each line, what is so
// then:
//
//	some text            is in what the step gives; of a page its headers, too
//	- some text          is not in it
//	~ expression         matches it
//	3x some text         is in it so often
//	= a.tab | Book1 Snap2      the words of what a selector finds
//	= a.tab@href | /1 /2       and what an attribute of it has
type Step struct {
	Line  string
	Words []string // of the line: one with blanks has quotation marks
	says  string
}

// Scripts runs each text of testdata as a test of its own, with its steps and its files.
func Scripts(t *testing.T, run func(t *testing.T, steps []Step, files []txtar.File)) {
	t.Helper()
	names, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		require.NoError(t, err)
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			run(t, stepsOf(t, string(archive.Comment)), archive.Files)
		})
	}
}

var nextStep = regexp.MustCompile(`\n([^ \n])`)

// stepsOf are the steps of a text, without remarks (#).
func stepsOf(t testing.TB, text string) (steps []Step) {
	t.Helper()
	for block := range strings.SplitSeq(nextStep.ReplaceAllString("\n"+text, "\x00$1"), "\x00") {
		step := Step{}
		step.Line, step.says, _ = strings.Cut(strings.TrimSpace(block), "\n")
		if step.Line == "" || step.Line[0] == '#' {
			continue
		}
		words := csv.NewReader(strings.NewReader(step.Line))
		words.Comma, words.LazyQuotes = ' ', true
		var err error
		step.Words, err = words.Read()
		require.NoError(t, err, step.Line)
		steps = append(steps, step)
	}
	return steps
}

// Differs is the first line that is not so; empty if all are.
func (s Step) Differs(t testing.TB, text string) string {
	t.Helper()
	unescaped := html.UnescapeString(text)
	for line := range strings.Lines(s.says) {
		line = strings.TrimSpace(line)
		sign, rest, _ := strings.Cut(line, " ")
		times, err := strconv.Atoi(strings.TrimSuffix(sign, "x"))
		ok := strings.Contains(unescaped, line)
		switch {
		case line == "" || line[0] == '#':
			ok = true
		case sign == "-":
			ok = !strings.Contains(unescaped, rest)
		case sign == "~":
			ok = regexp.MustCompile("(?m)" + rest).MatchString(unescaped)
		case sign == "=":
			selector, want, _ := strings.Cut(rest, " | ")
			selector, attribute, _ := strings.Cut(strings.TrimSuffix(selector, " |"), "@")
			page := htmltest.Read(t, text)
			found := page.Words(selector)
			if attribute != "" {
				found = page.Attrs(selector, attribute)
			}
			if got := strings.Join(found, " "); got != want {
				return line + ", but it is: " + got
			}
			ok = true
		case err == nil && strings.HasSuffix(sign, "x"):
			ok = strings.Count(unescaped, rest) == times
		}
		if !ok {
			return line
		}
	}
	return ""
}
