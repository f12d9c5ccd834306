package remote

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"zedcard/i18n"
	"zedcard/internal/agency"
)

// FuzzMinors looks for a birth date or a category that hides a minor: a date that is there and can't be read, or the
// kids board beside anything.
func FuzzMinors(f *testing.F) {
	for _, birth := range []string{
		`"2012-12-31"`, `"31.12.2012"`, `"12/31/2012"`, `2012`, `1356912000000`, `{"date": "2012-12-31"}`, `[]`, `null`,
		`"0000-00-00"`, `" "`, `true`, `-1e300`,
	} {
		f.Add(birth, `{"id": 1, "name": "models"}`)
	}
	f.Add(`"1999-03-04"`, `[[]]`)
	f.Add(`"1999-03-04"`, `{"name": "Girls"}`)
	today := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, birth, category string) {
		read := func(birth, categories string) (agency.Talent, bool) {
			var shape talentJSON
			err := json.Unmarshal([]byte(`{"id": 1, "birthdate": `+birth+`, "categories": `+categories+`}`), &shape)
			talent, _ := shape.talent(agency.MinorCategories{}, i18n.New(nil, nil))
			return talent, err == nil
		}
		id := strconv.Itoa(int(agency.KidsID))
		for _, kids := range []string{id, `{"id": ` + id + `}`} {
			if talent, ok := read(birth, "["+category+", "+kids+"]"); ok && json.Valid([]byte(category)) {
				require.True(t, talent.Minor(today),
					"anyone on the kids board is a minor, also with category %s", category)
			}
		}
		if !json.Valid([]byte(birth)) {
			return
		}
		talent, ok := read(birth, "[]")
		if !ok || talent.Minor(today) || !talent.Birthdate.IsZero() {
			return // the date was read
		}
		var text string
		_ = json.Unmarshal([]byte(birth), &text)
		none := strings.TrimSpace(birth) == "null" || strings.TrimSpace(text) == "" && strings.HasPrefix(
			strings.TrimSpace(birth), `"`) || strings.HasPrefix(text, "0000-00-00")
		require.True(t, none, "only an empty birth date may be an adult's, not %s", birth)
	})
}

// FuzzZip looks for a download that is passed on although it can't be unpacked safely.
func FuzzZip(f *testing.F) {
	pack := func(names ...string) []byte {
		var data bytes.Buffer
		w := zip.NewWriter(&data)
		for _, name := range names {
			entry, err := w.Create(name)
			require.NoError(f, err)
			_, err = entry.Write([]byte("a card"))
			require.NoError(f, err)
		}
		require.NoError(f, w.Close())
		return data.Bytes()
	}
	whole := pack("card.pdf", "a/book.jpg")
	f.Add(whole)
	f.Add(whole[:len(whole)-30])
	f.Add(pack("../../etc/passwd"))
	f.Add(pack(`..\..\start.exe`))
	f.Add(pack())
	f.Add([]byte("<html>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := os.Create(filepath.Join(t.TempDir(), "download.zip"))
		require.NoError(t, err)
		defer file.Close()
		_, err = file.Write(data)
		require.NoError(t, err)
		if checkZip(file) != nil {
			return
		}
		archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		require.NoError(t, err)
		require.NotEmpty(t, archive.File)
		for _, file := range archive.File {
			folders := strings.Split(file.Name, "/")
			require.False(t, folders[0] == "" || slices.Contains(folders, ".."), file.Name)
			require.NotContains(t, file.Name, `\`, "Windows reads it as a slash")
			if raw, err := file.OpenRaw(); err == nil {
				_, err = io.Copy(io.Discard, raw)
				require.NoError(t, err, "every entry of the zip is complete")
			}
		}
	})
}
