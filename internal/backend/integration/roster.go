package integration

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/zeebo/xxh3"

	"zedcard/internal/agency"
	"zedcard/internal/backend/wire"
)

const (
	pageSize  = 1000     // talents asked for at once
	maxPages  = 500      // the roster of a back end with more is truncated
	maxRoster = 64 << 20 // bytes of one page of talents
)

// roster is the last list that was read, so that only the pages that have changed are decoded: all pages of 100,000
// talents take seconds of processor time.
type roster struct {
	talents []agency.Talent
	pages   []rosterPage
}

// rosterPage is a page as the back end gave it, and where its talents are in the list.
type rosterPage struct {
	sum      xxh3.Uint128 // of the answer
	from, to int
	unique   bool // no talent of the page was already on an earlier one
	last     int  // the number of the last page
}

// page is a page whose answer has that sum; false if the page was different or has talents that another page has, too.
func (r *roster) page(number int, sum xxh3.Uint128) (rosterPage, bool) {
	if number > len(r.pages) {
		return rosterPage{}, false
	}
	page := r.pages[number-1]
	return page, page.unique && page.sum == sum
}

// Talents are all talents in the back end's order, each once, also those without a name. One that can't be read is left
// out and logged. If one page fails, the call fails: half a roster would look like a whole one. The list is shared and
// must not be changed; while the back end's answer is the same, it is the same list.
func (c *Client) Talents(ctx context.Context) ([]agency.Talent, error) {
	previous := c.roster.Load()
	var current roster
	var seen map[string]bool // the ids of now.talents, once a page is different
	last := 1
	for number := 1; number <= last; number++ {
		if number > maxPages {
			c.wire.Log.Warn("roster truncated", "pages", maxPages)
			break
		}
		body, err := c.wire.Do(ctx, talentsCall(number))
		if err != nil {
			return nil, err
		}
		page := rosterPage{sum: xxh3.Hash128(body), from: len(current.talents), unique: true}
		var talents []agency.Talent
		same, unchanged := previous.page(number, page.sum)
		switch {
		case unchanged && seen == nil: // as all pages before it
			page, current.talents = same, previous.talents[:same.to:same.to]
		case unchanged:
			talents, page.last = previous.talents[same.from:same.to], same.last
		default:
			if talents, page.last, err = c.readTalents(number, body); err != nil {
				return nil, err
			}
			if seen == nil {
				seen = idsOf(current.talents)
			}
		}
		for _, talent := range talents {
			if seen[talent.ID] {
				page.unique = false
				continue
			}
			seen[talent.ID] = true
			current.talents = append(current.talents, talent)
		}
		page.to = len(current.talents)
		current.pages = append(current.pages, page)
		if page.to == page.from {
			break // a back end without pagination repeats its only page
		}
		last = page.last
	}
	if slices.Equal(current.pages, previous.pages) {
		return previous.talents, nil
	}
	c.roster.Store(&current)
	return current.talents, nil
}

func idsOf(talents []agency.Talent) map[string]bool {
	ids := make(map[string]bool, len(talents))
	for i := range talents {
		ids[talents[i].ID] = true
	}
	return ids
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

// readTalents decodes a page of talents and says which page is the last.
func (c *Client) readTalents(number int, body []byte) (talents []agency.Talent, last int, err error) {
	page, err := c.wire.ReadPage(talentsCall(number), body)
	if err != nil {
		return nil, 0, err
	}
	for _, item := range page.Items {
		if talent, ok := c.readTalent(item); ok {
			talents = append(talents, talent)
		}
	}
	if len(page.Items) > 0 && len(talents) == 0 {
		return nil, 0, c.wire.Malformed("talents") // an unknown shape must not look like an empty roster
	}
	return talents, page.LastOrEstimate(number, pageSize), nil
}
