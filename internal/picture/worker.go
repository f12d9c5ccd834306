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

// Task is a function that runs in a worker and makes files. In is sent as JSON, files as they are.
type Task[In any] string

var tasks = map[string]func(in []byte, files [][]byte) (made [][]byte, err error){}

// NewTask makes a task known to the worker, under a name of its own. It is called when the program starts.
func NewTask[In any](name string, run func(in In, files [][]byte) (made [][]byte, err error)) Task[In] {
	tasks[name] = func(value []byte, files [][]byte) ([][]byte, error) {
		var in In
		if err := json.Unmarshal(value, &in); err != nil {
			return nil, err
		}
		return run(in, files)
	}
	return Task[In](name)
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
func (t Task[In]) Run(ctx context.Context, w *Worker, limits Limits, in In, files ...File) (made [][]byte, err error) {
	value, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	leave, err := w.enter(ctx, min(limits.Memory, totalMemory))
	if err != nil {
		return nil, err
	}
	defer leave()
	return w.ask(ctx, message{Task: string(t), In: value, Limit: limits.Time}, files)
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
func (w *Worker) ask(ctx context.Context, m message, files []File) (made [][]byte, err error) {
	if err := w.start(); err != nil {
		return nil, fmt.Errorf("picture worker: %w", err)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, patience*m.Limit, ErrBusy)
	defer cancel()
	process := w.command.Process
	stopWatching := context.AfterFunc(ctx, func() { _ = process.Kill() }) // it may have ended already
	var answer message
	if err = m.write(w.in, files); err == nil {
		answer, err = readMessage(w.out)
	}
	killed := !stopWatching() // perhaps just after it answered
	switch {
	case err == nil && !killed:
		w.idle.Reset(idleLimit)
		return answer.files, answer.err()
	case w.stop() == slowStatus:
		return nil, ErrSlow
	case killed:
		return nil, context.Cause(ctx)
	}
	return nil, fmt.Errorf("the picture worker ended: %w: %w", err, ErrBroken)
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
	In    json.RawMessage `json:",omitempty"`
	Limit time.Duration   `json:",omitempty"` // of processor time
	Error string          `json:",omitempty"`
	Kind  int             `json:",omitempty"` // index of errorKinds
	Sizes []int64         // of the files

	files [][]byte // as received
}

// errorKinds are the errors that survive the way out of the process. The first stands for all others.
var errorKinds = []error{ErrBroken, ErrFormat, ErrHEIC, ErrPixels, ErrMemory, ErrSlow}

func failed(err error) message {
	kind := slices.IndexFunc(errorKinds, func(kind error) bool { return errors.Is(err, kind) })
	return message{Error: err.Error(), Kind: max(kind, 0)}
}

func (m message) err() error {
	if m.Error == "" {
		return nil
	}
	return fmt.Errorf("%w: %s", errorKinds[min(max(m.Kind, 0), len(errorKinds)-1)], m.Error)
}

func (m message) write(to io.Writer, files []File) error {
	for _, file := range files {
		m.Sizes = append(m.Sizes, file.Size())
	}
	line, err := json.Marshal(m)
	if err == nil {
		_, err = to.Write(append(line, '\n'))
	}
	for _, file := range files {
		if err == nil {
			_, err = io.Copy(to, io.NewSectionReader(file, 0, file.Size()))
		}
	}
	return err
}

// maxMessage bounds what a message may claim its files to have, in bytes.
const maxMessage = 256 << 20

func readMessage(from *bufio.Reader) (m message, err error) {
	line, err := from.ReadBytes('\n')
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(line, &m); err != nil {
		return m, err
	}
	sum := int64(0)
	for _, size := range m.Sizes {
		if sum += size; size < 0 || sum > maxMessage {
			return m, errors.New("a message with too much in it")
		}
		file := make([]byte, size)
		if _, err := io.ReadFull(from, file); err != nil {
			return m, err
		}
		m.files = append(m.files, file)
	}
	return m, nil
}

// RunWorker makes the program a worker if its arguments say so, and then does not return. A main function calls it
// first.
func RunWorker() {
	if len(os.Args) != 2 || os.Args[1] != workerArgument {
		return
	}
	signal.Ignore(os.Interrupt, syscall.SIGTERM) // sent to all processes of the site, whose tasks are still finished
	runtime.GOMAXPROCS(1)                        // the other cores are for pages
	requests := make(chan message)
	go func() { // also while a task runs: when the program that asks dies, this one ends
		for reader := bufio.NewReader(os.Stdin); ; {
			m, err := readMessage(reader)
			if err != nil {
				os.Exit(0)
			}
			requests <- m
		}
	}()
	for m := range requests {
		answer, made := answerTask(m)
		var files []File
		for _, file := range made {
			files = append(files, bytes.NewReader(file))
		}
		if err := answer.write(os.Stdout, files); err != nil {
			fmt.Fprintln(os.Stderr, "zedcard: picture worker:", err)
			os.Exit(1)
		}
		debug.FreeOSMemory() // otherwise the next picture's memory would add to this one's
	}
}

func answerTask(m message) (answer message, made [][]byte) {
	defer func() {
		if panicked := recover(); panicked != nil {
			answer, made = failed(fmt.Errorf("%s: %v", m.Task, panicked)), nil
		}
	}()
	done := make(chan struct{})
	defer close(done)
	go exitAfter(m.Limit, done)
	made, err := tasks[m.Task](m.In, m.files)
	if err != nil {
		return failed(err), nil
	}
	return message{}, made
}

// exitAfter ends the process once it has computed for so long, unless the task is done before.
func exitAfter(limit time.Duration, done <-chan struct{}) {
	computed := func() time.Duration {
		var used syscall.Rusage
		_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used) // fails only for a wrong argument
		return time.Duration(used.Utime.Nano() + used.Stime.Nano())
	}
	begun := computed()
	checks := time.NewTicker(checkEvery)
	defer checks.Stop()
	for {
		select {
		case <-done:
			return
		case <-checks.C:
			if computed()-begun > limit {
				os.Exit(slowStatus)
			}
		}
	}
}
