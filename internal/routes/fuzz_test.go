package routes

import (
	"strings"
	"testing"
)

// FuzzRedirect looks for a path that leads to another site.
func FuzzRedirect(f *testing.F) {
	for _, seed := range []string{
		"/en", "/en//evil.example", "/en/\\evil", "//evil.example/", "/%2f%2fevil/", "/pt/en//x/",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		to, moved := Redirect(path)
		if moved && (!strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.HasPrefix(to, `/\`)) {
			t.Fatalf("%q leads to %q", path, to)
		}
	})
}
