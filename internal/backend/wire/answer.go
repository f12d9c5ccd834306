package wire

import (
	"context"
	"encoding/json"
)

// Page is one page of a list. Last is the number of the last page, 0 if the back end does not give it.
type Page struct {
	Items []json.RawMessage
	Last  int
}

// LastOrEstimate is the number of the last page; if the back end does not give it, a full page counts as not the last.
func (p Page) LastOrEstimate(requested, size int) int {
	switch {
	case p.Last > 0:
		return p.Last
	case len(p.Items) >= size:
		return requested + 1
	}
	return requested
}

// ReadList makes a call that answers a list: bare, under data, or under data.data. It leaves out items that can't be
// read, and those that read refuses; a list of only such items is Malformed, so that a changed shape does not look like
// an empty list.
func ReadList[S, T any](
	ctx context.Context, c *Client, call Call, read func(S) (T, bool),
) (list []T, page Page, err error) {
	body, err := c.Do(ctx, call)
	if err != nil {
		return nil, page, err
	}
	if page, err = readPage(body); err != nil {
		return nil, page, c.Unavailable(call.What, malformed(body))
	}
	lost := 0
	for _, raw := range page.Items {
		var shape S
		parts, ok := unmarshal(raw, &shape)
		lost += parts
		var item T
		if ok {
			item, ok = read(shape)
		}
		if ok {
			list = append(list, item)
		} else {
			lost++
		}
	}
	c.reportLost(call.What, lost)
	if len(page.Items) > 0 && len(list) == 0 {
		return nil, page, c.Malformed(call.What)
	}
	return list, page, nil
}

// reportLost logs, once for each number, how many lists and items of an answer could not be read.
func (c *Client) reportLost(what string, lost int) {
	if before, _ := c.lost.Swap(what, lost); lost > 0 && before != lost {
		c.Log.Warn("parts of an answer can't be used and are left out", "call", what, "parts", lost)
	}
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
			Data json.RawMessage
			Last int `json:"last_page"`
		}
		if !json.Valid(raw) || !Unmarshal(raw, &object) {
			break
		}
		page.Last = max(page.Last, object.Last)
		raw = object.Data
	}
	return Page{}, errMalformed
}

// Object makes a call that answers an object, bare or under data, and reads it into value. An answer with nothing under
// data is agency.ErrNotFound.
func (c *Client) Object(ctx context.Context, call Call, value any) error {
	body, err := c.Do(ctx, call)
	if err != nil {
		return err
	}
	object, empty := unwrap(body)
	if empty {
		return c.NotFound(call.What)
	}
	lost, ok := unmarshal(object, value)
	if !ok {
		return c.Unavailable(call.What, malformed(body))
	}
	c.reportLost(call.What, lost)
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
