package intake

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"zedcard/internal/agency"
)

// List writes one line for each entry: id, kind, state, time, name and e-mail address in columns, by when an answer was
// promised, and for an applicant under 18 whether a guardian has confirmed; with asJSON a JSON array with an object on
// each line.
func (in *Intake) List(ctx context.Context, w io.Writer, asJSON bool) error {
	entries, err := in.Entries(ctx)
	if err != nil {
		return err
	}
	if asJSON {
		return writeJSON(w, entries)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, e := range entries {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s", printable(e.ID), printable(string(e.Kind)),
			e.State, e.Time.Format(time.RFC3339), printable(e.Name), printable(e.Email))
		if deadline := e.deadline(in.options.Now()); deadline != "" {
			fmt.Fprintf(table, "\t%s", deadline)
		}
		if e.Guardian != "" {
			fmt.Fprintf(table, "\tguardian %s", e.Guardian)
		}
		fmt.Fprintln(table)
	}
	return table.Flush()
}

// writeJSON writes an array with one element on each line, readable for programs and people.
func writeJSON[T any](w io.Writer, list []T) error {
	lines := make([]string, len(list))
	for i, element := range list {
		line, err := json.Marshal(element)
		if err != nil {
			return err
		}
		lines[i] = "\n" + string(line)
	}
	_, err := fmt.Fprintf(w, "[%s\n]\n", strings.Join(lines, ","))
	return err
}

// Show writes one submission: a line for each field and each box that was ticked, the names and sizes of its photos,
// and what was done with it.
func (in *Intake) Show(ctx context.Context, w io.Writer, id string) error {
	e, s, err := in.Find(ctx, id)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name, value string) {
		if value != "" {
			value = strings.ReplaceAll(value, "\n", "\n\t")
			fmt.Fprintf(table, "%s\t%s\n", printable(name), printable(value))
		}
	}
	line("id", e.ID)
	line("kind", string(e.Kind))
	line("state", string(e.State))
	line("time", e.Time.Format(time.RFC3339))
	line("fault", e.LastError)
	line("guardian", e.Guardian)
	line("answer", e.deadline(in.options.Now()))
	for _, field := range s.Fields {
		if field.Name != agency.ConsentsField {
			line(field.Name, field.Value)
		}
	}
	for _, c := range agency.Consents(s.Fields) {
		line("consent", fmt.Sprintf("%s: “%s” (%s, %s, policy %s)",
			c.Box, c.Text, c.Lang, c.Time.Format(time.RFC3339), cmp.Or(c.Policy, "unknown")))
	}
	for _, file := range s.Files {
		line(file.Field, fmt.Sprintf("%s (%s, %d KB)", file.Name, file.Type, (len(file.Data)+1023)/1024))
	}
	events, err := in.History(ctx, e.ID)
	if err != nil {
		return err
	}
	for _, event := range events {
		line("history", event.Time.Format(time.RFC3339)+" "+event.Action)
	}
	return table.Flush()
}

// printable removes control characters, with which a visitor's text could control the operator's terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
			return '\uFFFD'
		}
		return r
	}, text)
}
