// Package databasetest gives tests a PostgreSQL: a database of a server that they share, or one of their own, which
// they may stop and crash.
package databasetest

import (
	"bytes"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// Cluster is a PostgreSQL server that belongs to one test.
type Cluster struct {
	t          testing.TB
	bin        string
	dir        string
	socket     string              // folder of its socket: another test could take a port while the server is stopped
	credential *syscall.Credential // nil: as ourselves
	options    string              // of the server
}

// Postgres starts a server and stops it when the test ends. Without PostgreSQL's
// programs the test is skipped, or fails under CI=true.
func Postgres(t testing.TB) *Cluster {
	t.Helper()
	return start(t, "")
}

func start(t testing.TB, options string) *Cluster {
	t.Helper()
	c := &Cluster{t: t, bin: binaries(), options: options}
	if c.bin == "" {
		if os.Getenv("CI") == "true" {
			t.Fatal("PostgreSQL is not installed (initdb, pg_ctl): CI must have it")
		}
		t.Skip("PostgreSQL is not installed (initdb, pg_ctl), so its half of the tests did not run")
	}
	c.dir = t.TempDir()
	var err error
	c.socket, err = os.MkdirTemp("", "pg") // a socket's path has at most 107 characters
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(c.socket) })
	if os.Geteuid() == 0 { // the server refuses to run as root
		account, err := user.Lookup("postgres")
		require.NoError(t, err)
		uid, err := strconv.ParseUint(account.Uid, 10, 32)
		require.NoError(t, err)
		gid, err := strconv.ParseUint(account.Gid, 10, 32)
		require.NoError(t, err)
		c.credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		require.NoError(t, os.Chown(c.dir, int(uid), int(gid)))
		require.NoError(t, os.Chown(c.socket, int(uid), int(gid)))
		// #nosec G302 -- the account must be able to enter a test's folder
		require.NoError(t, os.Chmod(filepath.Dir(c.dir), 0o755))
	}
	c.initialize()
	c.Start()
	t.Cleanup(func() { c.Crash() })
	return c
}

// initialize makes the data of an empty server. They are copied from those of an earlier test, which takes a third of
// initdb's processor time; there are a dozen servers in a run of all tests.
func (c *Cluster) initialize() {
	c.t.Helper()
	options := []string{"-A", "trust", "-U", "zedcard", "--no-sync", "-E", "UTF8", "--locale=C"}
	version, err := exec.Command(filepath.Join(c.bin, "initdb"), "--version").Output() // #nosec G204 -- in tests only
	require.NoError(c.t, err)
	caches, err := os.UserCacheDir()
	require.NoError(c.t, err)
	name := strings.TrimSpace(string(version)) + " " + strings.Join(options, " ")
	template := filepath.Join(caches, "zedcard-tests", strings.ReplaceAll(name, "/", "-"))
	if _, err := os.Stat(template); err == nil {
		c.copy(template, c.data())
		return
	}
	c.run("initdb", append(options, "-D", c.data())...)
	require.NoError(c.t, os.MkdirAll(filepath.Dir(template), 0o750))
	unfinished, err := os.MkdirTemp(filepath.Dir(template), "unfinished-")
	require.NoError(c.t, err)
	defer func() { _ = os.RemoveAll(unfinished) }()
	c.copy(c.data(), filepath.Join(unfinished, "data"))
	_ = os.Rename(filepath.Join(unfinished, "data"), template) // fails if another package's test was first
}

// copy copies a folder with its owner and permissions, on which PostgreSQL insists.
func (c *Cluster) copy(from, to string) {
	c.t.Helper()
	output, err := exec.Command("cp", "-a", from, to).CombinedOutput() // #nosec G204 -- in tests only
	require.NoError(c.t, err, "%s", output)
}

// URL is the address for database.Open.
func (c *Cluster) URL() string {
	return c.url("postgres")
}

func (c *Cluster) url(database string) string {
	return "postgres://zedcard@localhost/" + database + "?host=" + c.socket
}

// Start starts the server and waits until it answers.
func (c *Cluster) Start() {
	c.run("pg_ctl", "-D", c.data(), "-w", "-l", filepath.Join(c.dir, "log"),
		"-o", "-c listen_addresses='' -k "+c.socket+" "+c.options, "start")
}

// Crash ends the server as a power failure would, without a checkpoint. Start can use the data again.
func (c *Cluster) Crash() {
	c.run("pg_ctl", "-D", c.data(), "-w", "-m", "immediate", "stop")
}

func (c *Cluster) data() string { return filepath.Join(c.dir, "data") }

// run redirects the command's output to a file: the server inherits the output, and Wait on a pipe would block as long
// as it runs.
func (c *Cluster) run(name string, args ...string) {
	c.t.Helper()
	file, err := os.CreateTemp(c.dir, name)
	require.NoError(c.t, err)
	defer file.Close()
	cmd := exec.Command(filepath.Join(c.bin, name), args...) // #nosec G204 -- arguments of this package only
	cmd.Dir = c.dir
	cmd.Stdout, cmd.Stderr = file, file
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.credential}
	if err := cmd.Run(); err != nil {
		output, _ := os.ReadFile(file.Name())
		c.t.Fatalf("%s %v: %v\n%s", name, args, err, bytes.TrimSpace(output))
	}
}

// binaries is the folder of initdb and pg_ctl: on the path, or Debian's.
func binaries() string {
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path)
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		return ""
	}
	return filepath.Dir(found[len(found)-1])
}
