// Package compress negotiates a content coding and compresses answers in it. It is the only importer of the libraries
// that do so.
//
// There are two levels. What is kept and asked for by many is compressed once, with Well. What may be sent only once (a
// search, a form, a page with a visitor's favourites) is compressed with Fast.
package compress

import (
	"bytes"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Level is a way to compress.
type Level struct {
	// Codings are those on offer, the preferred first.
	Codings  []string
	encoders map[string]func(body []byte) []byte
}

// The sizes and times are of a board of 59 KB. With brotli 10 Well would be 8 % smaller and take 40 times as long.
var (
	// Well takes 950 µs for brotli (6.9 KB), 170 for zstd (7.6) and for gzip (8.2).
	Well = Level{[]string{"br", "zstd", "gzip"}, map[string]func([]byte) []byte{
		"br":   pooled(func() encoder { return brotli.NewWriterLevel(nil, 6) }),
		"zstd": zstdEncoder(zstd.SpeedBetterCompression),
		"gzip": pooled(func() encoder { return must(gzip.NewWriterLevel(nil, 6)) }),
	}}
	// Fast takes 110 µs for zstd (7.8 KB), 150 for brotli (8.0) and 80 for gzip (9.0).
	Fast = Level{[]string{"zstd", "br", "gzip"}, map[string]func([]byte) []byte{
		"zstd": zstdEncoder(zstd.SpeedDefault),
		"br":   pooled(func() encoder { return brotli.NewWriterV2(nil, 2) }),
		"gzip": pooled(func() encoder { return must(gzip.NewWriterLevel(nil, fastGzip)) }),
	}}
)

const fastGzip = 2

// Body is a body in one of the level's codings.
func (l Level) Body(coding string, body []byte) []byte { return l.encoders[coding](body) }

// minCompress is the size in bytes from which an answer is compressed: below it, the gain is not worth the headers.
const minCompress = 512

// Answer is the body of a whole answer in the coding that the request prefers, or itself, and sets its headers. With
// its length known, net/http sends it in one piece.
func (l Level) Answer(r *http.Request, header http.Header, body []byte) []byte {
	if !slices.Contains(header["Vary"], "Accept-Encoding") {
		header.Add("Vary", "Accept-Encoding")
	}
	if coding := l.Negotiate(r); coding != "" && len(body) >= minCompress {
		header.Set("Content-Encoding", coding)
		body = l.Body(coding, body)
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	return body
}

// Negotiate is the first of the level's codings that a request accepts (RFC 9110, 12.5.3); empty for none.
func (l Level) Negotiate(r *http.Request) string {
	accept := r.Header["Accept-Encoding"]
	for _, coding := range l.Codings {
		if slices.ContainsFunc(accept, func(header string) bool { return accepts(header, coding) }) {
			return coding
		}
	}
	return ""
}

// accepts reads Accept-Encoding. Of weights only 0 counts, which refuses a coding: browsers send no others.
func accepts(header, coding string) (accepted bool) {
	for part := range strings.SplitSeq(header, ",") {
		name, weight, weighted := strings.Cut(part, ";")
		_, value, _ := strings.Cut(weight, "=")
		allowed := !weighted || strings.Trim(value, "0. \t") != ""
		switch name = strings.TrimSpace(name); {
		case strings.EqualFold(name, coding):
			return allowed
		case name == "*":
			accepted = allowed
		}
	}
	return accepted
}

// Middleware compresses texts that a handler writes in pieces: the files of an agency's folder, and the API.
func Middleware(next http.Handler) http.Handler {
	isText := func(contentType string) bool {
		return strings.HasPrefix(contentType, "text/") || strings.HasPrefix(contentType, "application/json")
	}
	return must(gzhttp.NewWrapper(gzhttp.MinSize(minCompress), gzhttp.CompressionLevel(fastGzip),
		gzhttp.ZstdCompressionLevel(int(zstd.SpeedDefault)), gzhttp.ContentTypeFilter(isText)))(next)
}

func must[T any](made T, err error) T {
	if err != nil {
		panic(err) // only for settings out of range, which are constants here
	}
	return made
}

// zstdEncoder has a window of the size of a page.
func zstdEncoder(level zstd.EncoderLevel) func([]byte) []byte {
	all := must(zstd.NewWriter(nil, zstd.WithEncoderLevel(level), zstd.WithWindowSize(256<<10),
		zstd.WithLowerEncoderMem(true), zstd.WithEncoderConcurrency(runtime.GOMAXPROCS(0))))
	return func(body []byte) []byte { return slices.Clip(all.EncodeAll(body, nil)) }
}

type encoder interface {
	io.WriteCloser
	Reset(w io.Writer)
}

// pooled shares encoders, which need many times the memory of a page.
func pooled(made func() encoder) func([]byte) []byte {
	pool := sync.Pool{New: func() any { return made() }}
	return func(body []byte) []byte {
		var out bytes.Buffer
		e := pool.Get().(encoder)
		defer pool.Put(e)
		e.Reset(&out)
		_, err := e.Write(body)
		must(e.Close(), err) // a buffer takes everything
		e.Reset(nil)
		return bytes.Clone(out.Bytes()) // without the buffer's spare capacity
	}
}
