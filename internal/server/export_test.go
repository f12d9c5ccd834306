package server

import (
	"net"
	"net/http"
)

// VisitorConn is a visitor's connection whose answers have a header, and what tells it of a request.
func VisitorConn(c net.Conn, header http.Header) (visitor net.Conn, request func()) {
	made := &conn{Conn: c, header: headerLines(header)}
	return made, func() { made.note(http.StateActive) }
}
