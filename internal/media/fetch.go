package media

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"syscall"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/picture"
)

// errRefused: the storage's answer is not a picture that can be converted.
var errRefused = errors.New("refused")

// root is a validated Root.
type root struct {
	name      string
	base      *url.URL // its path ends in a slash
	transport http.RoundTripper
	close     func()
}

var rootName = regexp.MustCompile(`^[a-z0-9]{1,16}$`)

func openRoots(list []Root) ([]*root, error) {
	var roots []*root
	seen := map[string]bool{}
	for _, r := range list {
		if !rootName.MatchString(r.Name) || seen[r.Name] {
			return nil, fmt.Errorf("media: storage name %q: 1 to 16 letters a-z and digits, each once", r.Name)
		}
		seen[r.Name] = true
		opened, err := openRoot(r)
		if err != nil {
			return nil, fmt.Errorf("media: storage %s: %w", r.Name, err)
		}
		roots = append(roots, opened)
	}
	if len(roots) == 0 {
		return nil, errors.New("media: no storage given")
	}
	return roots, nil
}

func openRoot(r Root) (*root, error) {
	if r.URL == nil {
		if r.Transport == nil {
			return nil, errors.New("has neither an address nor a transport")
		}
		r.URL = &url.URL{Scheme: "http", Host: "embedded", Path: "/storage/"}
	}
	base := *r.URL
	if base.Scheme != "http" && base.Scheme != "https" || base.Host == "" || base.User != nil || base.RawQuery != "" ||
		base.Fragment != "" {
		return nil, fmt.Errorf("address %q: want http(s)://host/path/", r.URL.Redacted())
	}
	base.RawPath = ""
	base.Path = strings.TrimSuffix(base.Path, "/") + "/"
	opened := &root{name: r.Name, base: &base, transport: r.Transport, close: func() {}}
	if r.Transport == nil {
		t := newTransport(&base)
		opened.transport, opened.close = t, t.CloseIdleConnections
	}
	return opened, nil
}

// newTransport is a transport to the one host of a storage and nothing else: no proxy, no other port, and no private
// address unless the configured host is clearly private.
func newTransport(base *url.URL) *http.Transport {
	allowed := hostPort(base)
	dialer := &net.Dialer{Timeout: 5 * time.Second, Control: control(isPrivateHost(base.Hostname()))}
	return &http.Transport{
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			if addr != allowed {
				return nil, fmt.Errorf("dial %s: %w", addr, errRefused)
			}
			return dialer.DialContext(ctx, network, addr)
		},
		TLSHandshakeTimeout:    5 * time.Second,
		ResponseHeaderTimeout:  10 * time.Second,
		IdleConnTimeout:        30 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
		MaxIdleConnsPerHost:    maxFetches,
		DisableCompression:     true, // a compressed answer could be a bomb, and pictures don't need it
	}
}

// control checks the resolved address just before it is dialled, because a name may resolve differently each time.
func control(allowPrivate bool) func(network, address string, _ syscall.RawConn) error {
	return func(_, address string, _ syscall.RawConn) error {
		addrPort, err := netip.ParseAddrPort(address)
		if err != nil || !reachable(addrPort.Addr(), allowPrivate) {
			return fmt.Errorf("dial %s: %w", address, errRefused)
		}
		return nil
	}
}

func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// isPrivateHost reports whether a configured host is clearly in the operator's own network: a private address,
// localhost, a name without a dot (compose, Kubernetes) or below a reserved domain. A storage of any other name may
// only be at public addresses.
func isPrivateHost(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return !reachable(ip, false)
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if !strings.Contains(host, ".") {
		return true
	}
	for _, suffix := range []string{
		".localhost", ".local", ".internal", ".lan", ".home.arpa", ".cluster.local", ".test",
	} {
		if strings.HasSuffix(host, suffix) {
			return true
		}
	}
	return false
}

// blockedPrefixes are networks that are not public but not covered by netip, and IPv6 networks that embed an IPv4
// address, through which a private one could be reached.
var blockedPrefixes = prefixes(
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15",
	"198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4", "::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64",
	"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "fec0::/10",
)

func prefixes(list ...string) []netip.Prefix {
	var out []netip.Prefix
	for _, p := range list {
		out = append(out, netip.MustParsePrefix(p))
	}
	return out
}

// reachable reports whether a storage may have this address. Link-local (the metadata services of clouds), multicast
// and unspecified addresses are never reachable.
func reachable(ip netip.Addr, allowPrivate bool) bool {
	ip = ip.Unmap().WithZone("")
	if ip.IsLoopback() || ip.IsPrivate() {
		return allowPrivate
	}
	if !ip.IsGlobalUnicast() || ip.IsLinkLocalUnicast() {
		return false
	}
	for _, p := range blockedPrefixes {
		if p.Contains(ip) {
			return false
		}
	}
	return true
}

func (s *Store) root(name string) *root {
	for _, r := range s.roots {
		if r.name == name {
			return r
		}
	}
	return nil
}

// resolve finds the original of a back end's file: an absolute address below a root, or a path below the named root
// (empty: the first).
func (s *Store) resolve(file, name string) (original, bool) {
	file = strings.TrimSpace(file)
	if len(file) > 1024 {
		return original{}, false
	}
	if lower := strings.ToLower(file); strings.HasPrefix(lower, "http:") || strings.HasPrefix(lower, "https:") {
		u, err := url.Parse(file)
		if err != nil || u.User != nil || u.Opaque != "" {
			return original{}, false
		}
		for _, r := range s.roots {
			rest, below := strings.CutPrefix(u.EscapedPath(), r.base.EscapedPath())
			if below && u.Scheme == r.base.Scheme && strings.EqualFold(hostPort(u), hostPort(r.base)) {
				if u.RawQuery != "" {
					rest += "?" + u.RawQuery
				}
				return original{root: r.name, path: rest}, safe(rest)
			}
		}
		return original{}, false
	}
	r := s.roots[0]
	if name != "" {
		if r = s.root(name); r == nil {
			return original{}, false
		}
	}
	// In texts, pictures have their path on the host, which begins with the storage's path.
	p := original{root: r.name, path: strings.TrimPrefix(strings.TrimPrefix(file, r.base.Path), "/")}
	return p, safe(p.path)
}

