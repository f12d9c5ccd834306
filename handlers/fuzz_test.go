package handlers

import (
	"context"
	"log/slog"
	"mime"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"zedcard/internal/catalog"
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
			t.Fatalf("name %q gives header %q with control characters", name, header)
		}
		kind, parameters, err := mime.ParseMediaType(header)
		if err != nil || kind != "attachment" || strings.ContainsAny(parameters["filename"], `/\`) {
			t.Fatalf("name %q gives invalid header %q: %v", name, header, err)
		}
	})
}

// FuzzParseIDs looks for a list of favourites that is longer than allowed, or holds what can't be an id.
func FuzzParseIDs(f *testing.F) {
	for _, seed := range []string{"", "1,2,3", " 1 ,1,,\x00", "é,../..,<script>", strings.Repeat("1234,5678,", 300)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ids := parseIDs(text)
		if len(ids) > maxShortlist || slices.ContainsFunc(ids, func(id string) bool { return !isID(id) }) {
			t.Fatalf("%q is parsed as invalid ids %q", text, ids)
		}
		if again := parseIDs(strings.Join(ids, ",")); !slices.Equal(again, ids) {
			t.Fatalf("%q is parsed as %q, which is parsed again as %q", text, ids, again)
		}
	})
}

// FuzzSession looks for a cookie that is accepted although it was not signed.
func FuzzSession(f *testing.F) {
	signer := func(key string) *site {
		return &site{Services: Services{
			Keys:  func(context.Context) ([][]byte, error) { return [][]byte{[]byte(key)}, nil },
			HTTPS: func(*http.Request) bool { return true },
			Log:   slog.New(slog.DiscardHandler),
		}}
	}
	w := httptest.NewRecorder()
	err := signer("a stranger's").saveIDs(w, httptest.NewRequest(http.MethodGet, "/", nil), []string{"101", "102"})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(w.Result().Cookies()[0].Value)
	f.Add("")
	f.Add("a=b; shortlist=x; __Host-shortlist=")
	f.Add(`"MTIz|x|y"`)
	ours := signer("ours")
	f.Fuzz(func(t *testing.T, value string) {
		for _, name := range []string{sessionName, hostPrefix + sessionName} {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.Header["Cookie"] = []string{name + "=" + value}
			if ids := ours.savedIDs(r); len(ids) > 0 {
				t.Fatalf("forged cookie %q is read as %q", value, ids)
			}
		}
	})
}

// FuzzParsePosts looks for a number of posts that no page shows.
func FuzzParsePosts(f *testing.F) {
	for _, seed := range []string{"", "20", "-1", "99999999999999999999", "1e3", "٣"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if posts := parsePosts(text); posts < catalog.FirstPosts || posts > MaxPosts {
			t.Fatalf("%q is parsed as %d posts, which is out of range", text, posts)
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
