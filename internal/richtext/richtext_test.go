package richtext

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"zedcard/internal/agency"
)

func pictures(src string) Picture {
	if strings.HasPrefix(src, "http") {
		return Picture{}
	}
	return Picture{Sources: agency.Sources{Src: "/storage/" + src}}
}

func TestTheFirstParagraphIsTheLedeAndHeadingsGetIDs(t *testing.T) {
	text, err := Clean("<p>We are <b>few</b>.</p><h2>Who</h2><p>People.</p><h2>What</h2>", pictures)
	require.NoError(t, err)
	assert.Equal(t, "<p>We are <b>few</b>.</p>", text.Lede)
	assert.Equal(t, `<h2 id="section-1">Who</h2><p>People.</p><h2 id="section-2">What</h2>`, text.Body)
	assert.Equal(t, []Heading{{"section-1", "Who"}, {"section-2", "What"}}, text.Headings)
}

// One without a description is decoration.
func TestPicturesAreServedByTheSite(t *testing.T) {
	for fragment, want := range map[string]string{
		`<img src="a.jpg" alt="A" onerror="x()">`:          `<img src="/storage/a.jpg" alt="A" loading="lazy"/>`,
		`<img src="a.jpg">`:                                `<img src="/storage/a.jpg" alt="" loading="lazy"/>`,
		`<img src="http://169.254.169.254/a.jpg" alt="A">`: "",
	} {
		text, err := Clean("<h3>x</h3>"+fragment, pictures)
		require.NoError(t, err)
		assert.Equal(t, "<h3>x</h3>"+want, text.Body)
	}
}

func TestPicturesComeInEveryFormatAndKeepTheirPlace(t *testing.T) {
	text, err := Clean(`<h2>x</h2><figure><img src="a.jpg" alt="A" width="9999"><figcaption>B</figcaption></figure>`,
		func(string) Picture {
			return Picture{Sizes: "50vw", Sources: agency.Sources{
				Src: "/a.jpg", Srcset: "/a.jpg 360w", AVIF: "/a.avif 360w", Width: 360, Height: 480,
			}}
		})
	require.NoError(t, err)
	assert.Equal(t,
		`<h2 id="section-1">x</h2><figure><picture><source type="image/avif" srcset="/a.avif 360w" sizes="50vw"/>`+
			`<img src="/a.jpg" alt="A" width="360" srcset="/a.jpg 360w" sizes="50vw" height="480" loading="lazy"/>`+
			`</picture><figcaption>B</figcaption></figure>`, text.Body)
}

// hostile are fifty fragments that run something, load something from elsewhere, or take a place or an
// id of the page, where they are let. The browser tests show them too.
func hostile(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/hostile.json")
	require.NoError(t, err)
	var fragments []string
	require.NoError(t, json.Unmarshal(data, &fragments))
	require.Len(t, fragments, 50)
	return fragments
}

// harmless are the attributes that may be left, of all elements together.
var harmless = []string{"href", "src", "alt", "width", "height", "lang", "scope", "rel", "loading"}

func TestNothingHostileIsLeft(t *testing.T) {
	for _, fragment := range hostile(t) {
		text, err := Clean(fragment, pictures)
		require.NoError(t, err, fragment)
		document, err := html.Parse(strings.NewReader(text.Lede + text.Body))
		require.NoError(t, err, fragment)
		for node := range document.Descendants() {
			if node.Type != html.ElementNode {
				assert.NotEqual(t, html.CommentNode, node.Type, fragment)
				continue
			}
			assert.Contains(t, []string{"html", "head", "body", "p", "a", "img", "h2", "table", "tbody", "tr", "td"},
				node.Data, fragment)
			assert.Empty(t, node.Namespace, fragment)
			for _, a := range node.Attr {
				switch a.Key {
				case "id":
					assert.Equal(t, "section-1", a.Val, "%s: only headings have ids, made by the site", fragment)
					assert.Equal(t, "h2", node.Data, fragment)
				case "href":
					assert.Equal(t, "/about", a.Val, fragment)
				case "src":
					assert.True(t, strings.HasPrefix(a.Val, "/storage/"), "%s: %s", fragment, a.Val)
				default:
					assert.Contains(t, harmless, a.Key, fragment)
				}
			}
		}
	}
}
