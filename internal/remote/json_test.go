package remote

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestValuesAreReadInEveryShape(t *testing.T) {
	for raw, want := range map[string]string{
		`"178 cm"`: "178 cm", `" Ana "`: "Ana", `"\u00c1gata \"Z\""`: `Ágata "Z"`,
		`""`: "", `178`: "178", `-0.5`: "-0.5",
		`9007199254740993`: "9007199254740993", `null`: "", `true`: "", `[1]`: "", `{}`: "",
		`{"value": 178, "label": "178 cm"}`: "178", `{"value": null, "label": "Black"}`: "Black",
		`{"value": {"value": 1}}`: "", `{"label": [1]}`: "",
		"\"\xff\"": "\ufffd", `"O&#039;Connor"`: "O'Connor", `"Fran&ccedil;a &amp;amp; Co"`: "França & Co",
		`"/a.jpg?a=1&copy=2"`: "/a.jpg?a=1&copy=2", `{"value": "5&#039;8&quot;"}`: `5'8"`,
	} {
		got := struct{ Field string }{"left from before"}
		assert.True(t, Unmarshal([]byte(`{"field": `+raw+`}`), &got), raw)
		assert.Equal(t, want, got.Field, raw)
	}
	for raw, want := range map[string]int{
		`720`: 720, `"720"`: 720, `" 720 "`: 720, `720.9`: 720, `-3`: -3,
		`"7e2"`: 700, `"NaN"`: 0, `"Inf"`: 0, `1e300`: 0, `"720px"`: 0,
		`null`: 0, `true`: 0, `{}`: 0, `[]`: 0, `""`: 0,
	} {
		got := 99
		Unmarshal([]byte(raw), &got)
		assert.Equal(t, want, got, raw)
	}
	type item struct {
		ID int `json:"id"`
	}
	for raw, want := range map[string][]item{
		`[{"id": 1}, 5, "x", {"id": "2"}, []]`: {{1}, {2}}, `[]`: nil, `null`: nil, `"x"`: nil,
		`{"0": {"id": 1}, "2": {"id": 2}}`: {{1}, {2}}, `{"a": {"id": 1}}`: nil, `{}`: nil,
	} {
		var got []item
		Unmarshal([]byte(raw), &got)
		assert.Equal(t, want, got, raw)
	}
}

func TestParseTimeReportsUnreadableTimes(t *testing.T) {
	for text, known := range map[string]bool{
		"": true, "0000-00-00": true, "0000-00-00 00:00:00": true,
		"2001-02-03": true, "03/02/2001": true, "981158400": true,
		"2001-02-30": false, "3rd of February": false, "2001": false, "20010203": true, "1000": false,
	} {
		_, got := ParseTime(text)
		assert.Equal(t, known, got, text)
	}
	for _, text := range []string{"2001-02-03", "20010203", "03/02/2001"} {
		date, _ := ParseTime(text)
		assert.Equal(t, time.Date(2001, 2, 3, 0, 0, 0, 0, time.UTC), date, text)
	}
}

func TestRetryAfterReadsSecondsAndDates(t *testing.T) {
	assert.Equal(t, 120*time.Second, retryAfter("120"))
	assert.Equal(t, 24*time.Hour, retryAfter("999999999999"))
	assert.Zero(t, retryAfter("-5"))
	assert.Zero(t, retryAfter(""))
	assert.Zero(t, retryAfter("soon"))
	assert.Zero(t, retryAfter("Mon, 01 Jan 2001 00:00:00 GMT"), "a date in the past")
	assert.Greater(t, retryAfter("Fri, 31 Dec 2999 23:59:59 GMT"), time.Hour)
}

// Nesting must cost neither the stack nor more than a moment: readers look one level deep only.
func TestDeepNestingIsRead(t *testing.T) {
	deep := strings.Repeat(`{"value":`, 9000) + "1" + strings.Repeat("}", 9000)
	assert.Empty(t, Text([]byte(deep)))
	_, err := readPage([]byte(strings.Repeat(`{"data":`, 9000) + "[]" + strings.Repeat("}", 9000)))
	require.ErrorIs(t, err, errMalformed)
	object, _ := unwrap([]byte(strings.Repeat("[", 1<<20)))
	assert.Empty(t, object)
}

// A body is HTML: what is escaped there is text.
func TestTheBodyOfAPostKeepsItsEntities(t *testing.T) {
	var post Post
	require.True(t, Unmarshal([]byte(`{"title": "R&amp;D", "body": "<p>1 &lt; 2 &amp; 3</p>"}`), &post))
	assert.Equal(t, "R&D", post.Title)
	assert.Equal(t, "<p>1 &lt; 2 &amp; 3</p>", post.Body)
}

func TestWhatAPersonWouldSeeInThePlaceOfAnAnswer(t *testing.T) {
	challenge := "<html><head><title>Just a\nmoment&hellip;</title>"
	for seen, err := range map[string]error{
		"it redirects to https://www.panel.example/": &StatusError{Code: 301, Location: "https://www.panel.example/"},
		`its page is titled "Just a moment…"`:        &StatusError{Code: 403, Body: []byte(challenge)},
		`its page is titled "Sign in"`:               malformed([]byte("<title>Sign in</title>")),
		"":                                           &StatusError{Code: 500, Body: []byte("{}")},
	} {
		assert.Equal(t, seen, Seen((&client{}).unavailable("talents", err)))
	}
}
