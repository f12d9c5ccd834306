// Command zedcard is the website of a model and talent agency.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	_ "time/tzdata" // for TZ where the machine has no time zones

	"zedcard/internal/app"
	"zedcard/internal/picture"
)

// version is set by the linker (make build).
var version string

func main() {
	picture.RunWorker()
	useMemory()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(app.Run(ctx, app.Process{
		Args: os.Args[1:], Env: os.Getenv, Stdout: os.Stdout, Stderr: os.Stderr, Build: app.Build{Version: version},
	}))
}

// useMemory lets garbage wait until it is half as much again as what is in use, which keeps 1,000 talents under load
// near 150 MB. The limit is above what 8,000 half requests take: below it the collector would have half of the
// processor time. GOGC and GOMEMLIMIT say otherwise.
func useMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(150)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(320 << 20)
	}
}
