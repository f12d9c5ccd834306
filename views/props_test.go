package views

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/i18n"
	"zedcard/static"
)

// The script checks the same file against its own type (islands/lightbox/props.test.ts).
func TestTheLightboxGetsThePropsThatItKnows(t *testing.T) {
	sample, err := os.ReadFile("../islands/lightbox/props.json")
	require.NoError(t, err)
	props := newLightboxProps(Page{Lang: i18n.EN}, "Saskia Lindqvist", "Book, Saskia Lindqvist")
	assert.Equal(t, static.URL("icons.svg"), props.Icons)
	props.Icons = "/static/icons.svg"
	made, err := json.Marshal(props)
	require.NoError(t, err)
	assert.JSONEq(t, string(sample), string(made))
}
