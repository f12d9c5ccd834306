package app

import (
	"context"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"zedcard/internal/agency"
	"zedcard/internal/guardian"
	"zedcard/internal/inbox"
	"zedcard/internal/mail"
	"zedcard/internal/outbox"
	"zedcard/internal/photo"
	"zedcard/internal/submission"
)

// formServices are the services behind the two forms.
type formServices struct {
	outbox      *outbox.Outbox
	photos      *photo.Store
	submissions *submission.Service
	guardians   *guardian.Requests
}

func (a *App) openForms(sender outbox.Sender) (formServices, error) {
	photos := photo.NewStore(a.DB, a.Keys, photo.StoreOptions{Log: a.Log})
	notify, err := a.notifier()
	if err != nil {
		return formServices{}, err
	}
	mailer, err := a.mailer()
	if err != nil {
		return formServices{}, err
	}
	guardians := guardian.New(a.DB, a.Keys, guardian.Options{Mail: mailer, Log: a.Log})
	out := outbox.New(a.DB, a.Keys, sender, outbox.Options{
		MaxBytes: a.Config.OutboxSize, Notify: notify, Guardians: guardians, Log: a.Log,
	})
	submissions := submission.New(submission.Config{
		Keys: a.Keys, Outbox: out, Photos: photos, Now: time.Now, Log: a.Log,
	})
	return formServices{outbox: out, photos: photos, submissions: submissions, guardians: guardians}, nil
}

// openInbox opens the inbox in which the embedded back end puts submissions. It has no outbox: it only receives, and
// sends a note of each submission if there is a mail server.
func (a *App) openInbox() (*inbox.Inbox, error) {
	notify, err := a.notifier()
	return inbox.New(a.DB, a.Keys, nil, inbox.Options{MaxBytes: a.Config.OutboxSize, Notify: notify, Log: a.Log}), err
}

// notifier sends notes to MAIL_TO; nil without a mail server.
func (a *App) notifier() (func(context.Context, outbox.Notice) error, error) {
	if a.Config.SMTPURL == "" {
		return nil, nil
	}
	sender, err := mail.New(string(a.Config.SMTPURL), a.Config.MailTo)
	if err != nil {
		return nil, fmt.Errorf("SMTP_URL: %w", err)
	}
	return func(ctx context.Context, n outbox.Notice) error {
		subject, text := a.note(n)
		id := n.ID
		if n.State != "" {
			id += "-" + string(n.State) // the note of its arrival may still come
		}
		return sender.Send(ctx, mail.Message{ID: id, Subject: subject, Text: text})
	}, nil
}

// note is the mail about a submission, in English like everything that operators read.
func (a *App) note(n outbox.Notice) (subject, text string) {
	what := "message"
	if n.Kind == agency.GetScouted {
		what = "application"
	}
	subject = a.Config.AgencyName + ": a new " + what
	text = fmt.Sprintf("Received at %s. To read it, run this on the site’s server:\n\n    zedcard inbox show %s\n",
		n.Time.Format(time.RFC3339), n.ID)
	switch n.State {
	case outbox.Suspected:
		subject = a.Config.AgencyName + ": held back, a new " + what
		text += "\nIt was held back, because a program may have sent it. If it is a person’s, deliver it:\n\n" +
			"    zedcard inbox deliver " + n.ID + "\n"
	case outbox.Refused:
		subject = a.Config.AgencyName + ": refused, a new " + what
		text += "\nThe panel refused it. Once the reason is gone, deliver it:\n\n" +
			"    zedcard inbox deliver " + n.ID + "\n"
	case outbox.Queued, outbox.Delivered:
	}
	return subject, text
}

// Inbox opens the inbox, in which an operator reads submissions, and the outbox, to deliver them again.
func (a *App) Inbox() (*inbox.Inbox, *outbox.Outbox) {
	out := outbox.New(a.DB, a.Keys, nil, outbox.Options{Log: a.Log})
	return inbox.New(a.DB, a.Keys, out, inbox.Options{Log: a.Log}), out
}

// outboxMetrics count what is in the outbox whenever the metrics are read.
type outboxMetrics struct{ outbox *outbox.Outbox }

var (
	submissions = prometheus.NewDesc("zedcard_outbox_submissions",
		"Submissions of the forms by state.", []string{"state"}, nil)
	undeliveredBytes = prometheus.NewDesc("zedcard_outbox_bytes",
		"What submissions take that are not delivered, or are in the embedded inbox.", nil, nil)
	maxBytes = prometheus.NewDesc("zedcard_outbox_limit_bytes",
		"What they may take: OUTBOX_SIZE.", nil, nil)
	oldest = prometheus.NewDesc("zedcard_outbox_oldest_seconds",
		"How long the oldest submission has waited for the panel.", nil, nil)
	unseen = prometheus.NewDesc("zedcard_outbox_unseen_seconds",
		"How long the oldest submission that was held back or refused has waited for the operator.", nil, nil)
)

// statsTimeout is how long the metrics wait for the database.
const statsTimeout = 2 * time.Second

// Describe names the metrics.
func (outboxMetrics) Describe(to chan<- *prometheus.Desc) {
	to <- submissions
	to <- undeliveredBytes
	to <- maxBytes
	to <- oldest
	to <- unseen
}

// Collect counts; without the database it reports nothing.
func (m outboxMetrics) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), statsTimeout)
	defer cancel()
	stats, err := m.outbox.Stats(ctx)
	if err != nil {
		return
	}
	gauge := func(desc *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...)
	}
	for state, count := range stats.Count {
		gauge(submissions, float64(count), string(state))
	}
	gauge(undeliveredBytes, float64(stats.Bytes))
	gauge(maxBytes, float64(stats.MaxBytes))
	gauge(oldest, stats.Oldest.Seconds())
	gauge(unseen, stats.Unseen.Seconds())
}
