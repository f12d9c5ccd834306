package integration

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"zedcard/internal/agency"
	"zedcard/internal/backend/wire"
)

// gallery is the gallery that the download calls name.
const gallery = "compo"

// Composite is the composite card of a talent, which the back end makes from the talent as given: the caller must leave
// out measures of minors. The birth date is not sent.
func (c *Client) Composite(ctx context.Context, talent agency.Talent) (agency.Download, error) {
	text, err := json.Marshal(shapeOf(talent))
	if err != nil {
		return agency.Download{}, err // never: text fields can always be encoded
	}
	return c.download(ctx, "composite of talent "+talent.ID, "/api/download/gallery",
		map[string]string{"talent": string(text), "gallery": gallery})
}

// Composites are the cards of several talents in one zip.
func (c *Client) Composites(ctx context.Context, ids []string) (agency.Download, error) {
	talents := make([]idJSON, len(ids))
	for i, id := range ids {
		talents[i] = idJSON(id)
	}
	return c.download(ctx, "composites of "+strconv.Itoa(len(ids))+" talents", "/api/download/zip",
		map[string]any{"talents": talents, "gallery": gallery})
}

func (c *Client) download(ctx context.Context, what, path string, payload any) (agency.Download, error) {
	data, err := c.wire.Do(ctx, wire.Call{
		What:    what,
		Method:  http.MethodPost,
		Path:    c.downloads + path,
		Header:  http.Header{"Accept": {"application/zip, application/octet-stream"}},
		Body:    wire.JSON(payload),
		Max:     c.wire.Limits.Download,
		NoRetry: true,
	})
	if err != nil {
		return agency.Download{}, err
	}
	if err := checkZip(data); err != nil {
		return agency.Download{}, c.wire.Unavailable(what, err)
	}
	return agency.Download{Data: data}, nil
}

var errBadZip = errors.New("the answer is not a whole zip")

// checkZip makes sure that the zip is complete and safe to unpack: it has its directory, every entry lies within the
// data, and no entry's name leads out of the folder.
func checkZip(data []byte) error {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil || len(archive.File) == 0 {
		return errBadZip
	}
	for _, file := range archive.File {
		offset, err := file.DataOffset() // reads the entry's own header
		remaining := int64(len(data)) - offset
		if err != nil || remaining < 0 || file.CompressedSize64 > uint64(remaining) || !isSafe(file.Name) {
			return errBadZip
		}
	}
	return nil
}

// isSafe reports whether the name of an entry is in the folder, for every unpacker: Windows reads a backslash as a
// slash, and a/../b leads elsewhere where a is a link.
func isSafe(name string) bool {
	return filepath.IsLocal(name) && !strings.Contains(name, `\`) &&
		!slices.Contains(strings.Split(name, "/"), "..")
}
