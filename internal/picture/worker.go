package picture

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sync/semaphore"
)

// workerArgument is the argument with which a program becomes a worker.
const workerArgument = "picture-worker"

// Errors of a worker's tasks.
var (
	ErrBusy = errors.New("too many pictures at once")
	ErrSlow = errors.New("takes too long")
)

const (
	idleLimit   = time.Minute      // before an unused process ends
	busyLimit   = 60 * time.Second // that a task waits for those before it
	memoryLimit = "320MiB"         // of a process, which collects garbage rather than exceed it
	totalMemory = 340 << 20        // bytes of the tasks that run at once
)

// Workers are the processes of the site: visitors wait neither for each other's photos where they look at pictures, nor
// for AVIFs, which are made in the background. What they do at once stays within totalMemory.
type Workers struct {
	Photos   *Worker // of visitors
	Pictures *Worker // of the site
	AVIF     *Worker
}

// NewWorkers makes workers of a program that calls RunWorker, which is usually this one.
func NewWorkers(program string) Workers {
	memory := semaphore.NewWeighted(totalMemory)
	newWorker := func() *Worker {
		w := &Worker{program: program, memory: memory, turn: make(chan struct{}, 1)}
		w.idle = time.AfterFunc(idleLimit, w.stopIfIdle)
		return w
	}
	return Workers{Photos: newWorker(), Pictures: newWorker(), AVIF: newWorker()}
}

// Close ends the processes and waits for them. No task may be started afterwards.
func (w Workers) Close() error {
	for _, worker := range []*Worker{w.Photos, w.Pictures, w.AVIF} {
		worker.turn <- struct{}{}
		worker.stop()
	}
	return nil
}

// Worker runs tasks one after the other in a process of its own, so that neither the pixels nor a fault of a decoder
// are in the process that serves. The process starts with the first task. It is killed when a task takes too long, and
// ends by itself when nothing was asked for a while or this process has died.
type Worker struct {
	program string
	memory  *semaphore.Weighted
	turn    chan struct{} // holds one value while a task runs
	idle    *time.Timer

	// Of who has the turn.
	command *exec.Cmd // nil: not running
	in      io.WriteCloser
	out     *bufio.Reader
}

// File is what a worker is sent of a file, without all of it in memory.
type File interface {
	io.ReaderAt
	Size() int64
}

// Task is a function that runs in a worker. In and Out are sent as JSON, files as they are.
type Task[In, Out any] string

// TaskFunc is what a Task does in the worker.
type TaskFunc[In, Out any] func(in In, files [][]byte) (Out, [][]byte, error)

var tasks = map[string]func(value []byte, files [][]byte) (any, [][]byte, error){}

// NewTask makes a task known to the worker, under a name of its own. It is called when the program starts.
func NewTask[In, Out any](name string, run TaskFunc[In, Out]) Task[In, Out] {
	tasks[name] = func(value []byte, files [][]byte) (any, [][]byte, error) {
		var in In
		if err := json.Unmarshal(value, &in); err != nil {
			return nil, nil, err
		}
		return run(in, files)
	}
	return Task[In, Out](name)
}

// Limits are what a task may take.
type Limits struct {
	// Time is of the processor; then the process ends, with ErrSlow. By the clock a task may take patience times as
	// long, because the machine may be busy; then it is killed, with ErrBusy.
	Time   time.Duration
	Memory int64 // bytes; not enforced, but those of other tasks are not begun meanwhile
}

const (
	patience   = 4
	slowStatus = 3                      // of a process that ends because its task takes too long
	checkEvery = 100 * time.Millisecond // of the processor time that a task took
)

