package handlers

import (
	"flag"
	"fmt"
	"mime"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/views"
)

// idPattern is isID for the browser, without the comma that separates ids in an address.
const idPattern = `^[!-+\--~]{1,64}$`

var update = flag.Bool("update", false, "write islands/rules.ts anew")

// Rules that the browser follows too, so that a visitor learns early what the server would say, are written into
// islands/rules.ts:
//
//	go test ./handlers -run Rules -update
func TestIslandsFollowTheRulesOfTheSite(t *testing.T) {
	const file = "../islands/rules.ts"
	rules := fmt.Sprintf(
		`// The site's rules that the browser follows too. Generated: go test ./handlers -run Rules -update
export const adultAge = %d;
export const maxPhotoBytes = %d;
export const maxNameLength = %d; // characters of a file's name that are shown
export const idPattern = /%s/; // of a talent
`, agency.AdultAge, agency.MaxPhoto, views.MaxNameLength, idPattern)
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(rules), 0o644))
	}
	written, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, rules, string(written))

	pattern := regexp.MustCompile(idPattern)
	for r := rune(0); r <= 0x100; r++ {
		if r != ',' {
			assert.Equal(t, isID(string(r)), pattern.MatchString(string(r)), "%q", r)
		}
	}
}

// FuzzAttachment looks for a talent's name that breaks out of the header with the file's name.
func FuzzAttachment(f *testing.F) {
	for _, seed := range []string{
		"Ana", "Jo\u00e3o \"x\"", "a\r\nSet-Cookie: x", "\u202egpj.exe", "../../x", "", ";filename=x",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		header := attachment(name + "-Best-Management.zip")
		if strings.ContainsAny(header, "\r\n\x00") {
			t.Fatalf("name %q gives header %q with control characters", name, header)
		}
		kind, parameters, err := mime.ParseMediaType(header)
		if err != nil || kind != "attachment" || strings.ContainsAny(parameters["filename"], `/\`) {
			t.Fatalf("name %q gives invalid header %q: %v", name, header, err)
		}
	})
}

// FuzzIsLocal looks for an address to return to that a browser reads as one of another site.
func FuzzIsLocal(f *testing.F) {
	for _, seed := range []string{
		"/favorites", "/en/women?hair=1", "//evil.example", "/\\evil.example", "/\t/evil.example", "/./\n/x",
		"https://evil.example", "javascript:alert(1)", "/%2f/evil.example", "/..//evil.example", "/:80", "",
	} {
		f.Add(seed)
	}
	page, err := url.Parse("https://best.example/en/favorites")
	if err != nil {
		f.Fatal(err)
	}
	// Browsers remove these from an address, and read a backslash as a slash.
	asBrowsersRead := strings.NewReplacer("\t", "", "\r", "", "\n", "", `\`, "/")
	f.Fuzz(func(t *testing.T, address string) {
		if !isLocal(address) {
			return
		}
		target, err := page.Parse(asBrowsersRead.Replace(strings.Trim(address, "\x00 ")))
		if err != nil || target.Scheme != "https" || target.Host != page.Host || target.User != nil {
			t.Fatalf("%q is taken for local and leads to %v (%v)", address, target, err)
		}
	})
}
