package wire

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// The types below accept every shape in which back ends send a value. Any other shape counts as absent: a back end that
// changes one field must not break a page.

// Text reads a string, trimmed; a number as it is written; and of an object its value, or else its label.
type Text string

// UnmarshalJSON never fails.
func (t *Text) UnmarshalJSON(raw []byte) error {
	if raw[0] != '{' {
		*t = Text(scalar(raw))
		return nil
	}
	var option struct{ Value, Label json.RawMessage }
	*t = ""
	if json.Unmarshal(raw, &option) == nil {
		*t = Text(scalar(option.Value))
		if *t == "" {
			*t = Text(scalar(option.Label))
		}
	}
	return nil
}

func scalar(raw []byte) string {
	switch {
	case len(raw) == 0:
		return ""
	case raw[0] == '-', '0' <= raw[0] && raw[0] <= '9':
		return string(raw)
	case raw[0] != '"':
		return ""
	}
	if inner := raw[1 : len(raw)-1]; bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return strings.TrimSpace(string(inner))
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return ""
	}
	return strings.TrimSpace(text)
}

// Number reads an integer from a number or a string, truncated.
type Number int

// UnmarshalJSON never fails.
func (n *Number) UnmarshalJSON(raw []byte) error {
	*n = 0
	value, err := strconv.ParseFloat(scalar(raw), 64)
	if err == nil && math.Abs(value) <= math.MaxInt32 { // NaN is not
		*n = Number(value)
	}
	return nil
}

// Fraction reads a number above 0 and up to 1 from a number or a string; any other is 0.
type Fraction float64

// UnmarshalJSON never fails.
func (f *Fraction) UnmarshalJSON(raw []byte) error {
	*f = 0
	if value, err := strconv.ParseFloat(scalar(raw), 64); err == nil && 0 < value && value <= 1 {
		*f = Fraction(value)
	}
	return nil
}

// List reads an array and leaves out unreadable elements.
type List[T any] []T

// UnmarshalJSON never fails.
func (l *List[T]) UnmarshalJSON(raw []byte) error {
	*l = nil
	var values []T
	if json.Unmarshal(raw, &values) == nil {
		*l = values
		return nil
	}
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) == nil {
		*l = elements[T](items)
	}
	return nil
}

// elements reads the elements of a list and leaves out unreadable ones.
func elements[T any](items []json.RawMessage) []T {
	values := make([]T, 0, len(items))
	for _, item := range items {
		var value T
		if json.Unmarshal(item, &value) == nil {
			values = append(values, value)
		}
	}
	return values
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
