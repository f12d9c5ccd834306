package feed_test

import (
	"bytes"
	"encoding/xml"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/views/feed"
)

// document is what a reader takes from a feed.
type document struct {
	ID      string `xml:"id"`
	Updated string `xml:"updated"`
	Author  string `xml:"author>name"`
	Entries []struct {
		Title     string `xml:"title"`
		Published string `xml:"published"`
		Updated   string `xml:"updated"`
		Author    string `xml:"author>name"`
	} `xml:"entry"`
}

func read(t *testing.T, entries ...feed.Entry) (read document) {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, feed.WriteAtom(&out, feed.Feed{Author: "Best Management", Entries: entries}))
	require.NoError(t, xml.Unmarshal(out.Bytes(), &read), out.String())
	assert.NotContains(t, out.String(), "<author></author>")
	return read
}

func TestAFeedIsAsNewAsItsNewestEntry(t *testing.T) {
	lisbon := time.FixedZone("Lisbon in summer", 3600)
	got := read(t, feed.Entry{
		Title: "Dois & <dois>", Author: "Ana", Date: time.Date(2026, 5, 2, 0, 30, 0, 0, lisbon),
	}, feed.Entry{Title: "Um", Date: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)})
	assert.Equal(t, "2026-05-01T23:30:00Z", got.Updated)
	assert.Equal(t, "Best Management", got.Author)
	assert.Equal(t, "Dois & <dois>", got.Entries[0].Title)
	assert.Equal(t, "Ana", got.Entries[0].Author)
	assert.Equal(t, got.Entries[0].Published, got.Entries[0].Updated)
	assert.Empty(t, got.Entries[1].Author)

	undated := read(t, feed.Entry{Title: "Um"})
	assert.Equal(t, "1970-01-01T00:00:00Z", undated.Updated)
	assert.Equal(t, undated.Updated, undated.Entries[0].Updated)
	assert.Empty(t, undated.Entries[0].Published, "an unknown date is left out")
	assert.Equal(t, undated.Updated, read(t).Updated, "a feed without entries has a date, too")
}
