package media

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"go.uber.org/goleak"
	"zedcard/internal/agency"
	"zedcard/internal/picture"
	"zedcard/internal/routes"
	"zedcard/internal/testkit/picturetest"
)

// The test's program is the workers' process, too: a Store starts it as any program that uses this package does.
func TestMain(m *testing.M) {
	picture.RunWorker()
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = worker.Close()
		os.Exit(code)
	}))
}

var worker = picture.NewWorker(os.Args[0])

// storage is a back end's storage in memory, counting what it is asked.
type storage struct {
	mu    sync.Mutex
	files map[string][]byte
	asked map[string]int // GETs that sent the file
	hold  chan struct{}  // answers wait until it is closed
	down  bool
}

func (s *storage) put(name string, data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.files == nil {
		s.files, s.asked = map[string][]byte{}, map[string]int{}
	}
	s.files[name] = data
}

func (s *storage) remove(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.files, name)
}

func (s *storage) count(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[name]
}

func (s *storage) setDown(down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = down
}

func (s *storage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.hold != nil {
		select {
		case <-s.hold:
		case <-r.Context().Done():
			return
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	name := strings.TrimPrefix(r.URL.Path, "/storage/")
	data, ok := s.files[name]
	switch {
	case s.down:
		w.WriteHeader(http.StatusBadGateway)
	case !ok:
		http.NotFound(w, r)
	default:
		tag := fmt.Sprintf("%q", fmt.Sprint(len(data), data[len(data)/2]))
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		s.asked[name]++
		w.Header().Set("ETag", tag)
		_, _ = w.Write(data)
	}
}

// RoundTrip answers in process, as the embedded back end does.
func (s *storage) RoundTrip(r *http.Request) (*http.Response, error) {
	answer := httptest.NewRecorder()
	s.ServeHTTP(answer, r)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return answer.Result(), nil
}

// clock is a clock that a test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)} }

// tells makes it the clock of a Store.
func (c *clock) tells(config *Config) { config.Now = c.Now }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// open opens a Store over a storage in this process; change may change its settings.
func open(t testing.TB, from http.RoundTripper, change ...func(*Config)) *Store {
	t.Helper()
	config := Config{
		Dir: t.TempDir(), Roots: []Root{{Name: "s", Transport: from}}, Worker: worker,
		Keys: [][]byte{[]byte("a key for tests only, 32 bytes..")},
	}
	for _, c := range change {
		c(&config)
	}
	s, err := Open(config)
	require.NoError(t, err)
	s.staleWait = time.Minute // tests ask for exact sizes, also on a busy machine
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	return s
}

// openPhoto opens a Store over a storage with one photo, a.jpg.
func openPhoto(t testing.TB, m image.Image, change ...func(*Config)) (*storage, *Store) {
	from := &storage{}
	from.put("a.jpg", picturetest.JPEG(t, m))
	return from, open(t, from, change...)
}

func withAVIF(c *Config) { c.AVIF = true }

// get asks the handler, as a browser does.
func get(s *Store, address string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, address, nil))
	return w
}

// sourceOf has the addresses of the whole picture in these widths (none: those of pages), as pages have them.
func sourceOf(s *Store, file string, widths ...int) agency.Sources {
	return pictureOf(s, file, Options{}, widths...)
}

func pictureOf(s *Store, file string, o Options, widths ...int) agency.Sources {
	p, ok := s.find(file, o)
	if !ok || len(widths) == 0 || o.Crop == agency.ShareCrop {
		return s.Picture(file, o)
	}
	s.checkIfDue(p.original)
	return s.makeSource(p, o, widths, s.record(p.original))
}

// links are the addresses of a srcset by width.
func links(srcset string) map[string]string {
	out := map[string]string{}
	for _, entry := range strings.Split(srcset, ", ") {
		if address, width, ok := strings.Cut(entry, " "); ok {
			out[width] = address
		}
	}
	return out
}

func decoded(t testing.TB, data []byte) image.Image {
	t.Helper()
	m, _, err := image.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	return m
}

// photo draws something like a photo: soft light, edges, fine texture and the noise of a camera.
func photo(w, h int) *image.RGBA {
	noise := rand.New(rand.NewPCG(1, 2))
	return picturetest.Draw(w, h, func(x, y int) color.Color {
		u, v := float64(x)/float64(w), float64(y)/float64(h)
		light := 0.55 + 0.35*math.Cos(3*u+2*v)
		if math.Hypot((u-0.5)*0.75, v-0.35) < 0.2 { // a face
			light = 0.8 - 0.3*u
		}
		if v > 0.62 { // cloth
			light *= 0.7 + 0.2*math.Sin(180*u+9*math.Sin(20*v))
		}
		grain := noise.NormFloat64() * 3
		set := func(f float64) uint8 { return uint8(min(max(255*light*f+grain, 0), 255)) }
		return color.RGBA{set(1), set(0.86), set(0.76), 255}
	})
}

