package handlers_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"zedcard/handlers"
	"zedcard/internal/agency"
	"zedcard/internal/backend/backendtest"
	"zedcard/internal/media"
	"zedcard/internal/routes"
	"zedcard/views/ui"
)

// benchSizes are the roster sizes; the time of a page must not depend on them.
var benchSizes = []int{1_000, 100_000}

// benchPictures are pictures as the program shows them, none of which was read yet.
type benchPictures struct {
	storage
	store *media.Store
}

func (p benchPictures) Sources(picture agency.Picture, shape ui.Shape, minor bool) ui.Sources {
	crop := map[ui.Shape]media.Crop{ui.Whole: media.Whole, ui.Card: media.Card, ui.Share: media.Share}[shape]
	made := p.store.Picture(picture.File, media.Options{Crop: crop, Focus: picture.Focus, Minor: minor, Root: "s"})
	sources := ui.Sources{Src: made.Src, Srcset: made.JPEG, Width: made.Width, Height: made.Height}
	if made.AVIF != "" {
		sources.Better = []ui.Set{{Type: "image/avif", Srcset: made.AVIF}}
	}
	return sources
}

// benchSite is a site with this many talents.
func benchSite(b *testing.B, talents int) (site http.Handler, roster []agency.Talent) {
	b.Helper()
	fake := backendtest.NewFake(b)
	roster = backendtest.Talents(talents)
	fake.Change(func(c *backendtest.Content) { c.Talents = roster })
	store, err := media.Open(media.Config{
		Dir: b.TempDir(), MaxBytes: 1 << 20, Keys: [][]byte{make([]byte, 32)},
		Roots: []media.Root{{Name: "s", Transport: http.DefaultTransport}}, Log: slog.New(slog.DiscardHandler),
	})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, store.Close()) })
	site = newSite(b, fake.Panel(), fake.Integration(), func(s *handlers.Services) {
		s.Site.Pictures, s.Site.Slides = benchPictures{store: store}, benchPictures{store: store}
	})
	ready := func() bool { return get(site, "/models").Code == http.StatusOK }
	require.Eventually(b, ready, time.Minute, 10*time.Millisecond)
	return site, roster
}

// countingWriter only counts the bytes: a recorder would take as long as some pages.
type countingWriter struct {
	header        http.Header
	status, bytes int
}

func newCountingWriter() *countingWriter {
	return &countingWriter{header: http.Header{}, status: http.StatusOK}
}

func (c *countingWriter) Header() http.Header    { return c.header }
func (c *countingWriter) WriteHeader(status int) { c.status = status }
func (c *countingWriter) Write(p []byte) (int, error) {
	c.bytes += len(p)
	return len(p), nil
}

func request(b *testing.B, site http.Handler, path, coding string) {
	b.Helper()
	w := newCountingWriter()
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("Accept-Encoding", coding)
	site.ServeHTTP(w, r)
	if w.status != http.StatusOK || w.bytes < 4_000 {
		b.Fatal(path, w.status, w.bytes)
	}
}

// processorTime is this process's processor time, which depends less on the machine's other work than wall time.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// benchProfiles is how many different profiles are rendered.
const benchProfiles = 200

// adultsWithBook are the first adults whose profiles show pictures: the others' pages are smaller.
func adultsWithBook(roster []agency.Talent, most int) []*agency.Talent {
	var adults []*agency.Talent
	for i := range roster {
		t := &roster[i]
		if len(t.Book) > 0 && !t.Minor(time.Now()) && len(adults) < most {
			adults = append(adults, t)
		}
	}
	return adults
}

// BenchmarkPage renders uncached pages: a board of 20 that was requested before and one that was not, a search by
// name, profiles of many talents, the home page and the application, compressed in each coding. Beside the times it
// says how much memory a loaded roster takes.
func BenchmarkPage(b *testing.B) {
	for _, size := range benchSizes {
		site, roster := benchSite(b, size)
		request(b, site, "/models/women", "")
		runtime.GC()
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		adults := adultsWithBook(roster, benchProfiles)
		n := 0
		for name, path := range map[string]func() string{
			"board": func() string { return "/models/women?hair=black" },
			"filter": func() string {
				return fmt.Sprintf("/models/women?hair=black&height_from=%d&height_to=%d", 1+n%150, 200+n/150%100)
			},
			"search": func() string {
				return "/models?q=" + strings.Repeat("an", 1+n%2) + "&height_to=" + fmt.Sprint(180+n%100)
			},
			"profile": func() string { return routes.Talent("en", adults[n%len(adults)]) },
			"home":    func() string { return "/" },
			"form":    func() string { return "/be-a-model" },
		} {
			for _, coding := range []string{"none", "gzip", "br", "zstd"} {
				b.Run(fmt.Sprintf("%s/%s/talents=%d", name, coding, size), func(b *testing.B) {
					for range benchProfiles { // so that what the catalogue reads for each profile is there
						n++
						request(b, site, path(), coding)
					}
					b.ReportAllocs()
					b.ReportMetric(float64(memory.HeapAlloc)/(1<<20), "heap-MB")
					before := processorTime(b)
					for b.Loop() {
						n++
						request(b, site, path(), coding)
					}
					b.ReportMetric(float64((processorTime(b)-before).Microseconds())/float64(b.N), "µs-cpu/op")
				})
			}
		}
	}
}
