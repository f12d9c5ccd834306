package handlers_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"zedcard/internal/backend/backendtest"
)

// BenchmarkFilteredPage is a whole filtered page for rosters of 1,000 to 100,000 talents: its time
// must not grow with the roster.
func BenchmarkFilteredPage(b *testing.B) {
	for _, size := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("talents=%d", size), func(b *testing.B) {
			fake := backendtest.NewFake(b)
			fake.Change(func(c *backendtest.Content) { c.Talents = backendtest.Talents(size) })
			site := newSite(b, fake.Panel(), fake.Integration())
			request := func() int {
				w := httptest.NewRecorder()
				site.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/models/women?subcategory=curve&letter=A", nil))
				return w.Code
			}
			if code := request(); code != http.StatusOK {
				b.Fatal(code)
			}
			b.ReportAllocs()
			for b.Loop() {
				request()
			}
		})
	}
}