func TestPictureIsServedInTheWidthsOfItsSource(t *testing.T) {
	from := &storage{}
	from.put("talents/anna/cover.jpg", picturetest.JPEG(t, photo(600, 900)))
	s := open(t, from)

	source := pictureOf(s, "talents/anna/cover.jpg", Options{Crop: agency.CardCrop}, 360, 540)
	list := links(source.Srcset)
	require.Len(t, list, 2)
	for width, want := range map[string]image.Point{"360w": {360, 480}, "540w": {540, 720}} {
		answer := get(s, list[width])
		require.Equal(t, http.StatusOK, answer.Code)
		assert.Equal(t, "image/jpeg", answer.Header().Get("Content-Type"))
		assert.Equal(t, want, decoded(t, answer.Body.Bytes()).Bounds().Size())
	}
	assert.Empty(t, source.AVIF, "without an encoder there is no AVIF")
	assert.Equal(t, 1, from.count("talents/anna/cover.jpg"), "the original is fetched once")

	from.put("wide.jpg", picturetest.JPEG(t, photo(1200, 700)))
	share := pictureOf(s, "wide.jpg", Options{Crop: agency.ShareCrop})
	assert.Equal(t, image.Pt(1200, 630), decoded(t, get(s, share.Src).Body.Bytes()).Bounds().Size())
}

func TestPictureIsNeverEnlarged(t *testing.T) {
	from := &storage{}
	from.put("small.jpg", picturetest.JPEG(t, photo(300, 200)))
	s := open(t, from)

	before := sourceOf(s, "small.jpg", 720, 1080, 2160)
	answer := get(s, links(before.Srcset)["2160w"])
	assert.Equal(t, image.Pt(300, 200), decoded(t, answer.Body.Bytes()).Bounds().Size())

	after := sourceOf(s, "small.jpg", 160, 720, 1080, 2160)
	assert.Len(t, links(after.Srcset), 2, "the second size already has the full width")
	assert.Contains(t, links(after.Srcset), "300w")
	assert.Equal(t, [2]int{300, 200}, [2]int{after.Width, after.Height})
}

func TestAddressesAreImmutableOnceTheOriginalIsKnown(t *testing.T) {
	now := newClock()
	_, s := openPhoto(t, photo(400, 500), now.tells)

	first := sourceOf(s, "a.jpg", 360)
	assert.Equal(t, cacheUnversioned, get(s, first.Src).Header().Get("Cache-Control"))
	second := sourceOf(s, "a.jpg", 360)
	assert.NotEqual(t, first.Src, second.Src)
	answer := get(s, second.Src)
	assert.Equal(t, cacheImmutable, answer.Header().Get("Cache-Control"))

	again := httptest.NewRequest(http.MethodGet, second.Src, nil)
	again.Header.Set("If-None-Match", answer.Header().Get("ETag"))
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, again)
	assert.Equal(t, http.StatusNotModified, w.Code)
}

func TestChangedOriginalGetsANewAddress(t *testing.T) {
	now := newClock()
	from, s := openPhoto(t, image.NewGray(image.Rect(0, 0, 400, 500)), now.tells)
	get(s, sourceOf(s, "a.jpg", 360).Src)
	black := sourceOf(s, "a.jpg", 360)

	from.put("a.jpg", picturetest.JPEG(t, photo(400, 500)))
	get(s, black.Src)
	assert.Equal(t, 1, from.count("a.jpg"), "the original is not fetched again within an hour")
	now.add(2 * time.Hour)
	get(s, black.Src)
	require.Eventually(t, func() bool { return sourceOf(s, "a.jpg", 360).Src != black.Src },
		time.Minute, time.Millisecond)
	r, _, _, _ := decoded(t, get(s, sourceOf(s, "a.jpg", 360).Src).Body.Bytes()).At(180, 180).RGBA()
	assert.NotZero(t, r, "the new picture is served")

	answer := get(s, black.Src)
	assert.Equal(t, http.StatusOK, answer.Code, "the old address still works for cached pages")
	assert.Equal(t, cacheUnversioned, answer.Header().Get("Cache-Control"))
	assert.Equal(t, 2, from.count("a.jpg"))
}

