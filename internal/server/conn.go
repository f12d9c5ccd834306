package server

import (
	"bytes"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// The minimum speed at which a visitor reads an answer, 3 KiB a second: however large it is, a slow line gets all of
// it, and one that stalls is closed.
const (
	progressBytes = 64 << 10
	progressTime  = 20 * time.Second // for so many bytes
)

// listener accepts connections whose writes must make progress.
type listener struct {
	net.Listener
	unreadable ErrorPage
}

// Accept waits for the next connection.
func (l listener) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{Conn: accepted, unreadable: l.unreadable}, nil
}

type conn struct {
	net.Conn
	unreadable ErrorPage
	request    atomic.Pointer[string] // how the request that was not answered yet begins
}

// ErrorPage is the answer to a request that net/http can't read, whose path may be malformed.
type ErrorPage func(path string, status int) *http.Response

// Read notes how a request begins.
func (c *conn) Read(p []byte) (int, error) {
	const enoughOfThePath = 64
	n, err := c.Conn.Read(p)
	if n > 1 && c.unreadable != nil && c.request.Load() == nil {
		begins := string(p[:min(n, enoughOfThePath)])
		c.request.Store(&begins)
	}
	return n, err
}

// Write fails if the visitor takes too long for any part of p.
func (c *conn) Write(p []byte) (written int, err error) {
	if request := c.request.Swap(nil); request != nil && isRefusal(p) {
		return len(p), c.explain(*request, p)
	}
	for {
		part := p[written:min(len(p), written+progressBytes)]
		if err := c.SetWriteDeadline(time.Now().Add(progressTime)); err != nil {
			return written, err
		}
		n, err := c.Conn.Write(part)
		written += n
		if err != nil || written == len(p) {
			return written, err
		}
	}
}

// isRefusal reports whether p is the plain text with which net/http refuses a request that no handler gets: one with a
// malformed address or too large a header. It is one write of a fixed text; all other answers have more headers.
func isRefusal(p []byte) bool {
	const end = "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"
	return bytes.HasPrefix(p, []byte("HTTP/1.1 4")) && bytes.Contains(p[:min(len(p), 256)], []byte(end))
}

// explain writes the page instead of such a text.
func (c *conn) explain(request string, refusal []byte) error {
	status, err := strconv.Atoi(string(refusal[len("HTTP/1.1 "):][:3]))
	if err != nil {
		return err
	}
	path := "/"
	if fields := strings.Fields(request); len(fields) > 1 {
		path = fields[1]
	}
	var page bytes.Buffer
	if err := c.unreadable(path, status).Write(&page); err != nil {
		return err
	}
	_, err = c.Write(page.Bytes())
	return err
}
