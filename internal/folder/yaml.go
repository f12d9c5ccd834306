package folder

import (
	"cmp"
	"errors"
	"fmt"
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

// Fields are named by the tag yaml; what their values must be says the tag validate. A text may look like a number, a
// day or true: it is taken as it is written.

// Number is more than 0. It may be written with a decimal comma and with cm or kg.
type Number float64

// Day is written yyyy-mm-dd.
type Day struct{ time.Time }

// Month is written yyyy-mm, or as a day of it.
type Month struct{ Day }

// Address is one of the web; https:// may be left out.
type Address string

// UnmarshalYAML reads an address.
func (a *Address) UnmarshalYAML(node *yaml.Node) error {
	*a = Address(agency.WebAddress(node.Value))
	return nil
}

// slip is a fault of a value, without the name of its field.
type slip struct {
	key  string
	args []string
}

func (s slip) Error() string { return s.key }

// UnmarshalYAML reads a day. Its fault does not repeat the value: faults are logged, and birth dates are personal.
func (d *Day) UnmarshalYAML(node *yaml.Node) (err error) {
	if d.Time, err = time.Parse(time.DateOnly, node.Value); err != nil {
		return slip{key: "fault.day"}
	}
	return nil
}

// UnmarshalYAML reads a month as its first day.
func (m *Month) UnmarshalYAML(node *yaml.Node) (err error) {
	if m.Time, err = time.Parse("2006-01", node.Value); err != nil {
		return m.Day.UnmarshalYAML(node)
	}
	return nil
}

// UnmarshalYAML reads a number as editors write it.
func (n *Number) UnmarshalYAML(node *yaml.Node) error {
	value, ok := ParseNumber(node.Value)
	switch {
	case node.Kind != yaml.ScalarNode:
		return misfit(node, "fault.type-number")
	case !ok && typeKeys[node.Tag] != "fault.type-number":
		return noNumber(node.Value)
	case !(value > 0 && value <= math.MaxFloat64): // nor .inf, nor .nan
		return slip{key: "fault.number"}
	}
	*n = Number(value)
	return nil
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

// What editors write where a number belongs: two sizes, a half.
var (
	twoNumbers = regexp.MustCompile(`^([0-9.,]+) ?[-–/] ?[0-9.,]+$`)
	halfNumber = regexp.MustCompile(`^([0-9]+) ?(?:½|1/2)$`)
)

// noNumber says what to write instead of a text that is no number.
func noNumber(text string) slip {
	meant := ""
	if half := halfNumber.FindStringSubmatch(text); half != nil {
		meant = half[1] + ".5"
	} else if two := twoNumbers.FindStringSubmatch(text); two != nil {
		meant = two[1]
	} else if cm, ok := agency.ParseLength(text); ok {
		meant = strconv.FormatFloat(math.Round(cm), 'f', -1, 64)
	}
	if meant == "" {
		return slip{"fault.number-text", []string{"value", text}}
	}
	return slip{"fault.number-meant", []string{"value", text, "meant", meant}}
}

// typeKeys have the texts of what an editor would call a value, by its tag.
var typeKeys = map[string]string{
	"!!map": "fault.type-fields", "!!seq": "fault.type-list", "!!str": "fault.type-text",
	"!!timestamp": "fault.type-text", "!!int": "fault.type-number", "!!float": "fault.type-number",
	"!!bool": "fault.type-boolean",
}

// misfit says what was expected instead of a value, by the key of its text.
func misfit(node *yaml.Node, wanted string) slip {
	return slip{"fault.type", []string{"wanted", wanted, "found", cmp.Or(typeKeys[node.Tag], "fault.type-other")}}
}

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
	var docs []yaml.Node
	if err := guarded(func() error { return yaml.Load(text, &docs, yaml.WithAllDocuments()) }); err != nil {
		f.syntax(err)
		return
	}
	docs = slices.DeleteFunc(docs, func(doc yaml.Node) bool { return isBlank(doc.Content[0]) })
	kind := reflect.TypeOf(into).Elem()
	switch {
	case len(docs) > 1:
		f.Fault(docs[1].Content[0].Line, "fault.second-document")
	case len(docs) == 1:
		f.load(docs[0].Content[0], into)
		if kind.Kind() == reflect.Slice {
			f.validate(validate.Var(into, "dive"), "")
		} else if kind.Kind() == reflect.Struct {
			f.validate(validate.Struct(into), kind.Name()+".")
		}
	case kind.Kind() != reflect.Map: // of sentences, of which none may differ
		f.Fault(0, "fault.file-empty")
	}
}

// guarded makes errors of the library's panics: an editor's slip must not end the site.
func guarded(call func() error) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("%v", reason)
		}
	}()
	return call()
}

