package testkit

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"zedcard/internal/remote"
)

// Fault is middleware that breaks the fake's own answer.
type Fault func(own http.Handler) http.Handler

func replaceWith(answer http.HandlerFunc) Fault {
	return func(http.Handler) http.Handler { return answer }
}

// Status answers with a status and nothing else; headers are names and values in turn.
func Status(code int, headers ...string) Fault {
	return replaceWith(func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
	})
}

// Answer answers 200 with this body as JSON.
func Answer(body string) Fault { return Refuse(http.StatusOK, body) }

// Refuse answers with a status and this body as JSON.
func Refuse(code int, body string) Fault { return answerWith(code, "application/json", body) }

// HTML answers 200 with a page, as a proxy in front of a back end does.
func HTML() Fault {
	return answerWith(http.StatusOK, "text/html", "<!doctype html><title>Maintenance</title><p>Back soon.")
}

func answerWith(code int, kind, body string) Fault {
	return replaceWith(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body) // fails only if the client has left
	})
}

// Hang sends nothing until the client gives up.
func Hang() Fault {
	return replaceWith(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
}

// Reset ends the connection with a TCP reset.
func Reset() Fault {
	return replaceWith(func(w http.ResponseWriter, _ *http.Request) {
		connection, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		if tcp, ok := connection.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0) // makes the close a reset
		}
		_ = connection.Close()
	})
}

// Drip answers 200 at once and then sends a byte every 10 ms until the client gives up.
func Drip() Fault {
	return replaceWith(func(w http.ResponseWriter, r *http.Request) {
		ticker := time.NewTicker(10 * time.Millisecond)
		defer ticker.Stop()
		for {
			_, _ = io.WriteString(w, "[")
			_ = http.NewResponseController(w).Flush()
			select {
			case <-r.Context().Done():
				return
			case <-ticker.C:
			}
		}
	})
}

// Huge answers 200 with so many bytes of a JSON text, of no declared length.
func Huge(bytes int64) Fault {
	return replaceWith(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"data":"`)
		chunk := []byte(strings.Repeat("x", 64<<10))
		for sent := int64(0); sent < bytes; sent += int64(len(chunk)) {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	})
}

// CutShort sends half of the fake's own answer under the length of the whole.
func CutShort() Fault { return half(true) }

// Truncate sends half of the fake's own answer as if it were all.
func Truncate() Fault { return half(false) }

func half(wholeLength bool) Fault {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			recorder := httptest.NewRecorder()
			next.ServeHTTP(recorder, r)
			body := recorder.Body.Bytes()
			length := len(body) / 2
			if wholeLength {
				length = len(body)
			}
			w.Header().Set("Content-Type", recorder.Header().Get("Content-Type"))
			w.Header().Set("Content-Length", strconv.Itoa(length))
			_, _ = w.Write(body[:len(body)/2])
		})
	}
}

// Times limits a fault to the first n requests; after them the fake answers normally.
func Times(n int64, fault Fault) Fault {
	var count atomic.Int64
	return func(next http.Handler) http.Handler {
		faulty := fault(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if count.Add(1) <= n {
				faulty.ServeHTTP(w, r)
			} else {
				next.ServeHTTP(w, r)
			}
		})
	}
}

// Saying is for a client of a back end that says this to everything.
func Saying(answer string) remote.Config {
	return remote.Config{BaseURL: "http://backend.example", Transport: FixedAnswer(answer)}
}

// FixedAnswer is a transport to a back end that issues a token and then gives the same answer, with 200, to every
// request. It needs no server, which suits tests of thousands of answers.
type FixedAnswer string

// RoundTrip answers.
func (s FixedAnswer) RoundTrip(r *http.Request) (*http.Response, error) {
	body := string(s)
	if r.URL.Path == "/api/signin" || r.URL.Path == "/api/login" {
		body = `{"access_token": "said", "token": "said"}`
	}
	return &http.Response{
		StatusCode:    http.StatusOK,
		Body:          io.NopCloser(strings.NewReader(body)),
		ContentLength: -1,
		Request:       r,
	}, nil
}
