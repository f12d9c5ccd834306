package wire

import (
	"testing"
	"time"
)

// FuzzParseTime looks for a date that is no date once it is written.
func FuzzParseTime(f *testing.F) {
	for _, seed := range []string{
		"", "0000-00-00 00:00:00", "2012-12-31", "31/12/2012", "20121231", "1356912000", "1356912000000", "2012",
		"2012-12-31T23:59:60Z", "Mon, 31 Dec 2012 10:00:00 +2500",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		read, ok := ParseTime(text)
		if !ok && !read.IsZero() {
			t.Fatalf("%q is not parsed, but gives %v", text, read)
		}
		if year := read.Year(); year < 0 || year > 9999 {
			t.Fatalf("%q is parsed with the year %d", text, year)
		}
		again, ok := ParseTime(read.UTC().Format(time.RFC3339Nano))
		if utc := read.UTC().Year(); utc >= 0 && utc <= 9999 && (!ok || !again.Equal(read)) {
			t.Fatalf("%q is parsed as %v, which is parsed again as %v", text, read, again)
		}
	})
}

// FuzzRetryAfter looks for a header that makes the site wait longer than a day, or back in time.
func FuzzRetryAfter(f *testing.F) {
	for _, seed := range []string{
		"", "120", "-5", "999999999999999999999", "1e9", "Fri, 31 Dec 2999 23:59:59 GMT",
		"Mon, 01 Jan 0001 00:00:00 GMT",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if wait := retryAfter(text); wait < 0 || wait > 24*time.Hour {
			t.Fatalf("Retry-After %q is parsed as %v", text, wait)
		}
	})
}
