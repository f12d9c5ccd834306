package command_test

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The figure in docs/reliability.md is that of -uploads 20.
var uploads = flag.Int("uploads", 4, "applications that come at once, each with a photo of 49 megapixels")

// tooMany is what a visitor reads whose photo waited a minute for its turn.
const tooMany = "We are receiving many photos right now. Choose this one again in a minute."

var mostMemory = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// TestLargePhotosAtOnceLeaveTheProgramBelowHalfAGigabyte sends applications whose text has errors, so that the form
// comes back with their photos kept.
func TestLargePhotosAtOnceLeaveTheProgramBelowHalfAGigabyte(t *testing.T) {
	if testing.Short() {
		t.Skip("too slow with the race detector; see test-go in the Makefile")
	}
	t.Chdir(t.TempDir())
	program := exec.Command(os.Args[0], "serve")
	program.Env = append(os.Environ(), testProgram+"=1", "LISTEN_ADDR=127.0.0.1:0", "ADMIN_ADDR=off",
		"DATA_DIR="+t.TempDir(), "TRUSTED_PROXIES=127.0.0.1/32", "MEDIA_PREPARE=false")
	log, err := program.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, program.Start())
	var site string
	for lines := bufio.NewScanner(log); site == "" && lines.Scan(); {
		if found := listening.FindStringSubmatch(lines.Text()); found != nil {
			site = "http://" + found[2]
		}
	}
	go func() { _, _ = io.Copy(io.Discard, log) }()

	photos := largePhotos(t)
	var kept atomic.Int64
	var senders sync.WaitGroup
	for n := range *uploads {
		senders.Go(func() {
			_, page := get(t, site+"/be-a-model")
			token := formToken.FindStringSubmatch(page)
			if !assert.NotNil(t, token) {
				return
			}
			var body bytes.Buffer
			form := multipart.NewWriter(&body)
			assert.NoError(t, form.WriteField("form_token", token[1]))
			part, err := form.CreateFormFile("image_1", "face.jpg")
			assert.NoError(t, err)
			_, err = part.Write(photos[n%len(photos)])
			assert.NoError(t, err)
			assert.NoError(t, form.Close())
			req, err := http.NewRequest(http.MethodPost, site+"/be-a-model", &body)
			assert.NoError(t, err)
			req.Header.Set("Content-Type", form.FormDataContentType())
			req.Header.Set("X-Forwarded-For", fmt.Sprintf("198.18.0.%d", n))
			res, err := http.DefaultClient.Do(req)
			if !assert.NoError(t, err) {
				return
			}
			answer, err := io.ReadAll(res.Body)
			assert.NoError(t, err)
			_ = res.Body.Close()
			assert.Equal(t, http.StatusUnprocessableEntity, res.StatusCode)
			if strings.Contains(string(answer), `name="image_1_kept"`) {
				kept.Add(1)
			} else {
				assert.Contains(t, string(answer), tooMany)
			}
		})
	}
	senders.Wait()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", program.Process.Pid))
	require.NoError(t, err)
	most, err := strconv.Atoi(string(mostMemory.FindSubmatch(status)[1]))
	require.NoError(t, err)
	t.Logf("%d MB at most; %d of %d photos kept, the others told to try again", most>>10, kept.Load(), *uploads)
	assert.Positive(t, kept.Load())
	assert.Less(t, most>>10, 512, "MB")
	require.NoError(t, program.Process.Signal(syscall.SIGTERM))
	require.NoError(t, program.Wait())
}

// largePhotos are one picture of 49 megapixels as a JPEG and as a PNG.
func largePhotos(t *testing.T) [][]byte {
	const side = 7000
	large := image.NewRGBA(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			large.SetRGBA(x, y, color.RGBA{R: uint8(x >> 5), G: uint8(y >> 5), B: uint8((x + y) >> 6), A: 255})
		}
	}
	var asJPEG, asPNG bytes.Buffer
	require.NoError(t, jpeg.Encode(&asJPEG, large, nil))
	require.NoError(t, png.Encode(&asPNG, large))
	return [][]byte{asJPEG.Bytes(), asPNG.Bytes()}
}
