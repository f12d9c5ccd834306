package media

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"code.dny.dev/ssrf"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/picture"
	"zedcard/internal/testkit/picturetest"
)

// witness is a storage that has every file and records the requests.
type witness struct {
	mu    sync.Mutex
	asked []*url.URL
	file  []byte
}

func (w *witness) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked = append(w.asked, r.URL)
	answer := httptest.NewRecorder()
	_, _ = answer.Write(w.file)
	return answer.Result(), nil
}

func (w *witness) take() []*url.URL {
	w.mu.Lock()
	defer w.mu.Unlock()
	asked := w.asked
	w.asked = nil
	return asked
}

// escapes are ways to write dots and slashes that some servers decode.
var escapes = []*strings.Replacer{
	strings.NewReplacer(),
	strings.NewReplacer(".", "%2e"),
	strings.NewReplacer("/", "%2f"),
	strings.NewReplacer(".", "%2E", "/", "%2F"),
	strings.NewReplacer(".", "%252e", "/", "%252f"),
	strings.NewReplacer(".", "%25252e"),
	strings.NewReplacer("/", `\`),
	strings.NewReplacer("/", "%5c"),
	strings.NewReplacer(".", "%c0%ae"),
	strings.NewReplacer("/", "%c0%af"),
	strings.NewReplacer("..", "..;"),
	strings.NewReplacer("..", "..%00"),
	strings.NewReplacer("/", "//"),
	strings.NewReplacer("..", "．．"),
}

var climbs = []string{
	"../secret.jpg", "../../etc/passwd", "a/../../secret.jpg", "a/b/../../../secret.jpg", "./../secret.jpg",
	"talents/../../.env", "..", "a/..", "../storage/../secret.jpg", "a/./../../x.jpg",
}

// elsewhere are places that a picture must not be read from.
func elsewhere() []string {
	var list []string
	hosts := []string{
		"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]",
		"[::ffff:7f00:1]", "0.0.0.0", "[::]", "169.254.169.254",
		"[fe80::1]", "[fd00::1]", "10.0.0.1", "172.16.0.1", "192.168.1.1",
		"100.64.0.1", "2130706433", "0x7f000001", "0177.0.0.1",
		"127.1", "metadata.google.internal", "evil.example", "panel.example.evil.example", "evil.example#panel.example",
		"panel.example@evil.example", "panel.example:443@evil.example",
		"panel.example:8443", "panel.example:80", "panel.example.",
		"xn--panel-example", "panel。example", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "user:pw@panel.example",
	}
	for _, host := range hosts {
		for _, scheme := range []string{"https", "http", "HTTPS"} {
			list = append(list, scheme+"://"+host+"/storage/x.jpg")
		}
	}
	return append(list,
		"file:///etc/passwd", "//evil.example/x.jpg", `\\evil.example\x.jpg`,
		"gopher://127.0.0.1/x", "data:image/png;base64,AAAA",
		"https:evil.example", "https:/evil.example/x.jpg", "https:///evil.example/x.jpg",
		"https://panel.example", "https://panel.example/", "https://panel.example/storage",
		"https://panel.example/storage/", "https://panel.example/storagex/x.jpg",
		"https://panel.example/admin/x.jpg", "https://panel.example/%2e%2e/storage/x.jpg",
		"http://panel.example:443/storage/x.jpg", "ftp://panel.example/storage/x.jpg", "javascript:alert(1)",
		"", "   ", "/", "//", "a.jpg\r\nHost: evil.example", "a\x00.jpg", "a\n.jpg", "\xff\xfe.jpg",
		"x.jpg?a=1\r\nX: y", strings.Repeat("a/", 600)+"x.jpg")
}

// TestHostileAddresses: whatever a back end names or a visitor asks for, nothing above or beside the configured
// storage is read.
func TestHostileAddresses(t *testing.T) {
	storage := &witness{file: picturetest.JPEG(t, image.NewGray(image.Rect(0, 0, 8, 8)))}
	base, err := url.Parse("https://panel.example/storage/")
	require.NoError(t, err)
	s := open(t, storage, func(c *Config) { c.Roots[0].URL = base })
	tried := 0
	within := func(what string) {
		t.Helper()
		for _, u := range storage.take() {
			assert.Equal(t, "https://panel.example", u.Scheme+"://"+u.Host, what)
			plain := u.Path
			for range 4 {
				assert.True(t, strings.HasPrefix(path.Clean(strings.ReplaceAll(plain, `\`, "/")), "/storage/"),
					"%s: %s", what, u)
				if next, err := url.PathUnescape(plain); err == nil {
					plain = next
				}
			}
		}
	}

	var files []string
	for _, climb := range climbs {
		for _, e := range escapes {
			files = append(files, e.Replace(climb), "https://panel.example/storage/"+e.Replace(climb))
		}
	}
	files = append(files, elsewhere()...)
	for _, file := range files { // as a back end may name them
		tried++
		answer := get(s, sourceOf(s, file, 360).Src)
		assert.NotContains(t, answer.Body.String(), "passwd")
		within("file " + file)

		// Even with the key, a visitor can't read another path or another storage.
		get(s, shown{original: original{"s", file}}.base(s.config.Keys[0])+"0/u360.jpg")
		within("signed " + file)
		get(s, shown{original: original{"other", file}}.base(s.config.Keys[0])+"0/u360.jpg")
		assert.Empty(t, storage.take(), "a key signed for another storage is not fetched: %q", file)
	}

	for _, address := range hostileRequests(s) { // as a visitor may ask
		tried++
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		if r.URL, err = url.ParseRequestURI(address); err != nil {
			continue // net/http refuses it before us
		}
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		assert.Equal(t, http.StatusNotFound, w.Code, address)
		assert.Equal(t, "image/png", w.Header().Get("Content-Type"), "the default picture is shown")
		assert.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"))
		assert.Empty(t, storage.take(), address)
	}
	t.Logf("%d hostile addresses", tried)
	assert.GreaterOrEqual(t, tried, 300)
}

// hostileRequests are spellings of addresses that the site did not write.
func hostileRequests(s *Store) []string {
	good := sourceOf(s, "talents/anna/cover.jpg", 360).Src
	parts := strings.Split(strings.TrimPrefix(good, Prefix), "/")
	list := []string{Prefix, "/media", good + "/", good + "x", strings.ToUpper(good),
		strings.Replace(good, "/media/", "/media//", 1), strings.Replace(good, "/media/", "/media/./", 1),
		strings.Replace(good, "u360", "%75360", 1), strings.Replace(good, ".jpg", "%2ejpg", 1),
		good + "%00", good + "/../" + parts[3], Prefix + "AAAAAAAA.101/0/u360.jpg", Prefix + "AAAAAAAA./0/u360.jpg",
		Prefix + "missing/../" + strings.Join(parts, "/"), Prefix + "missing/z.png", Prefix + "missing/u.jpg",
		Prefix + parts[0], Prefix + strings.Join(parts[:3], "/")}
	for part, others := range map[int][]string{
		0: {"", "AAAAAAAAAAAA", "n" + parts[0], parts[0][:11], parts[0] + "A", strings.ToLower(parts[0]) + "."},
		2: {"", "1", "00000000x", "ABCDEF01", "01234567", "../../x", "0000000g", "%30", "deadbeef0"},
		3: {
			"u361.jpg", "u0.jpg", "u-360.jpg", "u+360.jpg", "u0360.jpg", "u99999999999999999999.jpg", "c.jpg",
			"360.jpg", "z360.jpg", "u360", "u360.svg", "u360.webp", "u360.jpg.jpg", "u360.JPG", "s360.jpg",
			"u1200.jpg", "", ".", "..", ".jpg", "u.jpg", "u3 60.jpg", "u３６０.jpg",
		},
	} {
		for _, other := range others {
			changed := slices.Clone(parts)
			changed[part] = other
			list = append(list, Prefix+strings.Join(changed, "/"))
		}
	}
	hidden := elsewhere()
	for _, climb := range climbs {
		for _, e := range escapes {
			hidden = append(hidden, e.Replace(climb))
		}
	}
	for _, file := range hidden {
		inBase64 := base64.RawURLEncoding.EncodeToString([]byte("s:" + file))
		for _, encoded := range []string{inBase64, url.PathEscape(file)} {
			list = append(list, Prefix+strings.Join([]string{parts[0], encoded, parts[2], parts[3]}, "/"))
		}
	}
	return list
}

func TestOnlyPublicAddressesAreDialledUnlessConfigured(t *testing.T) {
	for ip, want := range map[string]struct{ public, private bool }{ // reached by a storage of a public, a private name
		"127.0.0.1": {false, true}, "::1": {false, true}, "10.1.2.3": {false, true}, "172.31.0.1": {false, true},
		"192.168.0.1": {false, true}, "fd12::1": {false, true},
		"0.0.0.0": {}, "169.254.169.254": {}, "::ffff:127.0.0.1": {}, "fe80::1%eth0": {}, "100.64.0.1": {},
		"64:ff9b::a9fe:a9fe": {}, "2002:7f00:1::": {},
		"93.184.215.14": {true, true}, "2606:4700::1111": {true, true},
	} {
		network := map[bool]string{true: "tcp6", false: "tcp4"}[strings.Contains(ip, ":")]
		for host, reached := range map[string]bool{"panel.example.com": want.public, "localhost": want.private} {
			err := guard(host).Safe(network, net.JoinHostPort(ip, "443"), nil)
			assert.Equal(t, reached, err == nil, "%s for %s", ip, host)
		}
	}
	for host, want := range map[string]bool{"localhost": true, "backend": true, "127.0.0.1": true,
		"::1": true, "10.0.0.7": true, "panel.internal": true, "panel.local.": true,
		"panel.example.com": false, "8.8.8.8": false, "localhost.example.com": false, "internal.example.com": false} {
		assert.Equal(t, want, isPrivateHost(host), host)
	}
}

// TestNameThatResolvesToAPrivateAddressIsNotDialled: the check is made on the address that is dialled, so that a name
// may not resolve to something else after it was looked at.
func TestNameThatResolvesToAPrivateAddressIsNotDialled(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	for host, want := range map[string]error{"panel.example.com": ssrf.ErrProhibitedIP, "localhost": nil} {
		transport := newTransport(host)
		conn, err := transport.DialContext(t.Context(), "tcp", listener.Addr().String())
		require.ErrorIs(t, err, want)
		if err == nil {
			assert.NoError(t, conn.Close())
		}
	}
}

// pngHeader is a PNG that says how large it is and holds nothing.
func pngHeader(w, h uint32) []byte {
	ihdr := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte("IHDR"), w), h)
	ihdr = append(ihdr, 8, 2, 0, 0, 0)
	data := binary.BigEndian.AppendUint32([]byte("\x89PNG\r\n\x1a\n"), 13)
	return binary.BigEndian.AppendUint32(append(data, ihdr...), crc32.ChecksumIEEE(ihdr))
}

// lyingWebP has a canvas of 10 by 10 and a frame of 16384 by 16384 pixels.
func lyingWebP() []byte {
	canvas := []byte{0, 0, 0, 0, 9, 0, 0, 9, 0, 0}
	frame := append(binary.LittleEndian.AppendUint32([]byte{0x2f}, 0x3fff|0x3fff<<14), make([]byte, 11)...)
	body := append([]byte("WEBPVP8X\x0a\x00\x00\x00"), canvas...)
	body = append(append(body, "VP8L\x10\x00\x00\x00"...), frame...)
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}

func TestNonPicturesAreRefusedBeforeDecoding(t *testing.T) {
	whole := picturetest.JPEG(t, photo(400, 300))
	huge := bytes.Clone(whole)
	sof := bytes.Index(huge, []byte{0xff, 0xc0})
	copy(huge[sof+5:], []byte{0xff, 0xff, 0xff, 0xff})
	bodies := map[string][]byte{
		"empty":             {},
		"one byte":          {0xff},
		"svg":               []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`),
		"html":              []byte("<!doctype html><title>Login</title>"),
		"xml":               []byte("<?xml version='1.0'?><svg/>"),
		"pdf":               []byte("%PDF-1.7 ................"),
		"bmp":               append([]byte("BM"), make([]byte, 60)...),
		"tiff":              append([]byte("II*\x00"), make([]byte, 60)...),
		"html after magic":  append([]byte("\xff\xd8\xff\xe0"), "<html><script>alert(1)</script>"...),
		"truncated":         whole[:len(whole)/2],
		"header only":       whole[:40],
		"png bomb":          pngHeader(60000, 60000),
		"png of two rows":   pngHeader(1<<31-1, 2),
		"png without width": pngHeader(0, 10),
		"jpeg bomb":         huge,
		"gif bomb":          []byte("GIF89a\xff\xff\xff\xff\x00\x00\x00,\x00\x00\x00\x00\xff\xff\xff\xff\x00\x02\x00;"),
		"false webp size":   lyingWebP(),
		"40 MiB and more":   append(bytes.Clone(whole), make([]byte, maxBody)...),
	}
	from := &storage{}
	decoder := filepath.Join(t.TempDir(), "decoder") // tells only that it was started
	require.NoError(t, os.WriteFile(decoder, []byte("#!/bin/sh\n: > \"$0-started\"\n"), 0o700))
	undecoded := open(t, from, func(c *Config) { c.Worker = picture.NewWorker(decoder) })
	for name, body := range bodies {
		t.Run(name, func(t *testing.T) {
			from.put("x.jpg", append(body, 0)[:len(body):len(body)+1])
			if len(body) == 0 {
				from.put("x.jpg", []byte{0})
			}
			s := undecoded
			if name == "truncated" { // its header is whole
				s = open(t, from)
			}
			file := "x.jpg?" + url.QueryEscape(name)
			answer := get(s, sourceOf(s, file, 360).Src)
			assert.Equal(t, http.StatusBadGateway, answer.Code)
			assert.Equal(t, "image/png", answer.Header().Get("Content-Type"), "the default picture is shown")
			assert.Equal(t, "no-store", answer.Header().Get("Cache-Control"))
			assert.NoFileExists(t, decoder+"-started")
		})
	}
}

