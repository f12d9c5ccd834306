package textfile

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-playground/validator/v10"
	"go.yaml.in/yaml/v4"

	"zedcard/internal/agency"
)

// Fields are named by the tag yaml; what their values must be says the tag validate. The library's own decoder stops at
// the first fault, and an editor needs all of them: so the tree that it parses is read below.

// Code is a value that may look like a number or a word, as it is written: an id of a video, a country's letters.
type Code string

// Number is more than 0. It may be written with a decimal comma and with cm or kg.
type Number float64

// Day is written yyyy-mm-dd.
type Day struct{ time.Time }

// Short is what may be a group of fields or a text that stands for one of them.
type Short interface{ FromText(text string) }

// Decode reads the file as YAML. Values with a fault stay as they are.
func (f *File) Decode(into any) {
	if !f.Invalid {
		f.decode(f.Text, into)
	}
}

func (f *File) decode(text []byte, into any) {
	f.lineOf, f.keysOf, f.refused = map[string]int{}, map[string][]string{}, map[string]bool{}
	if !f.isBounded(text) {
		return
	}
	docs, err := parse(text)
	if err != nil {
		f.syntax(err)
		return
	}
	docs = slices.DeleteFunc(docs, func(doc yaml.Node) bool { return isBlank(doc.Content[0]) })
	value := reflect.ValueOf(into).Elem()
	switch {
	case len(docs) > 1:
		f.Fault(docs[1].Content[0].Line, "fault.second-document")
	case len(docs) == 1:
		f.read(docs[0].Content[0], value, "")
		if value.Kind() == reflect.Slice {
			f.validate(validate.Var(into, "dive"), "")
		} else if value.Kind() == reflect.Struct {
			f.validate(validate.Struct(into), value.Type().Name()+".")
		}
	case value.Kind() != reflect.Map: // of sentences, of which none may differ
		f.Fault(0, "fault.file-empty")
	}
}

// parse is the library's, whose panics are errors: an editor's slip must not end the site.
func parse(text []byte) (docs []yaml.Node, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("%v", reason)
		}
	}()
	err = yaml.Load(text, &docs, yaml.WithAllDocuments())
	return docs, err
}

// read reads one value of the tree.
func (f *File) read(node *yaml.Node, into reflect.Value, at string) {
	f.lineOf[at] = node.Line
	if isBlank(node) {
		return
	}
	if short, ok := into.Addr().Interface().(Short); ok && isScalar(node) {
		if text, ok := f.text(node, at); ok {
			short.FromText(text)
		}
		return
	}
	switch to := into.Addr().Interface().(type) {
	case *Code:
		if isNumber(node) || node.Tag == "!!bool" {
			*to = Code(node.Value)
		} else if text, ok := f.text(node, at); ok {
			*to = Code(text)
		}
		return
	case *Number:
		f.number(node, to, at)
		return
	case *Day:
		var err error
		if to.Time, err = time.Parse(time.DateOnly, strings.TrimSpace(node.Value)); err != nil {
			// The text does not repeat the value, because faults are logged and birth dates are personal.
			f.refuse(node, at, "fault.day")
		}
		return
	}
	switch into.Kind() {
	case reflect.Pointer:
		into.Set(reflect.New(into.Type().Elem()))
		f.read(node, into.Elem(), at)
	case reflect.Struct:
		f.fields(node, into, at)
	case reflect.Map:
		f.names(node, into, at)
	case reflect.Slice:
		switch node.Kind {
		case yaml.SequenceNode:
		case yaml.ScalarNode:
			f.refuse(node, at, "fault.list", "value", node.Value)
			return
		default:
			f.wrongType(node, at, "fault.type-list")
			return
		}
		into.Set(reflect.MakeSlice(into.Type(), len(node.Content), len(node.Content)))
		for i, item := range node.Content {
			f.read(item, into.Index(i), fmt.Sprintf("%s[%d]", at, i))
		}
	case reflect.String:
		if text, ok := f.text(node, at); ok {
			into.SetString(text)
		}
	case reflect.Int:
		// The largest integer that JavaScript tells apart.
		if n, err := strconv.ParseInt(node.Value, 10, 54); err != nil || n <= 0 || node.Tag != "!!int" {
			f.refuse(node, at, "fault.whole-number")
		} else {
			into.SetInt(n)
		}
	case reflect.Bool:
		if node.Tag != "!!bool" {
			f.refuse(node, at, "fault.true-false")
		} else {
			into.SetBool(strings.EqualFold(node.Value, "true"))
		}
	default:
		panic("content: a field of type " + into.Type().String())
	}
}

