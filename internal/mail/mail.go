// Package mail sends mails by SMTP: notes to the agency, and the link with which a parent or guardian confirms an
// application.
package mail

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"html/template"
	"net"
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	gomail "github.com/wneessen/go-mail"
	"golang.org/x/net/idna"
)

// sendTimeout bounds one mail, from the DNS lookup to the server's last answer.
const sendTimeout = 30 * time.Second

// Sender sends through one server.
type Sender struct {
	host        string
	implicitTLS bool // from the start of the connection
	options     []gomail.Option
	from        string
	to          string
}

// New reads the server's address:
//
//	smtp://USER:PASSWORD@HOST:587    STARTTLS is required; without a user it is used if the server has it
//	smtps://USER:PASSWORD@HOST:465   encrypted from the beginning
//
// The sender is the user if that is a mail address, otherwise the receiver, because a server may accept no other. The
// error says what is accepted and nothing of the value, which holds a password.
func New(server, to string) (*Sender, error) {
	u, err := url.Parse(server)
	if err != nil || u.Scheme != "smtp" && u.Scheme != "smtps" || u.Hostname() == "" || u.Path != "" ||
		u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New(
			"smtp://USER:PASSWORD@HOST:587 or smtps://USER:PASSWORD@HOST:465, signs in the password written " +
				"%40 and so on")
	}
	s := &Sender{host: u.Hostname(), from: to, to: to, options: []gomail.Option{
		gomail.WithTimeout(sendTimeout), gomail.WithPort(587),
	}}
	policy := gomail.TLSOpportunistic // a server without a password is the operator's own
	if password, ok := u.User.Password(); ok {
		policy = gomail.TLSMandatory
		s.options = append(s.options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover),
			gomail.WithUsername(u.User.Username()), gomail.WithPassword(password))
		if address, err := mail.ParseAddress(u.User.Username()); err == nil {
			s.from = address.Address
		}
	}
	if u.Scheme == "smtps" {
		s.implicitTLS, policy = true, gomail.TLSOpportunistic // dial has encrypted already
		s.options = append(s.options, gomail.WithPort(465))
	}
	s.options = append(s.options, gomail.WithTLSPolicy(policy))
	if _, ok := u.User.Password(); !ok && isLoopback(s.host) && !s.implicitTLS {
		// A local server's certificate is self-made, and nobody else can be on the way.
		s.options = append(s.options, gomail.WithTLSConfig(&tls.Config{
			ServerName: s.host, MinVersion: tls.VersionTLS12, InsecureSkipVerify: true, // #nosec G402 -- this machine
		}))
	}
	if port := u.Port(); port != "" {
		number, err := strconv.ParseUint(port, 10, 16)
		if err != nil || number == 0 {
			return nil, errors.New("a port from 1 to 65535")
		}
		s.options = append(s.options, gomail.WithPort(int(number)))
	}
	return s, nil
}

func isLoopback(host string) bool {
	return strings.EqualFold(host, "localhost") || net.ParseIP(host).IsLoopback()
}

// From is the address of the sender.
func (s *Sender) From() string { return s.from }

// dial connects, and closes the connection when ctx ends: the library leaves it open if the sign-in does not finish.
func (s *Sender) dial(ctx context.Context) gomail.DialContextFunc {
	return func(dialCtx context.Context, network, address string) (net.Conn, error) {
		var conn net.Conn
		var err error
		if s.implicitTLS {
			dialer := tls.Dialer{Config: &tls.Config{ServerName: s.host, MinVersion: tls.VersionTLS12}}
			conn, err = dialer.DialContext(dialCtx, network, address)
		} else {
			conn, err = (&net.Dialer{}).DialContext(dialCtx, network, address)
		}
		if err == nil {
			context.AfterFunc(ctx, func() { _ = conn.Close() })
		}
		return conn, err
	}
}

func (s *Sender) client(ctx context.Context) (*gomail.Client, error) {
	return gomail.NewClient(s.host, append(slices.Clone(s.options), gomail.WithDialContextFunc(s.dial(ctx)))...)
}

// tryTimeout is how long Try waits.
const tryTimeout = 10 * time.Second

// Try greets the server, encrypts and signs in as for a mail, and sends none.
func (s *Sender) Try(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, tryTimeout)
	defer cancel()
	client, err := s.client(ctx)
	if err != nil {
		return err
	}
	if err := client.DialWithContext(ctx); err != nil {
		return err
	}
	return client.Close()
}

