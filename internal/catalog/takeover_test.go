package catalog

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"zedcard/internal/agency"
)

// changingAgency returns a different list each time.
type changingAgency struct {
	*agencyFake
	list    []agency.Talent
	changes int
}

func (a *changingAgency) Talents(context.Context) ([]*agency.Talent, error) {
	a.changes++
	list := slices.Clone(a.list)
	list[0].Name = fmt.Sprint("Ana ", a.changes)
	return refs(list), nil
}

// What readers wait while one roster after the other is taken over: the slowest in a hundred.
func BenchmarkReadersWhileARosterIsTakenOver(b *testing.B) {
	for _, size := range []int{1_000, 100_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			back := &changingAgency{agencyFake: newFake(), list: generate(size)}
			c := New(back, back, Options{FreshFor: time.Nanosecond})
			defer c.Close()
			board := agency.Filter{Board: agency.Models, Show: agency.PageSize}
			var waits []time.Duration
			for b.Loop() {
				begun := time.Now()
				roster, err := c.Roster(b.Context())
				if err != nil {
					b.Fatal(err)
				}
				items := roster.Select(board.WithLetter(string(rune('A' + len(waits)%26)))).Items
				if len(items) > 0 {
					roster.Similar(items[0], 6)
				}
				waits = append(waits, time.Since(begun))
				time.Sleep(time.Millisecond)
			}
			slices.Sort(waits)
			b.ReportMetric(float64(waits[len(waits)*99/100].Microseconds())/1000, "p99-ms")
			b.ReportMetric(float64(back.changes), "rosters")
		})
	}
}