func TestOriginalIsKeptWhenTheStorageFailsAndGoneWhenItIsRemoved(t *testing.T) {
	now := newClock()
	from, s := openPhoto(t, photo(400, 500), now.tells)
	get(s, sourceOf(s, "a.jpg", 360).Src)
	link := sourceOf(s, "a.jpg", 360).Src

	from.setDown(true)
	now.add(2 * time.Hour)
	p, _ := s.resolve("a.jpg", "")
	require.Error(t, s.load(p, false))
	assert.Equal(t, http.StatusOK, get(s, link).Code)

	from.setDown(false)
	from.remove("a.jpg")
	require.Error(t, s.load(p, false))
	answer := get(s, link)
	assert.Equal(t, http.StatusNotFound, answer.Code, "a removed picture is not served")
	assert.Equal(t, "image/png", answer.Header().Get("Content-Type"))
}

func TestAVIFIsMadeInTheBackgroundAndJPEGServedMeanwhile(t *testing.T) {
	_, s := openPhoto(t, photo(400, 500), withAVIF)

	get(s, sourceOf(s, "a.jpg", 360).Src)
	link := sourceOf(s, "a.jpg", 360).AVIF
	link = links(link)["360w"]
	first := get(s, link)
	require.Equal(t, http.StatusOK, first.Code)
	assert.Equal(t, "image/jpeg", first.Header().Get("Content-Type"))
	assert.Equal(t, cacheSubstitute, first.Header().Get("Cache-Control"),
		"the temporary substitute is cached briefly only")

	var answer *httptest.ResponseRecorder
	require.Eventually(t, func() bool {
		answer = get(s, link)
		return answer.Header().Get("Content-Type") == "image/avif"
	}, time.Minute, 5*time.Millisecond)
	assert.Equal(t, cacheImmutable, answer.Header().Get("Cache-Control"))
	assert.Equal(t, "ftypavif", answer.Body.String()[4:12])
	assert.Less(t, answer.Body.Len(), first.Body.Len())
}

// TestSizesBeyondTheEncoderAreJPEG: the encoder would take more memory than a small machine has, and a large screen
// must still get a picture of its size.
func TestSizesBeyondTheEncoderAreJPEG(t *testing.T) {
	_, s := openPhoto(t, image.NewGray(image.Rect(0, 0, 1200, 1500)), withAVIF)
	for _, when := range []string{"before it was read", "after"} {
		small, large, _ := strings.Cut(sourceOf(s, "a.jpg", 720, 1600).AVIF, ", ")
		assert.Contains(t, small, "/u720.avif 720w", when)
		assert.Contains(t, large, "/u1600.jpg ", when)
		address, _, _ := strings.Cut(large, " ")
		assert.Equal(t, 1200, decoded(t, get(s, address).Body.Bytes()).Bounds().Dx())
	}
	asked := strings.Replace(sourceOf(s, "a.jpg", 1600).Src, ".jpg", ".avif", 1)
	assert.Equal(t, cacheImmutable, get(s, asked).Header().Get("Cache-Control"),
		"the JPEG in place of a too large AVIF is cached for ever")
}

func TestMinorsPicturesAreNotIndexed(t *testing.T) {
	from := &storage{}
	from.put("kid.jpg", picturetest.JPEG(t, photo(400, 500)))
	s := open(t, from)
	minor := pictureOf(s, "kid.jpg", Options{Minor: true}, 360)
	answer := get(s, minor.Src)
	assert.Equal(t, http.StatusOK, answer.Code)
	assert.Equal(t, "noimageindex", answer.Header().Get("X-Robots-Tag"))
	assert.Equal(t, "train-ai=n", answer.Header().Get("Content-Usage"))
	assert.Equal(t, "private, max-age=300", answer.Header().Get("Cache-Control"))
	versioned := get(s, pictureOf(s, "kid.jpg", Options{Minor: true}, 360).Src)
	assert.Equal(t, "private, max-age=3600", versioned.Header().Get("Cache-Control"),
		"an hour in a browser, and never in a cache that visitors share")
	avif := strings.Replace(pictureOf(s, "kid.jpg", Options{Minor: true}, 360).Src, ".jpg", ".avif", 1)
	assert.Equal(t, "private, max-age=3600", get(s, avif).Header().Get("Cache-Control"))

	unmarked := Prefix + strings.TrimPrefix(strings.TrimPrefix(minor.Src, Prefix), routes.MinorMark)
	assert.Equal(t, http.StatusNotFound, get(s, unmarked).Code, "an address without the minor's mark is refused")
}

