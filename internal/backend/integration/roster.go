package integration

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"zedcard/internal/agency"
	"zedcard/internal/backend/wire"
)

const (
	pageSize  = 1000     // talents asked for at once
	maxPages  = 500      // the roster of a back end with more is truncated
	maxRoster = 64 << 20 // bytes of one page of talents
)

// Talents are all talents in the back end's order, each once, also those without a name. One that can't be read is left
// out and logged. If one page fails, the call fails: half a roster would look like a whole one.
func (c *Client) Talents(ctx context.Context) (talents []*agency.Talent, err error) {
	seen, strange := map[string]bool{}, map[string]bool{}
	count, last := 0, 1
	read := func(raw json.RawMessage) (agency.Talent, bool) {
		talent, gender, ok := c.readTalent(raw)
		if ok && gender != "" && talent.Gender == "" {
			count++
			strange[gender] = true
		}
		return talent, ok
	}
	for number := 1; number <= last; number++ {
		if number > maxPages {
			c.Log.Warn("roster truncated", "pages", maxPages)
			break
		}
		list, page, err := wire.ReadList(ctx, c.Client, talentsCall(number), read)
		if err != nil {
			return nil, err
		}
		before := len(talents)
		for i := range list {
			if talent := &list[i]; !seen[talent.ID] {
				seen[talent.ID] = true
				talents = append(talents, talent)
			}
		}
		if len(talents) == before {
			break // a back end without pagination repeats its only page
		}
		last = page.LastOrEstimate(number, pageSize)
	}
	c.logGenders(count, slices.Sorted(maps.Keys(strange)))
	return talents, nil
}

// logGenders says once how many talents have a gender that is neither woman nor man: boards of these leave them out.
func (c *Client) logGenders(count int, words []string) {
	text := strings.Join(words, ", ")
	if last := c.strange.Swap(&text); count > 0 && (last == nil || *last != text) {
		c.Log.Warn("genders are neither woman nor man", "talents", count, "genders", text)
	}
}

func talentsCall(page int) wire.Call {
	call := wire.Call{
		What:   "talents",
		Method: http.MethodPost,
		Path:   fmt.Sprintf("/api/talents?language=en&paginate=%d", pageSize),
		Body:   wire.JSON(struct{}{}), // no filters
		Max:    maxRoster,
	}
	if page > 1 {
		call.What += fmt.Sprintf(", page %d", page)
		call.Path += fmt.Sprintf("&page=%d", page)
	}
	return call
}
