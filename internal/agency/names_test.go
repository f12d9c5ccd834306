package agency

import (
	"net/url"
	"strings"
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
		assert.Equal(t, want, Alphabet("").Letter(name), "%q", name)
	}
}

func TestALanguagesOwnAlphabetListsNamesUnderItsLetters(t *testing.T) {
	polish := Alphabet("A Ą B C Ć D E Ę F G H I J K L Ł M N Ń O Ó P R S Ś T U W X Y Z Ź Ż")
	for name, want := range map[string]string{
		"Łucja": "Ł", "łucja": "Ł", "Z\u0301rebak": "Ź", "Żaneta": "Ż", "Élodie": "E", "“Świt": "Ś", "Vera": "",
		"Жанна": "",
	} {
		assert.Equal(t, want, polish.Letter(name), name)
	}
	assert.Equal(t, "CH", Alphabet("C CH D").Letter("chloe"))
	assert.Equal(t, "Ж", Alphabet("А Ж").Letter("Жанна"))
	women := Filter{Board: Models}
	assert.Equal(t, "Ł", ParseFilter(women, polish, url.Values{"letter": {"Ł"}}).Letter)
	assert.Empty(t, ParseFilter(women, polish, url.Values{"letter": {"V"}}).Letter)
	assert.Empty(t, ParseFilter(women, polish, url.Values{"letter": {"Ł"}}).In("").Letter)
	assert.Empty(t, ParseFilter(women, "", url.Values{"letter": {"Ł"}}).Letter)
}

func TestANameForgivesOneTypingError(t *testing.T) {
	for typed, name := range map[string]string{
		"lindquist": "Saskia Lindqvist", "saskja": "Saskia Lindqvist", "sakia lindq": "Saskia Lindqvist",
		"linqdvist": "Saskia Lindqvist", "conceicaoo": "Thaís Conceição", "Wisnievska": "Łucja Wiśniewska",
	} {
		assert.True(t, Resembles(Fold(name), Fold(typed)), typed)
	}
	for typed, name := range map[string]string{
		"linquest": "Saskia Lindqvist", "lin": "Saskia Fin", "awe": "Awa Diatta", "": "Awa Diatta",
		"saskia diatta": "Awa Diatta",
	} {
		assert.False(t, Resembles(Fold(name), Fold(typed)), typed)
	}
}

func TestAVisitorsTextLosesWhatNobodySeesAndNothingElse(t *testing.T) {
	for typed, want := range map[string]string{
		" Ana\tSouza\r\n ": "Ana Souza", "Ana\x00\u202e\u2066 Souza\ufeff": "Ana Souza", "pay\u200bpal": "paypal",
		"An\u200da": "Ana", "\xffAna": "Ana", "So\u00adfia": "Sofia", "Ana\U000e0067": "Ana",
		"\u0645\u200f\u0632": "\u0645\u0632",
	} {
		assert.Equal(t, want, Clean(typed, false), "%q", typed)
	}
	persian := "\u0645\u0647\u062f\u06cc\u200c\u0632\u0627\u062f\u0647"
	for _, text := range []string{
		persian, "\u0dc1\u0dca\u200d\u0dbb\u0dd3", "\u0d05\u0d35\u0d28\u0d4d\u200d", // Sinhala, Malayalam
		"👩\u200d🎤 👩🏽\u200d🎤 ❤\ufe0f\u200d🔥", "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
	} {
		assert.Equal(t, text, Clean(text, false), "%q", text)
	}
	assert.Equal(t, "Two\nlines", Clean("Two\r\nlines\n", true))
	assert.Equal(t, Fold(strings.ReplaceAll(persian, "\u200c", "")), Fold(persian))
	for name, has := range map[string]bool{
		"李": true, "É": true, "\u3164": false, "\u2800": false, "-": false, "7": false,
	} {
		assert.Equal(t, has, HasLetter(name), "%q", name)
	}
}