func TestConcurrentVisitorsCauseOneConversion(t *testing.T) {
	from := &storage{hold: make(chan struct{})}
	from.put("a.jpg", picturetest.JPEG(t, photo(600, 800)))
	s := open(t, from)
	link := sourceOf(s, "a.jpg", 360).Src

	var visitors sync.WaitGroup
	codes := make([]int, 50)
	for i := range codes {
		visitors.Go(func() { codes[i] = get(s, link).Code })
	}
	close(from.hold)
	visitors.Wait()
	for _, code := range codes {
		assert.Equal(t, http.StatusOK, code)
	}
	assert.Equal(t, 1, from.count("a.jpg"))
}

func TestAPictureIsPrintedAsItIsUnlessItIsLarge(t *testing.T) {
	small := picturetest.JPEG(t, photo(900, 1200))
	from := &storage{}
	from.put("small.jpg", small)
	from.put("large.jpg", picturetest.JPEG(t, photo(2400, 1600)))
	from.put("heavy.jpg", append(picturetest.JPEG(t, photo(1500, 1000)), make([]byte, maxPrintedBytes)...))
	s := open(t, from)
	data, err := s.Print(t.Context(), "small.jpg", Options{})
	require.NoError(t, err)
	assert.Equal(t, small, data)
	for _, name := range []string{"large.jpg", "heavy.jpg"} {
		data, err = s.Print(t.Context(), name, Options{})
		require.NoError(t, err, name)
		assert.Equal(t, image.Pt(1080, 720), decoded(t, data).Bounds().Size(), name)
	}
	_, err = s.Print(t.Context(), "none.jpg", Options{})
	assert.ErrorIs(t, err, agency.ErrNotFound)
}

func TestBusyConverterServesTheNearestReadySize(t *testing.T) {
	_, s := openPhoto(t, photo(400, 200))
	list := links(sourceOf(s, "a.jpg", 160, 240, 360).Srcset)
	get(s, list["160w"])
	get(s, list["240w"])

	s.staleWait = time.Millisecond
	begun, free := make(chan struct{}), make(chan struct{})
	made := variant{original: original{"s", "a.jpg"}, shape: shape{agency.Whole, 360}}
	busy := s.flights.DoChan(fmt.Sprint("make ", made, jpegFormat, false), func() (any, error) {
		close(begun)
		<-free
		return nil, nil
	})
	<-begun
	answer := get(s, list["360w"])
	close(free)
	<-busy
	assert.Equal(t, http.StatusOK, answer.Code)
	assert.Equal(t, 240, decoded(t, answer.Body.Bytes()).Bounds().Dx())
	assert.Equal(t, cacheSubstitute, answer.Header().Get("Cache-Control"))
}

func TestAVisitorWhoLeavesIsNotAFault(t *testing.T) {
	from := &storage{hold: make(chan struct{})}
	from.put("a.jpg", picturetest.JPEG(t, photo(400, 600)))
	s := open(t, from)
	address := links(sourceOf(s, "a.jpg", 360).Srcset)["360w"]
	ctx, leave := context.WithCancel(t.Context())
	leave()
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	w := httptest.NewRecorder()
	assert.PanicsWithValue(t, http.ErrAbortHandler, func() { s.Handler().ServeHTTP(w, r) })
	assert.Empty(t, w.Body.Bytes())
	close(from.hold)
}

func TestWarmMakesEverySizeAndNamesWhatFails(t *testing.T) {
	from := &storage{}
	from.put("a.jpg", picturetest.JPEG(t, photo(700, 900)))
	from.put("b.jpg", picturetest.JPEG(t, photo(300, 400)))
	from.put("page.jpg", []byte("<html>not a picture</html>"))
	s := open(t, from, withAVIF)

	var last int
	var wanted []PictureSpec
	for _, file := range []string{"a.jpg", "b.jpg", "page.jpg", "gone.jpg", "http://elsewhere.example/x.jpg"} {
		wanted = append(wanted, PictureSpec{file, Options{Crop: agency.CardCrop}})
	}
	err := s.Warm(t.Context(), wanted, func(done, total int) {
		last = done
		assert.Equal(t, 5, total)
	})
	assert.Equal(t, 5, last)
	for _, name := range []string{"page.jpg", "gone.jpg", "elsewhere.example"} {
		assert.ErrorContains(t, err, name)
	}
	from.setDown(true)
	for _, file := range []string{"a.jpg", "b.jpg"} {
		source := pictureOf(s, file, Options{Crop: agency.CardCrop})
		for _, link := range links(source.AVIF) {
			answer := get(s, link)
			assert.Equal(t, "image/avif", answer.Header().Get("Content-Type"))
			assert.Equal(t, cacheImmutable, answer.Header().Get("Cache-Control"))
		}
	}
}
