package app

import (
	"github.com/prometheus/client_golang/prometheus"

	"zedcard/internal/catalog"
)

// catalogMetrics report the age of the catalogue's content whenever the metrics are read.
type catalogMetrics struct{ content *catalog.Catalog }

var contentAge = prometheus.NewDesc("zedcard_content_age_seconds",
	"How long ago a back end last gave what every page needs.", []string{"of"}, nil)

// Describe names the metric.
func (catalogMetrics) Describe(to chan<- *prometheus.Desc) { to <- contentAge }

// Collect reads the ages; it makes no request to a back end.
func (m catalogMetrics) Collect(to chan<- prometheus.Metric) {
	for source, age := range m.content.Ages() {
		to <- prometheus.MustNewConstMetric(contentAge, prometheus.GaugeValue, age.Seconds(), source)
	}
}
