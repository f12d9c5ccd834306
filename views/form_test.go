package views_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/views"
)

// The script is tested with the same table (islands/photo-picker/name.test.ts).
func TestALongFileNameIsCut(t *testing.T) {
	data, err := os.ReadFile("testdata/names.json")
	require.NoError(t, err)
	var table map[string]string
	require.NoError(t, json.Unmarshal(data, &table))
	for name, shown := range table {
		assert.Equal(t, shown, views.ShortName(name))
	}
}
