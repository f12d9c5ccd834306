package web

import (
	"context"
	"io"
	"net"
	"net/http"
	_ "net/http/pprof" // registers with http.DefaultServeMux, which serves nothing else
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/VictoriaMetrics/metrics"
)

// Metrics are what Prometheus reads.
type Metrics struct{ set *metrics.Set }

// NewMetrics makes the metrics; version is that of the program. more writes further ones at each reading.
func NewMetrics(version string, more func(io.Writer)) *Metrics {
	m := &Metrics{metrics.NewSet()}
	m.set.NewGauge("zedcard_build_info{version="+strconv.Quote(version)+"}", func() float64 { return 1 })
	m.set.RegisterMetricsWriter(more)
	return m
}

// Observe counts one answer. It is an Observer.
func (m *Metrics) Observe(screen string, status int, duration time.Duration) {
	label := `{screen="` + screen + `"`
	class := `,status="` + strconv.Itoa(status/100) + `xx"}`
	m.set.GetOrCreateCounter("zedcard_http_requests_total" + label + class).Inc()
	m.set.GetOrCreatePrometheusHistogramExt("zedcard_http_request_seconds"+label+"}",
		[]float64{.001, .005, .025, .1, .25, .5, 1, 2.5, 10, 60}).Update(duration.Seconds())
}

// readyTimeout is how long /readyz waits for AdminConfig.Ready.
const readyTimeout = 3 * time.Second

// AdminConfig are the dependencies of the admin address.
type AdminConfig struct {
	Ready   func(context.Context) error // nil while the site can serve
	Forms   func() error                // nil while submissions can be stored
	Metrics *Metrics
	Forget  http.Handler // of /forget/{id}
}

// Admin is the handler of the admin address, which is never public:
//
//	/healthz       200: the process is up
//	/readyz        200: it can serve, with the reason if it takes no forms; 503 with the reason, and from the end of
//	               ctx on
//	/metrics       for Prometheus
//	/debug/pprof/  profiles
//	/forget/{id}   PUT takes a talent off the site
//
// ctx is the one that Serve gets. A request whose Host is a public name is refused (421), against DNS rebinding:
// another site could let its own name resolve to this address, to read the answers in a browser here.
func Admin(ctx context.Context, c AdminConfig) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { respond(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		readyCtx, cancel := context.WithTimeout(r.Context(), readyTimeout)
		defer cancel()
		if ctx.Err() != nil {
			respond(w, http.StatusServiceUnavailable, "stopping")
		} else if err := c.Ready(readyCtx); err != nil {
			respond(w, http.StatusServiceUnavailable, err.Error())
		} else if err := c.Forms(); err != nil { // no reason to send visitors elsewhere: pages are shown
			respond(w, http.StatusOK, "ok, but forms answer 503: "+err.Error())
		} else {
			respond(w, http.StatusOK, "ok")
		}
	})
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		c.Metrics.set.WritePrometheus(w)
		metrics.WriteProcessMetrics(w)
	})
	mux.Handle("PUT /forget/{id}", c.Forget) // browsers send PUT of another site only after a preflight
	mux.Handle("/debug/pprof/", http.DefaultServeMux)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isPrivateName(r.Host) {
			respond(w, http.StatusMisdirectedRequest, "ask by address, localhost or a name without a dot")
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// isPrivateName reports whether a Host header is an IP address, or the name of this machine or one in its network.
func isPrivateName(hostport string) bool {
	host := hostport
	if name, _, err := net.SplitHostPort(hostport); err == nil {
		host = name
	}
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return true
	}
	host = strings.ToLower(host)
	isBelow := func(private string) bool { return strings.HasSuffix(host, private) }
	return !strings.Contains(host, ".") || // also an empty one, as of simple health checks
		slices.ContainsFunc([]string{".localhost", ".local", ".internal"}, isBelow)
}

// IsPublic reports whether a listen address can be reached from outside of this machine and its own network.
func IsPublic(listen string) bool {
	host, _, err := net.SplitHostPort(listen)
	if err != nil || listen == "" {
		return false
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return host == "" // all interfaces; a name is one of the operator's network
	}
	return addr.IsUnspecified() || !addr.IsLoopback() && !addr.IsPrivate() && !addr.IsLinkLocalUnicast()
}

func respond(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text+"\n") // fails only if the client has left
}
