package folder

import (
	"errors"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v4"
)

var (
	keyLine = regexp.MustCompile(`^( *)(?:- )?([^\s:#'"{\[]+):(?: +(.*))?$`)
	// A name without a colon or the blank behind it, an entry of a list without its dash, a text with quotation marks
	// within those around it, and one with a colon in it or a sign of YAML's at its beginning.
	withoutColon = regexp.MustCompile(`^ *[a-z][\w.-]*(?:[,;=]? +[^:]*|:[^\s:/][^:]*)$`)
	withoutDash  = regexp.MustCompile(`^ *\{`)
	endedText    = regexp.MustCompile(`^"(?:[^"\\]|\\.)*"\s*[^\s#]`)
	unquotedText = regexp.MustCompile("^(?:[^\\s'\"{\\[|>&*!#].*(?:: |:$)|[@`%&*!]|[|>] +[^ #])")
)

// brackets are those of a text that are open at its end, below 0 if more are closed.
func brackets(text string) int {
	return strings.Count(text, "[") + strings.Count(text, "{") - strings.Count(text, "]") - strings.Count(text, "}")
}

// isClosed reports whether a value ends on its line, so that nothing may stand below it.
func isClosed(value string) bool {
	value, _, _ = strings.Cut(" "+value, " #")
	value = strings.TrimSpace(value)
	return value != "" && !strings.ContainsAny(value[:1], "|>") && brackets(value) == 0
}

// syntax notes what keeps a text from being YAML. The parser says it in its own terms, at the line where it gave up:
// the usual slips near it are named as an editor sees them.
func (f *File) syntax(err error) {
	line, message := 1, err.Error()
	lines := append([]string{""}, strings.Split(string(f.Text), "\n")...)
	if fault, ok := errors.AsType[*yaml.LoadError](err); ok {
		line, message = fault.Mark.Line, fault.Message
		switch {
		case fault.ContextMsg == "while parsing a flow node": // in brackets, which have no end
			for line > 1 && line < len(lines) && brackets(lines[line]) <= 0 {
				line--
			}
		case fault.ContextMark.Line > 0 && !strings.HasPrefix(fault.ContextMsg, "while parsing a block"):
			line = fault.ContextMark.Line // where what has no end begins
		}
	}
	for _, n := range []int{line, line - 1, line + 1} {
		if n < 1 || n >= len(lines) {
			continue
		}
		match, above := keyLine.FindStringSubmatch(lines[n]), keyLine.FindStringSubmatch(lines[n-1])
		switch {
		case strings.Contains(lines[n][:len(lines[n])-len(strings.TrimLeft(lines[n], " \t"))], "\t"):
			f.Fault(n, "fault.tab")
			return
		case match == nil && withoutColon.MatchString(lines[n]):
			f.Fault(n, "fault.no-colon")
			return
		case match == nil && withoutDash.MatchString(lines[n]) &&
			strings.HasPrefix(strings.TrimSpace(lines[n-1]), "- "):
			f.Fault(n, "fault.no-dash")
			return
		case match == nil:
		case endedText.MatchString(match[3]):
			f.Fault(n, "fault.quote", "field", match[2])
			return
		case unquotedText.MatchString(match[3]):
			f.Fault(n, "fault.colon", "field", match[2], "value", strings.ReplaceAll(match[3], `"`, `\"`))
			return
		case above != nil && len(match[1]) > len(above[1]) && isClosed(above[3]):
			f.Fault(n, "fault.indent", "field", match[2], "above", above[2])
			return
		}
	}
	f.Fault(line, "fault.yaml", "message", message)
}

// Nearest is the word of a list that is probably meant, empty if none is near.
func Nearest(word string, list []string) string {
	best, nearest := 3, ""
	for _, candidate := range list {
		if d := distance([]rune(Fold(word)), []rune(Fold(candidate))); d < best && d < len(candidate)/2 {
			best, nearest = d, candidate
		}
	}
	return nearest
}

// distance is how many letters must change.
func distance(a, b []rune) int {
	row := make([]int, len(b)+1) // between the letters of a so far and the first j of b
	for j := range row {
		row[j] = j
	}
	for i, letter := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			change := 1
			if letter == b[j] {
				change = 0
			}
			row[j+1], diagonal = min(row[j]+1, row[j+1]+1, diagonal+change), row[j+1]
		}
	}
	return row[len(b)]
}
