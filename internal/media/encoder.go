package media

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/gen2brain/avif"
)

// encoder is the process that encodes AVIFs. It is started when needed.
type encoder struct {
	command []string

	mu      sync.Mutex
	process *exec.Cmd // nil: not running
	in      io.WriteCloser
	out     *bufio.Reader
}

const (
	// maxEncodedPixels is the size of the largest AVIF in pixels: 1080 x 1640 takes 120 MB, 1600 x 2133 would take 300
	// MB.
	maxEncodedPixels = 1080 * 1640
	maxEncoded       = 32 << 20         // bytes of an answer
	encodeLimit      = 60 * time.Second // for one picture, including the start
)

// encode encodes an opaque picture as AVIF.
func (e *encoder) encode(ctx context.Context, m *image.RGBA) ([]byte, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.process == nil {
		if err := e.start(); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, encodeLimit)
	defer cancel()
	process := e.process.Process
	stopWatching := context.AfterFunc(ctx, func() { _ = process.Kill() })
	data, err := e.roundTrip(m)
	if !stopWatching() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		e.kill()
		return nil, err
	}
	return data, nil
}

func (e *encoder) start() error {
	process := exec.Command(e.command[0], e.command[1:]...) // #nosec G204 -- this program itself
	process.Stderr = os.Stderr
	in, err := process.StdinPipe()
	if err != nil {
		return err
	}
	out, err := process.StdoutPipe()
	if err != nil {
		return err
	}
	if err := process.Start(); err != nil {
		return fmt.Errorf("start the encoder: %w", err)
	}
	e.process, e.in, e.out = process, in, bufio.NewReader(out)
	return nil
}

// roundTrip is the client of EncodeAVIF. It sends width, height, quality and RGBA bytes, and receives the size of the
// AVIF (0 for a failure) and the AVIF. Numbers are 32 bits, big endian.
func (e *encoder) roundTrip(m *image.RGBA) ([]byte, error) {
	header := []uint32{uint32(m.Rect.Dx()), uint32(m.Rect.Dy()), avifQuality} // #nosec G115 -- sizes of a picture
	if err := binary.Write(e.in, binary.BigEndian, header); err != nil {
		return nil, err
	}
	if _, err := e.in.Write(m.Pix); err != nil {
		return nil, err
	}
	var size uint32
	if err := binary.Read(e.out, binary.BigEndian, &size); err != nil {
		return nil, err
	}
	if size == 0 || size > maxEncoded {
		return nil, errors.New("the encoder refused the picture")
	}
	data := make([]byte, size)
	_, err := io.ReadFull(e.out, data)
	return data, err
}

// close ends the process, if there is one, and waits for it.
func (e *encoder) close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.kill()
}

func (e *encoder) kill() {
	if e.process == nil {
		return
	}
	_ = e.in.Close()
	_ = e.process.Process.Kill()
	_ = e.process.Wait() // "killed"
	e.process = nil
}

// EncodeAVIF is the encoder process: it encodes the pictures that Store writes to in, until in ends. It uses one core
// at a low priority.
func EncodeAVIF(in io.Reader, out io.Writer) error {
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(25)
	debug.SetMemoryLimit(64 << 20) // below what it needs, so that unused memory is returned at once
	lowerPriority()
	avif.InitEncoder()
	debug.FreeOSMemory() // compiling the WebAssembly took more memory than running it
	reader := bufio.NewReaderSize(in, 64<<10)
	for {
		var header [3]uint32
		if err := binary.Read(reader, binary.BigEndian, &header); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if header[0] < 1 || header[1] < 1 || header[0] > masterWidth || header[1] > 2*masterWidth {
			return fmt.Errorf("media: picture of %d x %d pixels to encode", header[0], header[1])
		}
		m := image.NewRGBA(image.Rect(0, 0, int(header[0]), int(header[1])))
		if _, err := io.ReadFull(reader, m.Pix); err != nil {
			return err
		}
		if err := encodeTo(out, m, int(header[2])); err != nil {
			return err
		}
	}
}

func encodeTo(out io.Writer, m *image.RGBA, quality int) error {
	data := bytes.NewBuffer(make([]byte, 4))
	options := avif.Options{
		Quality: quality, QualityAlpha: 100, Speed: 10, ChromaSubsampling: image.YCbCrSubsampleRatio420,
	}
	if err := avif.Encode(data, m, options); err != nil {
		data.Truncate(4)
	}
	response := data.Bytes()
	binary.BigEndian.PutUint32(response, uint32(len(response)-4)) // #nosec G115 -- a picture
	_, err := out.Write(response)
	return err
}