// entries are the pairs of a group of fields.
func (f *File) entries(node *yaml.Node, at string) iter.Seq[[]*yaml.Node] {
	pairs := node.Content
	if node.Kind != yaml.MappingNode {
		f.wrongType(node, at, "fault.type-fields")
		pairs = nil
	}
	return slices.Chunk(pairs, 2)
}

// languageTag is what may be a tag of a language, such as pt-PT: a map in the field "*" has the texts by it.
var languageTag = regexp.MustCompile(`^[a-z]{2,3}(-[A-Za-z0-9]+)*$`)

func (f *File) fields(node *yaml.Node, into reflect.Value, at string) {
	known := map[string]reflect.Value{}
	var names []string
	for i := range into.NumField() {
		name := into.Type().Field(i).Tag.Get("yaml")
		known[name] = into.Field(i)
		if name != "*" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if isScalar(node) {
		example := fmt.Sprintf("%s: {%s: %s}", nameOf(at), into.Type().Field(0).Tag.Get("yaml"), node.Value)
		f.refuse(node, at, "fault.group", "example", example)
		return
	}
	rest, open := known["*"]
	seen := map[string]bool{}
	for entry := range f.entries(node, at) {
		key := strings.TrimSpace(entry[0].Value)
		field, ok := known[key]
		line := entry[0].Line
		switch {
		case !ok && open && languageTag.MatchString(key):
			if text, ok := f.text(entry[1], join(at, key)); ok {
				if rest.IsNil() {
					rest.Set(reflect.MakeMap(rest.Type()))
				}
				rest.SetMapIndex(reflect.ValueOf(key), reflect.ValueOf(text))
			}
		case !ok:
			f.unknown(line, key, names)
		case seen[key]:
			f.Fault(line, "fault.field-twice", "field", key)
		default:
			f.read(entry[1], field, join(at, key))
			f.lineOf[join(at, key)] = line
			if isBlank(entry[1]) {
				delete(f.lineOf, join(at, key))
			}
		}
		seen[key] = true
	}
}

// unknown notes an unknown field, with the one that is probably meant.
func (f *File) unknown(line int, key string, names []string) {
	meant := ""
	if f.Meant != nil {
		meant = f.Meant(key)
	}
	if !slices.Contains(names, meant) {
		meant = Nearest(key, names)
	}
	if meant != "" {
		f.Fault(line, "fault.field-meant", "field", key, "meant", meant)
	} else {
		f.Fault(line, "fault.field-unknown", "field", key, "known", strings.Join(names, ", "))
	}
}

// names reads a group of fields with any names.
func (f *File) names(node *yaml.Node, into reflect.Value, at string) {
	into.Set(reflect.MakeMap(into.Type()))
	for entry := range f.entries(node, at) {
		key := strings.TrimSpace(entry[0].Value)
		name, value := reflect.ValueOf(key), reflect.New(into.Type().Elem()).Elem()
		if into.MapIndex(name).IsValid() {
			f.Fault(entry[0].Line, "fault.field-twice", "field", key)
			continue
		}
		path := at + "[" + key + "]"
		f.read(entry[1], value, path)
		f.lineOf[path] = entry[0].Line
		f.keysOf[at] = append(f.keysOf[at], key)
		into.SetMapIndex(name, value)
	}
}

// text is a text. A number is a fault: it is more often a mistake than a name.
func (f *File) text(node *yaml.Node, at string) (string, bool) {
	if typeKeys[node.Tag] != "fault.type-text" {
		f.wrongType(node, at, "fault.type-text")
		return "", false
	}
	return strings.TrimSpace(node.Value), true
}

// numberText is a number as editors write it.
var numberText = regexp.MustCompile(`^([0-9]+(?:[.,][0-9]+)?) ?(?:cm|kg)?$`)

// ParseNumber reads a number as editors write it: with a decimal comma, with cm or kg.
func ParseNumber(text string) (value float64, ok bool) {
	if match := numberText.FindStringSubmatch(strings.ToLower(strings.TrimSpace(text))); match != nil {
		text = strings.Replace(match[1], ",", ".", 1)
	}
	value, err := strconv.ParseFloat(text, 64)
	return value, err == nil
}

func (f *File) number(node *yaml.Node, to *Number, at string) {
	text := node.Value
	value, ok := ParseNumber(text)
	switch {
	case !isScalar(node):
		f.wrongType(node, at, "fault.type-number")
	case !ok && !isNumber(node):
		f.noNumber(node, text, at)
	case !(value > 0 && value <= math.MaxFloat64): // nor .inf, nor .nan
		f.refuse(node, at, "fault.number")
	default:
		*to = Number(value)
	}
}

// What editors write where a number belongs: three measures, two sizes, a half.
var (
	threeNumbers = regexp.MustCompile(`^([0-9.,]+) ?[-–/] ?([0-9.,]+) ?[-–/] ?([0-9.,]+)$`)
	twoNumbers   = regexp.MustCompile(`^([0-9.,]+) ?[-–/] ?[0-9.,]+$`)
	halfNumber   = regexp.MustCompile(`^([0-9]+) ?(?:½|1/2)$`)
)

// noNumber says what to write instead of a text that is no number.
func (f *File) noNumber(node *yaml.Node, text, at string) {
	text = strings.TrimSpace(text)
	if three := threeNumbers.FindStringSubmatch(text); three != nil {
		f.refuse(node, at, "fault.number-three", "value", text,
			"meant", fmt.Sprintf("bust: %s, waist: %s, hips: %s", three[1], three[2], three[3]))
		return
	}
	meant := ""
	if half := halfNumber.FindStringSubmatch(text); half != nil {
		meant = half[1] + ".5"
	} else if two := twoNumbers.FindStringSubmatch(text); two != nil {
		meant = two[1]
	} else if cm, ok := agency.ParseLength(text); ok {
		meant = strconv.FormatFloat(math.Round(cm), 'f', -1, 64)
	}
	key := "fault.number-meant"
	if meant == "" {
		key = "fault.number-text"
	}
	f.refuse(node, at, key, "value", text, "meant", meant)
}

// refuse notes a fault of a value: {field} is its name.
func (f *File) refuse(node *yaml.Node, at, key string, args ...string) {
	f.refused[at] = true
	f.Fault(node.Line, key, append(args, "field", nameOf(at))...)
}

// typeKeys have the texts of what an editor would call a value, by its tag.
var typeKeys = map[string]string{
	"!!map": "fault.type-fields", "!!seq": "fault.type-list", "!!str": "fault.type-text",
	"!!timestamp": "fault.type-text", "!!int": "fault.type-number", "!!float": "fault.type-number",
	"!!bool": "fault.type-boolean",
}

// wrongType notes what was expected instead of a value; both are keys of texts.
func (f *File) wrongType(node *yaml.Node, at, wanted string) {
	found := cmp.Or(typeKeys[node.Tag], "fault.type-other")
	f.refuse(node, at, "fault.type", "wanted", wanted, "found", found)
}

func isScalar(node *yaml.Node) bool { return node.Kind == yaml.ScalarNode }

func isNumber(node *yaml.Node) bool { return typeKeys[node.Tag] == "fault.type-number" }

// isBlank reports whether a value is absent, or a text of white space.
func isBlank(node *yaml.Node) bool {
	return node.Tag == "!!null" || typeKeys[node.Tag] == "fault.type-text" && strings.TrimSpace(node.Value) == ""
}

func join(at, key string) string {
	if at == "" {
		return key
	}
	return at + "." + key
}

// nameOf is the last name of a path; a whole file's is the key of a text.
func nameOf(at string) string {
	name := at[strings.LastIndex(at, ".")+1:]
	name, _, _ = strings.Cut(name, "[")
	return cmp.Or(name, "fault.type-file")
}

var validate = func() *validator.Validate {
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterTagNameFunc(func(field reflect.StructField) string { return field.Tag.Get("yaml") })
	return v
}()

// ruleKeys have the texts of the rules that fields may have.
var ruleKeys = map[string]string{
	"required": "fault.missing", "oneof": "fault.one-of", "startswith": "fault.begins-with", "email": "fault.email",
	"max": "fault.at-most",
}

// validate notes what the rules of fields refuse, unless a value has its fault already. Root begins their names.
func (f *File) validate(err error, root string) {
	faults, _ := errors.AsType[validator.ValidationErrors](err)
	for _, fault := range faults {
		at := strings.TrimPrefix(fault.Namespace(), root)
		parent := at[:max(strings.LastIndex(at, "."), 0)]
		if f.refused[at] || f.refused[parent] {
			continue
		}
		line, ok := f.lineOf[at]
		if !ok {
			line = f.lineOf[parent]
		}
		f.Fault(line, ruleKeys[fault.Tag()], "field", nameOf(at), "rule", strings.ReplaceAll(fault.Param(), " ", ", "),
			"value", fmt.Sprint(fault.Value()))
	}
}
