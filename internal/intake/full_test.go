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
	db.EnsureBallast() // as every run does
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
	stop = start(t, o) // what could not be emptied on the full disk is now
	eventually(t, func() bool {
		var parts int
		return db.QueryRow("SELECT count(*) FROM submission_part").Scan(&parts) == nil && parts == 0
	})
	stop()
}

func TestAFullDiskDoesNotBlockDelivery(t *testing.T) {
	dir := smallDisk(t)
	db := open(t, "sqlite:"+filepath.Join(dir, "zedcard.db"))
	db.EnsureBallast() // as every run does
	panel := &panel{}
	o := newSite(db, db.Keys("secret"), panel, intake.Options{Log: silent})
	for i := range 3 {
		require.NoError(t, o.Put(t.Context(), application(fmt.Sprint(i))))
	}
	db.Checkpoint(t.Context())
	fill(t, filepath.Join(dir, "filler"))

	defer start(t, o)()
	eventually(t, func() bool { return counts(t, o)[intake.Delivered] == 3 })
	assert.Len(t, panel.received(), 3)
}

// fill writes a file until the disk is full.
func fill(t *testing.T, path string) {
	t.Helper()
	file, err := os.Create(path)
	require.NoError(t, err)
	for err == nil {
		_, err = file.Write(make([]byte, 4096))
	}
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.NoError(t, file.Close())
}
