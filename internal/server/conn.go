package server

import (
	"bytes"
	"context"
	"net"
	"net/http"
)

// net/http answers what is no request by itself (400, 431, 501, 505), with these headers and no others, in one write.
const ownHeaders = "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"

// listener gives the answers of the server itself the headers that every answer has, and connections that can be
// corked.
type listener struct {
	net.Listener
	header []byte // as on the wire, each line with its end
}

func withHeaders(l net.Listener, headers http.Header) (net.Listener, error) {
	var wire bytes.Buffer
	if err := headers.Write(&wire); err != nil {
		return nil, err
	}
	return listener{l, wire.Bytes()}, nil
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
	header []byte
	corked int    // bytes of the body that is written next; 0: not corked
	held   []byte // the first write of a corked answer
}

// writeBuffer is what net/http gathers before it writes.
const writeBuffer = 4 << 10

type connKey struct{}

func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// Cork makes the answer to a request, whose context ctx is, leave in one write where net/http makes two: one of its
// full buffer, which is the header and the first bytes of the body, and one of the rest. The second would be a sixth of
// the processor time of a kept page. The handler must go on to write a body of that many bytes, at once.
func Cork(ctx context.Context, body int) {
	if c, ok := ctx.Value(connKey{}).(*conn); ok {
		c.corked = body
	}
}

// Write sends what net/http has gathered of an answer.
func (c *conn) Write(p []byte) (int, error) {
	body := c.corked
	c.corked = 0
	var err error
	switch {
	case len(c.held) > 0:
		pieces := net.Buffers{c.held, p}
		_, err = pieces.WriteTo(c.TCPConn)
		c.held = c.held[:0]
	case body > 0 && isBegun(p, body):
		c.held = append(c.held, p...)
	case bytes.HasPrefix(p, []byte("HTTP/1.1 4")), bytes.HasPrefix(p, []byte("HTTP/1.1 5")):
		_, err = c.TCPConn.Write(c.headed(p))
	default:
		return c.TCPConn.Write(p)
	}
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// isBegun reports whether a write has the header and a part of its body, so that the rest is certain to come.
func isBegun(p []byte, body int) bool {
	const headerEnd = "\r\n\r\n"
	end := bytes.Index(p, []byte(headerEnd))
	return len(p) == writeBuffer && end >= 0 && end+len(headerEnd)+body > len(p)
}

// headed adds the headers to an answer of the server itself; an answer of a handler has them.
func (c *conn) headed(answer []byte) []byte {
	status, text, found := bytes.Cut(answer, []byte(ownHeaders))
	if !found || bytes.ContainsAny(status, "\r\n") {
		return answer
	}
	return bytes.Join([][]byte{status, []byte("\r\n"), c.header, []byte(ownHeaders[2:]), text}, nil)
}
