package handlers

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"testing"

	"zedcard/internal/agency"
	"zedcard/views"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// idPattern is isID for the browser, without the comma that separates ids in an address.
const idPattern = `^[!-+\--~]{1,64}$`

// Rules that the browser follows too, so that a visitor learns early what the server would say, are written into
// islands/rules.ts:
//
//	go test ./handlers -run Rules -update
func TestIslandsFollowTheRulesOfTheSite(t *testing.T) {
	const file = "../islands/rules.ts"
	rules := fmt.Sprintf(
		`// The site's rules that the browser follows too. Generated: go test ./handlers -run Rules -update
export const adultAge = %d;
export const maxCompared = %d;
export const maxPhotoBytes = %d;
export const maxNameLength = %d; // characters of a file's name that are shown
export const idPattern = /%s/; // of a talent
`, agency.AdultAge, views.MaxCompared, agency.MaxPhoto, views.MaxNameLength, idPattern)
	if flag.Lookup("update").Value.String() == "true" {
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
