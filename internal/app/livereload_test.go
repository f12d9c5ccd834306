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
	var taken atomic.Int32
	l := newReloader(slog.New(slog.DiscardHandler),
		source{"texts", rand.Text, func() error { taken.Add(1); return nil }},
		source{"broken", rand.Text, func() error { return errors.New("half a file") }})
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
			if state, found := strings.CutPrefix(events.Text(), "data: "); found {
				return state
			}
		}
		require.NoError(t, events.Err())
		return ""
	}
	first := next()
	require.NotEmpty(t, first)
	assert.NotEqual(t, first, next())
	assert.Positive(t, taken.Load())
}

func TestTheStampChangesWithTheFiles(t *testing.T) {
	folder := fstest.MapFS{"en.json": {Data: []byte("{}")}, "other.txt": {}}
	before := fingerprint(folder, "*.json")
	folder["other.txt"] = &fstest.MapFile{Data: []byte("x")}
	assert.Equal(t, before, fingerprint(folder, "*.json"))
	folder["en.json"] = &fstest.MapFile{Data: []byte(`{"a": ""}`)}
	assert.NotEqual(t, before, fingerprint(folder, "*.json"))
}
