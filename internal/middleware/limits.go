package middleware

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// DefaultBody is the size in bytes of the largest request body that a route gets without asking
// for more.
const DefaultBody = 32 << 10

// limitedBody keeps the body as it came, so that a route can replace the limit.
type limitedBody struct {
	io.ReadCloser // the limited one
	whole         io.ReadCloser
}

// Limits cuts every request body at limit bytes; reading on gives a *http.MaxBytesError.
func Limits(limit int64) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Body != nil && r.Body != http.NoBody {
				r.Body = &limitedBody{ReadCloser: http.MaxBytesReader(w, r.Body, limit), whole: r.Body}
			}
			next.ServeHTTP(w, r)
		})
	}
}

// AllowBody lets the handler read up to limit bytes, and gives a slow line until within from now
// to send them and as long again to take the answer. It must be called before the body is read.
func AllowBody(w http.ResponseWriter, r *http.Request, limit int64, within time.Duration) error {
	if body, ok := r.Body.(*limitedBody); ok {
		r.Body = http.MaxBytesReader(w, body.whole, limit)
	}
	control := http.NewResponseController(w)
	err := errors.Join(control.SetReadDeadline(time.Now().Add(within)), control.SetWriteDeadline(time.Now().Add(2*within)))
	if errors.Is(err, http.ErrNotSupported) {
		return nil // a test's recorder: there is no line to be slow
	}
	return err
}

// CrossOrigin answers a request that changes something and comes from another site's page with
// the error page of status 403. origin is the site's public one, for a proxy that hides it.
func CrossOrigin(origin string, page ErrorPage) (func(http.Handler) http.Handler, error) {
	protection := http.NewCrossOriginProtection()
	if err := protection.AddTrustedOrigin(origin); err != nil {
		return nil, err
	}
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page(w, r, http.StatusForbidden)
	}))
	return protection.Handler, nil
}
