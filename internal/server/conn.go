package server

import (
	"bytes"
	"net"
	"strconv"
	"sync"
	"time"
)

// listener accepts connections whose writes must make progress.
type listener struct {
	net.Listener
	connections *connections // nil: without a bound
}

// Accept waits for the next connection.
func (l listener) Accept() (net.Conn, error) {
	for {
		accepted, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if c := (&conn{Conn: accepted}); l.connections == nil || l.connections.add(c) {
			return c, nil
		}
		_ = accepted.Close()
	}
}

// conn is a visitor's connection. net/http writes an answer in two pieces, a full buffer with the headers and what fits
// of the body, and the rest: here the first waits for the second, which would take a sixth of the processor time of a
// kept page. It always comes, unless the answer is aborted.
type conn struct {
	net.Conn
	begun *beginning // nil: nothing waits
}

// beginning is the first piece of an answer, in memory that is used again.
type beginning struct {
	buffer [4 << 10]byte // as large as net/http's
	pieces [2][]byte
	writes net.Buffers // of the pieces
}

var beginnings = sync.Pool{New: func() any { return new(beginning) }}

// Write fails if the visitor takes too long for any part of p.
func (c *conn) Write(p []byte) (written int, err error) {
	if c.begun == nil && isBeginning(p) {
		c.begun = beginnings.Get().(*beginning)
		return copy(c.begun.buffer[:], p), nil
	}
	for {
		part := p[written:min(len(p), written+progressBytes)]
		if err := c.send(part); err != nil {
			return written, err
		}
		if written += len(part); written == len(p) {
			return written, nil
		}
	}
}

// send writes what waits, and a part of an answer.
func (c *conn) send(part []byte) error {
	if err := c.SetWriteDeadline(time.Now().Add(progressTime)); err != nil {
		return err
	}
	b := c.begun
	if b == nil {
		_, err := c.Conn.Write(part)
		return err
	}
	c.begun = nil
	defer beginnings.Put(b)
	b.pieces = [2][]byte{b.buffer[:], part}
	b.writes = b.pieces[:]
	_, err := b.writes.WriteTo(c.Conn)
	return err
}

// isBeginning reports whether p is a full buffer with the headers of an answer whose body is larger than that. One that
// ends with the headers is none: HEAD has no body.
func isBeginning(p []byte) bool {
	if len(p) != len(beginning{}.buffer) || !bytes.HasPrefix(p, []byte("HTTP/1.1 ")) ||
		bytes.HasSuffix(p, []byte("\r\n\r\n")) {
		return false
	}
	_, length, _ := bytes.Cut(p, []byte("\r\nContent-Length: "))
	length, _, _ = bytes.Cut(length, []byte("\r\n"))
	body, err := strconv.Atoi(string(length))
	return err == nil && body >= len(p)
}
