package agency

import (
	"math"
	"net/url"
	"testing"
	"unicode/utf8"
)

// FuzzParseFilter looks for a query whose filter has another address than the one it is read from again, or that asks
// for more than a page shows.
func FuzzParseFilter(f *testing.F) {
	for _, seed := range []string{
		"", "gender=women&category=curve&letter=A&show=40", "height_from=200&height_to=100&q=%ff%00a", "show=-20&q=+a+",
		"subcategory=women&view=index&hair=Black", "show=9223372036854775820&letter=%C3%81", "q=a&q=b;c",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		query, _ := url.ParseQuery(text) // a handler also takes what could be read
		for _, board := range []Board{AllBoards, Models, Creative} {
			path := Filter{Board: board}
			filter := ParseFilter(path, "", query)
			if filter.Show < PageSize || filter.Show > MaxShow || utf8.RuneCountInString(filter.Name) > maxName {
				t.Fatalf("%q is parsed as out-of-range filter %+v", text, filter)
			}
			if again := ParseFilter(path, "", filter.Query(path)); again != filter {
				t.Fatalf("%q is parsed as %+v, but its address %q as %+v", text, filter, filter.Query(path), again)
			}
		}
	})
}

// FuzzParseLength looks for a text that is read as no length of this world.
func FuzzParseLength(f *testing.F) {
	for _, seed := range []string{
		"178", "1,78 m", "1 m 78", `5'10"`, `178/5'10"`, `33½"`, "½\"", "1e9", "99999999999999999999 m",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if cm, ok := ParseLength(text); ok != (cm > 0) || math.IsInf(cm, 0) || math.IsNaN(cm) {
			t.Fatalf("%q is parsed as %v cm, ok %v", text, cm, ok)
		}
	})
}

// FuzzParseReference looks for a reference that is another one once it is written.
func FuzzParseReference(f *testing.F) {
	for _, seed := range []string{"B-261122-9F3C07", " a-000229-abcdef\n", "G-261332-000000", "B-261122-9F3C07-"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		reference, ok := ParseReference(text)
		if !ok {
			return
		}
		if again, ok := ParseReference(reference.String()); !ok || again != reference {
			t.Fatalf("%q is parsed as %v, which is parsed again as %v", text, reference, again)
		}
	})
}
