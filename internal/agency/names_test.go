package agency

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLetterIsTheFirstWithoutAccents(t *testing.T) {
	for name, want := range map[string]string{
		"Ágata": "A", "ágata": "A", "A\u0301gata": "A", "Zoë": "Z",
		"Çelik": "C", "Ñusta": "N", "İlker": "I", "ılgın": "I",
		"Østen": "O", "Ærø": "A", "Œuvre": "O", "Łukasz": "L", "Đorđe": "D", "Ðóra": "D", "Þór": "T", "ßara": "S",
		"  Ana": "A", "'Ana'": "A", "“Ana”": "A", "<script>": "S",
		"\u200fAna": "A", "ʻIolani": "I", "3 Ana": "A", "Ａna": "A", "𝐀na": "A",
		"": "", "   ": "", "123": "", "😀": "", "Жанна": "", "李": "", "\xff\xfe": "",
	} {
		assert.Equal(t, want, Letter(name), "%q", name)
	}
}

func TestFoldIgnoresAccentsAndCase(t *testing.T) {
	for text, want := range map[string]string{
		"JOÃO  da\tConceição": "joao da conceicao",
		"Jørgen Łęcki":        "jorgen lecki",
		"Strauß":              "strauss",
		"Жанна":               "жанна",
		"":                    "",
	} {
		assert.Equal(t, want, Fold(text), "%q", text)
	}
}
