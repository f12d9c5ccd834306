// Package mail sends by SMTP: notes to somebody at the agency, and the link by which a parent or guardian confirms an
// application. A mail lies about unsealed, so it says nothing of what was written.
package mail

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/url"
	"slices"
	"strconv"
	"time"

	gomail "github.com/wneessen/go-mail"
)

// sendTimeout bounds one mail, from looking the server up to its last word.
const sendTimeout = 30 * time.Second

// Sender sends through one server.
type Sender struct {
	host      string
	encrypted bool // from the beginning
	options   []gomail.Option
	from      string
	to        string
}

// New reads the server's address:
//
//	smtp://USER:PASSWORD@HOST:587    encrypted from the greeting on (STARTTLS); without a user where the server can
//	smtps://USER:PASSWORD@HOST:465   encrypted from the beginning
//
// The user, where it is a mail address, is the sender; else the receiver is, because a server may take no other. The
// error says what is accepted and nothing of what was read.
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
	policy := gomail.TLSOpportunistic // a server that asks for no password is one's own
	if password, ok := u.User.Password(); ok {
		policy = gomail.TLSMandatory
		s.options = append(s.options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover),
			gomail.WithUsername(u.User.Username()), gomail.WithPassword(password))
		if address, err := mail.ParseAddress(u.User.Username()); err == nil {
			s.from = address.Address
		}
	}
	if u.Scheme == "smtps" {
		s.encrypted, policy = true, gomail.TLSOpportunistic // dial encrypts, and there is no second time
		s.options = append(s.options, gomail.WithPort(465))
	}
	s.options = append(s.options, gomail.WithTLSPolicy(policy))
	if port := u.Port(); port != "" {
		number, err := strconv.ParseUint(port, 10, 16)
		if err != nil || number == 0 {
			return nil, errors.New("a port from 1 to 65535")
		}
		s.options = append(s.options, gomail.WithPort(int(number)))
	}
	return s, nil
}

// dial connects, and hangs up when ctx ends: the library leaves a
// line open on which it did not get as far as signing in.
func (s *Sender) dial(ctx context.Context) gomail.DialContextFunc {
	return func(dialling context.Context, network, address string) (net.Conn, error) {
		var line net.Conn
		var err error
		if s.encrypted {
			dialer := tls.Dialer{Config: &tls.Config{ServerName: s.host, MinVersion: tls.VersionTLS12}}
			line, err = dialer.DialContext(dialling, network, address)
		} else {
			line, err = (&net.Dialer{}).DialContext(dialling, network, address)
		}
		if err == nil {
			context.AfterFunc(ctx, func() { _ = line.Close() })
		}
		return line, err
	}
}

// Message is a plain text. ID is what a receiver knows a repeat by.
type Message struct {
	ID, Subject, Text string
	To                string // empty: the agency
	FromName          string // shown beside the sender's address; may be empty
}

// ErrRefused: the server refuses the receiver's address for good.
var ErrRefused = errors.New("the address is refused")

// Send sends a message; who answers it writes to the agency. An error names no receiver: it is logged.
func (s *Sender) Send(ctx context.Context, m Message) error {
	message := gomail.NewMsg()
	if err := message.To(cmp.Or(m.To, s.to)); err != nil {
		return fmt.Errorf("mail: %w", ErrRefused)
	}
	message.FromMailAddress(&mail.Address{Name: m.FromName, Address: s.from})
	message.ReplyToMailAddress(&mail.Address{Address: s.to})
	message.Subject(m.Subject)
	message.SetDate()
	message.SetMessageIDWithValue(m.ID + "@" + s.host)
	message.SetGenHeader("Auto-Submitted", "auto-generated")
	message.SetBodyString(gomail.TypeTextPlain, m.Text)
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	client, err := gomail.NewClient(s.host, append(slices.Clone(s.options), gomail.WithDialContextFunc(s.dial(ctx)))...)
	if err != nil {
		return fmt.Errorf("mail: %w", err)
	}
	err = client.DialAndSendWithContext(ctx, message)
	var said *gomail.SendError
	switch {
	case err == nil, message.IsDelivered(): // the server has it, however the line was closed
		return nil
	case !errors.As(err, &said):
		return fmt.Errorf("mail: %w", err)
	case said.Reason == gomail.ErrSMTPRcptTo && !said.IsTemp():
		return fmt.Errorf("mail: %w (%d)", ErrRefused, said.ErrorCode())
	}
	// What the server said may repeat the receiver's address.
	return fmt.Errorf("mail: %s (%d)", said.Reason, said.ErrorCode())
}
