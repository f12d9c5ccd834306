package handlers

import (
	"mime"
	"strings"
	"testing"
)

// FuzzAttachment looks for a talent's name that breaks out of the header with the file's name.
func FuzzAttachment(f *testing.F) {
	for _, seed := range []string{
		"Ana", "Jo\u00e3o \"x\"", "a\r\nSet-Cookie: x", "\u202egpj.exe", "../../x", "", ";filename=x",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		header := attachment(name + fileSuffix)
		if strings.ContainsAny(header, "\r\n\x00") {
			t.Fatalf("%q gives %q", name, header)
		}
		kind, parameters, err := mime.ParseMediaType(header)
		if err != nil || kind != "attachment" || strings.ContainsAny(parameters["filename"], `/\`) {
			t.Fatalf("%q gives %q: %v", name, header, err)
		}
	})
}
