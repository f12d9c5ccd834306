package app

import (
	"context"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"zedcard/internal/intake"
	"zedcard/internal/mail"
)

// Intake opens the store of submissions, with the mail server if there is one.
func (a *App) Intake() (*intake.Intake, error) {
	options := intake.Options{
		Agency: a.Config.AgencyName, BaseURL: a.Config.BaseURL, MaxBytes: a.Config.OutboxSize, Log: a.Log,
	}
	if a.Config.SMTPURL != "" {
		sender, err := mail.New(string(a.Config.SMTPURL), a.Config.MailTo)
		if err != nil {
			return nil, fmt.Errorf("SMTP_URL: %w", err)
		}
		options.Mail = sender
	}
	return intake.New(a.DB, a.Keys, options), nil
}

// intakeMetrics count the submissions whenever the metrics are read.
type intakeMetrics struct{ intake *intake.Intake }

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
func (intakeMetrics) Describe(to chan<- *prometheus.Desc) {
	to <- submissions
	to <- undeliveredBytes
	to <- maxBytes
	to <- oldest
	to <- unseen
}

// Collect counts; without the database it reports nothing.
func (m intakeMetrics) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), statsTimeout)
	defer cancel()
	stats, err := m.intake.Stats(ctx)
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
