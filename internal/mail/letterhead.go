package mail

import (
	"bytes"
	"html/template"
	"regexp"

	gomail "github.com/wneessen/go-mail"
)

// logoFile is the name of the logo in a mail.
const logoFile = "logo.png"

// letter is a text as HTML, with styles on the elements: many programs read no others.
var letter = template.Must(template.New("letter").Parse(`<!DOCTYPE html>
<html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>
<body style="margin:0;padding:24px;background:{{.Paper}};color:{{.Ink}};font:16px/1.5 sans-serif">
<div style="max-width:38em;margin:0 auto">
<p style="margin:0 0 24px;font-size:22px">{{if .Logo}}<img src="cid:` + logoFile + `" alt="{{.Agency}}" height="36"
 style="height:36px;max-width:100%">{{else}}{{.Agency}}{{end}}</p>
<div style="white-space:pre-wrap">{{range .Parts}}{{if .Link}}<a href="{{.Link}}" style="color:{{$.Accent}}">
{{- .Link}}</a>{{else}}{{.Text}}{{end}}{{end}}</div>
</div></body></html>
`))

type part struct{ Text, Link string }

var link = regexp.MustCompile(`https?://[^\s<>"]*[^\s<>".,;:)]`)

// add adds the text as HTML to a message. Whoever's program shows none reads the plain text.
func (l *Letterhead) add(message *gomail.Msg, text string) {
	var parts []part
	at := 0
	for _, found := range link.FindAllStringIndex(text, -1) {
		parts = append(parts, part{Text: text[at:found[0]]}, part{Link: text[found[0]:found[1]]})
		at = found[1]
	}
	_ = message.AddAlternativeHTMLTemplate(letter, struct { // a template that the tests execute
		*Letterhead
		Parts []part
	}{l, append(parts, part{Text: text[at:]})})
	if l.Logo != nil {
		_ = message.EmbedReader(logoFile, bytes.NewReader(l.Logo)) // a buffer can be read
	}
}
