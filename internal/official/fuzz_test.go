package official_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"zedcard/internal/official"
)

// FuzzCheck looks for a sender that is wrongly taken for the agency: "ours" must be spelled like one of its contacts.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{
		"bookings@best.example", "Best <bookings@best.example>", "https://best.example/x", "best.example.evil.example",
		"evil.example/best.example", "best.example@evil.example", "+351 210 000 000", "@best", "instagram.com/best",
		"http://evil.example#@best.example", "bеst.example", "00351 21 0000000", "best.example\\.evil.example",
	} {
		f.Add(seed)
	}
	ours, err := official.Parse([]string{"best.example", "+351 210 000 000", "@best"})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, text string) {
		if ours.Check(text) != official.Ours {
			return
		}
		digits := strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return r
			}
			return -1
		}, text)
		if !strings.Contains(strings.ToLower(text), "best") && !strings.Contains(digits, "210000000") {
			t.Fatalf("%q is accepted as official", text)
		}
		for _, after := range []string{".evil.example", "evil"} {
			if stranger := strings.TrimRight(text, " \t\r\n\"'.,;:!>") + after; strings.HasSuffix(
				strings.ToLower(stranger), "best.example"+after) && ours.Check(stranger) == official.Ours {
				t.Fatalf("%q is accepted as official", stranger)
			}
		}
	})
}
