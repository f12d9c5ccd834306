package views

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A narrow column breaks long words only, between syllables and with a hyphen.
func TestBreakable(t *testing.T) {
	for name, want := range map[string]string{
		"Benedita Nascimento":       "Benedita Nascimento",
		"de Albuquerque-Montenegro": "de Albu&shy;querque-Montenegro",
		"Mercè Puigdomènech":        "Mercè Puigdo&shy;mènech",
		"Hrafnsdottirstrcht":        "Hrafnsdot&shy;tirstrcht",
		"O&B":                       "O&amp;B",
	} {
		assert.Equal(t, want, breakable(name))
	}
}
