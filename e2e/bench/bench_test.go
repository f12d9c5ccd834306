// Package bench measures the built program from outside, beside nginx and a bare net/http server that hand out the
// same bytes with the same headers: `make bench`. docs/performance.md says how to read the figures.
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
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/routes"
	"zedcard/internal/testkit"
)

// binary is the program that is measured.
const binary = "../../bin/zedcard"

const (
	connections = 32
	// manyConnections are for the slowest of a hundred answers, not for the rate.
	manyConnections = 500
	round           = 3 * time.Second
)

// bareServer is the environment variable that turns this test program into the bare net/http server; its value is the
// folder with the answers.
const bareServer = "BENCH_BARE_SERVER"

func TestMain(m *testing.M) {
	if folder := os.Getenv(bareServer); folder != "" {
		serveBare(folder)
		return
	}
	os.Exit(m.Run())
}

// BenchmarkCached asks for cached pages, with one core for the server and one for the client, in turn of the
// program, of net/http and of nginx. One iteration is one round of all three.
func BenchmarkCached(b *testing.B) {
	needs(b, "wrk", "taskset")
	for _, talents := range []int{1_000, 100_000} {
		site := startSite(b, talents, "0")
		b.Run(fmt.Sprintf("talents=%d", talents), func(b *testing.B) {
			for name, path := range site.paths {
				b.Run(name, func(b *testing.B) { keptBesidePeers(b, site, path) })
			}
		})
		site.stop()
	}
}

// BenchmarkManyConnections is the slowest in a hundred answers where server and client share both cores, in turn of the
// program and of net/http: where each connection asks as soon as it was answered, and where each asks ten times a
// second, which leaves some of the processors unused. One iteration is one round of all.
func BenchmarkManyConnections(b *testing.B) {
	needs(b, "wrk")
	for _, talents := range []int{1_000, 100_000} {
		b.Run(fmt.Sprintf("talents=%d", talents), func(b *testing.B) {
			site := startSite(b, talents, "")
			defer site.stop()
			board := site.url + site.paths["board"]
			bare := startBare(b, get(b, board), "")
			var own, bares, ownPaced, baresPaced []float64
			for b.Loop() {
				own = append(own, wrk(b, "", board, manyConnections).p99)
				bares = append(bares, wrk(b, "", bare.url, manyConnections).p99)
				ownPaced = append(ownPaced, paced(b, board, manyConnections))
				baresPaced = append(baresPaced, paced(b, bare.url, manyConnections))
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(median(own), "ms-p99")
			b.ReportMetric(median(bares), "ms-p99-net/http")
			b.ReportMetric(median(ownPaced), "ms-p99-paced")
			b.ReportMetric(median(baresPaced), "ms-p99-paced-net/http")
		})
	}
}

// paced is the slowest in a hundred answers in milliseconds where each connection asks ten times a second.
func paced(b *testing.B, url string, connections int) float64 {
	b.Helper()
	const every = time.Second / 10
	seen := &outcome{}
	var asking sync.WaitGroup
	begin := time.Now()
	for i := range connections {
		asking.Go(func() {
			for due := begin.Add(every * time.Duration(i) / time.Duration(connections)); due.Sub(begin) < round; {
				time.Sleep(time.Until(due))
				seen.ask(url)
				due = due.Add(every)
			}
		})
	}
	asking.Wait()
	require.Equal(b, connections*int(round/every), seen.count(http.StatusOK), seen.failure)
	times := seen.times[http.StatusOK]
	slices.Sort(times)
	return float64(times[len(times)*99/100].Microseconds()) / 1e3
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

func keptBesidePeers(b *testing.B, site *site, path string) {
	answer := get(b, site.url+path)
	peers := []server{{"zedcard", site.url + path, site.process.Pid}, startBare(b, answer, "0")}
	if has("nginx") {
		peers = append(peers, startNginx(b, answer))
	} else {
		b.Log("nginx is missing: no figure beside it. Debian: apt-get install nginx-light")
	}
	rates, costs := map[string][]float64{}, map[string][]float64{}
	for b.Loop() {
		for _, peer := range peers {
			before := processorTime(b, peer.process)
			measured := wrk(b, "1", peer.url, connections)
			spent := processorTime(b, peer.process) - before
			rates[peer.name] = append(rates[peer.name], measured.rate)
			costs[peer.name] = append(costs[peer.name], spent.Seconds()*1e6/measured.answers)
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(rates["zedcard"]), "pages/s")
	b.ReportMetric(median(costs["zedcard"]), "µs-cpu/page")
	for _, peer := range peers[1:] {
		b.ReportMetric(median(rates["zedcard"])/median(rates[peer.name]), "of-"+peer.name)
		// The same by processor time, which a busy machine changes less.
		b.ReportMetric(median(costs[peer.name])/median(costs["zedcard"]), "cpu-of-"+peer.name)
	}
	b.ReportMetric(float64(len(answer.body)), "B")
}

// BenchmarkForm asks for the application, which is made for each visitor.
func BenchmarkForm(b *testing.B) {
	needs(b, "wrk", "taskset")
	site := startSite(b, 1_000, "0")
	defer site.stop()
	for b.Loop() {
		b.ReportMetric(wrk(b, "1", site.url+"/be-a-model", connections).rate, "pages/s")
	}
	b.ReportMetric(0, "ns/op")
}

// BenchmarkStart measures the start of the program, with its built-in content, until its first answer.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		process, url := start(b, "")
		awaitOK(b, url+"/models")
		b.StopTimer()
		stop(b, process)
		b.StartTimer()
	}
}

// BenchmarkMemory is what the program takes with a roster loaded and little else asked for, and while it is asked for
// kept pages, searches and forms.
func BenchmarkMemory(b *testing.B) {
	needs(b, "wrk", "taskset")
	for _, talents := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("talents=%d", talents), func(b *testing.B) {
			for b.Loop() {
				site := startSite(b, talents, "0")
				time.Sleep(2 * time.Second) // the first pages have been made
				reportMemory(b, site.process)
				most := 0.0
				for _, path := range []string{site.paths["board"], "/models?q=an", "/be-a-model"} {
					wrk(b, "1", site.url+path, connections)
					most = max(most, megabytes(b, site.process, "RssAnon"))
				}
				b.ReportMetric(most, "MB-load")
				site.stop()
			}
		})
	}
}

