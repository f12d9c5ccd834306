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
	"sync"
	"syscall"
	"time"
)

// workerArgument is the argument with which a program becomes a worker.
const workerArgument = "picture-worker"

// Errors of a worker's tasks.
var (
	ErrBusy = errors.New("too many pictures at once")
	ErrSlow = errors.New("takes too long")
)

const (
	processes   = 2                // of a worker
	idleLimit   = time.Minute      // before an unused process ends
	busyLimit   = 60 * time.Second // that a task waits for those before it
	memoryLimit = "320MiB"         // of a process, which collects garbage rather than exceed it
)

// Worker runs tasks in processes of its own, so that neither the pixels nor a fault of a decoder are in the process
// that serves. A task that somebody waits for runs before all of the background, of which one runs at a time: so one
// process at least is there for the others. A process starts with its first task. It is killed when a task takes too
// long, and ends when nothing was asked for a while or this process has died.
type Worker struct {
	program string

	mu      sync.Mutex
	idle    []*process         // those that run nothing
	waiting [2][]chan *process // tasks, as they came; those of the background second
	behind  bool               // one of the background runs
}

// NewWorker makes a worker of a program that calls RunWorker, which is usually this one.
func NewWorker(program string) *Worker {
	w := &Worker{program: program}
	w.mu.Lock()
	defer w.mu.Unlock()
	for range processes {
		p := &process{}
		p.unused = time.AfterFunc(idleLimit, func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			if slices.Contains(w.idle, p) {
				p.stop()
			}
		})
		w.idle = append(w.idle, p)
	}
	return w
}

// Close ends the processes and waits for them. No task may be started afterwards.
func (w *Worker) Close() error {
	for range processes {
		p, err := w.enter(context.Background(), 0)
		if err != nil {
			return err
		}
		p.stop()
	}
	return nil
}

// enter waits for the turn of a task, which is of the background or not (1, 0), and takes a process.
func (w *Worker) enter(ctx context.Context, kind int) (*process, error) {
	turn := make(chan *process, 1)
	w.mu.Lock()
	w.waiting[kind] = append(w.waiting[kind], turn)
	w.call()
	w.mu.Unlock()
	select {
	case p := <-turn:
		return p, nil
	case <-ctx.Done():
		go func() { w.leave(<-turn, kind) }()
		return nil, context.Cause(ctx)
	}
}

func (w *Worker) leave(p *process, kind int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.idle, w.behind = append(w.idle, p), w.behind && kind == 0
	p.unused.Reset(idleLimit)
	w.call()
}

// call gives idle processes to those whose turn it is.
func (w *Worker) call() {
	for len(w.idle) > 0 {
		kind := 0
		if len(w.waiting[0]) == 0 {
			if kind = 1; len(w.waiting[1]) == 0 || w.behind {
				return
			}
			w.behind = true
		}
		last := len(w.idle) - 1 // which most likely runs
		p := w.idle[last]
		p.unused.Stop()
		w.waiting[kind][0] <- p
		w.idle, w.waiting[kind] = w.idle[:last], w.waiting[kind][1:]
	}
}

type process struct {
	unused  *time.Timer
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
	Time time.Duration
	// Background lets the task wait for all others, and with less of the processor.
	Background bool
}

const (
	patience   = 10
	slowStatus = 3 // of a process that ends because its task takes too long
)

// Run runs the task once its turn has come. It fails with ErrBusy, ErrSlow, ctx's error, or the task's: of those only
// the errors of this package can be told apart.
func (t Task[In]) Run(ctx context.Context, w *Worker, limits Limits, in In, files ...File) (made [][]byte, err error) {
	value, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	kind := 0
	if limits.Background {
		kind = 1
	}
	waits, cancel := context.WithTimeoutCause(ctx, busyLimit, ErrBusy)
	defer cancel()
	p, err := w.enter(waits, kind)
	if err != nil {
		return nil, err
	}
	defer w.leave(p, kind)
	m := message{Task: string(t), In: value, Limit: limits.Time, Polite: limits.Background}
	return p.ask(ctx, w.program, m, files)
}

// ask sends a task to the process and waits for its answer.
func (p *process) ask(ctx context.Context, program string, m message, files []File) (made [][]byte, err error) {
	if err := p.start(program); err != nil {
		return nil, ended(err)
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
		return answer.files, answer.err()
	case p.stop() == slowStatus:
		return nil, ErrSlow
	case killed:
		return nil, context.Cause(ctx)
	}
	return nil, ended(err)
}

// ended: the process could not be started, or ended by itself, as when the kernel needs its memory. That says nothing
// of the picture.
func ended(err error) error { return fmt.Errorf("the picture worker ended: %w: %w", ErrBusy, err) }

// start starts the process if it does not run.
func (p *process) start(program string) (err error) {
	if p.command != nil {
		return nil
	}
	c := exec.Command(program, workerArgument)                         // #nosec G204 -- this program itself
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
	p.command = c
	return nil
}

// stop ends the process, waits for it and returns its exit status, or -1.
func (p *process) stop() (status int) {
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
	Task   string          `json:",omitempty"`
	In     json.RawMessage `json:",omitempty"`
	Limit  time.Duration   `json:",omitempty"` // of processor time
	Polite bool            `json:",omitempty"` // leaves the processor to others
	Error  string          `json:",omitempty"`
	Kind   int             `json:",omitempty"` // index of errorKinds
	Sizes  []int64         // of the files

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

func readMessage(from *bufio.Reader) (m message, err error) {
	line, err := from.ReadBytes('\n')
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(line, &m); err != nil {
		return m, err
	}
	for _, size := range m.Sizes {
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
	slow := make(chan os.Signal, 1)
	signal.Notify(slow, syscall.SIGXCPU)
	requests := make(chan message)
	go func() {
		<-slow
		os.Exit(slowStatus)
	}()
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

// answerTask runs a task in a goroutine of its own, so that a polite one's thread ends with it.
func answerTask(m message) (answer message, made [][]byte) {
	var done sync.WaitGroup
	done.Go(func() {
		defer func() {
			if panicked := recover(); panicked != nil {
				answer, made = failed(fmt.Errorf("%s: %v", m.Task, panicked)), nil
			}
		}()
		if m.Polite {
			runtime.LockOSThread()
			_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, 10) // if that is allowed; on Linux of the thread
		}
		limitProcessor(m.Limit)
		var err error
		if made, err = tasks[m.Task](m.In, m.files); err != nil {
			answer = failed(err)
		}
	})
	done.Wait()
	return answer, made
}

// limitProcessor lets the system tell the process when it has computed for so long, in whole seconds.
func limitProcessor(limit time.Duration) {
	var used syscall.Rusage
	var most syscall.Rlimit
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used) // these fail only for wrong arguments
	_ = syscall.Getrlimit(syscall.RLIMIT_CPU, &most)
	most.Cur = uint64(used.Utime.Sec+used.Stime.Sec) + max(1, uint64(limit/time.Second))
	_ = syscall.Setrlimit(syscall.RLIMIT_CPU, &most)
}
