package mail_test

import (
	"bufio"
	"cmp"
	"crypto/tls"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/mail"
)

// stand is an SMTP server for one mail.
type stand struct {
	tls, startTLS *tls.Config // from the first byte; once it is asked for
	extension     string
	rcpt          string // the answer to each RCPT, 250 if empty
}

// listen starts the server; said is what the client says.
func (s stand) listen(t *testing.T) (address string, said <-chan string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	if s.tls != nil {
		listener = tls.NewListener(listener, s.tls)
	}
	t.Cleanup(func() { _ = listener.Close() })
	heard := make(chan string, 1)
	go func() {
		var all strings.Builder
		defer func() { heard <- all.String() }()
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer func() { _ = conn.Close() }()
		fmt.Fprint(conn, "220 stand-in\r\n")
		inMail := false
		for lines := bufio.NewScanner(conn); lines.Scan(); {
			line := lines.Text()
			all.WriteString(line + "\n")
			switch {
			case inMail && line == ".":
				inMail = false
				fmt.Fprint(conn, "250 taken\r\n")
			case inMail:
			case strings.HasPrefix(line, "EHLO") && s.startTLS != nil:
				fmt.Fprint(conn, "250-stand-in\r\n250 STARTTLS\r\n")
			case strings.HasPrefix(line, "EHLO"):
				fmt.Fprintf(conn, "250-stand-in\r\n250-%s\r\n250 AUTH PLAIN LOGIN\r\n",
					cmp.Or(s.extension, "PIPELINING"))
			case line == "STARTTLS":
				fmt.Fprint(conn, "220 go on\r\n")
				conn = tls.Server(conn, s.startTLS)
				lines = bufio.NewScanner(conn)
			case strings.HasPrefix(line, "AUTH"):
				fmt.Fprint(conn, "235 welcome\r\n")
			case strings.HasPrefix(line, "RCPT"):
				fmt.Fprint(conn, cmp.Or(s.rcpt, "250 ok")+"\r\n")
			case line == "DATA":
				inMail = true
				fmt.Fprint(conn, "354 go on\r\n")
			case line == "QUIT":
				fmt.Fprint(conn, "221 bye\r\n")
				return
			default:
				fmt.Fprint(conn, "250 ok\r\n")
			}
		}
	}()
	return listener.Addr().String(), heard
}

// news is a mail, to the agency if nobody is named.
func news(to string) mail.Message {
	return mail.Message{ID: "0123", To: to, Subject: "New", Text: "text"}
}

// mailer is the agency's, by a server.
func mailer(t *testing.T, server string) *mail.Sender {
	t.Helper()
	s, err := mail.New(server, "bookings@best.example")
	require.NoError(t, err)
	return s
}

// sent sends a mail of the agency's and returns what the server heard.
func sent(t *testing.T, m mail.Message) (heard string) {
	t.Helper()
	address, said := stand{}.listen(t)
	require.NoError(t, mailer(t, "smtp://"+address).Send(t.Context(), m))
	return <-said
}

func TestAMailArrives(t *testing.T) {
	heard := sent(t, mail.Message{ID: "0123", Subject: "Nova inscrição", Text: "zedcard inbox show 0123"})
	for _, line := range []string{
		"MAIL FROM:<bookings@best.example>", "RCPT TO:<bookings@best.example>", "To: <bookings@best.example>",
		"Subject: =?UTF-8?q?Nova_inscri=C3=A7=C3=A3o?=", "Message-ID: <0123@127.0.0.1>", "zedcard inbox show 0123",
	} {
		assert.Contains(t, heard, line+"\n")
	}
}

func TestANameIsNoEncodedWordOfASubject(t *testing.T) {
	heard := sent(t, mail.Message{ID: "0123", Subject: "From =?utf-8?q?=0D=0ABcc:_x?=", Text: "text"})
	assert.Contains(t, heard, "Subject: From = ?utf-8?q?=0D=0ABcc:_x?=\n")
}

