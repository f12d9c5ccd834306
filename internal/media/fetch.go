package media

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"code.dny.dev/ssrf"

	"zedcard/internal/agency"
)

// errRefused: the storage's answer is not a picture that can be converted.
var errRefused = errors.New("refused")

func openRoots(list []Root) (roots []*Root) {
	for _, r := range list {
		if r.URL == nil {
			r.URL = &url.URL{Scheme: "http", Host: "embedded", Path: "/storage/"}
		}
		base := *r.URL
		base.RawPath, base.Path = "", strings.TrimSuffix(base.Path, "/")+"/"
		r.URL = &base
		if r.Transport == nil {
			r.Transport = newTransport(base.Hostname())
		}
		roots = append(roots, &r)
	}
	return roots
}

// newTransport is a transport to a storage's host: without a proxy, and to no private address unless the configured
// host is clearly private.
func newTransport(host string) *http.Transport {
	dialer := &net.Dialer{Timeout: 5 * time.Second, Control: guard(host).Safe}
	return &http.Transport{
		DialContext:            dialer.DialContext,
		TLSHandshakeTimeout:    5 * time.Second,
		ResponseHeaderTimeout:  10 * time.Second,
		IdleConnTimeout:        30 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
		MaxIdleConnsPerHost:    maxFetches,
		MaxConnsPerHost:        maxFetches,
		DisableCompression:     true, // a compressed answer could be a bomb, and pictures don't need it
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
		return public.SafeAddr(ip.Unmap()) != nil
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	private := []string{".localhost", ".local", ".internal", ".lan", ".home.arpa", ".cluster.local", ".test"}
	return !strings.Contains(host, ".") ||
		slices.ContainsFunc(private, func(suffix string) bool { return strings.HasSuffix(host, suffix) })
}

// Which addresses may be dialled: public ones, and for storages in the operator's own network private ones, too. The
// address is checked when it is dialled, because a name may resolve differently each time.
var (
	public  = ssrf.New(ssrf.WithAnyPort())
	private = ssrf.New(ssrf.WithAnyPort(),
		ssrf.WithAllowedV4Prefixes(netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8"),
			netip.MustParsePrefix("172.16.0.0/12"), netip.MustParsePrefix("192.168.0.0/16")),
		ssrf.WithAllowedV6Prefixes(netip.MustParsePrefix("::1/128"), netip.MustParsePrefix("fc00::/7")))
)

// guard is what a storage on this host may be dialled at.
func guard(host string) *ssrf.Guardian {
	if isPrivateHost(host) {
		return private
	}
	return public
}

func (s *Store) root(name string) *Root {
	for _, r := range s.roots {
		if r.Name == name {
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
			rest, below := strings.CutPrefix(u.EscapedPath(), r.URL.EscapedPath())
			if below && u.Scheme == r.URL.Scheme && strings.EqualFold(hostPort(u), hostPort(r.URL)) {
				query, signed := withoutSignature(u.RawQuery)
				if query != "" {
					rest += "?" + query
				}
				p := original{root: r.Name, path: rest}
				if signed && safe(rest) {
					s.signed.Set(p, u.RawQuery)
				}
				return p, safe(rest)
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
	if strings.HasPrefix(file, "storage/") && strings.HasPrefix(r.URL.Path, "/storage/") {
		file = "/" + file // as Laravel writes it
	}
	p := original{root: r.Name, path: strings.TrimPrefix(strings.TrimPrefix(file, r.URL.Path), "/")}
	return p, safe(p.path)
}

// signature matches the parameters by which storages lend a file for a while: S3 and those like it, CloudFront, Azure.
var signature = regexp.MustCompile(`(?i)^(x-(amz|goog|oss|obs|cos)-|(aws|goog(le)?|oss)access|expires=|signature=|` +
	`key-pair-id=|policy=|s[eigptvr]+=|sk[a-z]+=)`)

// withoutSignature is a query without what changes each time that the same file is named.
func withoutSignature(query string) (rest string, signed bool) {
	if !strings.Contains(strings.ToLower(query), "sig") { // X-Amz-Signature, Signature, sig
		return query, false
	}
	parts := slices.DeleteFunc(strings.Split(query, "&"), signature.MatchString)
	return strings.Join(parts, "&"), true
}

// find is the picture of a back end's file as pages show it.
func (s *Store) find(file string, o Options) (p shown, ok bool) {
	p.original, ok = s.resolve(file, o.Root)
	p.minor = o.Minor
	if o.Crop != agency.Whole {
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
func (r *Root) address(path string) *url.URL {
	path, query, _ := strings.Cut(path, "?")
	u := *r.URL
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
	body               []byte
	etag, lastModified string
	held               int64 // of bodySem, until the body was used
}

// readOriginal reads an original into memory, as soon as there is room. Redirects are not followed, the declared
// content type is ignored, and bytes and time are limited. Errors wrap agency.ErrNotFound, agency.ErrUnavailable or
// errRefused.
func (s *Store) readOriginal(ctx context.Context, p original, known record) (got fetched, err error) {
	r := s.root(p.root)
	if r == nil || !safe(p.path) {
		return got, fmt.Errorf("not below a storage: %w", errRefused)
	}
	ctx, cancel := context.WithTimeout(ctx, s.config.Timeout)
	defer cancel()
	address := r.address(p.path)
	if query, ok := s.signed.Get(p); ok {
		address.RawQuery = query
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return got, fmt.Errorf("%w: %w", errRefused, err)
	}
	request.Header.Set("Accept", "image/jpeg, image/png, image/webp, image/gif")
	if known.ETag != "" {
		request.Header.Set("If-None-Match", known.ETag)
	}
	if known.LastModified != "" {
		request.Header.Set("If-Modified-Since", known.LastModified)
	}
	response, err := r.Transport.RoundTrip(request)
	if err != nil {
		if errors.Is(err, ssrf.ErrProhibitedIP) {
			return got, fmt.Errorf("%w: %w", errRefused, err)
		}
		return got, fmt.Errorf("%w: %w", agency.ErrUnavailable, err)
	}
	defer response.Body.Close()
	switch {
	case response.StatusCode == http.StatusNotModified && known.known():
		got.unchanged = true
		return got, nil
	case response.StatusCode == http.StatusNotFound || response.StatusCode == http.StatusGone:
		return got, agency.ErrNotFound
	case response.StatusCode >= 500 || response.StatusCode == http.StatusTooManyRequests:
		return got, fmt.Errorf("status %d: %w", response.StatusCode, agency.ErrUnavailable)
	case response.StatusCode != http.StatusOK:
		return got, fmt.Errorf("status %d: %w", response.StatusCode, errRefused)
	case response.ContentLength > maxBody:
		return got, fmt.Errorf("%d bytes: %w", response.ContentLength, errRefused)
	}
	size := response.ContentLength
	if size < 0 {
		size = maxBody
	}
	if err := s.bodySem.Acquire(ctx, size); err != nil {
		return got, fmt.Errorf("%w: %w", agency.ErrUnavailable, err)
	}
	got.held = size
	var body bytes.Buffer
	switch _, err := body.ReadFrom(io.LimitReader(response.Body, size+1)); {
	case err != nil:
		return got, fmt.Errorf("%w: %w", agency.ErrUnavailable, err)
	case int64(body.Len()) > size:
		return got, fmt.Errorf("more than %d bytes: %w", size, errRefused)
	}
	got.body = body.Bytes()
	got.etag, got.lastModified = response.Header.Get("ETag"), response.Header.Get("Last-Modified")
	return got, nil
}

// Refuse stops serving these files and removes the pictures made from them. It returns the prefixes of their addresses,
// to purge them from a CDN.
func (s *Store) Refuse(files ...string) (addresses []string) {
	for _, file := range files {
		p, ok := s.resolve(file, "")
		if !ok {
			continue
		}
		s.refused.Store(p, true)
		s.forget(p)
		given := map[string]bool{}
		add := func(p shown) {
			for _, p.minor = range []bool{false, true} {
				given[p.base(s.config.Keys[0])] = true
			}
		}
		add(shown{original: p})
		for _, source := range s.sources.All() { // cuts around a focal point
			if source.original == p {
				add(source.shown)
			}
		}
		addresses = slices.AppendSeq(addresses, maps.Keys(given))
	}
	slices.Sort(addresses)
	return addresses
}

// Allow ends Refuse.
func (s *Store) Allow(files ...string) {
	for _, file := range files {
		if p, ok := s.resolve(file, ""); ok {
			s.refused.Delete(p)
			s.failures.Remove(p)
		}
	}
}

// maxForeign bounds the number of origins that are counted: they come from the back ends.
const maxForeign = 100

// ForeignOrigins is how often pictures were not shown because their origin is not a storage, by origin.
func (s *Store) ForeignOrigins() map[string]int64 {
	counts := map[string]int64{}
	for origin, count := range s.foreign.All() {
		counts[origin] = count.Load()
	}
	return counts
}

// refuseForeign counts a picture that is in no storage, and logs its origin once.
func (s *Store) refuseForeign(file string) {
	u, err := url.Parse(strings.TrimSpace(file))
	if err != nil || u.Host == "" {
		return
	}
	origin := u.Scheme + "://" + u.Host
	count := s.foreign.GetOrMake(origin, func() *atomic.Int64 { return new(atomic.Int64) })
	if count.Add(1) == 1 {
		s.config.Log.Warn("media: pictures of this origin are not shown, PICTURE_HOSTS does not name it",
			"origin", origin)
	}
}