// find is resolve with the focal point, if the picture is cropped.
func (s *Store) find(file string, o Options) (original, bool) {
	p, ok := s.resolve(file, o.Root)
	if o.Crop != Whole {
		p.focus = validFocus(o.Focus)
	}
	return p, ok
}

// safe reports whether a path stays below its root on every server, even on one that unescapes it twice.
func safe(path string) bool {
	path, query, _ := strings.Cut(path, "?")
	if path == "" || strings.ContainsFunc(query, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '#' }) {
		return false
	}
	for range 4 {
		if strings.HasPrefix(path, "/") ||
			strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\\' || r == 0xfffd }) {
			return false
		}
		for part := range strings.SplitSeq(path, "/") {
			if part == ".." || part == "." || part == "" || strings.HasPrefix(part, "..;") {
				return false
			}
		}
		unescaped, err := url.PathUnescape(path)
		if err != nil || unescaped == path {
			return true
		}
		path = unescaped
	}
	return false
}

// address is the address of an original with a safe path. As in a browser, escapes in the path are kept and the rest is
// escaped.
func (r *root) address(path string) *url.URL {
	path, query, _ := strings.Cut(path, "?")
	u := *r.base
	if unescaped, err := url.PathUnescape(path); err == nil {
		u.RawPath = u.EscapedPath() + path // net/url ignores it if it has characters that must be escaped
		path = unescaped
	}
	u.Path += path
	u.RawQuery = query
	return &u
}

// fetched is an answer of the storage: not modified, or a file with its metadata.
type fetched struct {
	unchanged          bool
	spool              *spool // the caller discards it
	version            string
	etag, lastModified string
}

func (f fetched) discard() {
	if f.spool != nil {
		f.spool.discard()
	}
}

// readOriginal reads an original into a temporary file. Redirects are not followed, the declared content type is
// ignored, and bytes and time are limited. Errors wrap agency.ErrNotFound, agency.ErrUnavailable or errRefused.
func (s *Store) readOriginal(ctx context.Context, p original, known record) (fetched, error) {
	r := s.root(p.root)
	if r == nil || !safe(p.path) {
		return fetched{}, fmt.Errorf("not below a storage: %w", errRefused)
	}
	if s.refused.has(p) {
		return fetched{}, agency.ErrNotFound
	}
	ctx, cancel := context.WithTimeout(ctx, s.config.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.address(p.path).String(), nil)
	if err != nil {
		return fetched{}, fmt.Errorf("%w: %w", errRefused, err)
	}
	request.Header.Set("Accept", "image/jpeg, image/png, image/webp, image/gif")
	if known.ETag != "" {
		request.Header.Set("If-None-Match", known.ETag)
	}
	if known.LastModified != "" {
		request.Header.Set("If-Modified-Since", known.LastModified)
	}
	response, err := r.transport.RoundTrip(request)
	if err != nil {
		if errors.Is(err, errRefused) {
			return fetched{}, err
		}
		return fetched{}, fmt.Errorf("%w: %w", agency.ErrUnavailable, err)
	}
	defer response.Body.Close()
	switch {
	case response.StatusCode == http.StatusNotModified && known.known():
		return fetched{unchanged: true}, nil
	case response.StatusCode == http.StatusNotFound || response.StatusCode == http.StatusGone:
		return fetched{}, agency.ErrNotFound
	case response.StatusCode >= 500 || response.StatusCode == http.StatusTooManyRequests:
		return fetched{}, fmt.Errorf("status %d: %w", response.StatusCode, agency.ErrUnavailable)
	case response.StatusCode != http.StatusOK:
		return fetched{}, fmt.Errorf("status %d: %w", response.StatusCode, errRefused)
	case response.ContentLength > maxBody:
		return fetched{}, fmt.Errorf("%d bytes: %w", response.ContentLength, errRefused)
	}
	got := fetched{etag: response.Header.Get("ETag"), lastModified: response.Header.Get("Last-Modified")}
	if err := s.spoolBody(response, &got); err != nil {
		got.discard()
		return fetched{}, err
	}
	return got, nil
}

// spoolBody spools an answer's body, at most maxBody bytes, if it begins like a picture.
func (s *Store) spoolBody(response *http.Response, got *fetched) error {
	header := make([]byte, 16)
	n, err := io.ReadFull(response.Body, header)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: %w", agency.ErrUnavailable, err)
	}
	if !picture.IsSupported(header[:n]) {
		return fmt.Errorf("no picture: %w", errRefused)
	}
	got.spool = newSpool(s.config.Dir)
	hash := sha256.New()
	writer := io.MultiWriter(got.spool, hash)
	if _, err := writer.Write(header[:n]); err != nil {
		return err
	}
	size, err := io.Copy(writer, io.LimitReader(response.Body, maxBody-int64(n)+1))
	var diskErr *fs.PathError
	if errors.As(err, &diskErr) {
		return err
	}
	if err != nil {
		return fmt.Errorf("%w: %w", agency.ErrUnavailable, err)
	}
	if size+int64(n) > maxBody {
		return fmt.Errorf("more than %d bytes: %w", maxBody, errRefused)
	}
	got.version = hex.EncodeToString(hash.Sum(nil))[:versionSize]
	return nil
}
