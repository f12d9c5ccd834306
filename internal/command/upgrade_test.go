package command_test

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"mime/quotedprintable"
	"net"
	"net/http"
	"net/textproto"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/backend/backendtest"
	"zedcard/internal/database"
	"zedcard/internal/database/databasetest"
)

var previous = flag.String("previous", "", "the program of the version before, which shares the database with this one")

// TestTheVersionBeforeSharesTheDatabase rolls an upgrade back and forth: each version takes an application of a minor
// while panel and mail server are down, and is killed; the other one delivers it, asks the guardian and takes the
// confirmation. Then both run at once, as in a rolling upgrade.
func TestTheVersionBeforeSharesTheDatabase(t *testing.T) {
	if *previous == "" {
		t.Skip("it compares this program with -previous")
	}
	older, err := filepath.Abs(*previous)
	require.NoError(t, err)
	t.Run("sqlite", func(t *testing.T) {
		shareDatabase(t, "sqlite:"+filepath.Join(t.TempDir(), "zedcard.db"), older)
	})
	t.Run("postgres", func(t *testing.T) { shareDatabase(t, databasetest.Postgres(t).URL(), older) })
}

func shareDatabase(t *testing.T, databaseURL, older string) {
	t.Chdir(t.TempDir())
	panel, post := backendtest.NewFake(t), newMailServer(t)
	env := func() []string {
		return append(os.Environ(), testProgram+"=1", "LISTEN_ADDR=127.0.0.1:0", "ADMIN_ADDR=off",
			"SESSION_KEYS=a key that outlives the process", "DATA_DIR="+t.TempDir(), "DATABASE_URL="+databaseURL,
			"PANEL_URL="+panel.PanelURL, "PANEL_SALT="+backendtest.PanelSalt, "PANEL_API_TOKEN="+backendtest.APIToken,
			"INTEGRATION_URL="+panel.IntegrationURL, "INTEGRATION_SALT="+backendtest.IntegrationSalt,
			"INTEGRATION_API_KEY="+backendtest.APIKey, "SMTP_URL=smtp://"+post.address,
			"TRUSTED_PROXIES=127.0.0.1/32", "MEDIA_PREPARE=false")
	}
	kill := func(program *exec.Cmd) {
		require.NoError(t, program.Process.Kill())
		require.Error(t, program.Wait())
	}
	awaitAll := func(applications int) {
		require.Eventually(t, func() bool {
			return len(panel.Submissions()) == applications && len(post.links()) == applications
		}, time.Minute, 100*time.Millisecond)
	}
	newer := os.Args[0]

	programs := []string{newer, older, newer, older, newer}
	for round, program := range programs {
		makeMailsDue(t, databaseURL)
		running, site := serveProgram(t, program, env())
		awaitAll(round)
		for _, link := range post.links() {
			confirm(t, site, link)
		}
		panel.Break("POST /api/entry", backendtest.Status(http.StatusServiceUnavailable))
		post.down.Store(true)
		apply(t, site, round)
		kill(running)
		panel.Heal()
		post.down.Store(false)
	}

	makeMailsDue(t, databaseURL)
	before, beforeSite := serveProgram(t, older, env())
	after, afterSite := serveProgram(t, newer, env())
	const applications = 20
	var applicants sync.WaitGroup
	for n := range applications {
		applicants.Go(func() { apply(t, []string{beforeSite, afterSite}[n%2], len(programs)+n) })
	}
	applicants.Wait()
	kill(before)
	awaitAll(len(programs) + applications)
	for _, link := range post.links() {
		confirm(t, afterSite, link)
	}
	kill(after)
	keys := map[string]bool{}
	for _, submission := range panel.Submissions() {
		keys[submission.ID] = true
		assert.Len(t, submission.Files, 3)
		assert.True(t, slices.ContainsFunc(submission.Fields, func(f agency.Field) bool { return f.Name == "responsible" }))
	}
	assert.Len(t, keys, len(programs)+applications)
	for _, program := range []string{older, newer} {
		list := exec.Command(program, "inbox", "list")
		list.Env = env()
		said, err := list.CombinedOutput()
		require.NoError(t, err, string(said))
		assert.Equal(t, len(keys), strings.Count(string(said), " delivered "), string(said))
		assert.Equal(t, len(keys), strings.Count(string(said), "confirmed at "), string(said))
	}
	t.Logf("%d applications delivered, %d guardians asked, all confirmed", len(keys), len(post.links()))
}

