package richtext

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"zedcard/internal/agency"
)

// FuzzClean looks for a text of a back end that brings more into a page than text, links and pictures of the site.
func FuzzClean(f *testing.F) {
	for _, seed := range []string{
		`<p>a</p><img src=x onerror=x()>`, `<svg><script>x()</script></svg>`, `<a href="javascript:x()">a</a>`,
		`<math><mi//xlink:href="data:x,<script>">`, `<h2 id=x hx-get=/y>a</h2>`,
		`<noscript><p title="</noscript><img src>">`,
	} {
		f.Add(seed)
	}
	never := strings.Fields("script style iframe object embed form input svg math base meta link")
	f.Fuzz(func(t *testing.T, fragment string) {
		text, err := Clean(fragment, func(string) Picture { return Picture{Sources: agency.Sources{Src: "/p.jpg"}} })
		if err != nil {
			return
		}
		tokens := html.NewTokenizer(strings.NewReader(text.Lede + text.Body))
		for tokens.Next() != html.ErrorToken {
			token := tokens.Token()
			if token.Type == html.TextToken || token.Type == html.EndTagToken {
				continue
			}
			if slices.Contains(never, token.Data) {
				t.Fatalf("forbidden element <%s> from %q", token.Data, fragment)
			}
			for _, a := range token.Attr {
				if strings.HasPrefix(a.Key, "on") || strings.HasPrefix(a.Key, "hx-") ||
					strings.HasPrefix(a.Key, "data-") || a.Key == "style" || a.Key == "src" && a.Val != "/p.jpg" ||
					a.Key == "href" && strings.HasPrefix(strings.ToLower(strings.TrimSpace(a.Val)), "javascript:") {
					t.Fatalf("forbidden attribute %s=%q from %q", a.Key, a.Val, fragment)
				}
			}
		}
	})
}
