package agency

import (
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
