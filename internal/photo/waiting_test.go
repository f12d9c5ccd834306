package photo_test

import (
	"bytes"
	"hash/crc32"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/photo"
)

func crc(data []byte) uint32 { return crc32.ChecksumIEEE(data) }

func waitingFiles(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	require.NoError(t, err)
	return files
}

func TestAPhotoWaitsForAnHour(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "waiting")
	synctest.Test(t, func(t *testing.T) {
		w, err := photo.OpenWaiting(dir, photo.WaitingBytes)
		require.NoError(t, err)
		file := agency.File{
			Field: "image_2", Name: "corpo inteiro.jpg", Type: "image/jpeg", Data: []byte("CANARY PHOTO"),
		}
		id, err := w.Keep(file)
		require.NoError(t, err)
		assert.Regexp(t, "^[0-9a-f]{64}$", id)
		assert.Equal(t, photo.Sum(file.Data), photo.SumOf(id))
		assert.Equal(t, "short", photo.SumOf("short"))

		time.Sleep(time.Hour - time.Second)
		for range 2 { // a second error in the form asks again
			got, err := w.Get(id)
			require.NoError(t, err)
			assert.Equal(t, file, got)
		}
		time.Sleep(2 * time.Second)
		_, err = w.Get(id)
		require.ErrorIs(t, err, photo.ErrGone)
		assert.Equal(t, "error.photo.gone", photo.Key(err))
		assert.Empty(t, waitingFiles(t, dir))
		require.NoError(t, w.Close())
	})
}

func TestWaitingPhotosCanNotBeReadByOthersAndNotAfterARestart(t *testing.T) {
	dir := t.TempDir()
	w, err := photo.OpenWaiting(dir, photo.WaitingBytes)
	require.NoError(t, err)
	id, err := w.Keep(agency.File{Field: "image_1", Data: []byte("CANARY PHOTO")})
	require.NoError(t, err)
	files := waitingFiles(t, dir)
	require.Len(t, files, 1)
	info, err := os.Stat(files[0])
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	stored, err := os.ReadFile(files[0])
	require.NoError(t, err)
	assert.NotContains(t, string(stored), "CANARY")

	// A second process, started by mistake, or after this one was killed.
	again, err := photo.OpenWaiting(dir, photo.WaitingBytes)
	require.NoError(t, err)
	_, err = again.Get(id)
	require.ErrorIs(t, err, photo.ErrGone)
	_, err = w.Get(id)
	require.NoError(t, err, "the first one's are still there")

	old := time.Now().Add(-time.Hour - time.Second)
	require.NoError(t, os.Chtimes(filepath.Dir(files[0]), old, old))
	_, err = photo.OpenWaiting(dir, photo.WaitingBytes)
	require.NoError(t, err)
	assert.Empty(t, waitingFiles(t, dir), "nothing of the dead is left after an hour")
	id, err = w.Keep(agency.File{Field: "image_1", Data: []byte("photo")})
	require.NoError(t, err, "and who was only idle begins anew")
	_, err = w.Get(id)
	require.NoError(t, err)
}

func TestOnlyIdsThatWereGivenOpenAnything(t *testing.T) {
	dir := t.TempDir()
	w, err := photo.OpenWaiting(filepath.Join(dir, "waiting"), photo.WaitingBytes)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "secret"), []byte("x"), 0o600))
	for _, id := range []string{"", ".", "../secret", "/etc/passwd", "00000000000000000000000000000000"} {
		_, err := w.Get(id)
		require.ErrorIs(t, err, photo.ErrGone, id)
		w.Drop(id)
	}
	assert.FileExists(t, filepath.Join(dir, "secret"))
}

func TestWaitingPhotosAreBounded(t *testing.T) {
	dir := t.TempDir()
	w, err := photo.OpenWaiting(dir, 5_000)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, w.Close()); assert.Empty(t, waitingFiles(t, dir)) })
	file := agency.File{Field: "image_1", Data: bytes.Repeat([]byte{1}, 900)}
	var ids []string
	for range 8 {
		id, err := w.Keep(file)
		require.NoError(t, err)
		ids = append(ids, id)
	}
	_, err = w.Get(ids[0])
	require.ErrorIs(t, err, photo.ErrGone, "the oldest went")
	_, err = w.Get(ids[7])
	require.NoError(t, err, "the newest stays")
	assert.Len(t, waitingFiles(t, dir), 5)
}
