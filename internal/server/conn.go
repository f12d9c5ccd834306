package server

import (
	"bytes"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// listener accepts connections whose writes must make progress.
type listener struct {
	net.Listener
	connections *connections // nil: without a bound
	header      []headerLine // of every answer
}

// Accept waits for the next connection.
func (l listener) Accept() (net.Conn, error) {
	for {
		accepted, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if c := (&conn{Conn: accepted, header: l.header}); l.connections == nil || l.connections.add(c) {
			return c, nil
		}
		_ = accepted.Close()
	}
}

// headerLine is a line of an answer's header: its name as it follows the line before it, and all of it.
type headerLine struct{ name, line []byte }

// headerLines are those of a header, in their order on the wire.
func headerLines(header http.Header) (lines []headerLine) {
	var all strings.Builder
	_ = header.Write(&all) // a Builder takes all
	for line := range strings.Lines(all.String()) {
		name, _, _ := strings.Cut(line, " ")
		lines = append(lines, headerLine{[]byte("\r\n" + name), []byte(line)})
	}
	return lines
}

// conn is a visitor's connection. It adds the header lines that every answer has: in net/http's maps they would take a
// twelfth of the processor time of a kept page, and its own answers to malformed requests would have none.
//
// net/http writes an answer in two pieces, a full buffer with the header and what fits of the body, and the rest: here
// the first waits for the second, which would take a sixth of that time. It always comes, unless the answer is aborted.
type conn struct {
	net.Conn
	header []headerLine
	fresh  bool       // the next write begins an answer
	begun  *beginning // nil: nothing waits
}

// note is told of each change of the connection.
func (c *conn) note(state http.ConnState) {
	if state == http.StateActive {
		c.fresh = true
	}
}

// beginning is the first piece of an answer, in memory that is used again.
type beginning struct {
	bytes  []byte
	pieces [2][]byte
	writes net.Buffers // of the pieces
}

var beginnings = sync.Pool{New: func() any { return new(beginning) }}

// Write fails if the visitor takes too long for any part of p.
func (c *conn) Write(p []byte) (written int, err error) {
	if c.fresh && !bytes.HasPrefix(p, []byte("HTTP/1.1 1")) { // another one follows 100 and 103
		c.fresh = false
		if c.begin(p) {
			return len(p), nil
		}
		return len(p), c.send(nil)
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

// begin keeps the first piece of an answer, with the lines that it does not have itself, and reports whether another
// one follows at once.
func (c *conn) begin(p []byte) (unfinished bool) {
	head, body, _ := bytes.Cut(p, []byte("\r\n\r\n"))
	status := bytes.IndexByte(p, '\n') + 1
	b := beginnings.Get().(*beginning)
	b.bytes = append(b.bytes[:0], p[:status]...)
	for _, line := range c.header {
		if !bytes.Contains(head, line.name) {
			b.bytes = append(b.bytes, line.line...)
		}
	}
	b.bytes = append(b.bytes, p[status:]...)
	c.begun = b
	if len(p) < writeBuffer || len(body) == 0 { // HEAD has no body
		return false
	}
	_, length, _ := bytes.Cut(head, []byte("\r\nContent-Length: "))
	length, _, _ = bytes.Cut(length, []byte("\r\n"))
	whole, err := strconv.Atoi(string(length))
	return err == nil && whole > len(body)
}

// writeBuffer is what net/http gathers before it writes.
const writeBuffer = 4 << 10

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
	b.pieces = [2][]byte{b.bytes, part}
	b.writes = b.pieces[:]
	_, err := b.writes.WriteTo(c.Conn)
	return err
}
