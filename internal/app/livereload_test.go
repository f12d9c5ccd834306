package app

import (
	"bufio"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAnOpenPageReloadsAfterAChangeIsLoaded(t *testing.T) {
	var version atomic.Value
	version.Store("1")
	var taken atomic.Int32
	l := newReloader(slog.New(slog.DiscardHandler),
		source{Name: "texts", Version: func() string {
			return version.Load().(string)
		}, Reload: func() error {
			taken.Add(1)
			return nil
		}},
		source{Name: "broken", Version: func() string {
			return version.Load().(string)
		}, Reload: func() error {
			return errors.New("half a file")
		}})
	go l.Run(t.Context())
	server := httptest.NewServer(l)
	defer server.Close()
	defer server.CloseClientConnections()

	res, err := http.Get(server.URL)
	require.NoError(t, err)
	defer func() { _ = res.Body.Close() }()
	events := bufio.NewScanner(res.Body)
	next := func() string {
		for events.Scan() {
			if name, found := strings.CutPrefix(events.Text(), "event: "); found {
				return name
			}
		}
		require.NoError(t, events.Err())
		return ""
	}
	require.Equal(t, "run", next())
	// The first version is taken in some time after Run was called: change until another one is.
	go func() {
		for taken.Load() < 2 {
			version.Store(rand.Text())
		}
	}()
	assert.Equal(t, "reload", next())
	assert.GreaterOrEqual(t, taken.Load(), int32(2))
}

func TestTheStampChangesWithTheFiles(t *testing.T) {
	folder := fstest.MapFS{"en.json": {Data: []byte("{}")}, "other.txt": {}}
	before := fingerprint(folder, "*.json")
	folder["other.txt"] = &fstest.MapFile{Data: []byte("x")}
	assert.Equal(t, before, fingerprint(folder, "*.json"))
	folder["en.json"] = &fstest.MapFile{Data: []byte(`{"a": ""}`)}
	assert.NotEqual(t, before, fingerprint(folder, "*.json"))
}