func TestAMailHasTheAgencysLetterheadBesideItsText(t *testing.T) {
	heard := sent(t, mail.Message{
		ID: "0123", Subject: "Confirm", Text: "Open <this>:\nhttps://lumen.example/a?b=1.",
		Letterhead: &mail.Letterhead{
			Agency: "Studio Lumen", Logo: []byte("PNG"), Ink: "#102a43", Paper: "#fffaf2", Accent: "#0b5d66",
		},
	})
	heard = strings.ReplaceAll(strings.ReplaceAll(heard, "=\n", ""), "=3D", "=")
	assert.Contains(t, heard, "Content-Type: text/plain")
	assert.Contains(t, heard, "Open <this>:", "the plain text stays")
	assert.Contains(t, heard, `<a href="https://lumen.example/a?b=1" style="color:#0b5d66">`)
	assert.Contains(t, heard, "Open &lt;this&gt;:")
	assert.Contains(t, heard, `src="cid:logo.png" alt="Studio Lumen"`)
	assert.Contains(t, heard, "Content-Id: <logo.png>")
}

func TestAPasswordIsSentOverTLS(t *testing.T) {
	web := httptest.NewTLSServer(nil) // for its certificate
	defer web.Close()
	trusted := filepath.Join(t.TempDir(), "trusted.pem")
	require.NoError(t,
		os.WriteFile(trusted, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: web.Certificate().Raw}), 0o600))
	t.Setenv("SSL_CERT_FILE", trusted)

	address, said := stand{
		tls: &tls.Config{Certificates: web.TLS.Certificates, MinVersion: tls.VersionTLS12},
	}.listen(t)
	require.NoError(t, mailer(t, "smtps://ana%40best.example:hunter2@"+address).Send(t.Context(), news("")))
	heard := <-said
	assert.Contains(t, heard, "AUTH ")
	assert.Contains(t, heard, "MAIL FROM:<ana@best.example>")
}

func TestAPasswordIsNotSentUnencrypted(t *testing.T) {
	address, said := stand{}.listen(t)
	err := mailer(t, "smtp://ana%40best.example:hunter2@"+address).Send(t.Context(), news(""))
	require.ErrorContains(t, err, "TLS")
	assert.NotContains(t, err.Error(), "hunter2")
	assert.NotContains(t, <-said, "AUTH")
}

func TestATryGreetsAndSendsNothing(t *testing.T) {
	address, said := stand{}.listen(t)
	require.NoError(t, mailer(t, "smtp://"+address).Try(t.Context()))
	heard := <-said
	assert.Contains(t, heard, "EHLO")
	assert.NotContains(t, heard, "MAIL FROM")

	address, _ = stand{}.listen(t)
	err := mailer(t, "smtp://ana%40best.example:hunter2@"+address).Try(t.Context())
	require.ErrorContains(t, err, "TLS")
	assert.NotContains(t, err.Error(), "hunter2")
}

func TestErrorsDoNotPrintTheServersAddress(t *testing.T) {
	for _, wrong := range []string{
		"mail.best.example:587", "http://u:hunter2@mail.example", "smtp://u:hunter2@",
		"smtp://u:hunter2@mail.example/x", "smtp://u:hunter2@mail.example:0", "smtp://u:hunter2@h:port",
	} {
		_, err := mail.New(wrong, "bookings@best.example")
		require.Error(t, err, wrong)
		assert.NotContains(t, err.Error(), "hunter2")
		assert.NotContains(t, err.Error(), "\n")
	}
}

func TestRepliesGoToTheAgency(t *testing.T) {
	heard := sent(t, mail.Message{
		ID: "0123", To: "orla@example.com", FromName: `Best "Kids" Management`, Subject: "Hi", Text: "text",
	})
	for _, line := range []string{
		"RCPT TO:<orla@example.com>", "To: <orla@example.com>", "Reply-To: <bookings@best.example>",
		`From: "Best \"Kids\" Management" <bookings@best.example>`,
	} {
		assert.Contains(t, heard, line+"\n")
	}
}

