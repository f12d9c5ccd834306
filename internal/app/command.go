package app

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"zedcard/internal/config"
	"zedcard/internal/database"
)

// Process is a command's environment.
type Process struct {
	Args   []string // in Run all, in a command those after its name
	Env    func(string) string
	Stdout io.Writer
	Stderr io.Writer
	Build  Build
}

// command is one of the program's. run ends with ctx. Its error is printed, one line for each joined error.
type command struct {
	name  string
	about string
	run   func(ctx context.Context, p Process) error
}

func commands() []command {
	return []command{
		{"serve", "serves the site (also without a command)", serve},
		{"backend", "serves the embedded back end alone on LISTEN_ADDR, with both APIs and the pictures", serveBackEnd},
		{"inbox", "what the forms received: list | show ID | deliver ID (refused or suspected) | " +
			"export DIR (CSV, photos, policies) | link (to read it in a browser, for a month) | " +
			"erase ID, erase --email ADDRESS or erase --held (all suspected)", runInbox},
		{"check", "names the faults of configuration, database, content folder and back ends, one on each line; " +
			"exits with 1 if there are any", runCheck},
		{"init", "init FOLDER [--demo] writes a content folder to begin with, or the demo's; it never overwrites",
			runInit},
		{"new", `new talent "Ana Silva" makes the folder of a talent in CONTENT_DIR, a draft`, runNew},
		{"import", "import FILE.xlsx [--pictures DIR] [--dates dmy|mdy] [--dry-run] adds the talents of a sheet " +
			"to CONTENT_DIR", runImport},
		{"texts", "texts TAG writes every sentence that a language lacks into texts/TAG.yaml of CONTENT_DIR", runTexts},
		{"accept", "takes the content folder as it is, though more talents vanished than the guard lets through",
			runAccept},
		{"backup", "backup FILE copies a SQLite database into a new file while the site runs", runBackup},
		{"media", "media warm makes every size of the roster's pictures in advance; " +
			"--covers: only slides and covers", runMedia},
		{"forget", "forget ID removes a talent and their pictures from the running site at once, and lists what a " +
			"CDN may still have", runForget},
		{"version", "prints the version", printVersion},
	}
}

// errFaults ends check after it has printed the faults.
var errFaults = errors.New("faults found")

// Run runs the command that is the first argument and returns the exit code: 2 for a wrong command line, 3 for
// what is done but would not outlive a restart, 1 for every other error.
func Run(ctx context.Context, p Process) int {
	name := ""
	if len(p.Args) > 0 && !strings.HasPrefix(p.Args[0], "-") {
		name, p.Args = p.Args[0], p.Args[1:]
	}
	if name == "help" { // zedcard help inbox is zedcard inbox --help
		name = ""
		if len(p.Args) > 0 {
			name = p.Args[0]
		}
		p.Args = []string{"--help"}
	}
	all := commands()
	i := slices.IndexFunc(all, func(c command) bool { return c.name == name || name == "" && c.name == "serve" })
	if i < 0 {
		printError(p.Stderr, fmt.Errorf("%w: unknown command %q", config.ErrUsage, name))
		return 2
	}
	err := all[i].run(ctx, p)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, flag.ErrHelp):
		if name != "" {
			all = all[i : i+1]
		}
		printHelp(p.Stdout, all)
		return 0
	case !errors.Is(err, errFaults):
		printError(p.Stderr, err)
	}
	switch {
	case errors.Is(err, config.ErrUsage):
		return 2
	case errors.Is(err, ErrNotSafe):
		return 3
	}
	return 1
}

func printError(w io.Writer, err error) {
	hint := ""
	if errors.Is(err, config.ErrUsage) {
		hint = " (zedcard --help explains)"
	}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		_, _ = fmt.Fprintf(w, "zedcard: %s%s\n", line, hint) // no other place to report it
	}
}