// Message is a mail in plain text. Receivers recognise a repeat by ID.
type Message struct {
	ID, Subject, Text string
	To                string // empty: the agency
	ReplyTo           string // empty: the agency
	FromName          string // shown beside the sender's address; may be empty
	Letterhead        *Letterhead
}

// Letterhead gives a mail the agency's look, beside the plain text.
type Letterhead struct {
	Agency             string
	Logo               []byte // a PNG; nil: the name stands in its place
	Ink, Paper, Accent string // #rrggbb
}

// ErrRefused is the error if the server refuses the receiver's address permanently.
var ErrRefused = errors.New("the address is refused")

// enhanced finds the code of RFC 3463 in an answer, also of a server that does not announce such codes.
var enhanced = regexp.MustCompile(`\b[45]\d\d "?([245]\.\d{1,3}\.\d{1,3})\b`)

// aboutAddress reports whether an answer to RCPT says that the address does not exist. Servers delay their other
// refusals (of the client, its name, relaying) until RCPT; those end once an operator has mended the cause.
func aboutAddress(err *gomail.SendError) bool {
	if err.Reason != gomail.ErrSMTPRcptTo || err.IsTemp() {
		return false
	}
	if code := enhanced.FindStringSubmatch(err.Error()); code != nil {
		return strings.HasPrefix(code[1], "5.1.")
	}
	return slices.Contains([]int{550, 551, 553}, err.ErrorCode())
}

// Send sends a message. An error does not name the receiver, because it is logged.
func (s *Sender) Send(ctx context.Context, m Message) error {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	client, err := s.client(ctx)
	if err != nil {
		return fmt.Errorf("mail: %w", err)
	}
	conn, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return fmt.Errorf("mail: %w", err)
	}
	defer client.CloseWithSMTPClient(conn) //nolint:errcheck // the server has accepted the mail, or the error is known
	takesUTF8, _ := conn.Extension("SMTPUTF8")
	message, err := s.compose(m, takesUTF8)
	if err != nil {
		return fmt.Errorf("mail: %w", err)
	}
	err = client.SendWithSMTPClient(conn, message)
	var sendErr *gomail.SendError
	switch {
	case err == nil, message.IsDelivered(): // the server accepted it, however the connection ended
		return nil
	case !errors.As(err, &sendErr):
		return fmt.Errorf("mail: %w", err)
	case aboutAddress(sendErr):
		return fmt.Errorf("mail: %w (%d)", ErrRefused, sendErr.ErrorCode())
	}
	// What the server said may repeat the receiver's address.
	return fmt.Errorf("mail: %s (%d)", sendErr.Reason, sendErr.ErrorCode())
}

// compose writes a message for a server that takes addresses in UTF-8, or doesn't.
func (s *Sender) compose(m Message, takesUTF8 bool) (*gomail.Msg, error) {
	message := gomail.NewMsg()
	usable := func(address string) bool { return takesUTF8 || isASCII(address) }
	to := inASCII(cmp.Or(m.To, s.to))
	if !usable(to) || message.To(to) != nil {
		return nil, ErrRefused
	}
	message.FromMailAddress(&mail.Address{Name: m.FromName, Address: inASCII(s.from)})
	replyTo := inASCII(m.ReplyTo)
	if m.ReplyTo == "" || !usable(replyTo) || message.ReplyTo(replyTo) != nil {
		message.ReplyToMailAddress(&mail.Address{Address: inASCII(s.to)})
	}
	message.Subject(strings.ReplaceAll(m.Subject, "=?", "= ?")) // else it could be an encoded word
	message.SetDate()
	message.SetMessageIDWithValue(m.ID + "@" + s.host)
	message.SetGenHeader("Auto-Submitted", "auto-generated")
	message.SetBodyString(gomail.TypeTextPlain, m.Text)
	if m.Letterhead != nil {
		m.Letterhead.add(message, m.Text)
	}
	return message, nil
}

// inASCII writes the domain of an address in ASCII, as every server takes it. What stands before the @ has no such
// form.
func inASCII(address string) string {
	at := strings.LastIndexByte(address, '@')
	domain, err := idna.Lookup.ToASCII(address[at+1:])
	if err != nil || at < 0 {
		return address
	}
	return address[:at+1] + domain
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII })
}

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
