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

// release makes a release for this machine, signed with a key if there is one, and returns its sums and what else it
// said.
func release(t *testing.T, out, key string) (sums, said string) {
	t.Helper()
	make := exec.Command("../../scripts/release.sh")
	make.Env = append(os.Environ(), "OUT="+out, "VERSION=v1.2.3", "ARCHS="+runtime.GOARCH, "SIGN_KEY="+key)
	var others strings.Builder
	make.Stderr = &others
	output, err := make.Output()
	require.NoError(t, err, others.String())
	return string(output), others.String()
}

// TestTheDebianPackageRunsTheSite installs the package into a folder, as dpkg does into /, and works with the site as
// an operator does, whose settings are in the package's files alone.
func TestTheDebianPackageRunsTheSite(t *testing.T) {
	for _, tool := range []string{"dpkg", "systemd-analyze", "node", "ssh-keygen"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed, so the package was not made", tool)
		}
	}
	root, out, state := t.TempDir(), t.TempDir(), t.TempDir()
	sums, said := release(t, out, "")
	assert.Contains(t, said, "nothing was signed")
	key := filepath.Join(t.TempDir(), "key")
	require.NoError(t, exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key).Run())
	again, said := release(t, out, key)
	assert.Equal(t, sums, again, "the same commit gives the same bytes")
	assert.NotContains(t, said, "nothing was signed")
	write(t, key+".signers", "zedcard "+read(t, key+".pub"))
	verify := func(text string) error { // as docs/operations.md says
		check := exec.Command("ssh-keygen", "-Y", "verify", "-f", key+".signers", "-I", "zedcard", "-n", "zedcard",
			"-s", filepath.Join(out, "SHA256SUMS.sig"))
		check.Stdin = strings.NewReader(text)
		return check.Run()
	}
	require.NoError(t, verify(read(t, filepath.Join(out, "SHA256SUMS"))))
	require.Error(t, verify(sums+"\n"), "of other sums")
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
	faults, err := exec.Command("systemd-analyze", append([]string{"verify"}, units...)...).CombinedOutput()
	require.NoError(t, err, string(faults))
	assert.Empty(t, string(faults), "the units have no faults")
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