// Run runs the task once its turn has come. It fails with ErrBusy, ErrSlow, ctx's error, or the task's: of those only
// the errors of this package can be told apart.
func (t Task[In, Out]) Run(
	ctx context.Context, w *Worker, limits Limits, in In, files ...File,
) (out Out, made [][]byte, err error) {
	leave, err := w.enter(ctx, min(limits.Memory, totalMemory))
	if err != nil {
		return out, nil, err
	}
	defer leave()
	value, err := json.Marshal(in)
	if err != nil {
		return out, nil, err
	}
	answer, made, err := w.ask(ctx, message{Task: string(t), Value: value, Limit: limits.Time}, files)
	if err == nil {
		err = json.Unmarshal(answer, &out)
	}
	return out, made, err
}

// enter waits for the worker's turn and for memory.
func (w *Worker) enter(ctx context.Context, memory int64) (leave func(), err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, busyLimit, ErrBusy)
	defer cancel()
	select {
	case w.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if err := w.memory.Acquire(ctx, memory); err != nil {
		<-w.turn
		return nil, context.Cause(ctx)
	}
	return func() {
		w.memory.Release(memory)
		<-w.turn
	}, nil
}

// ask sends a task to the process and waits for its answer. The caller has the turn.
func (w *Worker) ask(ctx context.Context, m message, files []File) ([]byte, [][]byte, error) {
	if err := w.start(); err != nil {
		return nil, nil, fmt.Errorf("picture worker: %w", err)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, patience*m.Limit, ErrBusy)
	defer cancel()
	process := w.command.Process
	stopWatching := context.AfterFunc(ctx, func() { _ = process.Kill() }) // it may have ended already
	answer, made, err := message{}, [][]byte(nil), m.write(w.in, files)
	if err == nil {
		answer, made, err = readMessage(w.out)
	}
	if !stopWatching() && err == nil { // killed just after it answered
		err = context.Cause(ctx)
	}
	if err != nil {
		status := w.stop()
		switch {
		case status == slowStatus:
			return nil, nil, ErrSlow
		case ctx.Err() != nil:
			return nil, nil, context.Cause(ctx)
		}
		return nil, nil, fmt.Errorf("the picture worker ended: %w: %w", err, ErrBroken)
	}
	w.idle.Reset(idleLimit)
	if answer.Error != "" {
		return nil, nil, answer.err()
	}
	return answer.Value, made, nil
}

