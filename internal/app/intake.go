package app

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"strconv"

	"zedcard/internal/config"
	"zedcard/internal/folder"
	"zedcard/internal/intake"
	"zedcard/internal/mail"
	"zedcard/internal/site"
)

// Intake opens the store of submissions, with the mail server if there is one.
func (a *App) Intake() (*intake.Intake, error) {
	options := intake.Options{
		Site: a.site, BaseURL: a.Config.BaseURL,
		MaxBytes: a.Config.OutboxSize, Log: a.Log,
		GuardianFirst: a.Config.AsksGuardiansFirst(), Browser: a.Config.Embedded() && !a.backEndAlone,
	}
	if a.Config.SMTPURL != "" {
		post := mailer{a.Config, a.site}
		if _, err := post.sender(); err != nil {
			return nil, fmt.Errorf("SMTP_URL: %w", err)
		}
		options.Mail = post
	}
	return intake.New(a.DB, a.Keys, options), nil
}

// site is the site as the back end has it, or its folder, for a command without one.
func (a *App) site() *site.Site {
	if a.backEnds != nil {
		return a.backEnds.Site()
	}
	return folder.ReadSite(ContentFolder(a.Config), a.Config.Host())
}

// mailer sends mails to the agency's address, with its look, as its folder has them when a mail is sent.
type mailer struct {
	config config.Config
	site   func() *site.Site
}

func (m mailer) sender() (*mail.Sender, error) {
	return mail.New(string(m.config.SMTPURL), cmp.Or(m.config.MailTo, m.site().Bookings))
}

// Send implements intake.Mailer.
func (m mailer) Send(ctx context.Context, message mail.Message) error {
	sender, err := m.sender()
	if err != nil {
		return err
	}
	site := m.site()
	if look := site.Look; look.HasOwn() {
		message.Letterhead = &mail.Letterhead{
			Agency: site.Name, Logo: look.LogoPNG,
			Ink: look.Hex("ink"), Paper: look.Hex("paper"), Accent: look.Hex("action"),
		}
	}
	return sender.Send(ctx, message)
}

// tellOfVanished tells operator and agency that so many talents are missing from a back end's list that the last one
// stays.
func (a *App) tellOfVanished(gone, of int) {
	a.Log.Error("the last list of talents stays", "gone", gone, "of", of, "back end", a.Config.IntegrationURL)
	if tell := alert(a.Config, a.Log); tell != nil {
		first := a.site().Texts.First()
		tell(a.site(), first.T("held.mail.subject"),
			first.T("held.mail.list", "n", strconv.Itoa(gone), "of", strconv.Itoa(of)))
	}
}

// alert mails the agency; nil without a mail server.
func alert(c config.Config, log *slog.Logger) func(now *site.Site, subject, message string) {
	if c.SMTPURL == "" {
		return nil
	}
	return func(now *site.Site, subject, message string) {
		post := mailer{c, func() *site.Site { return now }}
		go func() { // a mail server may take its time
			err := post.Send(context.Background(), mail.Message{ID: rand.Text(), Subject: subject, Text: message})
			if err != nil {
				log.Error("the mail about the content folder was not sent", "error", err)
			}
		}()
	}
}
