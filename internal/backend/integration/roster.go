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

// roster is the last list that was read.
type roster struct {
	talents []*agency.Talent
	pages   []rosterPage
}

// rosterPage is a page as the back end gave it: one that has not changed is not decoded again.
type rosterPage struct {
	sum     uint64           // of the answer
	talents []*agency.Talent // with those that an earlier page has, too
	last    int              // the number of the last page
}

// Talents are all talents in the back end's order, each once, also those without a name. One that can't be read is left
// out and logged. If one page fails, the call fails: half a roster would look like a whole one. List and talents are
// shared and must not be changed; while the back end's answer is the same, it is the same list.
func (c *Client) Talents(ctx context.Context) ([]*agency.Talent, error) {
	previous, current := c.roster.Load(), &roster{}
	seen := make(map[string]bool, len(previous.talents))
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
		page := rosterPage{sum: xxh3.Hash(body)}
		if number <= len(previous.pages) && previous.pages[number-1].sum == page.sum {
			page = previous.pages[number-1]
		} else if err := c.readTalents(number, body, &page); err != nil {
			return nil, err
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
	if slices.EqualFunc(current.pages, previous.pages, func(a, b rosterPage) bool { return a.sum == b.sum }) {
		return previous.talents, nil
	}
	c.roster.Store(current)
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

// readTalents decodes a page of talents.
func (c *Client) readTalents(number int, body []byte, page *rosterPage) error {
	list, err := c.wire.ReadPage(talentsCall(number), body)
	if err != nil {
		return err
	}
	page.last = list.LastOrEstimate(number, pageSize)
	for _, item := range list.Items {
		if talent, ok := c.readTalent(item); ok {
			page.talents = append(page.talents, &talent)
		}
	}
	if len(list.Items) > 0 && len(page.talents) == 0 {
		return c.wire.Malformed("talents") // an unknown shape must not look like an empty roster
	}
	return nil
}
