package app_test

import (
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"zedcard/internal/testkit/databasetest"
)

// What was measured once is the figure of -submissions 1000 -outage 20s.
var (
	submissions = flag.Int("submissions", 60, "messages that are sent while PostgreSQL goes away")
	outage      = flag.Duration("outage", 3*time.Second, "how long PostgreSQL is away")
)

// TestAPostgresOutageNeitherLosesNorRepeatsSubmissions sends messages to two replicas whose PostgreSQL crashes when
// half of them are sent. A client that is told to try again sends the same form to the other replica.
func TestAPostgresOutageNeitherLosesNorRepeatsSubmissions(t *testing.T) {
	t.Chdir(t.TempDir())
	cluster := databasetest.Postgres(t)
	env := map[string]string{
		"DATABASE_URL": cluster.URL(), "SESSION_KEYS": "a key of the replicas", "TRUSTED_PROXIES": "127.0.0.1/32",
	}
	first, second := start(t, env), start(t, env)
	replicas := []string{first.site, second.site}

	forms := make([]url.Values, *submissions) // at once: each is open for as long as a person needs
	for n := range forms {
		forms[n] = messageForm(t, replicas[n%2])
		forms[n].Set("name", person(n))
	}
	var sent, refused atomic.Int64
	half := make(chan struct{})
	var senders sync.WaitGroup
	next := make(chan int)
	for range max(8, *submissions/8) {
		senders.Go(func() {
			for n := range next {
				refused.Add(sendUntilTaken(t, n, forms[n], replicas))
				if sent.Add(1) == int64(*submissions/2) {
					close(half)
				}
			}
		})
	}
	go func() {
		defer close(next)
		for n := range *submissions {
			next <- n
		}
	}()
	<-half
	cluster.Crash()
	time.Sleep(*outage)
	cluster.Start()
	senders.Wait()
	t.Logf("%d sent, %d times told to try again", sent.Load(), refused.Load())
	assert.Positive(t, refused.Load(), "at least one submission met the outage")

	kept := output(t, env, "inbox", "list")
	for n := range *submissions {
		assert.Equal(t, 1, strings.Count(kept, person(n)+" "), person(n))
	}
}

func person(n int) string { return fmt.Sprintf("Person %d", n) }

// sendUntilTaken sends a message from the address of a client of its own, to one replica and the other in turn, until
// one has accepted it. It returns how often it was told to try again; every such answer has what was typed.
func sendUntilTaken(t *testing.T, n int, form url.Values, replicas []string) (refused int64) {
	client := fmt.Sprintf("198.18.%d.%d", n/250, n%250)
	for try := n; ; time.Sleep(500 * time.Millisecond) {
		status, page := post(t, replicas[try%2]+"/contact", client, form)
		switch {
		case status == http.StatusSeeOther:
			return refused
		case status == http.StatusServiceUnavailable:
			assert.Contains(t, page, person(n), "the form is refilled")
			refused++
			try++
			time.Sleep(time.Second) // a client has 30 tries a minute
		default:
			assert.Fail(t, "unexpected answer", "status %d", status)
			return refused
		}
	}
}
