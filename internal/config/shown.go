package config

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// hidden replaces a value in messages that may hold a password.
const hidden = "a value that is not shown"

var password = regexp.MustCompile(`//.*@`)

// shown is the value as messages may show it.
func (s setting) shown(value string) string {
	switch {
	case s.secret:
		return hidden
	case s.masked:
		return masked(value)
	}
	return fmt.Sprintf("%q", password.ReplaceAllString(value, "//…@"))
}

var lineEnd = regexp.MustCompile(`\s*\n\s*`)

// SettingError is the error, in one line, of a setting whose value is valid but fails in use.
func (c Config) SettingError(name string, err error) error {
	i := slices.IndexFunc(settings, func(s setting) bool { return s.name == name })
	why := lineEnd.ReplaceAllString(err.Error(), " ")
	return fmt.Errorf("%s: read %s, accepted is %s: %s", name, c.read[name], settings[i].inUse, why)
}

// credentialHint matches words and characters that a password may follow.
var credentialHint = regexp.MustCompile(`(?i)@|passw|pwd|secret`)

// masked is an address with its passwords masked, or hidden if they can't be told from the rest.
func masked(value string) string {
	u, err := url.Parse(value)
	if err != nil || u.Host == "" {
		if credentialHint.MatchString(value) {
			return hidden
		}
		return fmt.Sprintf("%q", value)
	}
	public := *u
	public.User, public.RawQuery = nil, ""
	if credentialHint.MatchString(public.String()) { // a "/" in the password makes the rest of it a path
		return hidden
	}
	if u.RawQuery != "" {
		pairs := strings.Split(u.RawQuery, "&")
		for i, pair := range pairs {
			name, text, _ := strings.Cut(pair, "=")
			decoded, err := url.QueryUnescape(name)
			switch {
			case err == nil && strings.Contains(strings.ToLower(decoded), "pass"):
				pairs[i] = name + "=xxxxx"
			case err != nil || credentialHint.MatchString(decoded) || credentialHint.MatchString(text):
				return hidden
			}
		}
		u.RawQuery = strings.Join(pairs, "&")
	}
	return fmt.Sprintf("%q", u.Redacted())
}