// place is where a value is: in its file by path, as video[0].file, and in the tree.
type place struct {
	path string
	node *yaml.Node
}

// load lets the library fill what it can: it names every fault by line and column (v4.0.0).
func (f *File) load(tree *yaml.Node, into any) {
	places, fields := map[[2]int]place{}, map[string][]string{}
	f.index(place{"", tree}, places)
	fieldsOf(reflect.TypeOf(into), fields)
	err := guarded(func() error { return tree.Load(into, yaml.WithKnownFields(), yaml.WithUniqueKeys(false)) })
	if faults, ok := errors.AsType[*yaml.LoadErrors](err); ok {
		for _, fault := range faults.Errors {
			f.refuse(fault, places[[2]int{fault.Mark.Line, fault.Mark.Column}], fields)
		}
	} else if err != nil {
		f.syntax(err)
	}
}

// short is the field that a text alone stands for, by the name of its list.
var short = map[string]string{"book": "file", "snap": "file", "cities": "value"}

// index notes the places of values, and takes out what is blank or there twice.
func (f *File) index(at place, places map[[2]int]place) {
	node := at.node
	f.lineOf[at.path], places[[2]int{node.Line, node.Column}] = node.Line, at
	switch node.Kind {
	case yaml.ScalarNode:
		node.Value = strings.TrimSpace(node.Value)
		digits := strings.TrimLeft(node.Value, "0")
		if node.Tag == "!!int" && strings.Trim(digits, "0123456789") == "" {
			node.Value = cmp.Or(digits, "0") // the library takes 010 for 8
		}
	case yaml.SequenceNode:
		node.Content = slices.DeleteFunc(node.Content, isBlank)
		for i, item := range node.Content {
			if field := short[nameOf(at.path)]; field != "" && item.Kind == yaml.ScalarNode {
				key, group := *item, *item
				key.Tag, key.Value = "!!str", field
				group.Kind, group.Tag, group.Content = yaml.MappingNode, "!!map", []*yaml.Node{&key, item}
				node.Content[i] = &group
			}
			f.index(place{at.path + "[" + strconv.Itoa(i) + "]", node.Content[i]}, places)
		}
	case yaml.MappingNode:
		var pairs []*yaml.Node
		for pair := range slices.Chunk(node.Content, 2) {
			key, value := pair[0], pair[1]
			key.Value = strings.TrimSpace(key.Value)
			path := strings.TrimPrefix(at.path+"."+key.Value, ".")
			if _, twice := f.lineOf[path]; twice {
				f.Fault(key.Line, "fault.field-twice", "field", key.Value)
				continue
			}
			f.keysOf[at.path], pairs = append(f.keysOf[at.path], key.Value), append(pairs, pair...)
			if isBlank(value) {
				*value = yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}
			} else {
				f.index(place{path, value}, places)
			}
			f.lineOf[path] = key.Line
		}
		node.Content = pairs
	}
}

// isBlank reports whether a value is absent, or a text of white space.
func isBlank(node *yaml.Node) bool {
	return node.Tag == "!!null" || typeKeys[node.Tag] == "fault.type-text" && strings.TrimSpace(node.Value) == ""
}

