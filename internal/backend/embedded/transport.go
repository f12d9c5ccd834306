package embedded

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"
)

// Transport calls the handler in process: the clients speak to this back end as to any other,
// without a socket. Answers are held in memory until they are complete.
func (b *Backend) Transport() http.RoundTripper { return transport{b.handler} }

type transport struct{ handler http.Handler }

// RoundTrip gives up with the request's context, as a socket would; the handler is then left to
// end by itself. A panic of the handler is an error.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	served := r.Clone(r.Context())
	served.RequestURI = r.URL.RequestURI()
	if served.Host == "" {
		served.Host = r.URL.Host
	}
	if served.Body == nil {
		served.Body = http.NoBody
	}
	w := &recorder{header: http.Header{}}
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
		return w.response(r), nil
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

// recorder keeps what a handler writes.
type recorder struct {
	header, sent http.Header // sent is the header as it was when the status was
	status       int
	body         bytes.Buffer
}

func (w *recorder) Header() http.Header { return w.header }

func (w *recorder) WriteHeader(status int) {
	if w.status == 0 && status >= 200 { // an early hint is not the answer
		w.status, w.sent = status, w.header.Clone()
	}
}

func (w *recorder) Write(data []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(data)
}

func (w *recorder) response(r *http.Request) *http.Response {
	w.WriteHeader(http.StatusOK)
	length := int64(w.body.Len())
	if r.Method == http.MethodHead || w.status == http.StatusNoContent || w.status == http.StatusNotModified {
		w.body.Reset()
		if declared, err := strconv.ParseInt(w.sent.Get("Content-Length"), 10, 64); err == nil {
			length = declared
		}
	}
	return &http.Response{
		Status:     strconv.Itoa(w.status) + " " + http.StatusText(w.status),
		StatusCode: w.status,
		Proto:      "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        w.sent,
		Body:          io.NopCloser(&w.body),
		ContentLength: length,
		Request:       r,
	}
}
