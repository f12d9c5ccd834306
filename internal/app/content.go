package app

import (
	"slices"

	"github.com/prometheus/client_golang/prometheus"

	"zedcard/internal/agency"
	"zedcard/internal/catalog"
)

// catalogMetrics tell how old what the catalogue shows is, whenever the metrics are read.
type catalogMetrics struct{ content *catalog.Catalog }

var contentAge = prometheus.NewDesc("zedcard_content_age_seconds",
	"How long ago a back end last gave what every page needs.", []string{"of"}, nil)

// Describe names the metric.
func (catalogMetrics) Describe(to chan<- *prometheus.Desc) { to <- contentAge }

// Collect asks no back end.
func (m catalogMetrics) Collect(to chan<- prometheus.Metric) {
	for of, age := range m.content.Ages() {
		to <- prometheus.MustNewConstMetric(contentAge, prometheus.GaugeValue, age.Seconds(), of)
	}
}

// picturesOf are the files of all pictures of a talent.
func picturesOf(t agency.Talent) []string {
	files := []string{t.Cover.File}
	for _, picture := range append(slices.Clip(t.Book), t.Snap...) {
		files = append(files, picture.File)
	}
	for _, video := range t.Video {
		files = append(files, video.Preview)
	}
	return files
}
