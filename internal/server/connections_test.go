package server_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dialFrom connects from a loopback address and sends the beginning of a request.
func dialFrom(t *testing.T, from, to, begin string) net.Conn {
	t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	c, err := dialer.DialContext(t.Context(), "tcp", to)
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	_, err = io.WriteString(c, begin)
	require.NoError(t, err)
	return c
}

// isClosed reports whether the server has closed a connection, without waiting.
func isClosed(c net.Conn) bool {
	_ = c.SetReadDeadline(time.Now().Add(time.Millisecond))
	_, err := c.Read(make([]byte, 1))
	timeout, ok := err.(net.Error)
	return err != nil && (!ok || !timeout.Timeout())
}

func TestTheOldestIdleConnectionsOfAClientGiveWay(t *testing.T) {
	const bound, more = 1024, 40
	for name, begin := range map[string]string{
		"idle": "", "half a header": "GET / HTTP/1.1\r\nHost: x\r\nX-A: ",
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t.Context(), t, http.NotFoundHandler(), http.NotFoundHandler())
			addr := s.addr["LISTEN_ADDR"]
			other := dialFrom(t, "127.0.0.3", addr, begin)
			var all []net.Conn
			for range bound + more {
				all = append(all, dialFrom(t, "127.0.0.2", addr, begin))
			}
			require.Eventually(t, func() bool { return isClosed(all[more-1]) }, time.Minute, 10*time.Millisecond)
			for i, c := range all[:more] {
				assert.True(t, isClosed(c), i)
			}
			for i, c := range all[more:] {
				assert.False(t, isClosed(c), i)
			}
			assert.False(t, isClosed(other), "another client's stays")
			c := dialFrom(t, "127.0.0.2", addr, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
			_ = c.SetReadDeadline(time.Now().Add(time.Minute))
			answer, err := http.ReadResponse(bufio.NewReader(c), nil)
			require.NoError(t, err, "its next one is answered")
			require.NoError(t, answer.Body.Close())
		})
	}
}

func TestAClientWhoseConnectionsAreAllInUseGetsNoMore(t *testing.T) {
	const bound = 1024
	entered, finish := make(chan struct{}, bound), make(chan struct{})
	s := start(t.Context(), t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		entered <- struct{}{}
		<-finish
		_, _ = fmt.Fprint(w, "whole")
	}), http.NotFoundHandler())
	defer close(finish)
	addr := s.addr["LISTEN_ADDR"]
	const post = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf"
	for range bound {
		dialFrom(t, "127.0.0.2", addr, post)
	}
	for range bound {
		<-entered
	}
	refused := dialFrom(t, "127.0.0.2", addr, "")
	require.Eventually(t, func() bool { return isClosed(refused) }, time.Minute, 10*time.Millisecond)
	dialFrom(t, "127.0.0.3", addr, post)
	select {
	case <-entered:
	case <-time.After(time.Minute):
		t.Error("another client's request is answered")
	}
}
