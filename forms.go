package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"zedcard/internal/agency"
	"zedcard/internal/config"
	"zedcard/internal/database"
	"zedcard/internal/inbox"
	"zedcard/internal/mail"
	"zedcard/internal/middleware"
	"zedcard/internal/outbox"
	"zedcard/internal/photo"
)

// formServices are what the two forms work with.
type formServices struct {
	outbox *outbox.Outbox
	photos *photo.Waiting
	client func(*http.Request) string
}

func openForms(c config.Config, db *database.DB, sender outbox.Sender, log *slog.Logger) (formServices, error) {
	photos, err := photo.OpenWaiting(filepath.Join(c.DataDir, "waiting-photos"), photo.WaitingBytes)
	if err != nil {
		return formServices{}, c.Wrong("DATA_DIR", err)
	}
	return formServices{
		outbox: outbox.New(db, secretKeys(c, db), sender, outbox.Options{MaxBytes: c.OutboxSize, Log: log}),
		photos: photos,
		client: func(r *http.Request) string { return middleware.ClientIP(r, c.TrustedProxies) },
	}, nil
}

func (f formServices) close(log *slog.Logger) {
	if err := f.photos.Close(); err != nil {
		log.Error("the waiting photos were not removed", "error", err)
	}
}

// received is where the embedded back end puts what the forms send. It has no outbox to look into:
// it only receives, and tells so where there is a mail server.
func received(c config.Config, db *database.DB, log *slog.Logger) (*inbox.Inbox, error) {
	options := inbox.Options{Log: log}
	if c.SMTPURL != "" {
		sender, err := mail.New(string(c.SMTPURL), c.MailTo)
		if err != nil {
			return nil, fmt.Errorf("SMTP_URL: %w", err)
		}
		options.Notify = func(ctx context.Context, n inbox.Notice) error {
			what := "message"
			if n.Kind == agency.GetScouted {
				what = "application"
			}
			// The operator's words are English, as the commands' are.
			return sender.Send(ctx, n.ID, c.AgencyName+": a new "+what,
				fmt.Sprintf("Received at %s. To read it, run this on the site’s server:\n\n    zedcard inbox show %s\n", n.Time.Format(time.RFC3339), n.ID))
		}
	}
	return inbox.New(db, secretKeys(c, db), nil, options), nil
}

// behind runs something until ctx ends or stop is called, which waits until it has ended.
func behind(ctx context.Context, run func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		run(ctx)
	}()
	return func() { cancel(); <-done }
}

// outboxMetrics count what is in the outbox whenever the metrics are read.
type outboxMetrics struct{ outbox *outbox.Outbox }

var (
	submissions = prometheus.NewDesc("zedcard_outbox_submissions", "Submissions of the forms by state.", []string{"state"}, nil)
	kept        = prometheus.NewDesc("zedcard_outbox_bytes", "What submissions take that are not delivered.", nil, nil)
	keptAtMost  = prometheus.NewDesc("zedcard_outbox_limit_bytes", "What they may take: OUTBOX_SIZE.", nil, nil)
	oldest      = prometheus.NewDesc("zedcard_outbox_oldest_seconds", "How long the oldest submission has waited for the panel.", nil, nil)
)

// countWithin is how long the metrics wait for the database.
const countWithin = 2 * time.Second

// Describe names the metrics.
func (outboxMetrics) Describe(to chan<- *prometheus.Desc) {
	to <- submissions
	to <- kept
	to <- keptAtMost
	to <- oldest
}

// Collect counts; without the database there is nothing to tell.
func (m outboxMetrics) Collect(to chan<- prometheus.Metric) {
	within, cancel := context.WithTimeout(context.Background(), countWithin)
	defer cancel()
	stats, err := m.outbox.Stats(within)
	if err != nil {
		return
	}
	for state, count := range stats.Count {
		to <- prometheus.MustNewConstMetric(submissions, prometheus.GaugeValue, float64(count), string(state))
	}
	to <- prometheus.MustNewConstMetric(kept, prometheus.GaugeValue, float64(stats.Bytes))
	to <- prometheus.MustNewConstMetric(keptAtMost, prometheus.GaugeValue, float64(stats.MaxBytes))
	to <- prometheus.MustNewConstMetric(oldest, prometheus.GaugeValue, stats.Oldest.Seconds())
}

// inboxUsage is how showInbox is called.
const inboxUsage = "usage: zedcard inbox list [--json] | show ID | deliver ID | confirm ID | export DIR"

// showInbox lists, shows or exports what the forms received, or lets the site deliver what was refused or held back.
func showInbox(ctx context.Context, p program) error {
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	read := config.Flags(flags)
	asJSON := flags.Bool("json", false, "")
	var words []string
	for args := p.args; ; args = flags.Args()[1:] { // flags may stand anywhere
		if err := config.Parse(flags, args); err != nil {
			return err
		}
		if flags.NArg() == 0 {
			break
		}
		words = append(words, flags.Arg(0))
	}
	c, err := read(p.env)
	if err != nil {
		return err
	}
	operands := map[string]int{"list": 0, "show": 1, "deliver": 1, "confirm": 1, "export": 1}
	if len(words) == 0 {
		words = []string{""}
	}
	if n, known := operands[words[0]]; !known || len(words) != 1+n {
		return fmt.Errorf("%w: %s", config.ErrUsage, inboxUsage)
	}
	log := newLog(c, p.stderr)
	db, err := openDatabase(ctx, c, log)
	if err != nil {
		return err
	}
	defer closeDatabase(db, log)
	keys := secretKeys(c, db)
	out := outbox.New(db, keys, nil, outbox.Options{Log: log})
	box := inbox.New(db, keys, out, inbox.Options{Log: log})
	switch words[0] {
	case "show":
		return box.Show(ctx, p.stdout, words[1])
	case "deliver": // the site that serves looks for it within a second
		return out.Requeue(ctx, words[1])
	case "confirm":
		return box.Confirm(ctx, words[1])
	case "export":
		return box.Export(ctx, words[1])
	}
	return box.List(ctx, p.stdout, *asJSON)
}
