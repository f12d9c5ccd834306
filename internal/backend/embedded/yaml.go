package embedded

import (
	"bytes"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"
)

// The reader below walks the syntax tree instead of decoding into structs: a decoder stops at the first fault and loses
// line numbers, and an editor needs all faults with theirs.

// located is a value with its line number; line 0 means that it is absent.
type located[T any] struct {
	value T
	line  int
}

func (v located[T]) isSet() bool { return v.line != 0 }

// reader reads one YAML value.
type reader func(*yaml.Node)

// fields are the keys of a mapping with the readers of their values.
type fields map[string]reader

// parse reads YAML text and returns its value, nil for an empty text or one with a fault.
func (s *contentFile) parse(text []byte) *yaml.Node {
	var docs []yaml.Node
	if err := yaml.Load(text, &docs, yaml.WithAllDocuments()); err != nil {
		var yamlErr *yaml.LoadError
		line, message := 1, err.Error()
		if errors.As(err, &yamlErr) {
			line, message = max(yamlErr.Mark.Line, 1), yamlErr.Message
		}
		s.fault(line, "not valid YAML: %s", message)
		return nil
	}
	var value *yaml.Node
	for i := range docs {
		doc := &docs[i]
		if doc.Kind == yaml.DocumentNode { // only one with comments
			doc = doc.Content[0]
		}
		if doc.ShortTag() == "!!null" {
			continue
		}
		if value != nil {
			s.fault(doc.Line, "a second document begins here; one file holds one")
			return nil
		}
		value = doc
	}
	return value
}

// wrongType notes a fault: what was expected instead of a value.
func (s *contentFile) wrongType(node *yaml.Node, name, wanted string) {
	s.fault(node.Line, "%s must be %s, not %s", name, wanted, typeName(node))
}

// typeName is what an editor would call a value.
func typeName(node *yaml.Node) string {
	switch node.Kind {
	case yaml.MappingNode:
		return "a group of fields"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	}
	switch tag := node.ShortTag(); {
	case isText(node):
		return "a text"
	case isNumber(node):
		return "a number"
	case tag == "!!null":
		return "empty"
	default:
		return "a " + strings.TrimLeft(tag, "!")
	}
}

// isText reports whether a value is a text; a day is one, too.
func isText(node *yaml.Node) bool {
	tag := node.ShortTag()
	return node.Kind == yaml.ScalarNode && (tag == "!!str" || tag == "!!timestamp")
}

func isNumber(node *yaml.Node) bool {
	tag := node.ShortTag()
	return node.Kind == yaml.ScalarNode && (tag == "!!int" || tag == "!!float")
}

// mapping reads a group of fields. A key without a value counts as absent; required ones must be present.
func (s *contentFile) mapping(node *yaml.Node, name string, known fields, required ...string) {
	if node.Kind != yaml.MappingNode {
		s.wrongType(node, name, "a group of fields")
		return
	}
	present, seen := map[string]bool{}, map[string]bool{}
	for i := 0; i < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		read, ok := known[key.Value]
		switch {
		case !ok:
			s.fault(key.Line, "unknown field %q; known are %s", key.Value,
				strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		case seen[key.Value]:
			s.fault(key.Line, "the field %q is there twice", key.Value)
		case !isBlank(value):
			present[key.Value] = true
			read(value)
		}
		seen[key.Value] = true
	}
	for _, key := range required {
		if !present[key] {
			s.fault(node.Line, "%s of %s is missing", key, name)
		}
	}
}

// isBlank reports whether a value is null, or a text of white space.
func isBlank(node *yaml.Node) bool {
	return node.ShortTag() == "!!null" || isText(node) && strings.TrimSpace(node.Value) == ""
}

// list reads a list, one item at a time.
func (s *contentFile) list(name string, item reader) reader {
	return func(node *yaml.Node) {
		if node.Kind != yaml.SequenceNode {
			s.wrongType(node, name, "a list")
			return
		}
		for _, value := range node.Content {
			item(value)
		}
	}
}

// text reads a text. A number is a fault: it is more often a mistake than a name.
func (s *contentFile) text(name string, to *located[string]) reader {
	return func(node *yaml.Node) {
		if !isText(node) {
			s.wrongType(node, name, "a text")
			return
		}
		*to = located[string]{strings.TrimSpace(node.Value), node.Line}
	}
}

// code reads a value that may look like a number or a word, as it is written: an id of a video,
// a country's letters.
func (s *contentFile) code(name string, to *located[string]) reader {
	return func(node *yaml.Node) {
		if isNumber(node) || node.Kind == yaml.ScalarNode && node.ShortTag() == "!!bool" {
			*to = located[string]{node.Value, node.Line}
			return
		}
		s.text(name, to)(node)
	}
}

// number reads a number that is more than 0.
func (s *contentFile) number(name string, to *located[float64]) reader {
	return func(node *yaml.Node) {
		var value float64
		if !isNumber(node) || node.Load(&value) != nil {
			s.wrongType(node, name, "a number")
			return
		}
		if !(value > 0 && value <= math.MaxFloat64) { // nor .inf, nor .nan
			s.fault(node.Line, "%s must be more than 0", name)
			return
		}
		*to = located[float64]{value, node.Line}
	}
}

// integer reads a whole number that is more than 0.
func (s *contentFile) integer(name string, to *located[int]) reader {
	return func(node *yaml.Node) {
		var value uint64
		if node.Kind == yaml.ScalarNode && node.ShortTag() == "!!int" && node.Load(&value) == nil &&
			value > 0 && value < 1<<53 { // the largest integers that JavaScript tells apart
			*to = located[int]{int(value), node.Line}
			return
		}
		s.fault(node.Line, "%s must be a whole number that is more than 0", name)
	}
}

// date reads a day, yyyy-mm-dd. The fault does not repeat the value, because faults are logged and birth dates are
// personal.
func (s *contentFile) date(name string, to *located[time.Time]) reader {
	return func(node *yaml.Node) {
		var text located[string]
		s.code(name, &text)(node)
		if !text.isSet() {
			return
		}
		day, err := time.Parse(time.DateOnly, text.value)
		if err != nil {
			s.fault(text.line, "%s must be a day that exists, yyyy-mm-dd", name)
			return
		}
		*to = located[time.Time]{day, text.line}
	}
}

// frontMatter splits a Markdown file into its front matter and its body; bodyLine is the line number of the body's
// first line.
func (s *contentFile) frontMatter(text []byte) (matter *yaml.Node, body []byte, bodyLine int) {
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
