package picture_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"zedcard/internal/picture"
)

// testProgram is the variable with which the test's program only starts a worker that hangs.
const testProgram = "PICTURE_TEST_PROGRAM"

// TestMain lets the test's program be the worker's process, too.
func TestMain(m *testing.M) {
	picture.RunWorker()
	if os.Getenv(testProgram) != "" {
		_, err := hang.Run(context.Background(), picture.NewWorker(os.Args[0]), limits(time.Hour), 0)
		panic(err)
	}
	goleak.VerifyTestMain(m)
}

var (
	echo = picture.NewTask("echo", func(in string, files [][]byte) ([][]byte, error) {
		return append(files, []byte(in)), nil
	})
	hang = picture.NewTask("hang", func(int, [][]byte) ([][]byte, error) {
		fmt.Fprintln(os.Stderr, "hanging")
		time.Sleep(time.Hour)
		return nil, nil
	})
	compute = picture.NewTask("compute", func(n int, _ [][]byte) ([][]byte, error) {
		for {
			n++
		}
	})
	fail = picture.NewTask("fail", func(int, [][]byte) ([][]byte, error) {
		return nil, fmt.Errorf("a file of text: %w", picture.ErrFormat)
	})
	fault = picture.NewTask("fault", func(int, [][]byte) ([][]byte, error) { panic("a fault of a decoder") })
	// die is killed from outside, as by a kernel that is out of memory.
	die = picture.NewTask("die", func(int, [][]byte) ([][]byte, error) {
		return nil, syscall.Kill(os.Getpid(), syscall.SIGKILL)
	})
)

func limits(longest time.Duration) picture.Limits {
	return picture.Limits{Time: longest}
}

func newWorker(t *testing.T) *picture.Worker {
	t.Helper()
	w := picture.NewWorker(os.Args[0])
	t.Cleanup(func() { assert.NoError(t, w.Close()) })
	return w
}

func assertWorks(t *testing.T, w *picture.Worker) {
	t.Helper()
	files, err := echo.Run(t.Context(), w, limits(time.Minute), "a\nb",
		strings.NewReader("one\n"), strings.NewReader(""), strings.NewReader("three"))
	require.NoError(t, err)
	assert.Equal(t, [][]byte{[]byte("one\n"), {}, []byte("three"), []byte("a\nb")}, files)
}

func TestAWorkerRunsTasksWhateverHappensToOne(t *testing.T) {
	w := newWorker(t)
	assertWorks(t, w)

	err := picture.ErrBusy
	for errors.Is(err, picture.ErrBusy) { // it got too little of a busy machine
		_, err = compute.Run(t.Context(), w, limits(1999*time.Millisecond), 0)
	}
	require.ErrorIs(t, err, picture.ErrSlow)
	assertWorks(t, w)

	_, err = hang.Run(t.Context(), w, limits(time.Millisecond), 0)
	require.ErrorIs(t, err, picture.ErrBusy, "it waits for a processor, or for something else")
	assertWorks(t, w)

	_, err = die.Run(t.Context(), w, limits(time.Minute), 0)
	require.ErrorIs(t, err, picture.ErrBusy, "it says nothing of the picture")
	require.NotErrorIs(t, err, picture.ErrBroken)
	assertWorks(t, w)

	_, err = fault.Run(t.Context(), w, limits(time.Minute), 0)
	require.ErrorIs(t, err, picture.ErrBroken)
	_, err = fail.Run(t.Context(), w, limits(time.Minute), 0)
	require.ErrorIs(t, err, picture.ErrFormat)
	assertWorks(t, w)

	left := errors.New("the visitor has left")
	ctx, leave := context.WithCancelCause(t.Context())
	time.AfterFunc(50*time.Millisecond, func() { leave(left) })
	_, err = hang.Run(ctx, w, limits(time.Minute), 0)
	require.ErrorIs(t, err, left)
	_, err = echo.Run(ctx, w, limits(time.Minute), "")
	require.ErrorIs(t, err, left)
	assertWorks(t, w)
}

func TestAWorkerThatCannotStartIsBusy(t *testing.T) {
	w := picture.NewWorker(os.Args[0] + "-not-there")
	_, err := echo.Run(t.Context(), w, limits(time.Minute), "")
	require.ErrorIs(t, err, picture.ErrBusy)
	require.NotErrorIs(t, err, picture.ErrBroken)
}

func TestWhatSomebodyWaitsForComesBeforeTheBackground(t *testing.T) {
	w := newWorker(t)
	behind := limits(time.Hour)
	behind.Background = true
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	for range 3 { // one of them runs, the others leave its process to whoever waits
		go func() {
			_, err := hang.Run(ctx, w, behind, 0)
			ended <- err
		}()
	}
	assertWorks(t, w)
	assertWorks(t, w)
	stop()
	for range 3 {
		require.ErrorIs(t, <-ended, context.Canceled)
	}
	_, err := echo.Run(t.Context(), w, behind, "")
	require.NoError(t, err, "it has its turn, too")
	assertWorks(t, w)
}

// TestAWorkerEndsWithItsProgram kills the program while its worker is busy. Both write to the same pipe, which ends
// with the last of them.
func TestAWorkerEndsWithItsProgram(t *testing.T) {
	program := exec.Command(os.Args[0])
	program.Env = append(os.Environ(), testProgram+"=1")
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	defer reader.Close()
	program.Stderr = writer
	require.NoError(t, program.Start())
	require.NoError(t, writer.Close())
	_, err = io.ReadFull(reader, make([]byte, len("hanging\n")))
	require.NoError(t, err)
	require.NoError(t, program.Process.Kill())
	require.Error(t, program.Wait())
	require.NoError(t, reader.SetReadDeadline(time.Now().Add(time.Minute)))
	_, err = io.ReadAll(reader)
	require.NoError(t, err)
}
