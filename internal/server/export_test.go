package server

import "net"

// ProgressConn is a visitor's connection.
func ProgressConn(c net.Conn) net.Conn { return &conn{Conn: c} }
