package mail_test

import (
	"bufio"
	"crypto/tls"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/mail"
)

// server is an SMTP server that accepts one mail, without encryption if encryption is nil, and returns what the client
// said.
func server(t *testing.T, encryption *tls.Config, refused ...string) (address string, said <-chan string) {
	t.Helper()
	return serverWith(t, encryption, "PIPELINING", refused...)
}

// serverWith is a server with this extension.
func serverWith(
	t *testing.T, encryption *tls.Config, extension string, refused ...string,
) (address string, said <-chan string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	if encryption != nil {
		listener = tls.NewListener(listener, encryption)
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
		defer conn.Close()
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
			case strings.HasPrefix(line, "EHLO"):
				fmt.Fprintf(conn, "250-stand-in\r\n250-%s\r\n250 AUTH PLAIN LOGIN\r\n", extension)
			case strings.HasPrefix(line, "AUTH"):
				fmt.Fprint(conn, "235 welcome\r\n")
			case slices.Contains(refused, strings.TrimSuffix(strings.TrimPrefix(line, "RCPT TO:<"), ">")):
				fmt.Fprintf(conn, "550 5.1.1 %s: nobody of this name\r\n", line)
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

// sent sends a mail of the agency's and returns what the server heard.
func sent(t *testing.T, m mail.Message) (heard string) {
	t.Helper()
	address, said := server(t, nil)
	s, err := mail.New("smtp://"+address, "bookings@best.example")
	require.NoError(t, err)
	require.NoError(t, s.Send(t.Context(), m))
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

	address, said := server(t, &tls.Config{Certificates: web.TLS.Certificates, MinVersion: tls.VersionTLS12})
	s, err := mail.New("smtps://ana%40best.example:hunter2@"+address, "bookings@best.example")
	require.NoError(t, err)
	require.NoError(t, s.Send(t.Context(), mail.Message{ID: "0123", Subject: "New", Text: "text"}))
	heard := <-said
	assert.Contains(t, heard, "AUTH ")
	assert.Contains(t, heard, "MAIL FROM:<ana@best.example>")
}

func TestAPasswordIsNotSentUnencrypted(t *testing.T) {
	address, said := server(t, nil)
	s, err := mail.New("smtp://ana%40best.example:hunter2@"+address, "bookings@best.example")
	require.NoError(t, err)
	err = s.Send(t.Context(), mail.Message{ID: "0123", Subject: "New", Text: "text"})
	require.ErrorContains(t, err, "TLS")
	assert.NotContains(t, err.Error(), "hunter2")
	assert.NotContains(t, <-said, "AUTH")
}

func TestATryGreetsAndSendsNothing(t *testing.T) {
	address, said := server(t, nil)
	s, err := mail.New("smtp://"+address, "bookings@best.example")
	require.NoError(t, err)
	require.NoError(t, s.Try(t.Context()))
	heard := <-said
	assert.Contains(t, heard, "EHLO")
	assert.NotContains(t, heard, "MAIL FROM")

	address, _ = server(t, nil)
	s, err = mail.New("smtp://ana%40best.example:hunter2@"+address, "bookings@best.example")
	require.NoError(t, err)
	err = s.Try(t.Context())
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
		address := answering(t, nil, answer)
		s, err := mail.New("smtp://"+address, "bookings@best.example")
		require.NoError(t, err)
		err = s.Send(t.Context(), mail.Message{ID: "0123", To: "orla@example.com", Subject: "Hi", Text: "text"})
		require.Error(t, err, answer)
		assert.Equal(t, final, errors.Is(err, mail.ErrRefused), answer)
	}
}

func TestALocalServersOwnCertificateIsAccepted(t *testing.T) {
	web := httptest.NewTLSServer(nil) // for its certificate, which nobody has signed
	defer web.Close()
	encryption := &tls.Config{Certificates: web.TLS.Certificates, MinVersion: tls.VersionTLS12}
	local := func() string { // a name that is not in the certificate
		return strings.Replace(answering(t, encryption, "250 ok"), "127.0.0.1", "localhost", 1)
	}
	s, err := mail.New("smtp://"+local(), "bookings@best.example")
	require.NoError(t, err)
	require.NoError(t, s.Try(t.Context()))

	s, err = mail.New("smtp://ana:hunter2@"+local(), "bookings@best.example")
	require.NoError(t, err)
	require.ErrorContains(t, s.Try(t.Context()), "certificate", "a password goes to nobody unknown")
}

// answering is an SMTP server with STARTTLS, unless encryption is nil, and an answer to each RCPT.
func answering(t *testing.T, encryption *tls.Config, answer string) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer func() { _ = conn.Close() }()
		fmt.Fprint(conn, "220 stand-in\r\n")
		for lines := bufio.NewScanner(conn); lines.Scan(); {
			switch line := lines.Text(); {
			case strings.HasPrefix(line, "EHLO") && encryption != nil:
				fmt.Fprint(conn, "250-stand-in\r\n250 STARTTLS\r\n")
			case line == "STARTTLS":
				fmt.Fprint(conn, "220 go on\r\n")
				conn = tls.Server(conn, encryption)
				lines = bufio.NewScanner(conn)
			case line == "QUIT":
				fmt.Fprint(conn, "221 bye\r\n")
				return
			case strings.HasPrefix(line, "RCPT"):
				fmt.Fprint(conn, answer+"\r\n")
			default:
				fmt.Fprint(conn, "250 ok\r\n")
			}
		}
	}()
	return listener.Addr().String()
}

func TestErrorsDoNotPrintARefusedRecipient(t *testing.T) {
	for _, to := range []string{"orla@example.com", "no address"} {
		address, _ := server(t, nil, "orla@example.com")
		s, err := mail.New("smtp://"+address, "bookings@best.example")
		require.NoError(t, err)
		err = s.Send(t.Context(), mail.Message{ID: "0123", To: to, Subject: "Hi", Text: "text"})
		require.ErrorIs(t, err, mail.ErrRefused)
		assert.NotContains(t, err.Error(), "orla")
		assert.NotContains(t, err.Error(), "no address")
	}
}

func TestInternationalAddresses(t *testing.T) {
	send := func(extension string, m mail.Message) (heard string, err error) {
		address, said := serverWith(t, nil, extension)
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
