package intake_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/database"
	"zedcard/internal/intake"
	"zedcard/internal/picture"
	"zedcard/internal/testkit/databasetest"
)

// The harness kills programs at random while they take submissions and deliver them to a panel that
// answers with errors, hangs and resets. OUTBOX_KILL=1000 takes that many submissions; the usual 200
// take some ten seconds.

// childEnv has the addresses of a child's database and panel and, for one that takes submissions, its name.
const childEnv = "OUTBOX_CHILD"

func TestMain(m *testing.M) {
	picture.RunWorker()
	if child := strings.Fields(os.Getenv(childEnv)); len(child) > 0 {
		if err := runChild(child[0], child[1], child[2:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	code := m.Run()
	postgres.End()
	os.Exit(code)
}

// runChild is the program that is killed: it takes submissions, says "sent" on its output for each that
// is put, and delivers.
func runChild(url, panel string, name []string) error {
	db, err := database.Open(context.Background(), url, silent)
	if err != nil {
		return err
	}
	in := intake.New(db, db.Keys(), intake.Options{
		Lease: 5 * time.Second,
		Log:   slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})),
	})
	go in.Run(context.Background(), poster(panel))
	if len(name) == 0 {
		select {}
	}
	for i := 0; ; i++ {
		id := fmt.Sprintf("%s-%d", name[0], i)
		s := agency.Submission{ID: id, Kind: agency.Contact,
			Fields: []agency.Field{{Name: "message", Value: "of " + id}},
			Files:  []agency.File{{Field: "image_1", Data: bytes.Repeat([]byte(id), 2000)}}}
		// A visitor whose form came back with an error sends it again.
		for in.Put(context.Background(), s) != nil {
			time.Sleep(20 * time.Millisecond)
		}
		fmt.Println("sent", id)
		time.Sleep(rand.N(8 * time.Millisecond))
	}
}

// poster delivers as the panel's client does, in its simplest form.
type poster string

func (address poster) Send(ctx context.Context, s agency.Submission) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	body := s.Fields[0].Value + string(s.Files[0].Data)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, string(address), strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Idempotency-Key", s.ID)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode/100 != 2 {
		return errors.New(answer.Status)
	}
	return nil
}

// badPanel remembers what it took under which key.
type badPanel struct {
	calm  atomic.Bool
	mu    sync.Mutex
	taken map[string]int
	wrong []string
}

func (p *badPanel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	calm := p.calm.Load()
	time.Sleep(rand.N(20 * time.Millisecond)) // a panel takes its time
	luck := rand.N(100)
	switch {
	case calm:
	case luck < 10:
		w.WriteHeader(http.StatusInternalServerError)
		return
	case luck < 13:
		<-r.Context().Done() // hangs
		return
	case luck < 18:
		panic(http.ErrAbortHandler) // resets before it took anything
	}
	id := r.Header.Get("Idempotency-Key")
	p.mu.Lock()
	p.taken[id]++
	if string(body) != "of "+id+strings.Repeat(id, 2000) {
		p.wrong = append(p.wrong, id)
	}
	p.mu.Unlock()
	if !calm && luck < 21 {
		panic(http.ErrAbortHandler) // resets after it took everything
	}
}

// harness is the children on one database with one panel.
type harness struct {
	t     *testing.T
	url   string
	panel string
	mu    sync.Mutex
	sent  map[string]bool
	born  int
}

// start begins a child; kill ends it without warning and waits until its output is read.
func (h *harness) start(takes bool) (kill func()) {
	h.born++
	cmd := exec.Command(os.Args[0])
	child := childEnv + "=" + h.url + " " + h.panel
	if takes {
		child += " child" + strconv.Itoa(h.born)
	}
	cmd.Env = append(os.Environ(), child)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(h.t, err)
	require.NoError(h.t, cmd.Start())
	read := make(chan struct{})
	go func() {
		defer close(read)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if id, ok := strings.CutPrefix(lines.Text(), "sent "); ok {
				h.mu.Lock()
				h.sent[id] = true
				h.mu.Unlock()
			}
		}
	}()
	return func() {
		assert.NoError(h.t, cmd.Process.Kill(), "the child runs until it is killed")
		<-read
		_ = cmd.Wait() // killed, as it says
	}
}

func (h *harness) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.sent)
}

// run kills until enough was sent, lets the rest be delivered, and compares. Meanwhile runs now and
// then, between two kills.
func (h *harness) run(programs int, meanwhile func()) {
	want := 200
	if more, err := strconv.Atoi(os.Getenv("OUTBOX_KILL")); err == nil {
		want = more
	}
	panel := &badPanel{taken: map[string]int{}}
	server := httptest.NewServer(panel)
	defer server.CloseClientConnections()
	h.panel, h.sent = server.URL, map[string]bool{}

	kills := 0
	children := make([]func(), programs)
	for i := range children {
		children[i] = h.start(true)
	}
	for round := 0; h.count() < want || kills < 6; round++ {
		time.Sleep(200*time.Millisecond + rand.N(600*time.Millisecond))
		if round%3 == 2 {
			meanwhile()
		}
		children[round%programs]()
		kills++
		children[round%programs] = h.start(true)
	}
	for _, kill := range children {
		kill()
	}

	panel.calm.Store(true)
	begin := time.Now()
	drain := h.start(false)
	defer drain()
	missing := func() (ids []string) {
		panel.mu.Lock()
		defer panel.mu.Unlock()
		h.mu.Lock()
		defer h.mu.Unlock()
		for id := range h.sent {
			if panel.taken[id] == 0 {
				ids = append(ids, id)
			}
		}
		return ids
	}
	assert.Eventually(h.t, func() bool { return len(missing()) == 0 }, 90*time.Second, 100*time.Millisecond)
	assert.Empty(h.t, missing(), "no submission that was answered as sent is lost")
	assert.Empty(h.t, panel.wrong, "submissions arrive unchanged")

	panel.mu.Lock()
	defer panel.mu.Unlock()
	repeats := 0
	for _, times := range panel.taken {
		repeats += times - 1
	}
	h.t.Logf("%d kills, %d sent, %d taken, %d taken again under the same key, drained in %s",
		kills, len(h.sent), len(panel.taken), repeats, time.Since(begin).Round(100*time.Millisecond))
}

func TestKilledAtRandomOnSQLite(t *testing.T) {
	h := &harness{t: t, url: "sqlite:" + filepath.Join(t.TempDir(), "zedcard.db")}
	h.run(1, func() {})
}

func TestTwoKilledAtRandomOnAPostgresThatCrashes(t *testing.T) {
	cluster := databasetest.Postgres(t)
	h := &harness{t: t, url: cluster.URL()}
	h.run(2, func() { cluster.Crash(); cluster.Start() })
}
