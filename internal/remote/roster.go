package remote

import (
	"context"
	"fmt"
	"net/http"

	"zedcard/internal/agency"
)

const (
	pageSize  = 1000     // talents asked for at once
	maxPages  = 500      // the roster of a back end with more is truncated
	maxRoster = 64 << 20 // bytes of one page of talents
)

// Talents are all talents in the back end's order, each once, also those without a name. One that can't be read is left
// out and logged. If one page fails, the call fails: half a roster would look like a whole one.
func (c *Integration) Talents(ctx context.Context) (talents []*agency.Talent, err error) {
	seen, last, read, total := map[string]bool{}, 1, 0, 0
	for number := 1; number <= last; number++ {
		if number > maxPages {
			c.Log.Warn("roster truncated", "pages", maxPages)
			break
		}
		list, page, err := readList(ctx, c.client, talentsCall(number), c.readTalent)
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
		last = page.lastOrEstimate(number, pageSize, read)
		read, total = read+len(page.Items), max(total, page.Total)
	}
	if total > read {
		c.Log.Warn("the list of talents ends before its total", "read", read, "total", total)
	}
	return talents, nil
}

func talentsCall(page int) Call {
	call := Call{
		What:   "talents",
		Method: http.MethodPost,
		Path:   fmt.Sprintf("/api/talents?language=en&paginate=%d", pageSize),
		Body:   JSON(struct{}{}), // no filters
		Max:    maxRoster,
	}
	if page > 1 {
		call.What += fmt.Sprintf(", page %d", page)
		call.Path += fmt.Sprintf("&page=%d", page)
	}
	return call
}
