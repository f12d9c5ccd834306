package app

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	prometheus "github.com/VictoriaMetrics/metrics"

	"zedcard/internal/folder"
	"zedcard/internal/intake"
	"zedcard/internal/media"
	"zedcard/internal/remote"
)

// metrics are read from the parts of the program whenever Prometheus asks; no back end is.
type metrics struct {
	intake   *intake.Intake
	content  *remote.Content // nil: the folder is the content, which has no age
	pictures *media.Store
	folder   *folder.Folder
	forms    func() error // nil while submissions can be stored
}

// statsTimeout is how long the metrics wait for the database.
const statsTimeout = 2 * time.Second

// write writes the metrics; without the database there are none of the forms.
func (m metrics) write(to io.Writer) {
	send := func(name string, value float64) { prometheus.WriteGaugeFloat64(to, "zedcard_"+name, value) }
	open := 1.0
	if m.forms() != nil { // they answer 503, and /readyz says why
		open = 0
	}
	send("forms_open", open)
	faults := slices.DeleteFunc(m.folder.Faults(), func(f folder.Fault) bool { return f.Remark })
	send("folder_faults", float64(len(faults)))   // what zedcard check finds wrong
	send("folder_held", float64(m.folder.Held())) // what is gone, and still shown until zedcard accept
	if m.content != nil {
		for source, age := range m.content.Ages() { // since a back end last gave what every page needs
			send(fmt.Sprintf("content_age_seconds{of=%q}", source), age.Seconds())
		}
	}
	for origin, count := range m.pictures.ForeignOrigins() { // not shown: PICTURE_HOSTS does not name them
		send(fmt.Sprintf("pictures_foreign_total{origin=%q}", origin), float64(count))
	}
	ctx, cancel := context.WithTimeout(context.Background(), statsTimeout)
	defer cancel()
	stats, err := m.intake.Stats(ctx)
	if err != nil {
		return
	}
	for state, count := range stats.Count {
		send(fmt.Sprintf("outbox_submissions{state=%q}", state), float64(count))
	}
	send("outbox_bytes", float64(stats.Bytes)) // of what is not delivered, or is in the embedded inbox
	send("outbox_limit_bytes", float64(stats.MaxBytes))
	send("outbox_oldest_seconds", stats.Oldest.Seconds()) // that a submission has waited for the panel
	send("outbox_unseen_seconds", stats.Unseen.Seconds()) // that one held back or refused has waited for the operator
}
