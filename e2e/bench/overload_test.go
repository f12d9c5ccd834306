package bench

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	calibration  = 5 * time.Second
	overload     = 20 * time.Second
	timesTooMuch = 3
)

// BenchmarkOverload finds how many new searches the program answers in a second, then sends three times as many, each
// from an address of its own, whether they are answered or not. Meanwhile others ask for a cached page, for a form and
// for /readyz; and then the same is asked of a net/http server that does nothing but hand out one such answer, because
// what that can't do, no program on it can. The servers have the first core: `taskset -c 1 go test` gives another to
// those who ask. On a machine that does other work, compare the rates of a second of the program's own processor time.
func BenchmarkOverload(b *testing.B) {
	needs(b, "taskset")
	for b.Loop() {
		admin := freeAddress(b)
		site := startSite(b, 1_000, "0", "TRUSTED_PROXIES=127.0.0.0/8", "ADMIN_ADDR="+admin)
		spent := func() time.Duration { return processorTime(b, site.process.Pid) }
		begun := spent()
		capacity := closedLoop(site.url)
		inCalibration := spent() - begun
		begun = spent()
		searches := overloaded(b, "zedcard", site.url, timesTooMuch*capacity, map[string]string{
			"cached": site.url + "/models/women", "form": site.url + "/contact", "ready": "http://" + admin + "/readyz",
		})
		inOverload := spent() - begun
		begin := time.Now()
		for status := 0; status != http.StatusOK; status, _ = askOnce(search(site.url)) {
			time.Sleep(time.Millisecond)
		}
		b.ReportMetric(float64(time.Since(begin).Milliseconds()), "ms-recovery")
		made := float64(searches.count(http.StatusOK))
		b.ReportMetric(capacity, "capacity/s")
		b.ReportMetric(made/overload.Seconds(), "made/s")
		b.ReportMetric(capacity*calibration.Seconds()/inCalibration.Seconds(), "capacity/s-cpu")
		b.ReportMetric(made/inOverload.Seconds(), "made/s-cpu")
		b.ReportMetric(float64(searches.count(http.StatusServiceUnavailable))/overload.Seconds(), "refused/s")
		reportMemory(b, site.process)

		bare := startBare(b, get(b, search(site.url)), "0")
		site.stop()
		overloaded(b, bare.name, bare.url, timesTooMuch*capacity, map[string]string{"cached": bare.url})
	}
	b.ReportMetric(0, "ns/op")
}

// overloaded sends searches at a rate while others ask for their addresses, and logs how long all of them waited.
func overloaded(b *testing.B, name, url string, rate float64, others map[string]string) *outcome {
	b.Helper()
	seen := map[string]*bytes.Buffer{}
	var asking []*exec.Cmd
	for other, address := range others {
		seen[other] = &bytes.Buffer{}
		command := onCore("1", os.Args[0])
		command.Env = append(os.Environ(), otherVisitor+"="+address)
		command.Stdout, command.Stderr = seen[other], os.Stderr
		require.NoError(b, command.Start())
		asking = append(asking, command)
	}
	searches := openLoop(url, rate)
	b.Log(name, "searches", searches)
	for _, command := range asking {
		require.NoError(b, command.Wait())
	}
	for other, times := range seen {
		b.Log(name, other, times)
	}
	return searches
}

// otherVisitor is the environment variable that turns this test program into a visitor who asks for an address, its
// value, during the overload. In the program that sends the searches its time to be scheduled would count, too.
const otherVisitor = "BENCH_OTHER_VISITOR"

func visit(url string) {
	var seen outcome
	for end := time.Now().Add(overload); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		seen.ask(url)
	}
	fmt.Print(&seen)
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
	mu      sync.Mutex
	times   map[int][]time.Duration
	failure error // of one that had no answer
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
	if o.failure != nil {
		fmt.Fprint(&text, o.failure)
	}
	return text.String()
}

func (o *outcome) ask(url string) {
	begin := time.Now()
	status, err := askOnce(url)
	took := time.Since(begin)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.times == nil {
		o.times = map[int][]time.Duration{}
	}
	o.times[status] = append(o.times[status], took)
	if err != nil {
		o.failure = err
	}
}

// askOnce asks as a browser does, from an address of its own.
func askOnce(url string) (status int, err error) {
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		panic(err) // the address is the benchmark's
	}
	request.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
	request.Header.Set("X-Forwarded-For", fmt.Sprintf("10.%d.%d.%d", rand.IntN(256), rand.IntN(256), rand.IntN(256)))
	response, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return 0, err
	}
	return response.StatusCode, nil
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
