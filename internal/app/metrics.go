package app

import (
	"context"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"zedcard/internal/backend/embedded"
	"zedcard/internal/catalog"
	"zedcard/internal/intake"
	"zedcard/internal/media"
	"zedcard/internal/textfile"
)

// metrics are read from the parts of the program whenever Prometheus asks; no back end is.
type metrics struct {
	intake   *intake.Intake
	content  *catalog.Catalog
	pictures *media.Store
	folder   *embedded.Backend
	forms    func() error // nil while submissions can be stored
}

// Describe names no metric in advance, which makes the collector an unchecked one.
func (metrics) Describe(chan<- *prometheus.Desc) {}

// statsTimeout is how long the metrics wait for the database.
const statsTimeout = 2 * time.Second

// Collect reads the metrics; without the database there are none of the forms.
func (m metrics) Collect(to chan<- prometheus.Metric) {
	send := func(kind prometheus.ValueType, name, help string, value float64, label ...string) {
		var labels prometheus.Labels
		if len(label) > 0 {
			labels = prometheus.Labels{label[0]: label[1]}
		}
		to <- prometheus.MustNewConstMetric(prometheus.NewDesc(name, help, nil, labels), kind, value)
	}
	const gauge, counter = prometheus.GaugeValue, prometheus.CounterValue
	open := 1.0
	if m.forms() != nil {
		open = 0
	}
	send(gauge, "zedcard_forms_open", "1; 0: forms answer 503, and /readyz says why.", open)
	faults := slices.DeleteFunc(m.folder.Faults(), func(f textfile.Fault) bool { return f.Remark })
	send(gauge, "zedcard_folder_faults", "What zedcard check finds wrong in the agency's folder.", float64(len(faults)))
	send(gauge, "zedcard_folder_held", "What is gone from the folder, and still shown until zedcard accept.",
		float64(m.folder.Held()))
	for source, age := range m.content.Ages() {
		send(gauge, "zedcard_content_age_seconds", "How long ago a back end last gave what every page needs.",
			age.Seconds(), "of", source)
	}
	for origin, count := range m.pictures.ForeignOrigins() {
		send(counter, "zedcard_pictures_foreign_total",
			"Pictures not shown because PICTURE_HOSTS does not name where they come from.",
			float64(count), "origin", origin)
	}
	ctx, cancel := context.WithTimeout(context.Background(), statsTimeout)
	defer cancel()
	stats, err := m.intake.Stats(ctx)
	if err != nil {
		return
	}
	for state, count := range stats.Count {
		send(gauge, "zedcard_outbox_submissions", "Submissions of the forms by state.",
			float64(count), "state", string(state))
	}
	send(gauge, "zedcard_outbox_bytes",
		"What submissions take that are not delivered, or are in the embedded inbox.", float64(stats.Bytes))
	send(gauge, "zedcard_outbox_limit_bytes", "What they may take: OUTBOX_SIZE.", float64(stats.MaxBytes))
	send(gauge, "zedcard_outbox_oldest_seconds",
		"How long the oldest submission has waited for the panel.", stats.Oldest.Seconds())
	send(gauge, "zedcard_outbox_unseen_seconds",
		"How long the oldest submission that was held back or refused has waited for the operator.",
		stats.Unseen.Seconds())
}
