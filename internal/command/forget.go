package command

import (
	"context"
	"flag"
	"fmt"

	"zedcard/internal/app"
	"zedcard/internal/config"
)

// runForget is `zedcard forget [--undo] ID`.
func runForget(ctx context.Context, p Process) error {
	flags := flag.NewFlagSet("forget", flag.ContinueOnError)
	undo := flags.Bool("undo", false, "")
	read := config.Flags(flags)
	if err := config.Parse(flags, p.Args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return fmt.Errorf("%w: zedcard forget [--undo] ID", config.ErrUsage)
	}
	c, err := read(p.Env)
	if err != nil {
		return err
	}
	return app.Forget(ctx, c, flags.Arg(0), *undo, p.Stdout)
}
