package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
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
		return nil, page, c.Unavailable(call.What, err)
	}
	for _, shape := range elements[S](page.Items) {
		if item, ok := read(shape); ok {
			list = append(list, item)
		}
	}
	if len(page.Items) > 0 && len(list) == 0 {
		return nil, page, c.Malformed(call.What)
	}
	return list, page, nil
}

func readPage(raw []byte) (Page, error) {
	const maxDepth = 3 // the list itself under data.data
	var page Page
	for range maxDepth {
		if raw = bytes.TrimSpace(raw); len(raw) > 0 && raw[0] == '[' {
			if json.Unmarshal(raw, &page.Items) != nil {
				return Page{}, errMalformed
			}
			return page, nil
		}
		var object struct {
			Data json.RawMessage
			Last Number `json:"last_page"`
		}
		if json.Unmarshal(raw, &object) != nil {
			return Page{}, errMalformed
		}
		page.Last = max(page.Last, int(object.Last))
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
	switch err := readObject(body, value); {
	case errors.Is(err, errEmpty):
		return c.NotFound(call.What)
	case err != nil:
		return c.Unavailable(call.What, err)
	}
	return nil
}

var errEmpty = errors.New("the answer holds nothing")

func readObject(raw []byte, value any) error {
	var wrapper struct{ Data json.RawMessage }
	if json.Unmarshal(raw, &wrapper) != nil {
		return errMalformed
	}
	if data := wrapper.Data; len(data) > 0 {
		if text := string(data); text == "null" || text == "[]" {
			return errEmpty
		}
		raw = data
	}
	// JSON's null would leave value as it is, without an error.
	if string(bytes.TrimSpace(raw)) == "null" || json.Unmarshal(raw, value) != nil {
		return errMalformed
	}
	return nil
}
