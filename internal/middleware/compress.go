package middleware

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// minCompress is the size in bytes from which an answer is compressed: below it, the gain is not worth the headers.
const minCompress = 512

// zstdWindow is the size in bytes of a zstd encoder's window; a page fits into it.
const zstdWindow = 256 << 10

type encoder interface {
	io.WriteCloser
	Reset(w io.Writer)
}

// encoders are for answers that are made per request. Static files are compressed harder when they are built, and are
// not touched here. Brotli's newer encoder takes a third of the time of the other one, for pages 1 to 4 % larger.
var encoders = newEncoders(zstd.SpeedDefault, func() encoder { return brotli.NewWriterV2(nil, 3) }, 2)

// cacheEncoders are for cached answers. zstd has a level that makes pages 4 % smaller and takes ten times as long.
var cacheEncoders = newEncoders(zstd.SpeedBetterCompression,
	func() encoder { return brotli.NewWriterLevel(nil, 7) }, 9)

// newEncoders are pools by coding: an encoder needs many times the memory of a page.
func newEncoders(zstdLevel zstd.EncoderLevel, newBrotli func() encoder, gzipLevel int) map[string]*sync.Pool {
	return map[string]*sync.Pool{
		"zstd": {New: func() any {
			e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstdLevel), zstd.WithEncoderConcurrency(1),
				zstd.WithWindowSize(zstdWindow), zstd.WithLowerEncoderMem(true))
			if err != nil {
				panic(err) // only for options out of range
			}
			return e
		}},
		"br": {New: func() any { return newBrotli() }},
		"gzip": {New: func() any {
			e, err := gzip.NewWriterLevel(nil, gzipLevel)
			if err != nil {
				panic(err) // only for a level out of range
			}
			return e
		}},
	}
}

// CompressWell compresses the body of an answer that is kept, harder than Compress does. The coding is one of
// Negotiate's.
func CompressWell(coding string, body []byte) []byte {
	var out bytes.Buffer
	e := cacheEncoders[coding].Get().(encoder)
	defer cacheEncoders[coding].Put(e)
	e.Reset(&out)
	if _, err := e.Write(body); err != nil {
		panic(err) // a buffer takes everything
	}
	if err := e.Close(); err != nil {
		panic(err)
	}
	e.Reset(nil)
	return bytes.Clone(out.Bytes()) // without the buffer's spare capacity
}

// Improve makes a body smaller that Compress has compressed in this coding.
func Improve(coding string, body []byte) []byte {
	plain, err := decompress(coding, bytes.NewReader(body))
	if err != nil {
		return body
	}
	return CompressWell(coding, plain)
}

func decompress(coding string, body io.Reader) ([]byte, error) {
	switch coding {
	case "zstd":
		reader, err := zstd.NewReader(body, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
		if err != nil {
			return nil, err
		}
		defer reader.Close()
		return io.ReadAll(reader)
	case "br":
		return io.ReadAll(brotli.NewReader(body))
	}
	reader, err := gzip.NewReader(body)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(reader)
}

// Compress compresses text in the coding that the browser prefers. An answer that has a coding, is a range or has
// no-transform passes unchanged. The ETag of a compressed answer becomes weak: it then identifies the page in all
// codings, and If-None-Match, which compares weakly, still works.
func Compress(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &compressor{ResponseWriter: w}
		if r.Method != http.MethodHead {
			c.coding = Negotiate(r)
		}
		next.ServeHTTP(c, r)
		// Not deferred: after a panic the answer must not look complete.
		_ = c.close() // fails only if the connection broke
	})
}

// compressor buffers the start of an answer until it knows whether compression is worthwhile.
type compressor struct {
	http.ResponseWriter
	coding   string // what the browser accepts
	status   int    // 0 before WriteHeader
	buffered []byte
	decided  bool
	encoder  encoder // set once the answer is being compressed
}

func (c *compressor) WriteHeader(status int) {
	switch {
	case status < 200:
		c.ResponseWriter.WriteHeader(status)
	case c.status == 0:
		c.status = status
		if status == http.StatusNoContent || status == http.StatusNotModified {
			_ = c.decide(false, nil) // nothing is held yet, so nothing can fail
		}
	}
}

func (c *compressor) Write(p []byte) (int, error) {
	if c.status == 0 {
		c.WriteHeader(http.StatusOK)
	}
	if !c.decided {
		if len(c.buffered)+len(p) < minCompress {
			c.buffered = append(c.buffered, p...)
			return len(p), nil
		}
		if err := c.decide(true, p); err != nil {
			return 0, err
		}
	}
	if c.encoder == nil {
		return c.ResponseWriter.Write(p)
	}
	return c.encoder.Write(p)
}

// FlushError sends the buffered bytes, for http.ResponseController. An answer that is sent in pieces, as they come up,
// is not compressed; one that is being compressed can't be flushed.
func (c *compressor) FlushError() error {
	if c.encoder != nil {
		return http.ErrNotSupported
	}
	if c.status == 0 {
		c.WriteHeader(http.StatusOK)
	}
	if !c.decided {
		if err := c.decide(false, nil); err != nil {
			return err
		}
	}
	return http.NewResponseController(c.ResponseWriter).Flush()
}

// Unwrap is for http.ResponseController.
func (c *compressor) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// decide sends the headers and the buffered bytes; compress tells whether to compress them, and next is what will be
// written after them.
func (c *compressor) decide(compress bool, next []byte) error {
	c.decided = true
	h := c.Header()
	if h.Get("Content-Type") == "" && len(c.buffered)+len(next) > 0 {
		h.Set("Content-Type", http.DetectContentType(slices.Concat(c.buffered, next)))
	}
	transformable := h.Get("Content-Encoding") == "" && h.Get("Content-Range") == "" &&
		!strings.Contains(h.Get("Cache-Control"), "no-transform")
	eligible := transformable && compressible(h.Get("Content-Type"))
	if eligible || c.status == http.StatusNotModified {
		addVary(h)
	}
	if eligible && compress && c.coding != "" {
		c.startEncoder(h)
	}
	c.ResponseWriter.WriteHeader(c.status)
	buffered := c.buffered
	c.buffered = nil
	if len(buffered) == 0 {
		return nil
	}
	if c.encoder != nil {
		_, err := c.encoder.Write(buffered)
		return err
	}
	_, err := c.ResponseWriter.Write(buffered)
	return err
}

// startEncoder prepares the compression.
func (c *compressor) startEncoder(h http.Header) {
	h.Set("Content-Encoding", c.coding)
	h.Del("Content-Length")
	h.Del("Accept-Ranges")
	if tag := h.Get("Etag"); strings.HasPrefix(tag, `"`) {
		h.Set("Etag", "W/"+tag)
	}
	c.encoder = encoders[c.coding].Get().(encoder)
	c.encoder.Reset(c.ResponseWriter)
}

// close ends the answer.
func (c *compressor) close() error {
	if c.status == 0 {
		return nil // the handler wrote nothing
	}
	if !c.decided {
		return c.decide(false, nil)
	}
	if c.encoder == nil {
		return nil
	}
	err := c.encoder.Close()
	c.encoder.Reset(nil)
	encoders[c.coding].Put(c.encoder)
	c.encoder = nil
	return err
}

// addVary adds Accept-Encoding to the header, once.
func addVary(h http.Header) {
	for _, value := range h.Values("Vary") {
		if strings.Contains(strings.ToLower(value), "accept-encoding") {
			return
		}
	}
	h.Add("Vary", "Accept-Encoding")
}