// start starts the process if it does not run.
func (w *Worker) start() (err error) {
	w.idle.Stop()
	if w.command != nil {
		return nil
	}
	c := exec.Command(w.program, workerArgument)                       // #nosec G204 -- this program itself
	c.Env = append(os.Environ(), "GOMEMLIMIT="+memoryLimit, "GOGC=25") // pictures are few, large pieces of garbage
	c.Stderr = os.Stderr
	if w.in, err = c.StdinPipe(); err != nil {
		return err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	w.out = bufio.NewReader(out)
	if err := c.Start(); err != nil {
		return err
	}
	w.command = c
	return nil
}

func (w *Worker) stopIfIdle() {
	select {
	case w.turn <- struct{}{}:
		w.stop()
		<-w.turn
	default: // a task has just begun
	}
}

// stop ends the process, waits for it and returns its exit status, or -1.
func (w *Worker) stop() (status int) {
	w.idle.Stop()
	if w.command == nil {
		return -1
	}
	_ = w.in.Close()
	_ = w.command.Process.Kill()
	_ = w.command.Wait() // "killed"
	status, w.command = w.command.ProcessState.ExitCode(), nil
	return status
}

// message is a line of JSON; the bytes of its files follow.
type message struct {
	Task  string          `json:",omitempty"`
	Value json.RawMessage `json:",omitempty"`
	Error string          `json:",omitempty"`
	Kind  int             `json:",omitempty"` // index of errorKinds
	Sizes []int64         // of the files
	Limit time.Duration   `json:",omitempty"` // of processor time
}

// errorKinds are the errors that survive the way out of the process. The first stands for all others.
var errorKinds = []error{ErrBroken, ErrFormat, ErrHEIC, ErrPixels, ErrMemory, ErrSlow}

func failed(err error) message {
	kind := slices.IndexFunc(errorKinds, func(kind error) bool { return errors.Is(err, kind) })
	return message{Error: err.Error(), Kind: max(kind, 0)}
}

func (m message) err() error {
	return fmt.Errorf("%w: %s", errorKinds[min(max(m.Kind, 0), len(errorKinds)-1)], m.Error)
}

func (m message) write(to io.Writer, files []File) error {
	m.Sizes = make([]int64, len(files))
	for i, file := range files {
		m.Sizes[i] = file.Size()
	}
	line, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if _, err := to.Write(append(line, '\n')); err != nil {
		return err
	}
	for _, file := range files {
		if _, err := io.Copy(to, io.NewSectionReader(file, 0, file.Size())); err != nil {
			return err
		}
	}
	return nil
}

// maxMessage bounds what a message may claim its files to have, in bytes.
const maxMessage = 256 << 20

func readMessage(from *bufio.Reader) (m message, files [][]byte, err error) {
	line, err := from.ReadBytes('\n')
	if err != nil {
		return m, nil, err
	}
	if err := json.Unmarshal(line, &m); err != nil {
		return m, nil, err
	}
	sum := int64(0)
	for _, size := range m.Sizes {
		if sum += size; size < 0 || sum > maxMessage {
			return m, nil, errors.New("a message with too much in it")
		}
		file := make([]byte, size)
		if _, err := io.ReadFull(from, file); err != nil {
			return m, nil, err
		}
		files = append(files, file)
	}
	return m, files, nil
}

// RunWorker makes the program a worker if its arguments say so, and then does not return. A main function calls it
// first.
func RunWorker() {
	if len(os.Args) != 2 || os.Args[1] != workerArgument {
		return
	}
	signal.Ignore(os.Interrupt, syscall.SIGTERM) // sent to all processes of the site, whose tasks are still finished
	runtime.GOMAXPROCS(1)                        // the other cores are for pages
	if err := work(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "zedcard: picture worker:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// work answers the messages of in until it ends. It reads while a task runs: when the program that asks dies, in ends,
// and so does this one.
func work(in io.Reader, out io.Writer) error {
	type request struct {
		message
		files [][]byte
	}
	requests := make(chan request)
	go func() {
		reader := bufio.NewReader(in)
		for {
			m, files, err := readMessage(reader)
			if err != nil {
				os.Exit(0)
			}
			requests <- request{m, files}
		}
	}()
	for r := range requests {
		answer, made := answerTask(r.message, r.files)
		var files []File
		for _, file := range made {
			files = append(files, bytes.NewReader(file))
		}
		if err := answer.write(out, files); err != nil {
			return err
		}
		debug.FreeOSMemory() // otherwise the next picture's memory would add to this one's
	}
	return nil
}

func answerTask(m message, files [][]byte) (answer message, made [][]byte) {
	defer func() {
		if panicked := recover(); panicked != nil {
			answer, made = failed(fmt.Errorf("%s: %v", m.Task, panicked)), nil
		}
	}()
	done := make(chan struct{})
	defer close(done)
	go exitAfter(m.Limit, done)
	run, known := tasks[m.Task]
	if !known {
		return failed(fmt.Errorf("no task %q", m.Task)), nil
	}
	out, made, err := run(m.Value, files)
	if err != nil {
		return failed(err), nil
	}
	answer.Value, err = json.Marshal(out)
	if err != nil {
		return failed(err), nil
	}
	return answer, made
}

// exitAfter ends the process once it has computed for so long, unless the task is done before.
func exitAfter(limit time.Duration, done <-chan struct{}) {
	begun := processorTime()
	checks := time.NewTicker(checkEvery)
	defer checks.Stop()
	for {
		select {
		case <-done:
			return
		case <-checks.C:
			if processorTime()-begun > limit {
				os.Exit(slowStatus)
			}
		}
	}
}

// processorTime is how long this process has computed.
func processorTime() time.Duration {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used) // fails only for a wrong argument
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// LowerPriority lowers the priority of this process, if that is allowed.
func LowerPriority() { _ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, 10) }
