package handlers_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"zedcard/handlers"
	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/testkit"
)

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

// processorTime is this process's processor time, which depends less on the machine's other work than wall time.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkPage renders uncached pages with small and large rosters, on which a page's time must not depend: a board of
// 20 that was requested before and one that was not, a search by name, profiles of many adults with pictures, the home
// page and the application, compressed in each coding. Beside the times it says how much memory a loaded roster takes.
func BenchmarkPage(b *testing.B) {
	const profiles = 200
	for _, size := range []int{1_000, 100_000} {
		roster := testkit.Talents(size)
		site := rosterSite(b, roster, func(s *handlers.Services) {
			s.Site.Pictures, s.Site.Slides = sets{avif: true}, sets{avif: true}
		})
		require.Eventually(b, func() bool { return get(site, "/models").Code == http.StatusOK },
			time.Minute, 10*time.Millisecond)
		runtime.GC()
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		var adults []*agency.Talent
		for i := range roster {
			if t := &roster[i]; len(t.Book) > 0 && !t.Minor(time.Now()) && len(adults) < profiles {
				adults = append(adults, t)
			}
		}
		n := 0
		for name, path := range map[string]func() string{
			"board": func() string { return "/models/women?hair=black" },
			"filter": func() string {
				return fmt.Sprintf("/models/women?hair=black&height_from=%d&height_to=%d", 1+n%150, 200+n/150%100)
			},
			"search": func() string {
				return "/models?q=" + strings.Repeat("an", 1+n%2) + "&height_to=" + fmt.Sprint(180+n%100)
			},
			"profile": func() string { return table.Talent(texts.In(i18n.EN), adults[n%len(adults)]) },
			"home":    func() string { return "/" },
			"form":    func() string { return "/be-a-model" },
		} {
			for _, coding := range []string{"none", "gzip", "br"} {
				b.Run(fmt.Sprintf("%s/%s/talents=%d", name, coding, size), func(b *testing.B) {
					request := func() {
						n++
						w := newCountingWriter()
						r := httptest.NewRequest(http.MethodGet, path(), nil)
						r.Header.Set("Accept-Encoding", coding)
						site.ServeHTTP(w, r)
						if w.status != http.StatusOK || w.bytes < 2_500 {
							b.Fatal(r.URL, w.status, w.bytes)
						}
					}
					for range profiles { // so that what the catalogue reads for each profile is there
						request()
					}
					b.ReportAllocs()
					b.ReportMetric(float64(memory.HeapAlloc)/(1<<20), "heap-MB")
					before := processorTime(b)
					for b.Loop() {
						request()
					}
					b.ReportMetric(float64((processorTime(b)-before).Microseconds())/float64(b.N), "µs-cpu/op")
				})
			}
		}
	}
}
