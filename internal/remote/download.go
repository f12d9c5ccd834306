package remote

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"zedcard/internal/agency"
)

// gallery is the gallery that the download calls name.
const gallery = "compo"

// Composite writes the zip of a talent's composite card into an empty file. The back end makes it from the talent as
// given: the caller must leave out measures of minors. The birth date is not sent.
func (c *Integration) Composite(ctx context.Context, talent agency.Talent, file *os.File) error {
	shape := ProfileOf(&talent)
	shape.Birthdate = "" // no card shows it
	text, err := json.Marshal(shape)
	if err != nil {
		return err // never: text fields can always be encoded
	}
	return c.download(ctx, file, "composite of talent "+talent.ID, "/api/download/gallery",
		map[string]string{"talent": string(text), "gallery": gallery})
}

// Composites writes a zip with the cards of several talents into an empty file.
func (c *Integration) Composites(ctx context.Context, ids []string, file *os.File) error {
	return c.download(ctx, file, "composites of "+strconv.Itoa(len(ids))+" talents", "/api/download/zip",
		map[string]any{
			"talents": Each(ids, func(id string) ID { return ID(id) }), "gallery": gallery,
		})
}

func (c *Integration) download(ctx context.Context, file *os.File, what, path string, payload any) error {
	_, err := c.Do(ctx, Call{
		What:   what,
		Method: http.MethodPost,
		Path:   c.downloads + path,
		Header: http.Header{
			"Accept":          {"application/zip, application/octet-stream"},
			"Accept-Language": {string(agency.LanguageOf(ctx))}, // a back end need not know it
		},
		Body:    JSON(payload),
		Max:     c.Limits.Download,
		NoRetry: true,
		Into:    file,
	})
	if err != nil {
		return err
	}
	if err := checkZip(file); err != nil {
		return c.unavailable(what, err)
	}
	return nil
}

var errBadZip = errors.New("the answer is not a whole zip")

// checkZip makes sure that the zip is complete and safe to unpack: it has its directory, every entry lies within the
// file, and no entry's name leads out of the folder.
func checkZip(written *os.File) error {
	info, err := written.Stat()
	if err != nil {
		return err
	}
	archive, err := zip.NewReader(written, info.Size())
	if err != nil || len(archive.File) == 0 {
		return errBadZip
	}
	for _, file := range archive.File {
		offset, err := file.DataOffset() // reads the entry's own header
		remaining := info.Size() - offset
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
