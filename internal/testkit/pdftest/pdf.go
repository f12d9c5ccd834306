// Package pdftest reads the PDFs that the site draws, for the tests of every package.
package pdftest

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/hex"
	"io"
	"regexp"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
)

var (
	contents = regexp.MustCompile(`/Contents (\d+) 0 R`)
	spoken   = regexp.MustCompile(`/ActualText <FEFF([0-9A-F]*)>`)
)

// Contents are the drawing instructions of each page.
func Contents(t testing.TB, pdf []byte) (pages []string) {
	t.Helper()
	for _, m := range contents.FindAllSubmatch(pdf, -1) {
		_, object, found := bytes.Cut(pdf, []byte("\n"+string(m[1])+" 0 obj\n"))
		require.True(t, found)
		_, data, _ := bytes.Cut(object, []byte("stream\n"))
		r, err := zlib.NewReader(bytes.NewReader(data))
		require.NoError(t, err)
		page, err := io.ReadAll(r)
		require.NoError(t, err)
		pages = append(pages, string(page))
	}
	require.NotEmpty(t, pages)
	return pages
}

// Words are the texts of each page, in lines.
func Words(t testing.TB, pdf []byte) (pages []string) {
	t.Helper()
	for _, page := range Contents(t, pdf) {
		text := ""
		for _, m := range spoken.FindAllStringSubmatch(page, -1) {
			data, err := hex.DecodeString(m[1])
			require.NoError(t, err)
			var units []uint16
			for ; len(data) > 1; data = data[2:] {
				units = append(units, binary.BigEndian.Uint16(data))
			}
			text += string(utf16.Decode(units)) + "\n"
		}
		pages = append(pages, text)
	}
	return pages
}
