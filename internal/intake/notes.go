package intake

import (
	"context"
	"strconv"
	"strings"
	"time"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/mail"
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
	s, err := in.load(ctx, in.db, e.ID, false)
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
		advice = "\n" + command(lang.T("mail.stuck.how", "n", lang.Integer(stuckAfter)), "zedcard inbox list")
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
	how := command(lang.T("mail.due.command"), "zedcard inbox done REFERENCE")
	if in.options.Browser {
		var link string
		if link, err = in.InboxLink(ctx); err != nil {
			return mail.Message{}, err
		}
		how = command(lang.T("mail.due.link"), link)
	}
	return mail.Message{
		Subject: lang.T("mail.due.subject", "agency", in.options.Site().Name, "n", strconv.Itoa(len(due))),
		Text:    text + "\n" + how,
	}, nil
}
