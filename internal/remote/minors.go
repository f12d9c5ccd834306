package remote

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"zedcard/internal/agency"
)

// Values that tell whether a talent is a minor are read more strictly than others: elsewhere an unreadable value counts
// as absent, here it makes the talent a minor.

// birthJSON is a birth date. Null, an empty text and a database's 0000-00-00 mean none; for a date that can't be read,
// date is zero and unreadable is set.
type birthJSON struct {
	date       time.Time
	unreadable bool
}

// UnmarshalJSON never fails. Of a key that stands twice, perhaps in another case, the value that makes the younger
// talent counts.
func (b *birthJSON) UnmarshalJSON(raw []byte) error {
	text := Text(raw)
	if text == "" {
		b.unreadable = b.unreadable || !isEmpty(raw)
		return nil
	}
	date, ok := ParseTime(text)
	date = latestDay(date)
	// 03/04/2008 may be April 3rd or March 4th. The later day makes the younger talent.
	if swapped, err := time.Parse("01/02/2006", text); err == nil && swapped.After(date) && ok {
		date = swapped
	}
	b.unreadable = b.unreadable || !ok
	if date.After(b.date) {
		b.date = date
	}
	return nil
}

// latestDay is the latest day that a moment can mean: back ends write the midnight of their own zone as a time of
// another day in UTC. A day without a time is that day.
func latestDay(moment time.Time) time.Time {
	if moment.IsZero() {
		return moment
	}
	return moment.UTC().Add(14 * time.Hour).Truncate(24 * time.Hour) // no zone is further ahead
}

// categoriesJSON is a list of categories: objects with id and name, or ids or names alone.
type categoriesJSON struct {
	list       []agency.Category
	items      []json.RawMessage // the list as it was sent
	unreadable bool              // a part could not be read
}

// UnmarshalJSON never fails. Of a key that stands twice, the values are added up.
func (c *categoriesJSON) UnmarshalJSON(raw []byte) error {
	if text := string(raw); text == "null" || text == `""` {
		return nil
	}
	items, ok := List(raw)
	c.unreadable = !ok || c.unreadable
	c.items = append(c.items, items...)
	for _, item := range items {
		category, ok := readCategory(item)
		if category != (agency.Category{}) {
			c.list = append(c.list, category)
		}
		c.unreadable = c.unreadable || !ok
	}
	return nil
}

// ofMinors reports whether a category is of minors, by what the operator settled, or by any name or id in it.
func (c categoriesJSON) ofMinors(rule agency.MinorCategories) bool {
	return slices.ContainsFunc(c.items, func(item json.RawMessage) bool {
		category, _ := readCategory(item)
		if ofMinors, settled := rule.Settled(category); settled {
			return ofMinors
		}
		return rule.Contains(category) || mentionsMinors(item, rule)
	})
}

// readCategory reads an object with id and name, or one of the two alone. It reports whether all
// of it could be read.
func readCategory(raw json.RawMessage) (agency.Category, bool) {
	var object struct{ ID, Name json.RawMessage }
	if raw[0] != '{' {
		object.Name = raw
		if Number(raw) != 0 {
			object.ID, object.Name = raw, nil
		}
	} else if json.Unmarshal(raw, &object) != nil {
		return agency.Category{}, false
	}
	category := agency.Category{ID: agency.CategoryID(Number(object.ID)), Name: Text(object.Name)}
	ok := (category.ID != 0 || isEmpty(object.ID)) && (category.Name != "" || isEmpty(object.Name))
	return category, ok && category != (agency.Category{})
}

// mentionsMinors looks for the id of the kids board, and for words for minors, anywhere in a category.
func mentionsMinors(raw json.RawMessage, rule agency.MinorCategories) bool {
	tokens := json.NewDecoder(bytes.NewReader(raw))
	for {
		switch token, err := tokens.Token(); token := token.(type) {
		case string:
			if rule.HasWord(token) || token == strconv.Itoa(int(agency.KidsID)) {
				return true
			}
		case float64:
			if token == float64(agency.KidsID) {
				return true
			}
		default:
			if err != nil { // the end: the text is valid JSON
				return false
			}
		}
	}
}

// isEmpty reports whether a value is missing, null, or a text of spaces.
func isEmpty(raw json.RawMessage) bool {
	return len(raw) == 0 || string(raw) == "null" || raw[0] == '"' && len(bytes.Trim(raw, `" `)) == 0
}
