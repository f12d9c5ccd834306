package middleware

import (
	"errors"
	"io"
	"net/http"
	"os"
	"sync"
	"time"
)

// DefaultMaxBody is the size in bytes of the largest request body of a route that does not call AllowBody.
const DefaultMaxBody = 32 << 10

// limitedBody keeps the original body, so that a route can replace the limit.
type limitedBody struct {
	io.ReadCloser // the limited one
	unlimited     io.ReadCloser
}

// Limits limits every request body to limit bytes; reading beyond is an *http.MaxBytesError.
func Limits(limit int64) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Body != nil && r.Body != http.NoBody {
				r.Body = &limitedBody{ReadCloser: http.MaxBytesReader(w, r.Body, limit), unlimited: r.Body}
			}
			next.ServeHTTP(w, r)
		})
	}
}

// The minimum speed of a sender while a body is read: 4 KiB a second, a tenth of the slowest mobile connection.
const (
	progressBytes = 120 << 10
	progressTime  = 30 * time.Second // for so many bytes
	bodyTime      = 30 * time.Minute // for a whole body
)

// AllowBody lets the handler read up to limit bytes as long as they keep arriving. If the sender stalls or is too slow,
// or once cut was called, Read returns an error that wraps os.ErrDeadlineExceeded. The handler's time between two reads
// does not count. It must be called before the body is read.
func AllowBody(w http.ResponseWriter, r *http.Request, limit int64) (cut func(), err error) {
	unlimited := r.Body
	if body, ok := r.Body.(*limitedBody); ok {
		unlimited = body.unlimited
	}
	minRate := &minRateBody{
		ReadCloser: unlimited, control: http.NewResponseController(w), windowLeft: progressTime, totalLeft: bodyTime,
	}
	r.Body = http.MaxBytesReader(w, minRate, limit)
	return minRate.cut, minRate.setDeadlines()
}

// minRateBody is a body whose sender must keep up a minimum speed.
type minRateBody struct {
	io.ReadCloser
	control *http.ResponseController

	windowLeft time.Duration // the time left to send progressBytes
	received   int           // of them
	totalLeft  time.Duration // the time left for the whole body

	mu    sync.Mutex // of setting deadlines
	isCut bool
}

func (b *minRateBody) cut() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.isCut = true
	_ = b.control.SetReadDeadline(time.Now()) // ends the Read that waits; the next one sees isCut
}

func (b *minRateBody) Read(p []byte) (int, error) {
	if err := b.setDeadlines(); err != nil {
		return 0, err
	}
	start := time.Now()
	n, err := b.ReadCloser.Read(p)
	took := time.Since(start)
	b.windowLeft -= took
	b.totalLeft -= took
	if b.received += n; b.received >= progressBytes {
		b.received, b.windowLeft = 0, progressTime
	}
	return n, err
}

func (b *minRateBody) setDeadlines() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.isCut {
		return os.ErrDeadlineExceeded
	}
	err := b.control.SetReadDeadline(time.Now().Add(min(b.windowLeft, b.totalLeft)))
	if errors.Is(err, http.ErrNotSupported) {
		return nil // a test's recorder has no connection
	}
	return err
}
