package app

import (
	"cmp"
	"fmt"

	"zedcard/internal/backend/embedded"
	"zedcard/internal/config"
	"zedcard/internal/intake"
	"zedcard/internal/mail"
)

// Intake opens the store of submissions, with the mail server if there is one.
func (a *App) Intake() (*intake.Intake, error) {
	site := a.Config.Site(embedded.ReadSite(ContentFolder(a.Config)))
	options := intake.Options{
		Agency: site.Name, BaseURL: a.Config.BaseURL, MaxBytes: a.Config.OutboxSize, Log: a.Log,
		NoContent: a.Config.MailContent == config.MailNote, GuardianFirst: a.Config.AsksGuardiansFirst(),
		Browser:    a.Config.Embedded() && !a.backEndAlone,
		PanelKeeps: !a.Config.Embedded() && !a.Config.AsksGuardiansFirst(),
	}
	if a.Config.SMTPURL != "" {
		sender, err := mail.New(string(a.Config.SMTPURL), cmp.Or(a.Config.MailTo, site.Bookings))
		if err != nil {
			return nil, fmt.Errorf("SMTP_URL: %w", err)
		}
		options.Mail = sender
	}
	return intake.New(a.DB, a.Keys, options), nil
}
