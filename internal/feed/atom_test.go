package feed_test

import (
	"bytes"
	"encoding/xml"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/feed"
)

// document is what a reader takes from a feed.
type document struct {
	XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string   `xml:"id"`
	Updated string   `xml:"updated"`
	Author  string   `xml:"author>name"`
	Links   []struct {
		Rel  string `xml:"rel,attr"`
		Href string `xml:"href,attr"`
	} `xml:"link"`
	Entries []struct {
		Title     string `xml:"title"`
		Published string `xml:"published"`
		Updated   string `xml:"updated"`
		Author    string `xml:"author>name"`
	} `xml:"entry"`
}

func read(t *testing.T, f feed.Feed) document {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, feed.WriteAtom(&out, f))
	var read document
	require.NoError(t, xml.Unmarshal(out.Bytes(), &read), out.String())
	return read
}

func TestFeedIsAsNewAsItsNewestEntry(t *testing.T) {
	lisbon := time.FixedZone("Lisbon in summer", 3600)
	got := read(t, feed.Feed{
		Address: "https://best.example/feed.xml", Home: "https://best.example/blog", Author: "Best Management",
		Entries: []feed.Entry{
			{Title: "Dois & <dois>", Author: "Ana", Published: time.Date(2026, 5, 2, 0, 30, 0, 0, lisbon)},
			{Title: "Um", Published: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)},
		},
	})
	assert.Equal(t, "https://best.example/feed.xml", got.ID)
	assert.Equal(t, "2026-05-01T23:30:00Z", got.Updated)
	assert.Equal(t, "Best Management", got.Author)
	require.Len(t, got.Links, 2)
	assert.Equal(t, "self", got.Links[0].Rel)
	assert.Equal(t, got.ID, got.Links[0].Href)
	assert.Equal(t, "https://best.example/blog", got.Links[1].Href)
	require.Len(t, got.Entries, 2)
	assert.Equal(t, "Dois & <dois>", got.Entries[0].Title)
	assert.Equal(t, "Ana", got.Entries[0].Author)
	assert.Equal(t, got.Entries[0].Published, got.Entries[0].Updated)
	assert.Empty(t, got.Entries[1].Author)
}

func TestAFeedWithoutDatesHasADate(t *testing.T) {
	got := read(t, feed.Feed{Address: "https://best.example/feed.xml", Entries: []feed.Entry{{Title: "Um"}}})
	assert.Equal(t, "1970-01-01T00:00:00Z", got.Updated)
	assert.Equal(t, got.Updated, got.Entries[0].Updated)
	assert.Empty(t, got.Entries[0].Published, "an unknown date is left out")
	assert.Equal(t, "1970-01-01T00:00:00Z", read(t, feed.Feed{}).Updated, "a feed without entries has a date, too")
}
