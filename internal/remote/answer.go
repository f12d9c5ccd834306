package remote

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
)

// Page is one page of a list, with what the back end says of the others; 0 where it says nothing.
type Page struct {
	Items []json.RawMessage
	Last  int // the number of the last page
	Total int // items of all pages
	Size  int // items of a full page

	next string // the address of the next page; null: there is none
}

// lastOrEstimate is the number of the last page, or of the next one if there must be one: an address leads there, or
// the total is not reached, or the page is full, as long as was asked for or as the back end gives at once. Before are
// the items of the pages before.
func (p Page) lastOrEstimate(requested, asked, before int) int {
	hasNext := len(p.Items) >= asked || p.Size > 0 && len(p.Items) >= p.Size
	switch {
	case p.Last > 0:
		return p.Last
	case p.next != "":
		hasNext = p.next != "null"
	case p.Total > 0:
		hasNext = p.Total > before+len(p.Items)
	}
	if hasNext && len(p.Items) > 0 {
		return requested + 1
	}
	return requested
}

// readList makes a call that answers a list: bare, under data, or under data.data. It leaves out items that can't be
// read, and those that read refuses; a list of only such items is Malformed, so that a changed shape does not look like
// an empty list.
func readList[S, T any](
	ctx context.Context, c *client, call Call, read func(S) (T, bool),
) (list []T, page Page, err error) {
	body, err := c.Do(ctx, call)
	if err != nil {
		return nil, page, err
	}
	if page, err = readPage(body); err != nil {
		return nil, page, c.unavailable(call.What, malformed(body))
	}
	reader := newReader()
	for _, raw := range page.Items {
		var shape S
		var item T
		ok := reader.unmarshal(raw, &shape)
		if ok {
			item, ok = read(shape)
		}
		if ok {
			list = append(list, item)
		} else {
			reader.lost = append(reader.lost, "item")
		}
	}
	c.reportLost(call.What, reader.lost)
	if len(page.Items) > 0 && len(list) == 0 {
		return nil, page, c.malformed(call.What)
	}
	return list, page, nil
}

// reportLost logs, once for each selection, what of an answer could not be read, by the names of its fields.
func (c *client) reportLost(what string, lost []string) {
	slices.Sort(lost)
	names := strings.Join(slices.Compact(lost), ", ")
	if before, _ := c.lost.Swap(what, names); names != "" && before != names {
		c.Log.Warn("parts of an answer can't be used and are left out", "call", what, "fields", names)
	}
}

// pageHints are what Laravel says of a page, at the top or under meta.
type pageHints struct {
	Last  int             `json:"last_page"`
	Total int             `json:"total"`
	Size  int             `json:"per_page"`
	Next  json.RawMessage `json:"next_page_url"`
}

func readPage(raw []byte) (Page, error) {
	const maxDepth = 3 // the list itself under data.data
	var page Page
	for range maxDepth {
		if items, ok := List(raw); ok && (len(items) > 0 || raw[0] == '[') {
			page.Items = items
			return page, nil
		}
		var object struct {
			Data  json.RawMessage
			Meta  pageHints
			Links struct{ Next json.RawMessage }
			pageHints
		}
		if !json.Valid(raw) || !Unmarshal(raw, &object) {
			break
		}
		for _, hints := range []pageHints{object.pageHints, object.Meta, {Next: object.Links.Next}} {
			page.Last = max(page.Last, hints.Last)
			page.Total = max(page.Total, hints.Total)
			page.Size = max(page.Size, hints.Size)
			page.next = cmp.Or(page.next, string(hints.Next))
		}
		raw = object.Data
	}
	return Page{}, errMalformed
}

// object makes a call that answers an object, bare or under data, and reads it into value. An answer with nothing under
// data is agency.ErrNotFound.
func (c *client) object(ctx context.Context, call Call, value any) error {
	body, err := c.Do(ctx, call)
	if err != nil {
		return err
	}
	object, empty := unwrap(body)
	if empty {
		return c.notFound(call.What)
	}
	reader := newReader()
	if !reader.unmarshal(object, value) {
		return c.unavailable(call.What, malformed(body))
	}
	c.reportLost(call.What, reader.lost)
	return nil
}

// unwrap is the object of an answer, which may stand under data and be empty there; nil where the answer is no JSON.
func unwrap(answer []byte) (object json.RawMessage, empty bool) {
	if !json.Valid(answer) {
		return nil, false
	}
	var wrapper struct{ Data json.RawMessage }
	Unmarshal(answer, &wrapper)
	if data := string(wrapper.Data); data != "" {
		return wrapper.Data, data == "null" || data == "[]"
	}
	return answer, false
}
