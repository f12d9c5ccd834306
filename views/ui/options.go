package ui

import (
	"context"
	"html"
	"io"
	"strings"

	"github.com/a-h/templ"
)

// inText escapes what is markup in a text. Quotes are not: a form has some 800 of them, in inches.
var inText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// options are the options of a select box. Those of numbers have no end tags, which HTML does not need: the form to
// apply has 900 of them.
func options(f Field, choose string, choices []Choice) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var out strings.Builder
		add := func(c Choice, selected bool) {
			out.WriteString(`<option value="` + html.EscapeString(c.Value) + `"`)
			if selected {
				out.WriteString(" selected")
			}
			if c.Disabled {
				out.WriteString(" disabled")
			}
			out.WriteByte('>')
			_, _ = inText.WriteString(&out, c.Label) // a Builder takes all
			if c.Label == "" || c.Label[0] < '0' || c.Label[0] > '9' {
				out.WriteString("</option>")
			}
		}
		none := Choice{Label: choose}
		add(none, false)
		for _, c := range withValue(choices, f.Value) {
			if f.Value == "" && f.Start != "" && c.Value == f.Start {
				add(none, true)
			}
			add(c, c.Value == f.Value)
		}
		_, err := io.WriteString(w, out.String())
		return err
	})
}
