package embedded

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"zedcard/internal/response"
)

// Transport calls the handler in process: the clients speak to this back end as to any other,
// without a socket. Answers are held in memory until they are complete.
func (b *Backend) Transport() http.RoundTripper { return transport{b.handler} }

type transport struct{ handler http.Handler }

// RoundTrip returns when the request's context ends, as with a socket, and leaves the handler to end by itself. A panic
// of the handler becomes an error.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	served := r.Clone(r.Context())
	served.RequestURI = r.URL.RequestURI()
	if served.Host == "" {
		served.Host = r.URL.Host
	}
	if served.Body == nil {
		served.Body = http.NoBody
	}
	w := &response.Buffer{}
	done := make(chan error, 1)
	go func() {
		defer served.Body.Close()
		defer func() {
			if reason := recover(); reason != nil {
				done <- fmt.Errorf("embedded back end: %s %s: panic: %v", r.Method, r.URL.Path, reason)
			}
		}()
		t.handler.ServeHTTP(w, served)
		done <- r.Context().Err()
	}()
	select {
	case err := <-done:
		if err != nil {
			return nil, err
		}
		return responseOf(r, w), nil
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

// responseOf is the answer as a client reads it.
func responseOf(r *http.Request, answer *response.Buffer) *http.Response {
	status, header, body := answer.Result()
	length := int64(len(body))
	if r.Method == http.MethodHead || status == http.StatusNoContent || status == http.StatusNotModified {
		body = nil
		if declared, err := strconv.ParseInt(header.Get("Content-Length"), 10, 64); err == nil {
			length = declared
		}
	}
	return &http.Response{
		Status:     strconv.Itoa(status) + " " + http.StatusText(status),
		StatusCode: status,
		Proto:      "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        header,
		Body:          io.NopCloser(bytes.NewReader(body)),
		ContentLength: length,
		Request:       r,
	}
}
