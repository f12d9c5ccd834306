package agency_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
)

func TestOnlyTheAgencysContactsAreOurs(t *testing.T) {
	contacts, err := agency.ParseOfficial([]string{
		"Casting@agencia.example", "best.example", "+55 (11) 91234-5678", "@best.mgmt",
		"https://instagram.com/bestkids/", "rita@agência.example",
	})
	require.NoError(t, err)
	for verdict, pasted := range map[agency.Verdict][]string{
		agency.Ours: {
			"casting@agencia.example", " CASTING@Agencia.Example. ", "mailto:casting@agencia.example",
			"Best Management <casting@agencia.example>", "ana@best.example", "www.best.example/be-a-model",
			"https://best.example", "http://shop.best.example:8080/x?y#z",
			"+55 11 91234 5678", "+5511912345678", "0055 (11) 91234-5678", "(11) 91234.5678", "011 91234-5678",
			"5511912345678", "tel:+55-11-91234-5678", "https://wa.me/5511912345678", "@best.mgmt", "@BEST.MGMT",
			"rita@xn--agncia-jva.example", "Rita@AGE\u0302NCIA.example", "ana@ｂest.example",
			"@bestkids", "https://m.instagram.com/BestKids/reels",
		},
		agency.NotOurs: {
			"casting@agencia.example.com", "casting2@agencia.example", "ana@agencia.example", "ana@shop.best.example",
			"ana@best-example.com", "ana@bеst.example", "família.example", "bestexample.com", "evilbest.example",
			"casting@agencia.example <ana@evil.example>", "best.example.evil.com", "https://best.example@evil.com",
			"https://evil.com/best.example", "http://evil.example#@best.example", "@best.example",
			"+55 21 91234 5678", "+351 11 91234 5678", "1191234567", "+11 91234 5678",
			"@best_mgmt", "@bеst.mgmt", "https://tiktok.com/@bestkids", "instagram.com/bestkids2", "instagram.com",
		},
		agency.Unrecognized: {
			"", "  ", "hello, who are you?", "12345", "@", "<>", "Kofi", "best.example\\.evil.example",
		},
	} {
		for _, text := range pasted {
			assert.Equal(t, verdict, contacts.Check(text), text)
		}
	}
}

// The defaults are safe without a setting: another's domain is never taken for the agency's.
func TestWhatTheAgencyPrintsIsItsOwnAndNothingMore(t *testing.T) {
	contacts := agency.NewOfficial("https://www.best.example:8443", nil, "bookings@best.example", "money@gmail.com",
		"+55 11 91234-5678", "ask for Ana").
		With("https://linkedin.com/company/best", "https://instagram.com/best.mgmt", "https://vogue.example")
	for verdict, pasted := range map[agency.Verdict][]string{
		agency.Ours: {
			"www.best.example/x", "bookings@best.example", "money@gmail.com", "11 91234-5678",
			"https://www.linkedin.com/company/best/people/", "@best", "@best.mgmt",
		},
		agency.NotOurs: {
			"ana@gmail.com", "gmail.com", "linkedin.com", "linkedin.com/company/best2", "https://vogue.example",
			"ana@best.example",
		},
	} {
		for _, text := range pasted {
			assert.Equal(t, verdict, contacts.Check(text), text)
		}
	}
}

func TestInvalidContactsAreRefused(t *testing.T) {
	for _, entry := range []string{"", "11 91234-5678", "123", "call us", "@"} {
		_, err := agency.ParseOfficial([]string{"best.example", entry})
		require.ErrorIs(t, err, agency.ErrOfficial, entry)
	}
	var none agency.Official
	assert.True(t, none.IsEmpty())
}

// FuzzCheck looks for a sender that is wrongly taken for the agency: "ours" must be spelled like one of its contacts.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{
		"bookings@best.example", "Best <bookings@best.example>", "https://best.example/x", "best.example.evil.example",
		"evil.example/best.example", "best.example@evil.example", "+351 210 000 000", "@best", "instagram.com/best",
		"http://evil.example#@best.example", "bеst.example", "00351 21 0000000", "best.example\\.evil.example",
	} {
		f.Add(seed)
	}
	ours, err := agency.ParseOfficial([]string{"best.example", "+351 210 000 000", "@best"})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, text string) {
		if ours.Check(text) != agency.Ours {
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
				strings.ToLower(stranger), "best.example"+after) && ours.Check(stranger) == agency.Ours {
				t.Fatalf("%q is accepted as official", stranger)
			}
		}
	})
}