// makeMailsDue does what an hour does to mails that the mail server refused.
func makeMailsDue(t *testing.T, databaseURL string) {
	db, err := database.Open(t.Context(), databaseURL, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "UPDATE guardian SET mail_ms = 1 WHERE mail_ms > 0")
	require.NoError(t, err)
	require.NoError(t, db.Close())
}

// apply sends the application of a minor, whose guardian has a mail address of their own.
func apply(t *testing.T, site string, number int) {
	_, page := get(t, site+"/be-a-model")
	token := formToken.FindStringSubmatch(page)
	if !assert.NotNil(t, token) {
		return
	}
	kind, body := applicationForm(t, token[1], map[string]string{
		"birthdate": "30/04/2012", "nationality": "1", "note": "2", "height": "40", "shoes": "40", "eyes": "Blue",
		"hair": "Black", "responsible": "Orla Daly", "responsible_phone": "+353 1 234 5678",
		"responsible_email": fmt.Sprintf("orla%d@example.com", number), "responsible_consent": "on",
	})
	assert.Eventually(t, func() bool { // a page that is sent sooner than a person could comes back
		req, err := http.NewRequest(http.MethodPost, site+"/be-a-model", bytes.NewReader(body))
		assert.NoError(t, err)
		req.Header.Set("Content-Type", kind)
		req.Header.Set("X-Forwarded-For", fmt.Sprintf("198.18.0.%d", number))
		answer, err := withoutRedirects.Do(req)
		if !assert.NoError(t, err) {
			return false
		}
		defer func() { _ = answer.Body.Close() }()
		return answer.StatusCode == http.StatusSeeOther
	}, 30*time.Second, 250*time.Millisecond)
}

// confirm opens the link of a guardian's mail and presses the button.
func confirm(t *testing.T, site, token string) {
	t.Helper()
	assert.Equal(t, http.StatusOK, statusOf(t, site+"/guardian?token="+token))
	res, err := http.PostForm(site+"/guardian", url.Values{"token": {token}})
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	assert.Equal(t, http.StatusOK, res.StatusCode)
}

// mailServer takes all mails, or none while it is down.
type mailServer struct {
	address string
	down    atomic.Bool

	mu     sync.Mutex
	tokens map[string]bool // of the links in the mails
}

func newMailServer(t *testing.T) *mailServer {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	s := &mailServer{address: listener.Addr().String(), tokens: map[string]bool{}}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go s.talk(conn)
		}
	}()
	return s
}

var confirmation = regexp.MustCompile(`/guardian\?token=([\w-]+)`)

func (s *mailServer) talk(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	if s.down.Load() {
		return
	}
	_, _ = io.WriteString(conn, "220 stand-in\r\n")
	commands := textproto.NewReader(bufio.NewReader(conn))
	for {
		line, err := commands.ReadLine()
		if err != nil {
			return
		}
		if line == "DATA" {
			_, _ = io.WriteString(conn, "354 go on\r\n")
			content, err := io.ReadAll(quotedprintable.NewReader(commands.DotReader()))
			if err != nil {
				return
			}
			if found := confirmation.FindSubmatch(content); found != nil {
				s.mu.Lock()
				s.tokens[string(found[1])] = true
				s.mu.Unlock()
			}
		}
		_, _ = io.WriteString(conn, "250 ok\r\n")
	}
}

// links are the tokens of all links that were sent.
func (s *mailServer) links() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.tokens))
}
