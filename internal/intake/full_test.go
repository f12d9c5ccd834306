package intake_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/intake"
)

// smallDisk is a folder on a disk of 3 MB of its own.
func smallDisk(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("not run: only root can mount a small disk")
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=3m"); err != nil {
		t.Skipf("not run: a small disk can't be mounted here (%v)", err)
	}
	t.Cleanup(func() { assert.NoError(t, syscall.Unmount(dir, syscall.MNT_DETACH)) })
	return dir
}

func TestAFullDiskIsReportedWithoutLossOrRepeats(t *testing.T) {
	dir := smallDisk(t)
	db := open(t, "sqlite:"+filepath.Join(dir, "zedcard.db"))
	panel := &panel{}
	o := newSite(db, db.Keys("secret"), panel, intake.Options{Log: silent, Pace: time.Millisecond})

	filler := filepath.Join(dir, "filler")
	require.NoError(t, os.WriteFile(filler, make([]byte, 1<<20), 0o600))
	sent := 0
	var err error
	for ; err == nil; sent++ {
		require.Less(t, sent, 100, "3 MB hold fewer than 100 submissions")
		err = o.Put(t.Context(), agency.Submission{ID: fmt.Sprint(sent), Kind: agency.GetScouted, Files: []agency.File{
			{Data: bytes.Repeat([]byte{1}, 100_000)},
		}})
	}
	sent-- // the last was refused
	require.ErrorIs(t, err, agency.ErrUnavailable)
	require.Greater(t, sent, 5)

	stop := start(t, o)
	eventually(t, func() bool { return len(panel.received()) > 0 })
	assert.Never(t, func() bool {
		seen := map[string]bool{}
		for _, s := range panel.received() {
			if seen[s.ID] {
				return true // for want of a byte to note it with
			}
			seen[s.ID] = true
		}
		return false
	}, 3*time.Second, 100*time.Millisecond, "no submission is delivered twice")
	t.Logf("%d of %d delivered while the disk was full", len(panel.received()), sent)

	require.NoError(t, os.Remove(filler))
	eventually(t, func() bool { return counts(t, o)[intake.Delivered] == sent })
	assert.Equal(t, sent, len(panel.received()), "deliveries") // Len would print them all
	require.NoError(t, o.Put(t.Context(), application("after")))
	eventually(t, func() bool { return counts(t, o)[intake.Delivered] == sent+1 })
	stop()

	var verdict string
	require.NoError(t, db.QueryRow("PRAGMA integrity_check").Scan(&verdict))
	assert.Equal(t, "ok", verdict)
	var parts int
	require.NoError(t, db.QueryRow("SELECT count(*) FROM submission_part").Scan(&parts))
	assert.Zero(t, parts, "what was delivered is emptied")
}
