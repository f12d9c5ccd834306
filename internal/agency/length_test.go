package agency

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLengthsAreReadAsBackEndsWriteThem(t *testing.T) {
	for text, want := range map[string]float64{
		"178": 178, "178 cm": 178, "178cm": 178, "178 CM": 178,
		" 178 ": 178, "177.5": 177.5, "177,5 cm": 177.5, "178.": 178,
		"1,78 m": 178, "1.78m": 178, "1.78": 178, "1m78": 178, "2 m": 200,
		`178/5'10"`: 178, "178 cm / 5'10\"": 178, "170 cm - 5'7''": 170, `178 (5'10")`: 178, `5'10"/178`: 178,
		`5'10"`: 177.8, "5'10": 177.8, "5' 9½\"": 176.53, "5ft 10in": 177.8, "5′10″": 177.8, "6'": 182.88,
		`24"`: 60.96, "33½\"": 85.09, "33.5 in": 85.09, "½\"": 1.27,
	} {
		cm, ok := ParseLength(text)
		assert.True(t, ok, "%q", text)
		assert.InDelta(t, want, cm, 1e-9, "%q", text)
	}
	for _, text := range []string{
		"", " ", "0", "tall", "34B", "40L", "-178", "1e3", "NaN", "178 kg", "/", "5'10\"x", "'", `"`, "86-60-90",
	} {
		cm, ok := ParseLength(text)
		assert.False(t, ok, "%q", text)
		assert.Zero(t, cm, "%q", text)
	}
}

func TestInchesAreRoundedToTheNearestHalf(t *testing.T) {
	for cm, want := range map[float64]struct {
		feet, inches int
		half         bool
	}{
		30: {1, 0, false}, 176: {5, 9, true}, 177.5: {5, 10, false},
		178: {5, 10, false}, 182: {5, 11, true}, 183: {6, 0, false},
		200: {6, 6, true}, 60: {1, 11, true}, 90: {2, 11, true},
		57: {1, 10, true}, 82.5: {2, 8, true}, 170: {5, 7, false},
	} {
		feet, inches, half := Inches(cm)
		assert.Equal(t, want.feet, feet, "%v cm", cm)
		assert.Equal(t, want.inches, inches, "%v cm", cm)
		assert.Equal(t, want.half, half, "%v cm", cm)
	}
	for cm := 3; cm <= 200; cm++ {
		feet, inches, half := Inches(float64(cm))
		shown := float64(feet*12 + inches)
		if half {
			shown += 0.5
		}
		assert.LessOrEqual(t, math.Abs(shown*2.54-float64(cm)), 0.635+1e-9, "%d cm", cm)
		assert.Less(t, inches, 12, "%d cm", cm)
	}
}
