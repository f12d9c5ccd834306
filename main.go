// Command zedcard is the website of a model and talent agency.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // for TZ where the machine has no time zones

	"zedcard/internal/app"
	"zedcard/internal/command"
	"zedcard/internal/picture"
)

// version is set by the linker (make build).
var version string

func main() {
	picture.RunWorker()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(command.Run(ctx, command.Process{
		Args: os.Args[1:], Env: os.Getenv, Environ: os.Environ(), Stdout: os.Stdout, Stderr: os.Stderr,
		Build: app.Build{Version: version},
	}))
}