// site is a running program with a roster.
type site struct {
	url     string
	paths   map[string]string
	process *os.Process
	stop    func()
}

// startSite starts the program with a roster, on one core if core names it.
func startSite(b *testing.B, talents int, core string, env ...string) *site {
	b.Helper()
	fake := testkit.NewFake(b)
	roster := testkit.Talents(talents)
	fake.Change(func(c *testkit.Content) { c.Talents = roster })
	return startSiteOf(b, fake, core, env...)
}

// startSiteOf starts the program with the back ends of a fake.
func startSiteOf(b *testing.B, fake *testkit.Fake, core string, env ...string) *site {
	b.Helper()
	roster := fake.Content().Talents
	for name, value := range fake.Settings() {
		env = append(env, name+"="+value)
	}
	process, url := start(b, core, env...)
	s := &site{url: url, process: process, stop: func() { stop(b, process) }, paths: map[string]string{
		"home": "/", "board": "/models/women", "about": "/about",
		"profile": routes.New(i18n.New(nil, nil), agency.NewBoards(nil)).Talent(i18n.Of(i18n.EN), adult(roster)),
	}}
	for _, path := range s.paths {
		awaitOK(b, url+path)
	}
	return s
}

// adult is the first talent whose page may be cached.
func adult(roster []agency.Talent) *agency.Talent {
	for i := range roster {
		if !roster[i].Minor(time.Now()) {
			return &roster[i]
		}
	}
	panic("a roster of minors")
}

// start runs the program, on one core where core names it.
func start(b *testing.B, core string, env ...string) (process *os.Process, url string) {
	b.Helper()
	folder := b.TempDir()
	address := freeAddress(b)
	command := onCore(core, binary, "serve")
	command.Env = append(os.Environ(), append([]string{"ADMIN_ADDR=off"}, append(env,
		"LISTEN_ADDR="+address, "BASE_URL=http://"+address, "DATA_DIR="+folder,
		"DATABASE_URL=sqlite:"+filepath.Join(folder, "zedcard.db"))...)...)
	log, err := os.Create(filepath.Join(folder, "log"))
	require.NoError(b, err)
	command.Stderr = log
	require.NoError(b, command.Start())
	return command.Process, "http://" + address
}

