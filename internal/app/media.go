package app

import (
	"context"
	"flag"
	"fmt"
)

// runMedia is `zedcard media warm`.
func runMedia(ctx context.Context, p Process) error {
	const usage = "media does one thing: zedcard media warm"
	var flags flag.FlagSet
	covers := flags.Bool("covers", false, "")
	c, words, err := operands(p, &flags, usage, 1)
	if err != nil {
		return err
	}
	if words[0] != "warm" {
		return usageError(usage)
	}
	return withConfig(ctx, p, c, func(a *App) error {
		return a.WarmPictures(ctx, *covers, func(done, total int) {
			end := ""
			if done == total {
				end = "\n"
			}
			_, _ = fmt.Fprintf(p.Stdout, "\r%d of %d pictures%s", done, total, end) // without a terminal, too
		})
	})
}
