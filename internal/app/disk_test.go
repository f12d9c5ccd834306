package app_test

import (
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// disk is a folder on a disk of its own; only root can mount one.
func disk(t *testing.T, options string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("not run: only root can mount a disk")
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("not run: a disk can't be mounted here (%v)", err)
	}
	t.Cleanup(func() { assert.NoError(t, syscall.Unmount(dir, syscall.MNT_DETACH)) })
	return dir
}

// TestTheSiteStartsWithoutADiskAndRecovers: pages are shown and forms refused until the disk can be written.
func TestTheSiteStartsWithoutADiskAndRecovers(t *testing.T) {
	for name, tc := range map[string]struct {
		spoil func(t *testing.T, dir string) (mend func(t *testing.T))
		why   string
	}{
		"read-only": {func(t *testing.T, dir string) func(t *testing.T) {
			require.NoError(t, syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
			return func(t *testing.T) { require.NoError(t, syscall.Mount("", dir, "", syscall.MS_REMOUNT, "")) }
		}, "read-only file system"},
		"full": {func(t *testing.T, dir string) func(t *testing.T) {
			filler := filepath.Join(dir, "filler")
			file, err := os.Create(filler)
			require.NoError(t, err)
			for err == nil {
				_, err = file.Write(make([]byte, 4096))
			}
			require.NoError(t, file.Close())
			return func(t *testing.T) { require.NoError(t, os.Remove(filler)) }
		}, "full"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := disk(t, "size=16m")
			t.Chdir(t.TempDir())
			mend := tc.spoil(t, dir)
			p := start(t, map[string]string{
				"SESSION_KEYS": "a key of sixteen", "DATA_DIR": filepath.Join(dir, "data"),
				"DATABASE_URL": "sqlite:" + filepath.Join(dir, "zedcard.db"),
			})
			assert.Equal(t, http.StatusOK, statusOf(t, p.site+"/models/101/benedita-nascimento"))
			status, ready := get(t, p.admin+"/readyz")
			assert.Equal(t, http.StatusOK, status, "visitors can be sent")
			assert.Contains(t, ready, "ok, but forms answer 503: database: ")
			assert.Contains(t, ready, tc.why)

			form := messageForm(t, p.site)
			send := func() int {
				status, _ := post(t, p.site+"/contact", "", form)
				return status
			}
			assert.Equal(t, http.StatusServiceUnavailable, send())
			mend(t)
			require.Eventually(t, func() bool { return send() == http.StatusSeeOther }, time.Minute, time.Second)
			_, ready = get(t, p.admin+"/readyz")
			assert.Equal(t, "ok\n", ready)
			p.stop()
		})
	}
}
