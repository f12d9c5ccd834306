package server

import (
	"bytes"
	"net"
	"net/http"
)

// net/http answers what is no request by itself (400, 431, 501, 505), with these headers and no others, in one write.
const ownHeaders = "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"

// headedListener gives the answers of the server itself the headers that every answer has.
type headedListener struct {
	net.Listener
	header []byte // as on the wire, each line with its end
}

func withHeaders(l net.Listener, headers http.Header) (net.Listener, error) {
	var wire bytes.Buffer
	if err := headers.Write(&wire); err != nil {
		return nil, err
	}
	return headedListener{l, wire.Bytes()}, nil
}

// Accept waits for the next connection.
func (l headedListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if tcp, ok := conn.(*net.TCPConn); ok { // whose ReadFrom sends files without copying them
		return &headedConn{tcp, l.header}, nil
	}
	return conn, nil
}

type headedConn struct {
	*net.TCPConn
	header []byte
}

// Write adds the headers to an answer of the server itself.
func (c *headedConn) Write(p []byte) (int, error) {
	status, text, found := bytes.Cut(p, []byte(ownHeaders))
	if !found || !bytes.HasPrefix(status, []byte("HTTP/1.1 ")) || bytes.ContainsAny(status, "\r\n") {
		return c.TCPConn.Write(p)
	}
	headed := bytes.Join([][]byte{status, []byte("\r\n"), c.header, []byte(ownHeaders[2:]), text}, nil)
	if _, err := c.TCPConn.Write(headed); err != nil {
		return 0, err
	}
	return len(p), nil
}
