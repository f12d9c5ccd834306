package app_test

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"flag"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/testkit"
)

// What was measured once is the figure of -uploads 20.
var uploads = flag.Int("uploads", 4, "applications that come at once, each with a photo of 20 or 49 megapixels")

// tooMany is what a visitor reads whose photo waited a minute for its turn.
const tooMany = "We are receiving many photos right now. Choose this one again in a minute."

var mostMemory = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// TestLargePhotosAtOnceLeaveTheProgramBelowHalfAGigabyte sends applications whose text has errors, so that the form
// is returned with its photos stored.
func TestLargePhotosAtOnceLeaveTheProgramBelowHalfAGigabyte(t *testing.T) {
	t.Chdir(t.TempDir())
	program, log, site, _ := serve(t, t.TempDir())
	go func() { _, _ = io.Copy(os.Stderr, log) }() // shown if the test fails
	photos := largePhotos(t)
	var kept atomic.Int64
	var senders sync.WaitGroup
	for n := range *uploads {
		senders.Go(func() {
			body, kind := testkit.Form(t, "form_token", tokenOf(t, site+"/be-a-model"),
				"image_1", "@"+string(photos[n%len(photos)]))
			status, answer := send(t, site+"/be-a-model", fmt.Sprintf("198.18.0.%d", n), kind, strings.NewReader(body))
			assert.Equal(t, http.StatusUnprocessableEntity, status)
			if strings.Contains(answer, `name="image_1_kept"`) {
				kept.Add(1)
			} else {
				assert.Contains(t, answer, tooMany)
			}
		})
	}
	senders.Wait()
	status := read(t, fmt.Sprintf("/proc/%d/status", program.Process.Pid))
	most, err := strconv.Atoi(mostMemory.FindStringSubmatch(status)[1])
	require.NoError(t, err)
	t.Logf("%d MB at most; %d of %d photos kept, the others told to try again", most>>10, kept.Load(), *uploads)
	assert.Positive(t, kept.Load())
	assert.Less(t, most>>10, 512, "MB")
	end(t, program)
}

// TestAnApplicationInterruptedByAKillIsAcceptedWhenSentAgain kills the program when half of an application has arrived,
// and sends the same page again once it is back.
func TestAnApplicationInterruptedByAKillIsAcceptedWhenSentAgain(t *testing.T) {
	t.Chdir(t.TempDir())
	data := t.TempDir()
	program, _, site, _ := serve(t, data)
	body, kind := applicationForm(t, tokenOf(t, site+"/be-a-model"))

	half, sender := io.Pipe()
	cutOff := make(chan error)
	go func() {
		_, err := http.Post(site+"/be-a-model", kind, half)
		cutOff <- err
	}()
	_, err := io.WriteString(sender, body[:len(body)/2])
	require.NoError(t, err)
	require.NoError(t, program.Process.Kill())
	require.Error(t, program.Wait())
	require.NoError(t, sender.CloseWithError(io.ErrUnexpectedEOF))
	require.Error(t, <-cutOff)

	program, log, site, _ := serve(t, data)
	go func() { _, _ = io.Copy(os.Stderr, log) }() // shown if the test fails
	inbox := func() string {
		list := exec.Command(os.Args[0], "inbox", "list")
		list.Env = program.Env
		said, err := list.Output()
		require.NoError(t, err)
		return string(said)
	}
	assert.Empty(t, inbox(), "an incomplete application is not stored")

	status, _ := send(t, site+"/be-a-model", "", kind, strings.NewReader(body))
	require.Equal(t, http.StatusSeeOther, status)
	assert.Equal(t, 1, strings.Count(inbox(), "ana@example.com"))
	end(t, program)
}

// applicationForm is an adult's application with three photos.
func applicationForm(t *testing.T, token string) (body, contentType string) {
	t.Helper()
	pairs := []string{
		"form_token", token, "realname", "Ana Souza", "birthdate", "30/04/1999", "gender", "woman",
		"phone", "+55 (11) 98765-4321", "email", "ana@example.com", "nationality", "BR", "note", "PT", "height", "178",
		"bust", "86", "waist", "61", "hips", "90", "shoes", "38", "dress", "36", "eyes", "Green", "hair", "Blonde",
		"privacy", "on",
	}
	for _, name := range []string{"image_1", "image_2", "image_3"} {
		photo := image.NewGray(image.Rect(0, 0, 300, 400))
		rand.Read(photo.Pix) // as large as it is
		var file bytes.Buffer
		require.NoError(t, png.Encode(&file, photo))
		pairs = append(pairs, name, "@"+file.String())
	}
	return testkit.Form(t, pairs...)
}

// serve runs the program in a process of its own, with the data of a folder, and reads its log as far as to the
// addresses.
func serve(t *testing.T, data string) (program *exec.Cmd, log io.ReadCloser, site, admin string) {
	t.Helper()
	program = exec.Command(os.Args[0], "serve")
	program.Env = append(os.Environ(), testProgram+"=1", "LISTEN_ADDR=127.0.0.1:0", "ADMIN_ADDR=127.0.0.1:0",
		"SESSION_KEYS=a key that outlives the process", "DATA_DIR="+data,
		"DATABASE_URL=sqlite:"+filepath.Join(data, "zedcard.db"), "TRUSTED_PROXIES=127.0.0.1/32")
	log, err := program.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, program.Start())
	t.Cleanup(func() { _ = program.Process.Kill() }) // does nothing after Wait
	addr := map[string]string{}
	for lines := bufio.NewScanner(log); len(addr) < 2 && lines.Scan(); {
		if found := listening.FindStringSubmatch(lines.Text()); found != nil {
			addr[found[1]] = "http://" + found[2]
		}
	}
	require.Len(t, addr, 2, "the program ended before it listened")
	return program, log, addr["LISTEN_ADDR"], addr["ADMIN_ADDR"]
}

// end asks a program to stop, and sees that it ends without an error.
func end(t *testing.T, program *exec.Cmd) {
	t.Helper()
	http.DefaultClient.CloseIdleConnections() // it would wait for them
	require.NoError(t, program.Process.Signal(syscall.SIGTERM))
	assert.NoError(t, program.Wait(), program.Stderr)
}

// largePhotos are a JPEG of 49 megapixels and a PNG of 20: the race detector, which watches compress/flate, would take
// longer for one of 49 than a photo may.
func largePhotos(t *testing.T) [][]byte {
	drawn := func(side int) image.Image {
		large := image.NewRGBA(image.Rect(0, 0, side, side))
		for i := range side * side {
			x, y := i%side, i/side
			copy(large.Pix[4*i:], []byte{uint8(x >> 5), uint8(y >> 5), uint8((x + y) >> 6), 255})
		}
		return large
	}
	var asJPEG, asPNG bytes.Buffer
	require.NoError(t, jpeg.Encode(&asJPEG, drawn(7000), nil))
	require.NoError(t, png.Encode(&asPNG, drawn(4500)))
	return [][]byte{asJPEG.Bytes(), asPNG.Bytes()}
}

func TestTheSiteOutlivesTheReaderOfItsLog(t *testing.T) {
	program, log, site, _ := serve(t, t.TempDir())
	require.NoError(t, log.Close())
	for range 3 {
		assert.Equal(t, http.StatusOK, statusOf(t, site+"/about"))
	}
	end(t, program)
}