func TestOnlyARefusalOfTheAddressIsFinal(t *testing.T) {
	for answer, final := range map[string]bool{
		"550 5.1.1 nobody of this name": true, "553 5.1.3 bad address": true, "550 no such user": true,
		"551 not here": true, "553 not allowed": true,
		"554 5.7.1 Relay access denied": false, "504 5.5.2 Helo command rejected": false, "550 5.7.1 blocked": false,
		"550 5.2.2 mailbox full": false, "554 rejected": false, "450 4.1.1 later": false, "552 full": false,
	} {
		address, _ := stand{rcpt: answer}.listen(t)
		err := mailer(t, "smtp://"+address).Send(t.Context(), news("orla@example.com"))
		require.Error(t, err, answer)
		assert.Equal(t, final, errors.Is(err, mail.ErrRefused), answer)
	}
}

func TestALocalServersOwnCertificateIsAccepted(t *testing.T) {
	web := httptest.NewTLSServer(nil) // for its certificate, which nobody has signed
	defer web.Close()
	encryption := &tls.Config{Certificates: web.TLS.Certificates, MinVersion: tls.VersionTLS12}
	local := func() string { // a name that is not in the certificate
		address, _ := stand{startTLS: encryption}.listen(t)
		return strings.Replace(address, "127.0.0.1", "localhost", 1)
	}
	require.NoError(t, mailer(t, "smtp://"+local()).Try(t.Context()))

	err := mailer(t, "smtp://ana:hunter2@"+local()).Try(t.Context())
	require.ErrorContains(t, err, "certificate", "a password goes to nobody unknown")
}

func TestErrorsDoNotPrintARefusedRecipient(t *testing.T) {
	for _, to := range []string{"orla@example.com", "no address"} {
		address, _ := stand{rcpt: "550 5.1.1 RCPT TO:<orla@example.com>: nobody of this name"}.listen(t)
		err := mailer(t, "smtp://"+address).Send(t.Context(), news(to))
		require.ErrorIs(t, err, mail.ErrRefused)
		assert.NotContains(t, err.Error(), "orla")
		assert.NotContains(t, err.Error(), "no address")
	}
}

func TestInternationalAddresses(t *testing.T) {
	send := func(extension string, m mail.Message) (heard string, err error) {
		address, said := stand{extension: extension}.listen(t)
		s, err := mail.New("smtp://"+address, "booking@agência.example")
		require.NoError(t, err)
		m.ID, m.Subject, m.Text = "0123", "Nova inscrição", "text"
		err = s.Send(t.Context(), m)
		return <-said, err
	}
	for _, extension := range []string{"PIPELINING", "SMTPUTF8"} {
		heard, err := send(extension, mail.Message{To: "rita@família.example", ReplyTo: "łucja@żółw.example"})
		require.NoError(t, err)
		assert.Contains(t, heard, "MAIL FROM:<booking@xn--agncia-jva.example>")
		assert.Contains(t, heard, "RCPT TO:<rita@xn--famlia-5va.example>\n")
		assert.Contains(t, heard, "To: <rita@xn--famlia-5va.example>\n")
		assert.Equal(t, extension == "SMTPUTF8", strings.Contains(heard, "Reply-To: <łucja@xn--"),
			"what stands before the @ needs a server that takes it")
		toAgency := strings.Contains(heard, "Reply-To: <booking@xn--agncia-jva.example>\n")
		assert.Equal(t, extension != "SMTPUTF8", toAgency)
	}
	heard, err := send("PIPELINING", mail.Message{To: "łucja@zolw.example"})
	require.ErrorIs(t, err, mail.ErrRefused)
	assert.NotContains(t, heard, "MAIL FROM")
	heard, err = send("SMTPUTF8", mail.Message{To: "łucja@zolw.example"})
	require.NoError(t, err)
	assert.Contains(t, heard, "RCPT TO:<łucja@zolw.example>\n")
}
