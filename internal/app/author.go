package app

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"zedcard/i18n"
	"zedcard/internal/author"
	"zedcard/internal/config"
)

// runAccept is `zedcard accept`.
func runAccept(_ context.Context, p Process) error {
	c, err := config.Load(p.Args, p.Env)
	if err != nil {
		return err
	}
	held, err := Accept(c)
	if err != nil {
		return err
	}
	if len(held) == 0 {
		_, err = fmt.Fprintln(p.Stdout, "nothing is held back")
		return err
	}
	for _, fault := range held {
		_, _ = fmt.Fprintln(p.Stdout, fault)
	}
	_, err = fmt.Fprintln(p.Stdout, "accepted: a running site takes the folder at once")
	return err
}

// inFolder is operands for a command that writes to the content folder.
func inFolder(p Process, flags *flag.FlagSet, usage string, count int) (config.Config, []string, error) {
	c, words, err := operands(p, flags, usage, count)
	if err == nil && c.ContentDir == "" {
		err = usageError("name the folder: --content-dir FOLDER")
	}
	return c, words, err
}

// runInit is `zedcard init FOLDER [--demo]`.
func runInit(_ context.Context, p Process) error {
	var flags flag.FlagSet
	demo := flags.Bool("demo", false, "")
	p.Env = func(string) string { return "" } // CONTENT_DIR may name the folder that is to be made
	_, words, err := operands(p, &flags, "zedcard init FOLDER [--demo]", 1)
	if err != nil {
		return err
	}
	files, err := author.Init(words[0], *demo)
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
	c, words, err := inFolder(p, &flag.FlagSet{}, usage, 2)
	if err != nil {
		return err
	}
	name := strings.TrimSpace(words[1])
	if words[0] != "talent" || name == "" {
		return usageError(usage)
	}
	file, id, err := author.NewTalent(c.ContentDir, name)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.Stdout, "%s/%s, id %d, a draft\n", strings.TrimRight(c.ContentDir, "/"), file, id)
	return err
}

// runTexts is `zedcard texts TAG`.
func runTexts(_ context.Context, p Process) error {
	c, words, err := inFolder(p, &flag.FlagSet{}, "zedcard texts TAG --content-dir FOLDER", 1)
	if err != nil {
		return err
	}
	tag, err := language.Parse(words[0])
	if err != nil {
		return fmt.Errorf("%w: %q is no tag of a language, such as fr or pt-PT", config.ErrUsage, words[0])
	}
	file, added, err := author.WriteTexts(c.ContentDir, i18n.Lang(tag.String()))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.Stdout, "%s/%s: %d sentences added\n", strings.TrimRight(c.ContentDir, "/"), file, added)
	return err
}

// runImport is `zedcard import FILE`.
func runImport(_ context.Context, p Process) error {
	const usage = "zedcard import FILE [--pictures DIR] [--dates dmy|mdy] [--dry-run] --content-dir FOLDER"
	var flags flag.FlagSet
	var i author.Import
	flags.StringVar(&i.Pictures, "pictures", "", "")
	flags.StringVar(&i.Dates, "dates", "", "")
	flags.BoolVar(&i.DryRun, "dry-run", false, "")
	c, words, err := inFolder(p, &flags, usage, 1)
	if err != nil {
		return err
	}
	if !slices.Contains([]string{"", "dmy", "mdy", "ymd"}, i.Dates) {
		return usageError(usage)
	}
	i.File, i.MinorCategories = words[0], c.MinorCategories
	ok, err := i.Run(c.ContentDir, p.Stdout)
	if err == nil && !ok {
		return errFaults
	}
	return err
}
