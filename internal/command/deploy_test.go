package command_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var metricName = regexp.MustCompile(`zedcard_[a-z_]+|process_[a-z_]+|go_[a-z_]+`)

// An alert or a panel on a metric that does not exist would stay silent for ever.
func TestAlertsAndDashboardAskForMetricsThatExist(t *testing.T) {
	folder, err := os.Getwd()
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	p := start(t, 2, nil, map[string]string{
		"LISTEN_ADDR": "127.0.0.1:0", "ADMIN_ADDR": "127.0.0.1:0", "DATA_DIR": t.TempDir(),
	})
	get(t, p.site+"/about")
	_, metrics := get(t, p.admin+"/metrics")
	for _, name := range []string{"alerts.yaml", "dashboard.json"} {
		file, err := os.ReadFile(filepath.Join(folder, "../../deploy", name))
		require.NoError(t, err)
		asked := metricName.FindAllString(string(file), -1)
		assert.NotEmpty(t, asked, name)
		for _, metric := range asked {
			assert.Contains(t, metrics, "\n"+metric, "%s uses metrics that exist", name)
		}
	}
	assert.Zero(t, p.stop())
}
