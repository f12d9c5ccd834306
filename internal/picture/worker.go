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

// Worker runs tasks in processes of its own, so that neither the pixels nor a fault of a decoder are in the process
// that serves. There are two, one for tasks that somebody waits for and one for those of the background, and each runs
// its tasks one after the other. What both do at once stays within totalMemory. A process starts with its first task.
// It is killed when a task takes too long, and ends by itself when nothing was asked for a while or this process has
// died.
type Worker struct{ waited, background process }

// NewWorker makes a worker of a program that calls RunWorker, which is usually this one.
func NewWorker(program string) *Worker {
	w, memory := &Worker{background: process{isPolite: true}}, semaphore.NewWeighted(totalMemory)
	for _, p := range []*process{&w.waited, &w.background} {
		p.program, p.memory, p.turn = program, memory, make(chan struct{}, 1)
		p.turn <- struct{}{} // what stopIfIdle reads is set before its turn
		p.idle = time.AfterFunc(idleLimit, p.stopIfIdle)
		<-p.turn
	}
	return w
}

// Close ends the processes and waits for them. No task may be started afterwards.
func (w *Worker) Close() error {
	for _, p := range []*process{&w.waited, &w.background} {
		p.turn <- struct{}{}
		p.stop()
	}
	return nil
}

type process struct {
	program  string
	isPolite bool // leaves the processor to others
	memory   *semaphore.Weighted
	turn     chan struct{} // holds one value while a task runs
	idle     *time.Timer

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
	// Background lets the task wait for others of its kind, and with less of the processor.
	Background bool
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
	p := &w.waited
	if limits.Background {
		p = &w.background
	}
	leave, err := p.enter(ctx, min(limits.Memory, totalMemory))
	if err != nil {
		return nil, err
	}
	defer leave()
	m := message{Task: string(t), In: value, Limit: limits.Time}
	made, err = p.ask(ctx, m, files)
	if errors.Is(err, errEnded) { // somebody killed it: most likely the kernel, for another program's memory
		made, err = p.ask(ctx, m, files)
	}
	return made, err
}

// enter waits for the process's turn and for memory.
func (p *process) enter(ctx context.Context, memory int64) (leave func(), err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, busyLimit, ErrBusy)
	defer cancel()
	select {
	case p.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if err := p.memory.Acquire(ctx, memory); err != nil {
		<-p.turn
		return nil, context.Cause(ctx)
	}
	return func() {
		p.memory.Release(memory)
		<-p.turn
	}, nil
}

// errEnded: the process could not be started, or ended by itself. That says nothing of the picture.
var errEnded = fmt.Errorf("the picture worker ended: %w", ErrBusy)

// ask sends a task to the process and waits for its answer. The caller has the turn.
func (p *process) ask(ctx context.Context, m message, files []File) (made [][]byte, err error) {
	if err := p.start(); err != nil {
		return nil, fmt.Errorf("%w: %w", errEnded, err)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, patience*m.Limit, ErrBusy)
	defer cancel()
	running := p.command.Process
	stopWatching := context.AfterFunc(ctx, func() { _ = running.Kill() }) // it may have ended already
	var answer message
	if err = m.write(p.in, files); err == nil {
		answer, err = readMessage(p.out)
	}
	killed := !stopWatching() // perhaps just after it answered
	switch {
	case err == nil && !killed:
		p.idle.Reset(idleLimit)
		return answer.files, answer.err()
	case p.stop() == slowStatus:
		return nil, ErrSlow
	case killed:
		return nil, context.Cause(ctx)
	}
	return nil, fmt.Errorf("%w: %w", errEnded, err)
}

// start starts the process if it does not run.
func (p *process) start() (err error) {
	p.idle.Stop()
	if p.command != nil {
		return nil
	}
	c := exec.Command(p.program, workerArgument)                       // #nosec G204 -- this program itself
	c.Env = append(os.Environ(), "GOMEMLIMIT="+memoryLimit, "GOGC=25") // pictures are few, large pieces of garbage
	c.Stderr = os.Stderr
	if p.in, err = c.StdinPipe(); err != nil {
		return err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	p.out = bufio.NewReader(out)
	if err := c.Start(); err != nil {
		return err
	}
	if p.isPolite {
		_ = syscall.Setpriority(syscall.PRIO_PROCESS, c.Process.Pid, 10) // if that is allowed
	}
	p.command = c
	return nil
}

func (p *process) stopIfIdle() {
	select {
	case p.turn <- struct{}{}:
		p.stop()
		<-p.turn
	default: // a task has just begun
	}
}

// stop ends the process, waits for it and returns its exit status, or -1.
func (p *process) stop() (status int) {
	p.idle.Stop()
	if p.command == nil {
		return -1
	}
	_ = p.in.Close()
	_ = p.command.Process.Kill()
	_ = p.command.Wait() // "killed"
	status, p.command = p.command.ProcessState.ExitCode(), nil
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
var errorKinds = []error{ErrBroken, ErrFormat, ErrHEIC, ErrPixels, ErrMemory, ErrSlow, ErrKind}

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
