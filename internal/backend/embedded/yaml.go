package embedded

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// The reader below walks the syntax tree instead of decoding into structs: a decoder stops at the first fault and loses
// line numbers, and an editor needs all faults with theirs.

// located is a value with its line number; line 0 means that it is absent.
type located[T any] struct {
	value T
	line  int
}

func (v located[T]) given() bool { return v.line != 0 }

// reader reads one YAML value.
type reader func(ast.Node)

// fields are the keys of a mapping with the readers of their values.
type fields map[string]reader

// parse reads YAML text and returns its value, nil for an empty text or one with a fault.
func (s *sheet) parse(text []byte) ast.Node {
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		var wrong yaml.Error
		line, message := 1, err.Error()
		if errors.As(err, &wrong) {
			message = wrong.GetMessage()
			if token := wrong.GetToken(); token != nil {
				line = token.Position.Line
			}
		}
		s.fault(line, "not valid YAML: %s", message)
		return nil
	}
	var value ast.Node
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		if value != nil {
			s.fault(s.line(doc.Body), "a second document begins here; one file holds one")
			return nil
		}
		value = doc.Body
	}
	return value
}

// line is the line number of a value in the file.
func (s *sheet) line(node ast.Node) int {
	if mapping, ok := node.(*ast.MappingNode); ok && len(mapping.Values) > 0 {
		return s.line(mapping.Values[0].Key)
	}
	return node.GetToken().Position.Line
}

// wrong notes a fault: what was expected instead of a value.
func (s *sheet) wrong(node ast.Node, name, wanted string) {
	s.fault(s.line(node), "%s must be %s, not %s", name, wanted, kind(node))
}

// kind is what an editor would call a value.
func kind(node ast.Node) string {
	switch node.(type) {
	case ast.MapNode:
		return "a group of fields"
	case *ast.SequenceNode:
		return "a list"
	case *ast.StringNode, *ast.LiteralNode:
		return "a text"
	case *ast.IntegerNode, *ast.FloatNode:
		return "a number"
	case *ast.NullNode:
		return "empty"
	}
	return "a " + strings.ToLower(node.Type().String())
}

// mapping reads a group of fields. A key without a value counts as absent; required ones must be present.
func (s *sheet) mapping(node ast.Node, name string, known fields, required ...string) {
	group, ok := node.(ast.MapNode)
	if !ok {
		s.wrong(node, name, "a group of fields")
		return
	}
	given := map[string]bool{}
	for entry := group.MapRange(); entry.Next(); {
		key := entry.Key().GetToken().Value
		read, ok := known[key]
		switch {
		case !ok:
			s.fault(s.line(entry.Key()), "unknown field %q; known are %s", key,
				strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		case !blank(entry.Value()):
			given[key] = true
			read(entry.Value())
		}
	}
	for _, key := range required {
		if !given[key] {
			s.fault(s.line(node), "%s of %s is missing", key, name)
		}
	}
}

// blank reports whether a value is null, or a text of white space.
func blank(node ast.Node) bool {
	word, ok := node.(*ast.StringNode)
	return node.Type() == ast.NullType || ok && strings.TrimSpace(word.Value) == ""
}

// list reads a list, one item at a time.
func (s *sheet) list(name string, item reader) reader {
	return func(node ast.Node) {
		list, ok := node.(*ast.SequenceNode)
		if !ok {
			s.wrong(node, name, "a list")
			return
		}
		for _, value := range list.Values {
			item(value)
		}
	}
}

// text reads a text. A number is a fault: it is more often a mistake than a name.
func (s *sheet) text(name string, to *located[string]) reader {
	return func(node ast.Node) {
		switch value := node.(type) {
		case *ast.StringNode:
			*to = located[string]{strings.TrimSpace(value.Value), s.line(node)}
		case *ast.LiteralNode:
			*to = located[string]{strings.TrimSpace(value.Value.Value), s.line(node)}
		default:
			s.wrong(node, name, "a text")
		}
	}
}

// code reads a value that may look like a number or a word, as it is written: an id of a video,
// a country's letters.
func (s *sheet) code(name string, to *located[string]) reader {
	return func(node ast.Node) {
		switch node.(type) {
		case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
			*to = located[string]{node.GetToken().Value, s.line(node)}
		default:
			s.text(name, to)(node)
		}
	}
}

// number reads a number that is more than 0.
func (s *sheet) number(name string, to *located[float64]) reader {
	return func(node ast.Node) {
		var value float64
		switch n := node.(type) {
		case *ast.IntegerNode:
			switch whole := n.Value.(type) {
			case int64:
				value = float64(whole)
			case uint64:
				value = float64(whole)
			}
		case *ast.FloatNode:
			value = n.Value
		default:
			s.wrong(node, name, "a number")
			return
		}
		if value <= 0 {
			s.fault(s.line(node), "%s must be more than 0", name)
			return
		}
		*to = located[float64]{value, s.line(node)}
	}
}

// whole reads a whole number that is more than 0.
func (s *sheet) whole(name string, to *located[int]) reader {
	return func(node ast.Node) {
		if n, ok := node.(*ast.IntegerNode); ok {
			value, fits := n.Value.(uint64)
			if fits && value > 0 && value < 1<<53 { // the largest integers that JavaScript tells apart
				*to = located[int]{int(value), s.line(node)}
				return
			}
		}
		s.fault(s.line(node), "%s must be a whole number that is more than 0", name)
	}
}

// date reads a day, yyyy-mm-dd. The fault does not repeat the value, because faults are logged and birth dates are
// personal.
func (s *sheet) date(name string, to *located[time.Time]) reader {
	return func(node ast.Node) {
		var word located[string]
		s.code(name, &word)(node)
		if !word.given() {
			return
		}
		day, err := time.Parse(time.DateOnly, word.value)
		if err != nil {
			s.fault(word.line, "%s must be a day that exists, yyyy-mm-dd", name)
			return
		}
		*to = located[time.Time]{day, word.line}
	}
}

// front splits a Markdown file into its front matter and its body; bodyLine is the line number of the body's first
// line.
func (s *sheet) front(text []byte) (matter ast.Node, body []byte, bodyLine int) {
	fence := []byte("---\n")
	if !bytes.HasPrefix(text, fence) {
		s.fault(1, "the file must begin with front matter: a line ---, fields, a line ---")
		return nil, nil, 0
	}
	// Starts at the line break of the first fence, so that line numbers match the file's.
	head, body, ok := bytes.Cut(text[len(fence)-1:], append([]byte("\n"), fence...))
	if !ok {
		s.fault(1, "the front matter does not end: a line --- is missing after its fields")
		return nil, nil, 0
	}
	return s.parse(head), body, bytes.Count(head, []byte("\n")) + 3
}
