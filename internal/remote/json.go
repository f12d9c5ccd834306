package remote

import (
	"bytes"
	"cmp"
	"encoding/json"
	"html"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Unmarshal reads JSON in every shape in which back ends send a value. Any other shape counts as absent, and the log
// names its field: a back end that changes one must not break a page. A text may be a number, or an object with a value
// or a label; a number may be a text. Of a list, what can't be read is left out. A json.Unmarshaler reads itself, once
// for each time that its key stands in the object, in any case. The result is false for what could not be read.
//
// PHP's dialects are read, too: a list whose keys are not 0, 1, 2 … is an object there, and a text may have passed
// htmlspecialchars, which the field body, HTML anyway, keeps.
func Unmarshal(raw json.RawMessage, into any) bool {
	return newReader().unmarshal(raw, into)
}

type reader struct {
	lost   []string                          // the names of fields that could not be read, or not the whole list
	fields map[reflect.Type]map[string][]int // the places of a type's fields, by their name in JSON
}

func newReader() *reader { return &reader{fields: map[reflect.Type]map[string][]int{}} }

func (r *reader) unmarshal(raw json.RawMessage, into any) bool {
	return r.read(bytes.TrimSpace(raw), reflect.ValueOf(into).Elem())
}

func (r *reader) read(raw json.RawMessage, into reflect.Value) bool {
	if own, ok := into.Addr().Interface().(json.Unmarshaler); ok {
		return own.UnmarshalJSON(raw) == nil
	}
	switch into.Kind() {
	case reflect.String:
		into.SetString(Text(raw))
		return into.Len() > 0 || isNothing(raw)
	case reflect.Int:
		into.SetInt(int64(Number(raw)))
		return isNumber(raw) || isNothing(raw)
	case reflect.Float64:
		into.SetFloat(number(raw))
		return isNumber(raw) || isNothing(raw)
	case reflect.Slice:
		items, isWhole := List(raw)
		into.SetZero()
		for _, item := range items {
			if element := reflect.New(into.Type().Elem()).Elem(); r.read(item, element) {
				into.Set(reflect.Append(into, element))
			} else {
				isWhole = false
			}
		}
		return isWhole || isNothing(raw)
	case reflect.Struct:
		return r.readObject(raw, into)
	default: // a map of texts, which only our own back end sends
		return json.Unmarshal(raw, into.Addr().Interface()) == nil
	}
}

// isNothing reports whether a value is absent, as PHP says it.
func isNothing(raw json.RawMessage) bool {
	text, isText := strings.CutPrefix(string(raw), `"`)
	return isText && strings.Trim(text, `" `) == "" ||
		slices.Contains([]string{"", "null", "false", "[]", "{}"}, string(raw))
}

func isNumber(raw json.RawMessage) bool {
	_, err := strconv.ParseFloat(scalar(raw), 64)
	return err == nil
}

// List is the items of a list, or of an object whose keys are numbers, as PHP writes a list that has a gap.
func List(raw json.RawMessage) (items []json.RawMessage, ok bool) {
	if json.Unmarshal(raw, &items) == nil {
		return items, true
	}
	object := json.NewDecoder(bytes.NewReader(raw))
	if start, err := object.Token(); err != nil || start != json.Delim('{') {
		return nil, false
	}
	for object.More() {
		key, err := object.Token()
		var item json.RawMessage
		if err != nil || object.Decode(&item) != nil {
			return nil, false
		}
		if _, err := strconv.ParseUint(key.(string), 10, 64); err != nil {
			return nil, false
		}
		items = append(items, item)
	}
	return items, true
}

func (r *reader) readObject(raw json.RawMessage, into reflect.Value) bool {
	object := json.NewDecoder(bytes.NewReader(raw))
	if start, err := object.Token(); err != nil || start != json.Delim('{') {
		return false
	}
	fields := r.fieldsOf(into.Type())
	for object.More() {
		key, err := object.Token()
		var value json.RawMessage
		if err != nil || object.Decode(&value) != nil {
			return false
		}
		if field, ok := fields[strings.ToLower(key.(string))]; ok {
			if at := into.FieldByIndex(field); at.Kind() == reflect.String && strings.EqualFold(key.(string), "body") {
				at.SetString(scalar(value))
			} else if !r.read(value, at) {
				r.lost = append(r.lost, key.(string))
			}
		}
	}
	return true
}

func (r *reader) fieldsOf(t reflect.Type) map[string][]int {
	if known, ok := r.fields[t]; ok {
		return known
	}
	fields := map[string][]int{}
	for _, field := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "-" && field.IsExported() && !field.Anonymous {
			fields[strings.ToLower(cmp.Or(name, field.Name))] = field.Index
		}
	}
	r.fields[t] = fields
	return fields
}

// Text is a string, trimmed; a number as it is written; and of an object its value, or else its label.
func Text(raw json.RawMessage) string {
	if len(raw) == 0 || raw[0] != '{' {
		return plain(scalar(raw))
	}
	var option struct{ Value, Label json.RawMessage }
	_ = json.Unmarshal(raw, &option) // of valid JSON
	return plain(cmp.Or(scalar(option.Value), scalar(option.Label)))
}

// entity is a character as htmlspecialchars and htmlentities write it. Without the semicolon it may be part of an
// address (?a=1&copy=2).
var entity = regexp.MustCompile(`&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[a-zA-Z][a-zA-Z0-9]*);`)

// plain undoes that, twice, because some templates escape what was escaped when it was stored.
func plain(text string) string {
	for range 2 {
		if strings.IndexByte(text, '&') < 0 {
			break
		}
		text = entity.ReplaceAllStringFunc(text, html.UnescapeString)
	}
	return strings.TrimSpace(text)
}

// Number is an integer from a number or a string, truncated.
func Number(raw json.RawMessage) int {
	if n := number(raw); math.Abs(n) <= math.MaxInt32 {
		return int(n)
	}
	return 0
}

func number(raw json.RawMessage) float64 {
	n, err := strconv.ParseFloat(scalar(raw), 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return 0
	}
	return n
}

func scalar(raw json.RawMessage) string {
	switch {
	case len(raw) == 0:
	case raw[0] == '"':
		if inner := raw[1 : len(raw)-1]; bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) { // nearly every text
			return strings.TrimSpace(string(inner))
		}
		var text string
		_ = json.Unmarshal(raw, &text) // of valid JSON
		return strings.TrimSpace(text)
	case raw[0] == '-', '0' <= raw[0] && raw[0] <= '9':
		return string(raw)
	}
	return ""
}

var timeFormats = []string{
	time.RFC3339, "2006-01-02T15:04:05", time.DateTime, "2006-01-02 15:04", time.DateOnly, "20060102", "02/01/2006",
	time.RFC1123, time.RFC1123Z,
}

// ParseTime reads a date, or a date and a time, in the formats that back ends use; a time without
// a zone is in UTC, a bare number of nine digits or more counts seconds since 1970. The zero time is for an empty text
// and for a database's 0000-00-00. It reports whether the text could be read.
func ParseTime(text string) (time.Time, bool) {
	if text == "" || strings.HasPrefix(text, "0000-00-00") {
		return time.Time{}, true
	}
	for _, format := range timeFormats {
		if t, err := time.Parse(format, text); err == nil {
			return t, true
		}
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err == nil && seconds >= 100_000_000 && seconds <= math.MaxUint32 {
		return time.Unix(seconds, 0).UTC(), true
	}
	return time.Time{}, false
}
