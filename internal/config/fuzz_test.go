package config

import (
	"strings"
	"testing"
)

// FuzzLoad looks for a value of a setting whose error does not name the setting, or shows a secret.
func FuzzLoad(f *testing.F) {
	for _, seed := range []string{
		"", "true", "1h", "-5", "99999999999G", "https://a.example/?x#y", "http://[::1", "10.0.0.0/8, fe80::/64",
		"a@b.example", "{file}{width}",
		"postgres://user:hidden@host/db", "smtp://user:hidden@host:25", "\x00", "news, ../x", "%zz",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		for _, s := range settings {
			_, err := Load(nil, func(name string) string {
				if name == s.name {
					return value
				}
				return ""
			})
			if err == nil {
				continue
			}
			text := err.Error()
			if !strings.Contains(text, s.name) {
				t.Fatalf("error doesn't name the setting: %s = %q: %v", s.name, value, err)
			}
			if secret := strings.TrimSpace(value); s.secret && len(secret) > 8 && strings.Contains(text, secret) {
				t.Fatalf("error prints the secret of %s: %v", s.name, err)
			}
		}
	})
}