// network faults, on a real socket

func overNetwork(t *testing.T, answer http.HandlerFunc, change ...func(*Config)) *Store {
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	base, err := url.Parse(server.URL + "/storage/")
	require.NoError(t, err)
	return open(t, nil, append(change, func(c *Config) { c.Roots[0].URL = base })...)
}

func TestRedirectIsNotFollowed(t *testing.T) {
	var elsewhere int
	s := overNetwork(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/storage/a.jpg" {
			elsewhere++
		}
		http.Redirect(w, r, "/storage/other.jpg", http.StatusFound)
	})
	assert.Equal(t, http.StatusBadGateway, get(s, sourceOf(s, "a.jpg", 360).Src).Code)
	assert.Zero(t, elsewhere)
}

func TestASlowOriginTimesOut(t *testing.T) {
	ended := make(chan struct{})
	s := overNetwork(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write(picturetest.JPEG(t, photo(100, 100))[:200])
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		close(ended)
	}, func(c *Config) { c.Timeout = 300 * time.Millisecond })
	begun := time.Now()
	assert.Equal(t, http.StatusBadGateway, get(s, sourceOf(s, "a.jpg", 360).Src).Code)
	assert.Less(t, time.Since(begun), 10*time.Second, "half of the limit of a store without its own")
	<-ended
}