// onCore is a command that has one core, or all where core is empty.
func onCore(core string, command ...string) *exec.Cmd {
	if core != "" {
		command = append([]string{"taskset", "-c", core}, command...)
	}
	return exec.Command(command[0], command[1:]...)
}

func stop(b *testing.B, process *os.Process) {
	b.Helper()
	require.NoError(b, process.Signal(syscall.SIGTERM)) // a shell's background jobs ignore an interrupt
	_, err := process.Wait()
	require.NoError(b, err)
}

func awaitOK(b *testing.B, url string) {
	b.Helper()
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		response, err := http.Get(url)
		if err != nil {
			continue
		}
		_, _ = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
		if response.StatusCode == http.StatusOK {
			return
		}
	}
	b.Fatal("no response", url)
}

// answer is what the peers hand out.
type answer struct {
	header http.Header
	body   []byte
}

// coding is what wrk asks for; nginx and net/http give the program's own bytes.
const coding = "br"

func get(b *testing.B, url string) answer {
	b.Helper()
	request, err := http.NewRequest(http.MethodGet, url, nil)
	require.NoError(b, err)
	request.Header.Set("Accept-Encoding", coding)
	response, err := http.DefaultClient.Do(request)
	require.NoError(b, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(b, err)
	require.Equal(b, coding, response.Header.Get("Content-Encoding"))
	return answer{response.Header, body}
}

type server struct {
	name, url string
	process   int
}

// startBare runs this test program again, as a server that does nothing but hand out the answer.
func startBare(b *testing.B, a answer, core string) server {
	b.Helper()
	folder := b.TempDir()
	address := freeAddress(b)
	var header bytes.Buffer
	require.NoError(b, a.header.Write(&header))
	require.NoError(b, os.WriteFile(filepath.Join(folder, "header"), header.Bytes(), 0o600))
	require.NoError(b, os.WriteFile(filepath.Join(folder, "body"), a.body, 0o600))
	require.NoError(b, os.WriteFile(filepath.Join(folder, "address"), []byte(address), 0o600))
	command := onCore(core, os.Args[0])
	command.Env = append(os.Environ(), bareServer+"="+folder)
	runAside(b, command)
	awaitOK(b, "http://"+address)
	return server{"net/http", "http://" + address, command.Process.Pid}
}

func serveBare(folder string) {
	read := func(name string) []byte {
		content, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			panic(err)
		}
		return content
	}
	body := read("body")
	copied := http.Header{}
	for line := range strings.SplitSeq(strings.TrimSpace(string(read("header"))), "\r\n") {
		name, value, _ := strings.Cut(line, ": ")
		copied.Add(name, value)
	}
	copied.Del("Date")
	panic(http.ListenAndServe(string(read("address")),
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			header := w.Header()
			for name, values := range copied {
				header[name] = values
			}
			_, _ = w.Write(body)
		})))
}

const nginxConfig = `daemon off; worker_processes 1; pid %[1]s/pid; error_log %[1]s/log;
events { worker_connections 4096; }
http {
  access_log off; keepalive_requests 1000000000; default_type text/html;
  client_body_temp_path %[1]s; proxy_temp_path %[1]s; fastcgi_temp_path %[1]s;
  uwsgi_temp_path %[1]s; scgi_temp_path %[1]s;
  open_file_cache max=100; sendfile on; tcp_nopush on;
  server { listen %[2]s; root %[1]s; etag off; location / { %[3]s try_files /page =404; } }
}`

func startNginx(b *testing.B, a answer) server {
	b.Helper()
	folder := b.TempDir()
	address := freeAddress(b)
	var header strings.Builder
	for name, values := range a.header {
		switch name {
		case "Date", "Content-Length", "Content-Type", "Last-Modified":
			continue
		}
		for _, value := range values {
			fmt.Fprintf(&header, "add_header %s %s; ", name, strconv.Quote(value))
		}
	}
	config := filepath.Join(folder, "nginx.conf")
	require.NoError(b, os.WriteFile(filepath.Join(folder, "page"), a.body, 0o644))
	require.NoError(b, os.WriteFile(config, fmt.Appendf(nil, nginxConfig, folder, address, header.String()), 0o600))
	require.NoError(b, os.Chmod(filepath.Dir(folder), 0o755))
	require.NoError(b, os.Chmod(folder, 0o755))
	command := onCore("0", "nginx", "-c", config)
	runAside(b, command)
	awaitOK(b, "http://"+address+"/")
	return server{"nginx", "http://" + address + "/", command.Process.Pid}
}