func printHelp(w io.Writer, shown []command) {
	fmt.Fprint(w, "zedcard is the website of a model and talent agency.\n\n"+
		"Usage: zedcard [COMMAND] [--FLAG VALUE]…\n\n")
	for _, c := range shown {
		fmt.Fprintf(w, "  zedcard %-8s %s\n", c.name, c.about)
	}
	fmt.Fprint(w, "\nSettings, as variables or flags; a flag overrides its variable. Give secrets as variables:\n"+
		"a flag can be read by everybody on the machine.\n\n"+config.Help())
}

func serve(ctx context.Context, p Process) error {
	c, err := config.Load(p.Args, p.Env)
	if err != nil {
		return err
	}
	outliveLogReader()
	return Serve(ctx, c, p.Stderr, p.Build)
}

func serveBackEnd(ctx context.Context, p Process) error {
	outliveLogReader()
	return withApp(ctx, p, func(a *App) error { return a.ServeBackEnd(ctx) })
}

// outliveLogReader keeps the program running when the process that reads its log has ended: without it the next line
// would end the program, too.
func outliveLogReader() { signal.Ignore(syscall.SIGPIPE) }

// withApp opens the program for a command that has no flags of its own.
func withApp(ctx context.Context, p Process, run func(*App) error) error {
	c, err := config.Load(p.Args, p.Env)
	if err != nil {
		return err
	}
	return withConfig(ctx, p, c, run)
}

func withConfig(ctx context.Context, p Process, c config.Config, run func(*App) error) error {
	a, err := Open(ctx, c, p.Stderr)
	if err != nil {
		return err
	}
	defer a.Close()
	return run(a)
}

// anyCount is as many operands as there are.
const anyCount = -1

// operands reads a command's own arguments, between which its flags and those of the settings may stand.
func operands(p Process, flags *flag.FlagSet, usage string, count int) (c config.Config, words []string, err error) {
	read := config.Flags(flags)
	for args := p.Args; ; args = flags.Args()[1:] {
		if err := config.Parse(flags, args); err != nil {
			return c, nil, err
		}
		if flags.NArg() == 0 {
			break
		}
		words = append(words, flags.Arg(0))
	}
	if count != anyCount && len(words) != count {
		return c, nil, usageError(usage)
	}
	c, err = read(p.Env)
	return c, words, err
}

func usageError(usage string) error { return fmt.Errorf("%w: %s", config.ErrUsage, usage) }

// runCheck names every fault that can be found without serving.
func runCheck(ctx context.Context, p Process) error {
	c, err := config.Load(p.Args, p.Env)
	if errors.Is(err, flag.ErrHelp) || errors.Is(err, config.ErrUsage) {
		return err
	}
	var report Report
	if err != nil {
		report.Problems = strings.Split(err.Error(), "\n")
	} else {
		report = Check(ctx, c)
	}
	lines, remarks, verdict := report.Problems, report.Remarks, errFaults
	if len(report.Problems) == 0 {
		remarks, verdict = append(remarks, report.Notes...), nil
	}
	for _, remark := range remarks {
		lines = append(lines, "remark: "+remark)
	}
	if verdict == nil {
		lines = append(lines, "no faults")
	}
	if _, err := fmt.Fprintln(p.Stdout, strings.Join(lines, "\n")); err != nil {
		return err
	}
	return verdict
}

func runBackup(ctx context.Context, p Process) error {
	c, words, err := operands(p, &flag.FlagSet{}, "zedcard backup FILE", 1)
	if err != nil {
		return err
	}
	if err := database.Backup(ctx, string(c.DatabaseURL), words[0]); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	return nil
}

func runForget(ctx context.Context, p Process) error {
	c, words, err := operands(p, &flag.FlagSet{}, "zedcard forget ID", 1)
	if err != nil {
		return err
	}
	return Forget(ctx, c, words[0], p.Stdout)
}

func printVersion(_ context.Context, p Process) error {
	if _, err := config.Load(p.Args, p.Env); errors.Is(err, flag.ErrHelp) || errors.Is(err, config.ErrUsage) {
		return err
	}
	_, err := fmt.Fprintf(p.Stdout, "zedcard %s (%s)\n", p.Build.Name(), runtime.Version())
	return err
}
