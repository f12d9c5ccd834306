package official_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/official"
)

func TestOnlyOfficialContactsAreRecognised(t *testing.T) {
	contacts, err := official.Parse([]string{
		"Casting@agencia.example", "best.example", "+55 (11) 91234-5678", "@best.mgmt",
		"https://instagram.com/bestkids/", "rita@agência.example",
	})
	require.NoError(t, err)
	for verdict, pasted := range map[official.Verdict][]string{
		official.Ours: {
			"casting@agencia.example", " CASTING@Agencia.Example. ", "mailto:casting@agencia.example",
			"Best Management <casting@agencia.example>", "ana@best.example", "ANA@BEST.EXAMPLE",
			"best.example", "www.best.example/be-a-model", "https://best.example",
			"http://shop.best.example:8080/x?y#z",
			"+55 11 91234 5678", "+5511912345678", "0055 (11) 91234-5678", "11 91234-5678", "(11) 91234.5678",
			"5511912345678", "tel:+55-11-91234-5678", "https://wa.me/5511912345678",
			"https://api.whatsapp.com/send?phone=5511912345678",
			"@best.mgmt", "@BEST.MGMT", "instagram.com/best.mgmt", "https://www.tiktok.com/@best.mgmt?lang=pt",
			"rita@xn--agncia-jva.example", "Rita@AGE\u0302NCIA.example", "ana@ｂest.example",
			"bestkids", "@bestkids", "https://m.instagram.com/BestKids/reels",
		},
		official.NotOurs: {
			"casting@agencia.example.com", "casting2@agencia.example", "ana@agencia.example", "ana@shop.best.example",
			"ana@best-example.com", "bеst@best.example.co", "ana@bеst.example", "família.example",
			"casting@agencia.example <ana@evil.example>", "bestexample.com", "evilbest.example",
			"best.example.evil.com",
			"https://best.example@evil.com", "https://evil.com/best.example", "bеst.example",
			"+55 21 91234 5678", "+351 11 91234 5678", "1191234567", "+1 11 91234 5678",
			"@best_mgmt", "@bеst.mgmt", "instagram.com/best.mgmt.casting", "https://tiktok.com/@bestkids",
			"@best.mgmt2",
			"instagram.com",
		},
		official.Unrecognized: {"", "  ", "hello, who are you?", "12345", "@", "<>"},
	} {
		for _, text := range pasted {
			assert.Equal(t, verdict, contacts.Check(text), text)
		}
	}
}

// The defaults are safe without a setting: another's domain is never taken for the agency's.
func TestWhatTheAgencyPrintsIsItsOwnAndNothingMore(t *testing.T) {
	contacts := official.Default("https://www.best.example:8443", nil, "bookings@best.example", "best.money@gmail.com",
		"11 91234-5678", "ask for Ana").
		With("https://linkedin.com/company/best", "https://instagram.com/best.mgmt").
		WithText(`<p>Kofi: <a href="mailto:kofi@casting.example">kofi@casting.example</a>, <a href="tel:+351910000000">
call</a>, <a href="https://www.tiktok.com/@kofi.m?x=1">him</a>; in <a href="https://vogue.example/kofi">Vogue</a>`)
	for verdict, pasted := range map[official.Verdict][]string{
		official.Ours: {
			"www.best.example", "bookings@best.example", "b.e.s.t.money@gmail.com",
			"11 91234-5678", "+55 11 91234-5678",
			"linkedin.com/company/best", "https://www.linkedin.com/company/best/people/", "@best", "@best.mgmt",
			"kofi@casting.example", "+351 910 000 000", "tiktok.com/@kofi.m",
		},
		official.NotOurs: {
			"ana@gmail.com", "gmail.com", "linkedin.com", "linkedin.com/company/best2", "ana@casting.example",
			"vogue.example/kofi", "https://vogue.example", "@mensah.k",
		},
		official.NotWrittenFrom: {"ana@best.example", "bookings2@best.example"},
		official.Unrecognized:   {"Kofi", " mensah ", "Kofi Mensah"},
	} {
		for _, text := range pasted {
			assert.Equal(t, verdict, contacts.Check(text), text)
		}
	}
}

func TestInvalidContactsAreRefused(t *testing.T) {
	for _, entry := range []string{"", "11 91234-5678", "123", "call us", "@"} {
		_, err := official.Parse([]string{"best.example", entry})
		require.ErrorIs(t, err, official.ErrEntry, entry)
	}
	var none official.Contacts
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
