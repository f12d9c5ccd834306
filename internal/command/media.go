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
		bar := progressBar{w: p.Stdout}
		defer bar.end()
		return a.WarmPictures(ctx, *covers, bar.show)
	})
}

// progressBar draws progress on one line of a terminal.
type progressBar struct {
	w       io.Writer
	started bool
}

func (b *progressBar) show(done, total int) {
	const width = 40
	b.started = true
	full := done * width / max(total, 1)
	_, _ = fmt.Fprintf(b.w, "\r[%s%s] %d of %d pictures", // a terminal that is gone must not stop the work
		strings.Repeat("#", full), strings.Repeat(" ", width-full), done, total)
}

// end ends the line.
func (b *progressBar) end() {
	if b.started {
		_, _ = fmt.Fprintln(b.w)
	}
}
