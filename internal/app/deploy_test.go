package app_test

import (
	"bytes"
	"debug/elf"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/testkit"
)

var metricName = regexp.MustCompile(`zedcard_[a-z_]+|process_[a-z_]+|go_[a-z_]+`)

// An alert or a panel on a metric that does not exist would stay silent for ever.
func TestAlertsAndDashboardAskForMetricsThatExist(t *testing.T) {
	folder, err := os.Getwd()
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	p := start(t, testkit.NewFake(t).Settings())
	get(t, p.site+"/about")
	_, metrics := get(t, p.admin+"/metrics")
	for _, name := range []string{"alerts.yaml", "dashboard.json"} {
		file := read(t, filepath.Join(folder, "../../deploy", name))
		asked := metricName.FindAllString(file, -1)
		assert.NotEmpty(t, asked, name)
		for _, metric := range asked {
			assert.Contains(t, "\n"+metrics, "\n"+metric, "%s uses metrics that exist", name)
		}
	}
}

// The container has no dynamic linker, and an operator copies the one file to any Linux.
func TestTheProgramIsStatic(t *testing.T) {
	program, err := elf.Open("../../bin/zedcard")
	if err != nil {
		t.Skip("not built, see make build: ", err)
	}
	defer func() { require.NoError(t, program.Close()) }()
	for _, part := range program.Progs {
		assert.NotEqual(t, elf.PT_INTERP, part.Type, "it needs a dynamic linker")
	}
}

// An image processor beside the site would give everybody a minor's original, in any size and without noimageindex.
func TestThePublicReachesNothingButTheSite(t *testing.T) {
	proxy := read(t, "../../deploy/several/Caddyfile")
	upstreams := regexp.MustCompile(`reverse_proxy (.*) \{`).FindAllStringSubmatch(proxy, -1)
	require.Len(t, upstreams, 1)
	assert.Equal(t, "zedcard-1:8080 zedcard-2:8080", upstreams[0][1])
	services := read(t, "../../deploy/several/compose.yaml")
	ports := regexp.MustCompile(`(?m)^ +ports:.*$`).FindAllString(services, -1)
	assert.Equal(t, []string{`    ports: ["80:80", "443:443", "443:443/udp"] # UDP is HTTP/3`}, ports, "only Caddy's")
}

// A link to the inbox has its key in the query, and the proxy logs what it can't pass on.
func TestTheLogOfTheProxyHasNothingOfAVisitor(t *testing.T) {
	caddy, err := exec.LookPath("caddy")
	if err != nil {
		t.Skip("not run: caddy is not installed")
	}
	for _, file := range []string{"one", "several"} {
		listen, stopped := "127.0.0.1:"+freePort(t, "127.0.0.1"), "127.0.0.1:"+freePort(t, "127.0.0.1")
		settings := read(t, "../../deploy/"+file+"/Caddyfile")
		settings, _, _ = strings.Cut(settings, "\nagency.example")
		settings = strings.Replace(settings, "\n{\n", "\n{\nadmin off\n", 1)
		settings = strings.NewReplacer("www.agency.example", "http://"+listen, "{$DOMAIN}", "http://"+listen).
			Replace(settings)
		settings = regexp.MustCompile(`reverse_proxy .* \{`).ReplaceAllString(settings, "reverse_proxy "+stopped+" {")
		settings = regexp.MustCompile(`(?m)^\s*(health_|lb_try|request_buffers).*$`).ReplaceAllString(settings, "")
		name := filepath.Join(t.TempDir(), "Caddyfile")
		write(t, name, settings)
		var log bytes.Buffer
		proxy := exec.Command(caddy, "run", "--adapter", "caddyfile", "--config", name)
		proxy.Stderr = &log
		require.NoError(t, proxy.Start())
		require.Eventually(t, func() bool {
			r, err := http.NewRequest(http.MethodGet, "http://"+listen+"/_inbox/list?key=SECRET", nil)
			require.NoError(t, err)
			r.Header.Set("User-Agent", "SECRET")
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				return false
			}
			return assert.NoError(t, answer.Body.Close()) && answer.StatusCode >= 500
		}, time.Minute, 50*time.Millisecond)
		require.NoError(t, proxy.Process.Signal(os.Interrupt))
		_ = proxy.Wait()
		assert.Contains(t, log.String(), "connection refused", file)
		assert.NotContains(t, log.String(), "SECRET", file)
		assert.NotContains(t, log.String(), "remote_ip", file)
	}
}
