package embedded

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
)

// Transport calls the handler in process: the clients speak to this back end as to any other, without a socket. An
// answer is read while it is written.
func (b *Backend) Transport() http.RoundTripper { return transport{b.handler} }

type transport struct{ handler http.Handler }

// RoundTrip returns when the handler begins its answer or the request's context ends, as with a socket, and leaves the
// handler to end by itself. A panic of the handler becomes an error.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	served := r.Clone(r.Context())
	served.RequestURI = r.URL.RequestURI()
	if served.Host == "" {
		served.Host = r.URL.Host
	}
	if served.Body == nil {
		served.Body = http.NoBody
	}
	body, pipe := io.Pipe()
	stop := context.AfterFunc(r.Context(), func() { _ = body.CloseWithError(r.Context().Err()) }) // never fails
	w := &answerWriter{header: http.Header{}, body: pipe, begun: make(chan *http.Response, 1)}
	failed := make(chan error, 1)
	go func() {
		defer stop()
		defer served.Body.Close()
		defer func() {
			if reason := recover(); reason != nil {
				err := fmt.Errorf("embedded back end: %s %s: panic: %v", r.Method, r.URL.Path, reason)
				failed <- err
				_ = pipe.CloseWithError(err) // never fails
			}
		}()
		t.handler.ServeHTTP(w, served)
		w.WriteHeader(http.StatusOK)
		_ = pipe.Close() // never fails
	}()
	select {
	case response := <-w.begun:
		response.Request, response.Body = r, body
		return response, r.Context().Err()
	case err := <-failed:
		return nil, err
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

// answerWriter gives the answer to its reader as soon as the handler begins it.
type answerWriter struct {
	header http.Header
	body   io.Writer
	begun  chan *http.Response // room for one
	sent   bool
}

func (w *answerWriter) Header() http.Header { return w.header }

func (w *answerWriter) WriteHeader(status int) {
	if w.sent || status < http.StatusOK {
		return
	}
	w.sent = true
	length, err := strconv.ParseInt(w.header.Get("Content-Length"), 10, 64)
	if err != nil {
		length = -1
	}
	w.begun <- &http.Response{
		Status:     strconv.Itoa(status) + " " + http.StatusText(status),
		StatusCode: status,
		Proto:      "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        w.header.Clone(),
		ContentLength: length,
	}
}

func (w *answerWriter) Write(data []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(data)
}