func TestAnEndlessBodyIsCutOff(t *testing.T) {
	picture := picturetest.JPEG(t, photo(100, 100))
	s := overNetwork(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(picture[:300])
		block := make([]byte, 1<<20)
		for {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	})
	p, _ := s.resolve("a.jpg", "")
	_, err := s.readOriginal(t.Context(), p, record{})
	require.ErrorIs(t, err, errRefused)
}

func TestStatusSaysWhyAPictureIsNotShown(t *testing.T) {
	status := map[int]int{404: 404, 410: 404, 401: 502, 403: 502, 500: 502, 503: 502, 204: 502, 206: 502}
	for theirs, ours := range status {
		s := overNetwork(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(theirs) })
		answer := get(s, pictureOf(s, "a.jpg", Options{Crop: agency.ShareCrop}).Src)
		assert.Equal(t, ours, answer.Code, "storage answers %d", theirs)
		assert.Equal(t, image.Pt(720, 378), decoded(t, answer.Body.Bytes()).Bounds().Size(),
			"the default picture has the proportions of the crop")
	}
}

type failing struct{ err error }

func (f failing) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }

func TestAFailureIsCachedBriefly(t *testing.T) {
	now := newClock()
	from := &storage{}
	s := open(t, from, now.tells)
	link := sourceOf(s, "a.jpg", 360).Src
	assert.Equal(t, http.StatusNotFound, get(s, link).Code)
	from.put("a.jpg", picturetest.JPEG(t, photo(400, 400)))
	assert.Equal(t, http.StatusNotFound, get(s, link).Code)
	now.add(2 * time.Minute)
	assert.Equal(t, http.StatusOK, get(s, link).Code)

	s = open(t, failing{errors.New("connection refused")})
	p, _ := s.resolve("a.jpg", "")
	_, err := s.readOriginal(t.Context(), p, record{})
	require.ErrorIs(t, err, agency.ErrUnavailable)
}

func FuzzPathStaysBelowItsRoot(f *testing.F) {
	for _, climb := range climbs {
		for _, e := range escapes {
			f.Add(e.Replace(climb))
		}
	}
	base, _ := url.Parse("https://panel.example/storage/")
	r := &Root{Name: "s", URL: base}
	s := &Store{roots: []*Root{r}}
	f.Fuzz(func(t *testing.T, file string) {
		p, ok := s.resolve(file, "")
		if !ok {
			return
		}
		u := r.address(p.path)
		if u.Scheme != "https" || u.Host != "panel.example" || !strings.HasPrefix(path.Clean(u.Path), "/storage/") {
			t.Fatalf("%q is fetched from %s", file, u)
		}
		if _, err := http.NewRequest(http.MethodGet, u.String(), nil); err != nil {
			t.Fatalf("%q gives an invalid address: %v", file, err)
		}
		if line := u.RequestURI(); strings.ContainsAny(line, " \r\n\x00") || strings.Contains(u.EscapedPath(), "/../") {
			t.Fatalf("%q requests %q", file, line)
		}
	})
}
