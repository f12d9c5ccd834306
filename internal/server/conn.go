package server

import (
	"bytes"
	"context"
	"net"
	"net/http"
)

// defaultHeaders are the only headers of the answers that net/http itself gives to malformed or unsupported requests
// (400, 431, 501, 505). It sends each in one write.
const defaultHeaders = "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"

// listener accepts connections that can be corked, and that add the headers of every answer to those that net/http
// itself gives.
type listener struct {
	net.Listener
	header []byte // as on the wire, each line with its end
}

func withHeaders(l net.Listener, headers http.Header) (net.Listener, error) {
	var lines bytes.Buffer
	if err := headers.Write(&lines); err != nil {
		return nil, err
	}
	return listener{l, lines.Bytes()}, nil
}

// Accept waits for the next connection.
func (l listener) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if tcp, ok := accepted.(*net.TCPConn); ok { // whose ReadFrom sends files without copying them
		return &conn{TCPConn: tcp, header: l.header}, nil
	}
	return accepted, nil
}

// conn is a visitor's connection. One goroutine at a time writes to it.
type conn struct {
	*net.TCPConn
	header     []byte
	corkedBody int    // length of the body that is written next; 0: not corked
	pending    []byte // the first write of a corked answer
	parts      [2][]byte
	writes     net.Buffers // parts; in memory of the connection, so that an answer allocates nothing
}

// writeBuffer is what net/http gathers before it writes.
const writeBuffer = 4 << 10

type connKey struct{}

func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// Cork makes the answer to a request, whose context ctx is, leave in one write where net/http makes two: one of its
// full buffer, which is the header and the first bytes of the body, and one of the rest. The second would be a sixth of
// the processor time of a cached page. The handler must go on to write a body of that many bytes, at once.
func Cork(ctx context.Context, body int) {
	if c, ok := ctx.Value(connKey{}).(*conn); ok {
		c.corkedBody = body
	}
}

// Write sends what net/http has gathered of an answer.
func (c *conn) Write(p []byte) (int, error) {
	body := c.corkedBody
	c.corkedBody = 0
	var err error
	switch {
	case len(c.pending) > 0:
		c.parts = [2][]byte{c.pending, p}
		c.writes = c.parts[:]
		_, err = c.writes.WriteTo(c.TCPConn)
		c.pending = c.pending[:0]
	case body > 0 && isFirstPart(p, body):
		c.pending = append(c.pending, p...)
	case bytes.HasPrefix(p, []byte("HTTP/1.1 4")), bytes.HasPrefix(p, []byte("HTTP/1.1 5")):
		_, err = c.TCPConn.Write(c.addHeaders(p))
	default:
		return c.TCPConn.Write(p)
	}
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// isFirstPart reports whether a write has the header and a part of the body, so that another write will follow.
func isFirstPart(p []byte, body int) bool {
	const headerEnd = "\r\n\r\n"
	end := bytes.Index(p, []byte(headerEnd))
	return len(p) == writeBuffer && end >= 0 && end+len(headerEnd)+body > len(p)
}

// addHeaders adds the headers to an answer of the server itself; an answer of a handler has them.
func (c *conn) addHeaders(answer []byte) []byte {
	status, text, found := bytes.Cut(answer, []byte(defaultHeaders))
	if !found || bytes.ContainsAny(status, "\r\n") {
		return answer
	}
	return bytes.Join([][]byte{status, []byte("\r\n"), c.header, []byte(defaultHeaders[2:]), text}, nil)
}
