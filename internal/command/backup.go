package command

import (
	"context"
	"flag"
	"fmt"

	"zedcard/internal/config"
	"zedcard/internal/database"
)

// runBackup is `zedcard backup FILE`.
func runBackup(ctx context.Context, p Process) error {
	flags := flag.NewFlagSet("backup", flag.ContinueOnError)
	read := config.Flags(flags)
	if err := config.Parse(flags, p.Args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return fmt.Errorf("%w: zedcard backup FILE", config.ErrUsage)
	}
	c, err := read(p.Env)
	if err != nil {
		return err
	}
	if err := database.Backup(ctx, string(c.DatabaseURL), flags.Arg(0)); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	return nil
}