// runAside runs a command until the benchmark ends.
func runAside(b *testing.B, command *exec.Cmd) {
	b.Helper()
	var said bytes.Buffer
	command.Stderr = &said
	require.NoError(b, command.Start())
	b.Cleanup(func() {
		_ = command.Process.Signal(syscall.SIGTERM)
		_ = command.Wait() // ended by the signal
		if b.Failed() {
			b.Log(said.String())
		}
	})
}

// load is what a round came to: answers a second, all answers, and the slowest of a hundred in milliseconds.
type load struct{ rate, answers, p99 float64 }

var (
	answers  = regexp.MustCompile(`(\d+) requests in`)
	rateLine = regexp.MustCompile(`Requests/sec:\s+([\d.]+)`)
	p99Line  = regexp.MustCompile(`99%\s+([\d.]+)(us|ms|s)`)
	badLine  = regexp.MustCompile(`Non-2xx.*|Socket errors.*`)
)

// wrk asks for an address during one round; on one core where core names it.
func wrk(b *testing.B, core, url string, connections int) load {
	b.Helper()
	out, err := onCore(core, "wrk", "-t1", "-c"+strconv.Itoa(connections), "-d"+round.String(), "--latency",
		"-H", "Accept-Encoding: "+coding, url).Output()
	require.NoError(b, err)
	require.Empty(b, badLine.FindString(string(out)))
	number := func(pattern *regexp.Regexp) (float64, string) {
		found := pattern.FindSubmatch(out)
		require.NotNil(b, found, string(out))
		value, err := strconv.ParseFloat(string(found[1]), 64)
		require.NoError(b, err)
		if len(found) > 2 {
			return value, string(found[2])
		}
		return value, ""
	}
	rate, _ := number(rateLine)
	all, _ := number(answers)
	p99, unit := number(p99Line)
	return load{rate, all, p99 * map[string]float64{"us": .001, "ms": 1, "s": 1000}[unit]}
}

// processorTime is what a process and its children, as nginx's worker, have taken.
func processorTime(b *testing.B, process int) time.Duration {
	b.Helper()
	const tick = 10 * time.Millisecond // USER_HZ is 100 on Linux
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	require.NoError(b, err)
	_, after, _ := strings.Cut(string(stat), ") ") // the name before may have spaces
	fields := strings.Fields(after)
	var spent time.Duration
	for _, field := range fields[11:13] { // utime and stime, proc(5)
		ticks, err := strconv.Atoi(field)
		require.NoError(b, err)
		spent += time.Duration(ticks) * tick
	}
	children, err := os.ReadFile(fmt.Sprintf("/proc/%[1]d/task/%[1]d/children", process))
	require.NoError(b, err)
	for child := range strings.FieldsSeq(string(children)) {
		pid, err := strconv.Atoi(child)
		require.NoError(b, err)
		spent += processorTime(b, pid)
	}
	return spent
}

// reportMemory says what a process has of its own, and how much of the program's file, with all that is built into it,
// the system keeps in memory for it. The system takes the latter back when it needs the room.
func reportMemory(b *testing.B, process *os.Process) {
	b.Helper()
	b.ReportMetric(megabytes(b, process, "RssAnon"), "MB")
	b.ReportMetric(megabytes(b, process, "RssFile"), "MB-file")
}

// megabytes is a field of /proc/PID/status.
func megabytes(b *testing.B, process *os.Process, field string) float64 {
	b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", process.Pid))
	require.NoError(b, err)
	found := regexp.MustCompile(field + `:\s+(\d+) kB`).FindSubmatch(status)
	require.NotNil(b, found, field)
	kB, err := strconv.ParseFloat(string(found[1]), 64)
	require.NoError(b, err)
	return kB / 1024
}

func freeAddress(b *testing.B) string {
	b.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(b, err)
	defer listener.Close()
	return listener.Addr().String()
}

func has(command string) bool {
	_, err := exec.LookPath(command)
	return err == nil
}

// needs skips where a command is missing.
func needs(b *testing.B, commands ...string) {
	b.Helper()
	for _, command := range commands {
		if !has(command) {
			b.Skipf("%s is missing. Debian: apt-get install wrk util-linux", command)
		}
	}
}

func median(all []float64) float64 {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}
