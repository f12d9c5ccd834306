package feed_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/feed"
)

func TestASitemapFollowsItsFormats(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, feed.WriteSitemap(&out, []feed.Page{
		{
			Address: "https://best.example/models?a=1&b=<2>",
			Alternates: []feed.Alternate{
				{Rel: "alternate", Lang: "pt", Address: "https://best.example/pt/models"},
				{Rel: "alternate", Lang: "x-default", Address: "https://best.example/models"},
			},
			Pictures: []feed.Picture{{Address: "https://best.example/media/1.jpg"}},
		},
		{Address: "https://best.example/pt/blog/news/um"},
	}))
	assert.Equal(t, `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" `+
		`xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">`+
		`<url><loc>https://best.example/models?a=1&amp;b=&lt;2&gt;</loc>`+
		`<xhtml:link rel="alternate" hreflang="pt" href="https://best.example/pt/models"></xhtml:link>`+
		`<xhtml:link rel="alternate" hreflang="x-default" href="https://best.example/models"></xhtml:link>`+
		`<image:image><image:loc>https://best.example/media/1.jpg</image:loc></image:image></url>`+
		`<url><loc>https://best.example/pt/blog/news/um</loc></url></urlset>`, out.String())
}
