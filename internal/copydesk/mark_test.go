package copydesk_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"zedcard/internal/copydesk"
)

func TestRevealShowsEachTextsKeyWhereItStands(t *testing.T) {
	count := copydesk.Mark("list.shown", "20 of "+copydesk.Mark("list.count", "64 &amp; more"))
	numbers := strings.Fields(copydesk.Mark("form.numbers", "Two Three Four"))
	for name, c := range map[string]struct {
		page, want string
		found      []copydesk.Text
	}{
		"a text": {
			"<p>" + copydesk.Mark("nav.about", "About") + "</p>", `<p><zed-copy key="nav.about">About</zed-copy></p>`,
			[]copydesk.Text{{Key: "nav.about", Words: "About"}},
		},
		"a text in a text": {
			"<p>" + count + "!</p>",
			`<p><zed-copy key="list.shown">20 of <zed-copy key="list.count">64 &amp; more</zed-copy></zed-copy>!</p>`,
			[]copydesk.Text{{Key: "list.shown", Words: "20 of 64 & more"}, {Key: "list.count", Words: "64 & more"}},
		},
		"a text in several parts": {
			"<b>" + numbers[0] + "</b><i>" + numbers[1] + "</i><b>" + numbers[2] + "</b>",
			`<b><zed-copy key="form.numbers">Two</zed-copy></b><i>Three</i><b>Four</b>`,
			[]copydesk.Text{{Key: "form.numbers", Words: "Two"}},
		},
		"an attribute": {
			`<button aria-label="` + copydesk.Mark("card.save", "Save &#34;Ana&#34;") + `" hidden>x</button>`,
			`<button aria-label="Save &#34;Ana&#34;" hidden="" data-copy="aria-label: card.save">x</button>`,
			[]copydesk.Text{{Key: "card.save", Words: `Save "Ana"`, Location: "aria-label"}},
		},
		"where no element is allowed": {
			"<title>" + copydesk.Mark("nav.about", "About") + " – Best</title><select><option>" +
				copydesk.Mark("form.choose", "Choose") +
				`</option></select><script type="application/ld+json">{"name":"` + copydesk.Mark("nav.about", "About") +
				`"}</script>`,
			`<title>About – Best</title><select><option>Choose</option></select>` +
				`<script type="application/ld+json">{"name":"About"}</script>`,
			[]copydesk.Text{
				{Key: "nav.about", Words: "About", Location: "title"},
				{Key: "form.choose", Words: "Choose", Location: "option"},
				{Key: "nav.about", Words: "About", Location: "script"},
			},
		},
		"links keep showing keys": {
			`<a href="/about?a=1#top">x</a><a href="https://elsewhere.example/">y</a>` +
				`<a href="#main">z</a><form action="/contact"></form>`,
			`<a href="/about?a=1&amp;copy=keys#top">x</a><a href="https://elsewhere.example/">y</a>` +
				`<a href="#main">z</a><form action="/contact?copy=keys"></form>`,
			nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, found := copydesk.Reveal([]byte(c.page))
			assert.Equal(t, c.want, string(got))
			assert.Equal(t, c.found, found)
		})
	}
}
