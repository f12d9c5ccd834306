package app_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// release makes a release for this machine and returns its sums.
func release(t *testing.T, out string) string {
	t.Helper()
	make := exec.Command("../../scripts/release.sh")
	make.Env = append(os.Environ(), "OUT="+out, "VERSION=v1.2.3", "ARCHS="+runtime.GOARCH)
	make.Stderr = os.Stderr
	sums, err := make.Output()
	require.NoError(t, err)
	return string(sums)
}

// TestTheDebianPackageRunsTheSite installs the package into a folder, as dpkg does into /, and works with the site as
// an operator does, whose settings are in the package's files alone.
func TestTheDebianPackageRunsTheSite(t *testing.T) {
	for _, tool := range []string{"dpkg", "systemd-analyze", "node"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed, so the package was not made", tool)
		}
	}
	root, out, state := t.TempDir(), t.TempDir(), t.TempDir()
	sums := release(t, out)
	assert.Equal(t, sums, release(t, out), "the same commit gives the same bytes")
	packages, err := filepath.Glob(filepath.Join(out, "*.deb"))
	require.NoError(t, err)
	require.Len(t, packages, 1)
	require.NoError(t, exec.Command("dpkg", "-x", packages[0], root).Run())

	require.NoError(t, filepath.WalkDir(root, func(name string, _ fs.DirEntry, _ error) error {
		_, err := os.Stat(name) // also of what a link leads to
		return err
	}))

	// Everything that the units and the settings name is below the folder, or a stand-in for it.
	listen := "127.0.0.1:" + freePort(t, "127.0.0.1")
	belowRoot := strings.NewReplacer("/usr/lib/zedcard/", root+"/usr/lib/zedcard/")
	for name, replace := range map[string]*strings.Replacer{
		"usr/lib/zedcard/defaults.env": strings.NewReplacer("/var/lib/zedcard", state,
			"127.0.0.1:8080", listen, "127.0.0.1:9090", "127.0.0.1:0"),
		"usr/lib/systemd/system/zedcard.service":        belowRoot,
		"usr/lib/systemd/system/zedcard-backup.service": belowRoot,
	} {
		file := filepath.Join(root, name)
		text := read(t, file)
		changed := replace.Replace(text)
		require.NotEqual(t, text, changed, name)
		write(t, file, changed)
	}
	units, err := filepath.Glob(filepath.Join(root, "usr/lib/systemd/system/*"))
	require.NoError(t, err)
	require.Len(t, units, 3)
	said, err := exec.Command("systemd-analyze", append([]string{"verify"}, units...)...).CombinedOutput()
	require.NoError(t, err, string(said))
	assert.Empty(t, string(said), "the units have no faults")
	own := filepath.Join(root, "etc/zedcard.env")
	info, err := os.Stat(own)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o640), info.Mode().Perm(), "the settings hold passwords")
	folder := filepath.Join(t.TempDir(), `Studio $Lumen & "Co"`)
	write(t, folder+"/agency.yaml", "name: Studio Lumen\n")
	write(t, own, read(t, own)+"\nCONTENT_DIR="+folder+"\nLOG_LEVEL='warn'\n")

	zedcard := func(args ...string) *exec.Cmd {
		command := exec.Command(filepath.Join(root, "usr/bin/zedcard"), args...)
		command.Env = []string{"PATH=" + os.Getenv("PATH")}
		return command
	}
	version, err := zedcard("version").Output()
	require.NoError(t, err)
	assert.Contains(t, string(version), "v1.2.3")
	var log bytes.Buffer
	site := zedcard("serve")
	site.Stderr = &log
	require.NoError(t, site.Start())
	defer func() { _ = site.Process.Kill() }()
	require.Eventually(t, func() bool {
		answer, err := exec.Command("curl", "--silent", "--fail", "http://"+listen+"/contact").Output()
		return err == nil && strings.Contains(string(answer), "Studio Lumen")
	}, time.Minute, 100*time.Millisecond, "the site has the settings of the file")
	require.Equal(t, 303, sendMessage(t, "http://"+listen))
	list, err := zedcard("inbox", "list").Output()
	require.NoError(t, err)
	assert.Contains(t, string(list), "julia@example.com", "the command is about the running site")

	backup := exec.Command(filepath.Join(root, "usr/lib/zedcard/backup"), t.TempDir())
	backup.Env = append(os.Environ(), "DATA_DIR="+state, "DATABASE_URL=sqlite:"+filepath.Join(state, "zedcard.db"))
	done, err := backup.Output()
	require.NoError(t, err)
	assert.Regexp(t, `zedcard-[0-9-]+\.db: whole, 1 submissions can be read`, string(done))
	backup = exec.Command(backup.Path, t.TempDir())
	backup.Env = append(os.Environ(), "DATA_DIR="+state, "DATABASE_URL=sqlite:"+filepath.Join(state, "none.db"))
	assert.Error(t, backup.Run(), "a backup without a copy is not one")
	end(t, site)
}
