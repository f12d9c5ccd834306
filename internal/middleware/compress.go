package middleware

import (
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/zstd"
)

// Compress compresses texts that were not compressed yet: forms, error pages and what else is made for one visitor,
// with zstd or gzip. Package pagecache compresses pages.
func Compress(next http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(512), gzhttp.CompressionLevel(2),
		gzhttp.ZstdCompressionLevel(int(zstd.SpeedDefault)), gzhttp.ContentTypeFilter(isText))
	if err != nil {
		panic(err) // only for options out of range
	}
	return wrap(next)
}

// isText reports whether a content type gains from compression. An event stream must not be buffered.
func isText(contentType string) bool {
	kind, _, _ := strings.Cut(contentType, ";")
	return strings.HasPrefix(kind, "text/") && kind != "text/event-stream" || kind == "application/json"
}
