package server

import (
	"net"
	"time"
)

// The minimum speed at which a visitor reads an answer, 3 KiB a second: however large it is, a slow line gets all of
// it, and one that stalls is closed.
const (
	progressBytes = 64 << 10
	progressTime  = 20 * time.Second // for so many bytes
)

// listener accepts connections whose writes must make progress.
type listener struct{ net.Listener }

// Accept waits for the next connection.
func (l listener) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return conn{accepted}, nil
}

type conn struct{ net.Conn }

// Write fails if the visitor takes too long for any part of p.
func (c conn) Write(p []byte) (written int, err error) {
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
