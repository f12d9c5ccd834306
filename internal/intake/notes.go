package intake

import (
	"context"
	"strconv"
	"strings"
	"time"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/mail"
	"zedcard/internal/routes"
)

// Mails to the agency are in the first language of its site.
func (in *Intake) first() *i18n.Language { return in.options.Site().Texts.First() }

// moment is a day and a time, as the agency's clock shows it.
func moment(lang *i18n.Language, t time.Time) string {
	return lang.Date(t.Local()) + ", " + t.Local().Format("15:04")
}

// command is a line to be run on the site's server.
func command(says, line string) string { return says + "\n\n    " + line + "\n" }

// toRead says how a submission is read.
func (in *Intake) toRead(ctx context.Context, e Entry) (string, error) {
	lang := in.first()
	if !in.options.Browser {
		return command(lang.T("mail.read.command"), "zedcard inbox show "+e.ID), nil
	}
	link, err := in.submissionLink(ctx, e.ID)
	return command(lang.T("mail.read.link"), link), err
}

func (in *Intake) confirmedNote(ctx context.Context, e Entry) (mail.Message, error) {
	how, err := in.toRead(ctx, e)
	lang := in.first()
	return mail.Message{
		Subject: lang.T("mail.confirmed.subject", "agency", in.options.Site().Name),
		Text: lang.T("mail.confirmed", "reference", e.Reference().String(), "time", moment(lang, e.Confirmed)) + " " +
			how + "\n" + lang.T("mail.confirmed.panel", "id", e.ID) + "\n",
	}, err
}

// messageNote is a message with its text; a reply goes to who wrote it. It has no link to the inbox: whoever answers
// and quotes would give its key to the visitor.
func (in *Intake) messageNote(ctx context.Context, e Entry) (mail.Message, error) {
	s, err := in.findContent(ctx, in.db, e.ID, false)
	if err != nil {
		return mail.Message{}, err
	}
	lang := in.first()
	how := lang.T("mail.message.link") + "\n"
	if !in.options.Browser {
		how, err = in.toRead(ctx, e)
	}
	labels := map[string]string{
		"name": lang.T("contact.name"), "email": lang.T("contact.email"), "phone": lang.T("contact.phone"),
	}
	var text strings.Builder
	for _, field := range s.Fields {
		label, known := labels[field.Name]
		switch {
		case field.Name == "message":
			text.WriteString("\n" + field.Value + "\n\n")
		case known:
			text.WriteString(label + ": " + field.Value + "\n")
		default:
			text.WriteString(field.Name + ": " + field.Value + "\n")
		}
	}
	name, address := s.Contact()
	name = strings.Join(strings.Fields(name), " ") // a subject has one line
	reference := e.Reference()
	return mail.Message{
		Subject: lang.T("mail.message.subject",
			"agency", in.options.Site().Name, "name", name, "reference", reference.String()),
		ReplyTo: address,
		Text: text.String() + "--\n" + lang.T("mail.message", "reference", reference.String(),
			"time", moment(lang, e.Time), "date", lang.Date(reference.AnswerBy()), "email", address) + "\n" + how,
	}, err
}

func (in *Intake) stateNote(ctx context.Context, e Entry, state State) (mail.Message, error) {
	lang, reference := in.first(), e.Reference()
	what := map[agency.ReferenceForm]string{
		agency.MessageReference:     lang.T("mail.new.message"),
		agency.ApplicationReference: lang.T("mail.new.application"),
		agency.MinorReference:       lang.T("mail.new.minor"),
	}[reference.Form]
	advice, deliver := "", "zedcard inbox deliver "+e.ID
	switch state {
	case Suspected:
		what = lang.T("mail.held", "what", what)
		advice = "\n" + command(lang.T("mail.held.how"), deliver)
	case linked:
		what = lang.T("mail.link", "what", what)
	case stuck:
		what = lang.T("mail.stuck", "what", what)
		advice = "\n" + command(lang.T("mail.stuck.how", "n", lang.Integer(stuckAfter)), "zedcard inbox show "+e.ID)
	case Refused:
		what = lang.T("mail.refused", "what", what)
		advice = "\n" + command(lang.T("mail.refused.how"), deliver)
	case Waiting, Queued, Delivered, Received:
	}
	how, err := in.toRead(ctx, e)
	return mail.Message{
		Subject: in.options.Site().Name + ": " + what,
		Text: lang.T("mail.received", "reference", reference.String(), "time", moment(lang, e.Time)) + " " + how +
			advice,
	}, err
}

// deadlinesNote lists what is due by its references, without names.
func (in *Intake) deadlinesNote(ctx context.Context) (mail.Message, error) {
	due, err := in.due(ctx)
	if err != nil {
		return mail.Message{}, err
	}
	lang := in.first()
	text := lang.T("mail.due") + "\n\n"
	for _, e := range due {
		deadline := lang.T("inbox.due", "date", lang.Date(e.Due))
		if e.overdue(in.options.Now()) {
			deadline = lang.T("inbox.overdue", "date", lang.Date(e.Due))
		}
		text += "    " + e.Reference().String() + "  " + deadline + "\n"
	}
	link, err := in.InboxLink(ctx)
	if err != nil {
		return mail.Message{}, err
	}
	return mail.Message{
		Subject: lang.T("mail.due.subject", "agency", in.options.Site().Name, "n", strconv.Itoa(len(due))),
		Text:    text + "\n" + command(lang.T("mail.due.link"), link),
	}, nil
}

// compose writes a mail. Mails are not encrypted at rest, so they contain nothing of what a visitor wrote but the text
// of a message, which is mailed to be answered.
func (in *Intake) compose(ctx context.Context, id string) (purpose string, m mail.Message, err error) {
	purpose, sealed, e, err := in.findMail(ctx, id)
	if err != nil {
		return "", m, err
	}
	switch {
	case purpose == toGuardian:
		m, err = in.askGuardian(ctx, Application{ID: e.ID, Received: e.Time}, sealed)
	case purpose == confirmed:
		m, err = in.confirmedNote(ctx, e)
	case strings.HasPrefix(purpose, deadlines):
		m, err = in.deadlinesNote(ctx)
	case State(purpose) == Received && e.Kind == agency.Contact:
		m, err = in.messageNote(ctx, e)
	default:
		m, err = in.stateNote(ctx, e, State(purpose))
	}
	m.ID = id
	return purpose, m, err
}

// askGuardian is the mail with the link, in the language of the application. The address may be mistyped, so the mail
// tells nothing about the applicant.
func (in *Intake) askGuardian(ctx context.Context, a Application, sealed []byte) (mail.Message, error) {
	var l letter
	if err := in.openValue(ctx, sealed, a.ID+"/letter", &l); err != nil {
		return mail.Message{}, err
	}
	o, site := in.options, in.options.Site()
	lang, known := site.Texts.Parse(l.Lang)
	if !known {
		lang = site.Texts.First()
	}
	return mail.Message{
		To: l.Address, FromName: site.Name, Subject: lang.T("guardian.mail.subject", "agency", site.Name),
		Text: lang.T("guardian.mail.text",
			"agency", site.Name, "site", o.BaseURL, "link", o.BaseURL+routes.ConfirmationPath(lang, l.Token),
			"came", lang.Date(a.Received.Local()), "expires", lang.Date(a.Expires().Local()),
			"reference", a.Reference().String()),
	}, nil
}
