package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/guardian"
	"zedcard/internal/mail"
	"zedcard/internal/routes"
)

// guardianMail writes to the parents and guardians of applicants under 18.
type guardianMail struct {
	sender  *mail.Sender
	agency  string
	baseURL string
}

// mailer is nil without a mail server.
func (a *App) mailer() (guardian.Mailer, error) {
	if a.Config.SMTPURL == "" {
		return nil, nil
	}
	sender, err := mail.New(string(a.Config.SMTPURL), a.Config.MailTo)
	if err != nil {
		return nil, fmt.Errorf("SMTP_URL: %w", err)
	}
	return guardianMail{sender: sender, agency: a.Config.AgencyName, baseURL: a.Config.BaseURL}, nil
}

// AskGuardian sends the link, in the language of the application. The address may be mistyped, so the mail tells
// nothing about the applicant.
func (g guardianMail) AskGuardian(ctx context.Context, l guardian.Letter) error {
	lang, known := i18n.Parse(l.Lang)
	if !known {
		lang = i18n.EN
	}
	err := g.sender.Send(ctx, mail.Message{
		ID: l.ID + "-guardian", To: l.Address, FromName: g.agency,
		Subject: lang.T("guardian.mail.subject", "agency", g.agency),
		Text: lang.T("guardian.mail.text",
			"agency", g.agency, "site", g.baseURL, "link", g.baseURL+routes.ConfirmationPath(lang, l.Token),
			"came", lang.Date(l.Received), "expires", lang.Date(l.Expires), "reference", l.Reference().String()),
	})
	if errors.Is(err, mail.ErrRefused) {
		return fmt.Errorf("%w: %w", agency.ErrRejected, err)
	}
	return err
}

// NotifyAgency writes to MAIL_TO, in English like everything that operators read.
func (g guardianMail) NotifyAgency(ctx context.Context, a guardian.Application) error {
	return g.sender.Send(ctx, mail.Message{
		ID:      a.ID + "-confirmed",
		Subject: g.agency + ": a guardian has confirmed",
		Text: fmt.Sprintf("The parent or guardian of application %s confirmed it at %s. To read it, run this on the "+
			"site’s server:\n\n    zedcard inbox show %s\n\nA panel knows it by this id, too: it came as its "+
			"Idempotency-Key.\n", a.Reference(), a.Confirmed.Format(time.RFC3339), a.ID),
	})
}
