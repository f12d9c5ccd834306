package web

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// Limits of a connection. How many are open is the operating system's business: half a request costs some kilobytes for
// five seconds.
const (
	headerTimeout  = 5 * time.Second
	bodyTimeout    = 5 * time.Second  // of a small form; AllowUpload is for more
	writeTimeout   = 15 * time.Minute // a pack of 25 MB at 250 kbit/s
	idleTimeout    = time.Minute
	maxHeaderBytes = 16 << 10 // net/http adds 4 KiB of slack
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
}

// Serve serves public and admin until ctx ends, waits for answers in progress, and returns nil. It returns an error if
// it can't listen on an address or a listener fails. The end of ctx does not cancel requests.
func Serve(ctx context.Context, log *slog.Logger, public, admin Endpoint) error {
	failed := make(chan error, 2) // buffered for each server
	var servers []*http.Server
	var open atomic.Int64 // connections
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
			Handler:           bounded(ctx, e.Handler),
			ReadHeaderTimeout: headerTimeout,
			WriteTimeout:      writeTimeout,
			IdleTimeout:       idleTimeout,
			MaxHeaderBytes:    maxHeaderBytes,
			ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
			ConnState: func(_ net.Conn, state http.ConnState) {
				switch state {
				case http.StateNew:
					open.Add(1)
				case http.StateClosed, http.StateHijacked:
					open.Add(-1)
				case http.StateActive, http.StateIdle:
				}
			},
		}
		servers = append(servers, s)
		go func() { failed <- s.Serve(accepted) }()
		log.Info("listening", "setting", e.Setting, "addr", accepted.Addr().String())
	}
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	log.Info("stopping: waiting for answers in progress")
	time.Sleep(announceDelay)
	for end := time.Now().Add(announceTimeout - announceDelay); open.Load() > 0 && time.Now().Before(end); {
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

// bounded bounds the time of a body: http.Server.ReadTimeout (Go 1.26) would also end the context of a request without
// one whose answer takes longer. A GET or HEAD with a body is answered at once, and its connection closed.
//
// Once ctx has ended, each connection is closed with its next answer: otherwise a proxy could send a request on it just
// when it is closed, and could not know whether that was read.
func bounded(ctx context.Context, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hasBody := r.ContentLength != 0
		if hasBody {
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTimeout)) // net/http's w has it
		}
		if ctx.Err() != nil || hasBody && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}
