package databasetest

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// Shared is a server for those tests of a package that neither stop nor crash it: to start one takes longer than most
// of them. Its zero value is ready for use.
type Shared struct {
	mu        sync.Mutex
	cluster   *Cluster
	databases int
	ends      []func()
}

// Database is the address of a new, empty database.
func (s *Shared) Database(t testing.TB) string {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cluster == nil {
		s.cluster = start(lasting{t, s}, "-c fsync=off")
	}
	s.databases++
	name := fmt.Sprint("test", s.databases)
	server, err := pgx.Connect(t.Context(), s.cluster.URL())
	require.NoError(t, err)
	defer func() { _ = server.Close(t.Context()) }()
	_, err = server.Exec(t.Context(), "CREATE DATABASE "+name)
	require.NoError(t, err)
	return s.cluster.url(name)
}

// End stops the server, once the tests of the package have run.
func (s *Shared) End() {
	for _, end := range slices.Backward(s.ends) {
		end()
	}
}

// lasting is the test that asks for the server first; what it makes outlives it.
type lasting struct {
	testing.TB
	shared *Shared
}

func (l lasting) Cleanup(end func()) { l.shared.ends = append(l.shared.ends, end) }

func (l lasting) TempDir() string {
	l.Helper()
	dir, err := os.MkdirTemp("", "databasetest")
	require.NoError(l, err)
	l.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}
