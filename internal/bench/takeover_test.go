package bench

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"zedcard/internal/backend/backendtest"
)

const (
	visitRate = 300             // requests a second
	settling  = 5 * time.Second // after the new roster shows: its pages, the snapshot and the garbage collection
)

// BenchmarkTakeover is what visitors notice while a new roster of 100,000 is taken over, in which one talent has
// changed, or nearly all: the slowest of a hundred cached and new pages, from the first call of the back end until a
// few seconds after the new roster shows, and how much memory the program needs for it. Back end and visitors share
// the cores with it.
func BenchmarkTakeover(b *testing.B) {
	const talents = 100_000
	for _, changes := range []int{1, talents - 1} {
		b.Run(fmt.Sprintf("changed=%d", changes), func(b *testing.B) {
			for b.Loop() {
				takeover(b, talents, changes)
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

func takeover(b *testing.B, talents, changes int) {
	const newName = "Takeover"
	fake := backendtest.NewFake(b)
	roster := backendtest.Talents(talents)
	fake.Change(func(c *backendtest.Content) { c.Talents = roster })
	answers := &recording{}
	fake.Break("POST /api/talents", answers.fault)
	site := startSiteOf(b, fake, "", "TRUSTED_PROXIES=127.0.0.0/8")
	defer site.stop()
	b.ReportMetric(megabytes(b, site.process, "RssAnon"), "MB-before")

	changed := slices.Clone(roster)
	changed[1].Name = newName
	for i := range changes {
		changed[1+i].Cover.File += "?new"
	}
	fake.Change(func(c *backendtest.Content) { c.Talents = changed })
	answers.renew()

	visits := visitSteadily(site)
	for answers.firstRead().IsZero() {
		time.Sleep(10 * time.Millisecond)
	}
	spent := processorTime(b, site.process.Pid)
	var shown time.Time
	peak := 0.0
	for shown.IsZero() || time.Since(shown) < settling {
		peak = max(peak, megabytes(b, site.process, "RssAnon"))
		if shown.IsZero() && says(b, site.url+"/models?q="+newName[1:], newName) {
			shown = time.Now()
		}
		time.Sleep(50 * time.Millisecond)
	}
	spent = processorTime(b, site.process.Pid) - spent
	visits.end()

	began := answers.firstRead()
	before := visits.between(time.Time{}, began)
	for kind, during := range visits.between(began, time.Now()) {
		b.Logf("%s: before p50 %v, p99 %v, max %v; during p50 %v, p99 %v, max %v", kind,
			at(before[kind], .5), at(before[kind], .99), at(before[kind], 1),
			at(during, .5), at(during, .99), at(during, 1))
		b.ReportMetric(float64(at(during, .99).Microseconds())/1e3, "ms-p99-"+kind)
	}
	b.ReportMetric(shown.Sub(began).Seconds(), "s-until-shown")
	b.ReportMetric(spent.Seconds(), "s-cpu")
	b.ReportMetric(peak, "MB-peak")
	time.Sleep(settling)
	b.ReportMetric(megabytes(b, site.process, "RssAnon"), "MB-after")
}

// says reports whether a page has a text. It is asked for as no visitor does, so that no cached page answers.
func says(b *testing.B, url, text string) bool {
	b.Helper()
	response, err := client.Get(url)
	require.NoError(b, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(b, err)
	return bytes.Contains(body, []byte(text))
}

// recording answers with what the fake said to the same address before: to make 100,000 talents anew would take as much
// processor time as to read them.
type recording struct {
	mu      sync.Mutex
	own     http.Handler
	asked   map[string]*http.Request
	answers map[string][]byte
	read    time.Time // when an answer was first read since renew
}

func (r *recording) fault(own http.Handler) http.Handler {
	r.own = own
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		_, _ = w.Write(r.answer(request)) // fails only if the program has ended
	})
}

func (r *recording) answer(request *http.Request) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.read.IsZero() {
		r.read = time.Now()
	}
	answer, ok := r.answers[request.URL.RawQuery]
	if !ok {
		answer = r.record(request)
	}
	return answer
}

func (r *recording) record(request *http.Request) []byte {
	if r.answers == nil {
		r.asked, r.answers = map[string]*http.Request{}, map[string][]byte{}
	}
	made := httptest.NewRecorder()
	r.own.ServeHTTP(made, request)
	r.asked[request.URL.RawQuery], r.answers[request.URL.RawQuery] = request, made.Body.Bytes()
	return made.Body.Bytes()
}

// renew records the answers again.
func (r *recording) renew() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, request := range r.asked {
		r.record(request)
	}
	r.read = time.Time{}
}

// firstRead is when an answer was first read since renew; zero if none was.
func (r *recording) firstRead() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.read
}

// visits are requests at a steady rate, whether they are answered or not, by the kind of page.
type visits struct {
	stop chan struct{}
	done sync.WaitGroup
	mu   sync.Mutex
	all  map[string][]wait
}

type wait struct {
	began time.Time
	took  time.Duration
}

// visitSteadily asks for cached pages, and for one new page in ten.
func visitSteadily(site *site) *visits {
	v := &visits{stop: make(chan struct{}), all: map[string][]wait{}}
	cached := slices.Sorted(maps.Values(site.paths))
	begin := time.Now()
	v.done.Go(func() {
		for sent := 0; ; sent++ {
			due := begin.Add(time.Duration(sent) * time.Second / visitRate)
			select {
			case <-v.stop:
				return
			case <-time.After(time.Until(due)):
			}
			kind, url := "cached", site.url+cached[sent%len(cached)]
			if sent%10 == 0 {
				kind, url = "new", search(site.url)
			}
			v.done.Go(func() { v.ask(kind, url) })
		}
	})
	return v
}

func (v *visits) ask(kind, url string) {
	began := time.Now()
	status, err := askOnce(url)
	if status != http.StatusOK {
		kind = fmt.Sprint(kind, " ", status, " ", err)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.all[kind] = append(v.all[kind], wait{began, time.Since(began)})
}

func (v *visits) end() {
	close(v.stop)
	v.done.Wait()
}

// between are the sorted times that requests took which began between two times.
func (v *visits) between(from, to time.Time) map[string][]time.Duration {
	found := map[string][]time.Duration{}
	for kind, waits := range v.all {
		for _, wait := range waits {
			if wait.began.After(from) && wait.began.Before(to) {
				found[kind] = append(found[kind], wait.took)
			}
		}
		slices.Sort(found[kind])
	}
	return found
}

// at is the time within which a part of requests were answered.
func at(sorted []time.Duration, part float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[int(part*float64(len(sorted)-1))].Round(100 * time.Microsecond)
}
