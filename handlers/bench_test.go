package handlers_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"zedcard/internal/backend/backendtest"
)

// BenchmarkFilteredPage is a whole filtered page of 20 cards for rosters of 1,000 to 100,000
// talents: its time must not grow with the roster. "asked" is a filter that somebody had before,
// "new" one that nobody had, so that the index is asked and all facets are counted.
func BenchmarkFilteredPage(b *testing.B) {
	for _, size := range []int{1_000, 10_000, 100_000} {
		fake := backendtest.NewFake(b)
		fake.Change(func(c *backendtest.Content) { c.Talents = backendtest.Talents(size) })
		site := newSite(b, fake.Panel(), fake.Integration())
		request := func(query string) {
			w := httptest.NewRecorder()
			site.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/models/women?"+query, nil))
			if w.Code != http.StatusOK || w.Body.Len() < 20_000 {
				b.Fatal(w.Code, w.Body.Len())
			}
		}
		request("hair=black")
		b.Run(fmt.Sprintf("asked/talents=%d", size), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				request("hair=black")
			}
		})
		b.Run(fmt.Sprintf("new/talents=%d", size), func(b *testing.B) {
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				n++
				request(fmt.Sprintf("hair=black&height_from=%d&height_to=%d", 1+n%150, 200+n/150%100))
			}
		})
	}
}
