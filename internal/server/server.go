// Package server runs the two HTTP servers of the program, the public one and the admin one, with limits for clients,
// and shuts them down without aborting answers.
package server

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"
)

// Limits of a connection. Routes with uploads extend their own deadline for reading (middleware.AllowBody).
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 20 * time.Second
	idleTimeout       = time.Minute
	// maxHeaderBytes is in bytes; net/http adds 4 KiB of slack.
	maxHeaderBytes = 16 << 10
)

// The minimum speed at which a visitor reads an answer, 3 KiB a second: however large it is, a slow line gets all of
// it, and one that stalls is closed.
const (
	progressBytes = 64 << 10
	progressTime  = 20 * time.Second // for so many bytes
)

// Times of the shutdown. /readyz fails from its beginning, so that a load balancer stops using this server. Meanwhile
// requests are still answered: for announceDelay, and as long as connections are open for up to announceTimeout, since
// deploy/several/Caddyfile asks for /readyz every two seconds. With drainTimeout it stays below the 20 s that are
// documented.
const (
	announceDelay   = 500 * time.Millisecond
	announceTimeout = 4 * time.Second
	drainTimeout    = 15 * time.Second
)

// Endpoint is a handler and the address that it is served on.
type Endpoint struct {
	Setting string // names the setting of the address in messages
	Addr    string // empty: not served
	Handler http.Handler
	Header  http.Header    // of every answer that has no such header itself
	Proxies []netip.Prefix // many visitors' connections come from there
}

// Serve serves public and admin until ctx ends, waits for answers in progress, and returns nil. It returns an error if
// it can't listen on an address or a listener fails. The end of ctx does not cancel requests.
func Serve(ctx context.Context, log *slog.Logger, public, admin Endpoint) error {
	failed := make(chan error, 2) // buffered for each server
	var servers []*http.Server
	visitors := newConnections(public.Proxies)
	defer func() {
		for _, s := range servers {
			_ = s.Close() // Shutdown was tried before, if there was time
		}
	}()
	for _, e := range []Endpoint{public, admin} {
		if e.Addr == "" {
			continue
		}
		accepted, err := (&net.ListenConfig{}).Listen(ctx, "tcp", e.Addr)
		if err != nil {
			return fmt.Errorf("%s: %w", e.Setting, err)
		}
		s := &http.Server{
			Handler:           closeOnShutdown(ctx, e.Handler),
			ReadHeaderTimeout: readHeaderTimeout,
			ReadTimeout:       readTimeout,
			IdleTimeout:       idleTimeout,
			MaxHeaderBytes:    maxHeaderBytes,
			ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
		}
		bounded := listener{Listener: accepted, header: headerLines(e.Header)}
		if e.Setting == public.Setting {
			bounded.connections = visitors
		}
		s.ConnState = func(c net.Conn, state http.ConnState) {
			c.(*conn).note(state)
			visitors.note(c, state)
		}
		servers = append(servers, s)
		go func() { failed <- s.Serve(bounded) }()
		log.Info("listening", "setting", e.Setting, "addr", accepted.Addr().String())
	}
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	log.Info("stopping: waiting for answers in progress")
	time.Sleep(announceDelay)
	for end := time.Now().Add(announceTimeout - announceDelay); visitors.count() > 0 && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	drainCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer cancel()
	for _, s := range servers { // the public one first, so that /readyz works until the end
		if err := s.Shutdown(drainCtx); err != nil {
			log.Warn("stopped: some answers took too long and were aborted")
			return nil
		}
	}
	log.Info("stopped")
	return nil
}

// closeOnShutdown closes each connection with its next answer once ctx has ended: otherwise a proxy could send a
// request on it just when it is closed, and could not know whether that was read.
func closeOnShutdown(ctx context.Context, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if ctx.Err() != nil {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}
