package catalog

import (
	"bytes"
	"cmp"
	"slices"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"zedcard/internal/agency"
)

// dictionary is how a language orders names.
type dictionary struct {
	lang     string
	alphabet agency.Alphabet
}

// lettersOf are the positions in an alphabet of the rows' letters, from 1; 0 for none. They are worked out once.
func (r *Roster) lettersOf(alphabet agency.Alphabet) []uint8 {
	r.mu.Lock()
	defer r.mu.Unlock()
	letters, ok := r.letters[alphabet]
	if !ok {
		all := alphabet.Letters()
		for i := range r.rows {
			letters = append(letters, place(all, alphabet.Letter(r.rows[i].Name)))
		}
		r.letters[alphabet] = letters
	}
	return letters
}

// SortByName sorts talents of the roster by their letter, then as a dictionary of the language does. Names without a
// letter of the alphabet come last.
func (r *Roster) SortByName(lang string, alphabet agency.Alphabet, talents []*agency.Talent) {
	letters := r.lettersOf(alphabet)
	r.mu.Lock()
	places, ok := r.places[dictionary{lang, alphabet}]
	if !ok {
		places = r.placesOf(lang, letters)
		r.places[dictionary{lang, alphabet}] = places
	}
	r.mu.Unlock()
	slices.SortStableFunc(talents, func(a, b *agency.Talent) int {
		return cmp.Compare(places[r.byID[a.ID]], places[r.byID[b.ID]])
	})
}

// placesOf are the places of rows by name. The same name has the same place.
func (r *Roster) placesOf(lang string, letters []uint8) []int {
	collator, buffer := collate.New(language.Make(lang), collate.IgnoreCase), &collate.Buffer{}
	keys, order := make([][]byte, len(r.rows)), make([]int, len(r.rows))
	for i := range r.rows {
		keys[i], order[i] = collator.KeyFromString(buffer, r.rows[i].Name), i
	}
	compare := func(a, b int) int {
		return cmp.Or(cmp.Compare(letters[a]-1, letters[b]-1), bytes.Compare(keys[a], keys[b])) // 0 - 1 is the greatest
	}
	slices.SortFunc(order, compare)
	places := make([]int, len(order))
	for at, row := range order {
		places[row] = at
		if at > 0 && compare(order[at-1], row) == 0 {
			places[row] = places[order[at-1]]
		}
	}
	return places
}
