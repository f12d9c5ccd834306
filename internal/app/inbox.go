package app

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

const inboxUsage = "zedcard inbox list | show ID | deliver ID | export DIR | link | " +
	"erase ID | erase --email ADDRESS | erase --held"

// inboxOperands is how many arguments each action of the inbox takes.
var inboxOperands = map[string]int{"list": 0, "show": 1, "deliver": 1, "export": 1, "link": 0, "erase": 1}

// runInbox lists, shows, exports or erases submissions, releases refused and held ones for delivery, or gives a link to
// the inbox in a browser.
func runInbox(ctx context.Context, p Process) error {
	var flags flag.FlagSet
	address := flags.String("email", "", "")
	held := flags.Bool("held", false, "")
	c, words, err := operands(p, &flags, inboxUsage, anyCount)
	if err != nil {
		return err
	}
	if *address != "" || *held {
		if len(words) != 1 || words[0] != "erase" || *address != "" && *held {
			return usageError(inboxUsage)
		}
		words = append(words, "") // the flag says which
	}
	if len(words) == 0 {
		return usageError(inboxUsage)
	}
	if n, known := inboxOperands[words[0]]; !known || len(words) != 1+n {
		return usageError(inboxUsage)
	}
	if file, ok := strings.CutPrefix(string(c.DatabaseURL), "sqlite:"); ok {
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) { // opening it would make an empty one
			return fmt.Errorf("no database at %s: set DATABASE_URL as for the running site", file)
		}
	}
	return withConfig(ctx, p, c, func(a *App) error {
		inbox, err := a.Intake()
		if err != nil {
			return err
		}
		switch words[0] {
		case "show":
			return inbox.Show(ctx, p.Stdout, words[1])
		case "link":
			if !c.Embedded() {
				return errors.New("the panel has the inbox: see PANEL_URL")
			}
			link, err := inbox.InboxLink(ctx)
			fmt.Fprintln(p.Stdout, link)
			return err
		case "deliver": // the running site delivers it within a second
			return inbox.Requeue(ctx, words[1])
		case "erase":
			if *held {
				return inbox.EraseHeld(ctx, p.Stdout)
			}
			if *address != "" {
				return inbox.EraseAddress(ctx, p.Stdout, *address)
			}
			return inbox.Erase(ctx, p.Stdout, words[1])
		case "export":
			return inbox.Export(ctx, words[1])
		}
		return inbox.List(ctx, p.Stdout)
	})
}
