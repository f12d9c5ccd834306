package integration

import (
	"context"
	"fmt"
	"net/http"

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
	talents []*agency.Talent
	pages   []rosterPage
}

// rosterPage is a page as the back end gave it.
type rosterPage struct {
	sum     xxh3.Uint128     // of the answer
	talents []*agency.Talent // with those that an earlier page has, too
	sums    []xxh3.Uint128   // of the talents in the answer
	last    int              // the number of the last page
}

// page is a page of the last list; an empty one if there was none.
func (r *roster) page(number int) rosterPage {
	if number > len(r.pages) {
		return rosterPage{}
	}
	return r.pages[number-1]
}

// Talents are all talents in the back end's order, each once, also those without a name. One that can't be read is left
// out and logged. If one page fails, the call fails: half a roster would look like a whole one. List and talents are
// shared and must not be changed; while the back end's answer is the same, it is the same list, and a talent whose part
// of it is the same, on the same page, is the same talent.
func (c *Client) Talents(ctx context.Context) ([]*agency.Talent, error) {
	previous := c.roster.Load()
	current := roster{pages: make([]rosterPage, 0, len(previous.pages))}
	changed := false
	seen := make(map[string]bool, len(previous.talents))
	current.talents = make([]*agency.Talent, 0, len(previous.talents))
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
		page := previous.page(number)
		if sum := xxh3.Hash128(body); page.sum != sum {
			changed = true
			if page, err = c.readTalents(number, body, page); err != nil {
				return nil, err
			}
			page.sum = sum
		}
		before := len(current.talents)
		for _, talent := range page.talents {
			if !seen[talent.ID] {
				seen[talent.ID] = true
				current.talents = append(current.talents, talent)
			}
		}
		current.pages = append(current.pages, page)
		if len(current.talents) == before {
			break // a back end without pagination repeats its only page
		}
		last = page.last
	}
	if !changed && len(current.pages) == len(previous.pages) {
		return previous.talents, nil
	}
	c.roster.Store(&current)
	return current.talents, nil
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

// readTalents decodes a page of talents, but not those who are the same as on the previous one.
func (c *Client) readTalents(number int, body []byte, previous rosterPage) (rosterPage, error) {
	list, err := c.wire.ReadPage(talentsCall(number), body)
	if err != nil {
		return rosterPage{}, err
	}
	known := make(map[xxh3.Uint128]*agency.Talent, len(previous.sums))
	for i, sum := range previous.sums {
		known[sum] = previous.talents[i]
	}
	page := rosterPage{
		talents: make([]*agency.Talent, 0, len(list.Items)), sums: make([]xxh3.Uint128, 0, len(list.Items)),
		last: list.LastOrEstimate(number, pageSize),
	}
	for _, item := range list.Items {
		sum := xxh3.Hash128(item)
		talent := known[sum]
		if talent == nil {
			read, ok := c.readTalent(item)
			if !ok {
				continue
			}
			talent = &read
		}
		page.talents, page.sums = append(page.talents, talent), append(page.sums, sum)
	}
	if len(list.Items) > 0 && len(page.talents) == 0 {
		return rosterPage{}, c.wire.Malformed("talents") // an unknown shape must not look like an empty roster
	}
	return page, nil
}
