package command

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"

	"zedcard/internal/app"
	"zedcard/internal/config"
)

// runMedia is `zedcard media warm`.
func runMedia(ctx context.Context, p Process) error {
	flags := flag.NewFlagSet("media warm", flag.ContinueOnError)
	covers := flags.Bool("covers", false, "")
	read := config.Flags(flags)
	if len(p.Args) > 0 && p.Args[0] == "warm" {
		p.Args = p.Args[1:]
	} else if len(p.Args) == 0 || !strings.HasPrefix(p.Args[0], "-") {
		return fmt.Errorf("%w: media does one thing: zedcard media warm", config.ErrUsage)
	}
	if err := config.Parse(flags, p.Args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("%w: unknown argument %q", config.ErrUsage, flags.Arg(0))
	}
	c, err := read(p.Env)
	if err != nil {
		return err
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
