package command

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"zedcard/i18n"
	"zedcard/internal/app"
	"zedcard/internal/backend/embedded"
	"zedcard/internal/config"
)

// runAccept is `zedcard accept`.
func runAccept(_ context.Context, p Process) error {
	c, err := config.Load(p.Args, p.Env)
	if err != nil {
		return err
	}
	gone, err := app.Accept(c)
	if err != nil {
		return err
	}
	message := "nothing is held back"
	if gone > 0 {
		message = fmt.Sprintf("accepted: %d talents leave; a running site takes the folder at once", gone)
	}
	_, err = fmt.Fprintln(p.Stdout, message)
	return err
}

// contentDir is the folder that a command writes to.
func contentDir(c config.Config) (string, error) {
	if c.ContentDir == "" {
		return "", fmt.Errorf("%w: name the folder: --content-dir FOLDER", config.ErrUsage)
	}
	return c.ContentDir, nil
}

// operands reads a command's own arguments, between which the settings' flags may stand.
func operands(p Process, flags *flag.FlagSet, usage string, count int) (config.Config, []string, error) {
	read := config.Flags(flags)
	var words []string
	for args := p.Args; ; args = flags.Args()[1:] {
		if err := config.Parse(flags, args); err != nil {
			return config.Config{}, nil, err
		}
		if flags.NArg() == 0 {
			break
		}
		words = append(words, flags.Arg(0))
	}
	if len(words) != count {
		return config.Config{}, nil, fmt.Errorf("%w: %s", config.ErrUsage, usage)
	}
	c, err := read(p.Env)
	return c, words, err
}

// runInit is `zedcard init FOLDER [--demo]`.
func runInit(_ context.Context, p Process) error {
	flags := flag.NewFlagSet("init", flag.ContinueOnError)
	demo := flags.Bool("demo", false, "")
	p.Env = func(string) string { return "" } // CONTENT_DIR may name the folder that is to be made
	_, words, err := operands(p, flags, "zedcard init FOLDER [--demo]", 1)
	if err != nil {
		return err
	}
	files, err := embedded.Init(words[0], *demo)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.Stdout,
		"%s: %d files. Next: zedcard serve --content-dir %[1]s; the format: %[1]s/README.md\n",
		strings.TrimRight(words[0], "/"), files)
	return err
}

// runNew is `zedcard new talent "Ana Silva"`.
func runNew(_ context.Context, p Process) error {
	const usage = `zedcard new talent "Ana Silva" --content-dir FOLDER`
	c, words, err := operands(p, flag.NewFlagSet("new", flag.ContinueOnError), usage, 2)
	if err != nil {
		return err
	}
	if words[0] != "talent" || strings.TrimSpace(words[1]) == "" {
		return fmt.Errorf("%w: %s", config.ErrUsage, usage)
	}
	folder, err := contentDir(c)
	if err != nil {
		return err
	}
	file, id, err := embedded.NewTalent(folder, strings.TrimSpace(words[1]))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.Stdout, "%s/%s, id %d, a draft\n", strings.TrimRight(folder, "/"), file, id)
	return err
}

// runTexts is `zedcard texts TAG`.
func runTexts(_ context.Context, p Process) error {
	const usage = "zedcard texts TAG --content-dir FOLDER"
	c, words, err := operands(p, flag.NewFlagSet("texts", flag.ContinueOnError), usage, 1)
	if err != nil {
		return err
	}
	folder, err := contentDir(c)
	if err != nil {
		return err
	}
	tag, err := language.Parse(words[0])
	if err != nil {
		return fmt.Errorf("%w: %q is no tag of a language, such as fr or pt-PT", config.ErrUsage, words[0])
	}
	file, added, err := embedded.WriteTexts(folder, i18n.Lang(tag.String()))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.Stdout, "%s/%s: %d sentences added\n", strings.TrimRight(folder, "/"), file, added)
	return err
}

// runImport is `zedcard import FILE.csv`.
func runImport(_ context.Context, p Process) error {
	const usage = "zedcard import FILE.csv [--pictures DIR] [--dates dmy|mdy] [--dry-run] --content-dir FOLDER"
	flags := flag.NewFlagSet("import", flag.ContinueOnError)
	var i embedded.Import
	flags.StringVar(&i.Pictures, "pictures", "", "")
	flags.StringVar(&i.Dates, "dates", "", "")
	flags.BoolVar(&i.DryRun, "dry-run", false, "")
	c, words, err := operands(p, flags, usage, 1)
	if err != nil {
		return err
	}
	if !slices.Contains([]string{"", "dmy", "mdy", "ymd"}, i.Dates) {
		return fmt.Errorf("%w: %s", config.ErrUsage, usage)
	}
	folder, err := contentDir(c)
	if err != nil {
		return err
	}
	i.File = words[0]
	ok, err := i.Run(folder, embedded.Config{MinorCategories: c.MinorCategories}, p.Stdout)
	if err == nil && !ok {
		return errFaults
	}
	return err
}
