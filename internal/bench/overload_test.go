package bench

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const (
	calibration  = 5 * time.Second
	overload     = 20 * time.Second
	timesTooMuch = 3
)

// BenchmarkOverload finds how many new searches the program answers in a second, then sends three times as many, each
// from an address of its own, whether they are answered or not. Meanwhile others ask for a cached page, for a form and
// for /readyz.
func BenchmarkOverload(b *testing.B) {
	needs(b, "taskset")
	for b.Loop() {
		admin := freeAddress(b)
		site := startSite(b, 1_000, "0", "TRUSTED_PROXIES=127.0.0.0/8", "ADMIN_ADDR="+admin)
		capacity := closedLoop(site.url)
		others := map[string]*outcome{}
		var over atomic.Bool
		var asking sync.WaitGroup
		for name, address := range map[string]string{
			"kept": site.url + "/models/women", "form": site.url + "/contact", "ready": "http://" + admin + "/readyz",
		} {
			seen := &outcome{}
			others[name] = seen
			asking.Go(func() {
				for !over.Load() {
					seen.ask(address)
					time.Sleep(20 * time.Millisecond)
				}
			})
		}
		searches := openLoop(site.url, timesTooMuch*capacity)
		over.Store(true)
		asking.Wait()

		begin := time.Now()
		for askOnce(search(site.url)) != http.StatusOK {
			time.Sleep(time.Millisecond)
		}
		b.ReportMetric(float64(time.Since(begin).Milliseconds()), "ms-recovery")
		b.ReportMetric(capacity, "capacity/s")
		b.ReportMetric(float64(searches.count(http.StatusOK))/overload.Seconds(), "made/s")
		b.ReportMetric(float64(searches.count(http.StatusServiceUnavailable))/overload.Seconds(), "refused/s")
		b.Log("searches", searches)
		for name, seen := range others {
			b.Log(name, seen)
		}
		reportMemory(b, site.process)
		site.stop()
	}
	b.ReportMetric(0, "ns/op")
}

// search is the address of one of 48,000 searches that find a page of cards.
func search(url string) string {
	return fmt.Sprintf("%s/models?height_from=%d&height_to=%d&q=%c",
		url, 100+rand.IntN(60), 200+rand.IntN(200), "aeio"[rand.IntN(4)])
}

// client asks over as many connections as are needed.
var client = &http.Client{
	Transport: &http.Transport{
		MaxIdleConnsPerHost: 10_000, MaxIdleConns: 10_000, DisableCompression: true,
		DialContext: (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
	},
	Timeout: 30 * time.Second,
}

// outcome is how long the answers took, by status; 0 stands for none.
type outcome struct {
	mu    sync.Mutex
	times map[int][]time.Duration
}

func (o *outcome) count(status int) int { return len(o.times[status]) }

func (o *outcome) String() string {
	var text strings.Builder
	for status, times := range o.times {
		slices.Sort(times)
		at := func(part float64) time.Duration {
			return times[int(part*float64(len(times)-1))].Round(100 * time.Microsecond)
		}
		fmt.Fprintf(&text, "%d: %d, p50 %v, p99 %v, max %v; ", status, len(times), at(.5), at(.99), at(1))
	}
	return text.String()
}

func (o *outcome) ask(url string) {
	begin := time.Now()
	status := askOnce(url)
	took := time.Since(begin)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.times == nil {
		o.times = map[int][]time.Duration{}
	}
	o.times[status] = append(o.times[status], took)
}

// askOnce asks as a browser does, from an address of its own.
func askOnce(url string) (status int) {
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		panic(err) // the address is the benchmark's
	}
	request.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
	request.Header.Set("X-Forwarded-For", fmt.Sprintf("10.%d.%d.%d", rand.IntN(256), rand.IntN(256), rand.IntN(256)))
	response, err := client.Do(request)
	if err != nil {
		return 0
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return 0
	}
	return response.StatusCode
}

// closedLoop is how many searches are answered in a second where as many are asked at once as elsewhere.
func closedLoop(url string) float64 {
	var seen outcome
	var asking sync.WaitGroup
	end := time.Now().Add(calibration)
	for range connections {
		asking.Go(func() {
			for time.Now().Before(end) {
				seen.ask(search(url))
			}
		})
	}
	asking.Wait()
	return float64(seen.count(http.StatusOK)) / calibration.Seconds()
}

func openLoop(url string, rate float64) *outcome {
	seen := &outcome{}
	var asking sync.WaitGroup
	begin := time.Now()
	for sent := 0; time.Since(begin) < overload; time.Sleep(time.Millisecond) {
		for due := int(time.Since(begin).Seconds() * rate); sent < due; sent++ {
			asking.Go(func() { seen.ask(search(url)) })
		}
	}
	asking.Wait()
	return seen
}