// nameOf is the last name of a path; a whole file's is the key of a text.
func nameOf(path string) string {
	name, _, _ := strings.Cut(path[strings.LastIndex(path, ".")+1:], "[")
	return cmp.Or(name, "fault.type-file")
}

// fieldsOf are the names of a struct's fields, and of those within it, by the name of its type.
func fieldsOf(kind reflect.Type, all map[string][]string) {
	switch kind.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		fieldsOf(kind.Elem(), all)
	case reflect.Struct:
		for i := range kind.NumField() {
			field := kind.Field(i)
			if name, options, _ := strings.Cut(field.Tag.Get("yaml"), ","); name != "" && options == "" {
				all[kind.String()] = append(all[kind.String()], name)
				fieldsOf(field.Type, all)
			}
		}
	}
}

// What the library says of a field that a struct lacks, and of a value that does not fit into its type.
var (
	noField   = regexp.MustCompile(`(?s)^field (.*?) not found in type (.*)$`)
	wrongType = regexp.MustCompile(`(?s)^cannot construct .* into (.*)$`)
)

// refuse notes a fault that the library or a value's type has found.
func (f *File) refuse(fault *yaml.LoadError, at place, fields map[string][]string) {
	if unknown := noField.FindStringSubmatch(fault.Message); unknown != nil {
		f.unknown(fault.Mark.Line, unknown[1], fields[unknown[2]])
		return
	}
	wanted, name := "string", nameOf(at.path)
	if wrong := wrongType.FindStringSubmatch(fault.Message); wrong != nil && at.node != nil {
		wanted = wrong[1]
	}
	its, isGroup := fields[wanted]
	isText, isList := at.node.Kind == yaml.ScalarNode, strings.HasPrefix(wanted, "[]")
	wrong, isOwn := errors.AsType[slip](fault)
	switch {
	case isOwn:
	case wanted == "int":
		wrong.key = "fault.whole-number"
	case wanted == "bool":
		wrong.key = "fault.true-false"
	case isList && isText:
		wrong = slip{"fault.list", []string{"value", at.node.Value}}
	case isGroup && isText:
		wrong = slip{"fault.group", []string{"example", fmt.Sprintf("%s: {%s: %s}", name, its[0], at.node.Value)}}
	case isList:
		wrong = misfit(at.node, "fault.type-list")
	case isGroup || strings.HasPrefix(wanted, "map["):
		wrong = misfit(at.node, "fault.type-fields")
	default:
		wrong = misfit(at.node, "fault.type-text")
	}
	f.refused[at.path] = true
	f.Fault(fault.Mark.Line, wrong.key, append(wrong.args, "field", name)...)
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
		slices.Sort(names)
		f.Fault(line, "fault.field-unknown", "field", key, "known", strings.Join(names, ", "))
	}
}

var validate = func() *validator.Validate {
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterTagNameFunc(func(field reflect.StructField) string {
		name, _, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		return name
	})
	return v
}()

// ruleKeys have the texts of the rules that fields may have.
var ruleKeys = map[string]string{
	"required": "fault.missing", "oneof": "fault.one-of", "startswith": "fault.begins-with", "email": "fault.email",
	"max": "fault.at-most", "gt": "fault.whole-number",
	"bcp47_language_tag": "fault.tag", "email|startswith=https://": "fault.email-or-web",
}

// mapKey is an entry of a map in the validator's paths; Names are the texts of a group by language.
var mapKey = regexp.MustCompile(`(?:\.Names)?\[(\D[^\]]*)\]`)

// validate notes what the rules of fields refuse, unless a value has its fault already. Root begins their names.
func (f *File) validate(err error, root string) {
	faults, _ := errors.AsType[validator.ValidationErrors](err)
	for _, fault := range faults {
		at := mapKey.ReplaceAllString(strings.TrimPrefix(fault.Namespace(), root), ".$1")
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
