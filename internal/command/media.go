package command

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"

	"zedcard/internal/app"
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
	return withConfig(ctx, p, c, func(a *app.App) error {
		return a.WarmPictures(ctx, *covers, func(done, total int) { showProgress(p.Stdout, done, total) })
	})
}

// showProgress draws a bar on one line of a terminal, which ends with the last picture.
func showProgress(w io.Writer, done, total int) {
	const width = 40
	full, end := done*width/total, ""
	if done == total {
		end = "\n"
	}
	_, _ = fmt.Fprintf(w, "\r[%s%s] %d of %d pictures%s", // a terminal that is gone must not stop the work
		strings.Repeat("#", full), strings.Repeat(" ", width-full), done, total, end)
}
