package media

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/testkit/picturetest"
)

// TestMadeUpAddressesAskNobody: neither the storage nor a back end, and another replica's address needs none either.
func TestMadeUpAddressesAskNobody(t *testing.T) {
	from := &storage{}
	from.put("a.jpg", picturetest.JPEG(t, photo(400, 500)))
	writer, reader := open(t, from), open(t, from)
	given := sourceOf(writer, "a.jpg", 360).Src
	for what, address := range map[string]string{
		"another signature": strings.Replace(given, "/media/", "/media/A", 1)[:len(given)],
		"another picture":   strings.Replace(given, "czph", "czpi", 1),
		"a minor's":         strings.Replace(given, "/media/", "/media/n", 1),
		"a short one":       "/media/abcdefgh.101/0/c360.jpg",
		"none":              "/media/",
	} {
		require.NotEqual(t, given, address, what)
		assert.Equal(t, http.StatusNotFound, get(reader, address).Code, what)
	}
	assert.Zero(t, from.count("a.jpg"))
	assert.Equal(t, http.StatusOK, get(reader, given).Code)
}

// TestAddressesStayTheSame: those that hold the picture itself are in pages that others keep.
func TestAddressesStayTheSame(t *testing.T) {
	from := &storage{}
	from.put("talents/a.jpg", picturetest.JPEG(t, corners(600, 200)))
	s := open(t, from)
	card := get(s, "/media/FrHatFqbLVkU/czp0YWxlbnRzL2EuanBnCTEsNTA/0/c360.jpg")
	require.Equal(t, http.StatusOK, card.Code)
	picturetest.Near(t, red, decoded(t, card.Body.Bytes()), 140, 10)
	minor := get(s, "/media/nF4lTjxk-rlM1/czp0YWxlbnRzL2EuanBn/012345/u360.jpg")
	require.Equal(t, http.StatusOK, minor.Code)
	assert.Equal(t, "noimageindex", minor.Header().Get("X-Robots-Tag"))
}

// TestAFileThatIsLentAnewIsTheSamePicture: its address, and what was made of it, outlive the storage's signature.
func TestAFileThatIsLentAnewIsTheSamePicture(t *testing.T) {
	const file = "https://bucket.example/a.jpg"
	from := &storage{}
	from.put("/a.jpg", picturetest.JPEG(t, photo(400, 500)))
	s := open(t, from, func(c *Config) { c.Roots[0].URL, _ = url.Parse("https://bucket.example/") })
	for name, query := range map[string][2]string{
		"S3":         {"X-Amz-Date=1&X-Amz-Signature=a", "X-Amz-Date=2&X-Amz-Signature=b"},
		"CloudFront": {"Expires=1&Signature=a~_&Key-Pair-Id=K", "Expires=2&Signature=b&Key-Pair-Id=K"},
		"in letters": {"AWSAccessKeyId=K&expires=1&signature=a", "AWSAccessKeyId=K&expires=2&signature=b"},
		"Azure":      {"sv=1&se=1&sr=b&sp=r&sig=a", "sv=1&se=2&sr=b&sp=r&sig=b"},
	} {
		asked := ""
		s.roots[0].Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
			asked = r.URL.RawQuery
			return from.RoundTrip(r)
		})
		get(s, sourceOf(s, file+"?v="+name[:2]+"&"+query[0], 360).Src)
		first := sourceOf(s, file+"?v="+name[:2]+"&"+query[0], 360).Src
		assert.Contains(t, asked, query[0], name)
		assert.Equal(t, first, sourceOf(s, file+"?v="+name[:2]+"&"+query[1], 360).Src, name)
		assert.NotContains(t, first, base64.RawURLEncoding.EncodeToString([]byte(query[0])))
	}
	made := from.count("/a.jpg")
	assert.NotEqual(t, sourceOf(s, file+"?v=1", 360).Src, sourceOf(s, file+"?v=2", 360).Src, "another file")
	assert.Equal(t, made, from.count("/a.jpg"))
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestCropFollowsTheFocalPoint(t *testing.T) {
	from := &storage{}
	from.put("a.jpg", picturetest.JPEG(t, corners(600, 200))) // wider than a card: left red, right blue
	s := open(t, from)
	left := pictureOf(s, "a.jpg", Options{Crop: agency.CardCrop, Focus: agency.Focus{X: 1, Y: 50}}, 160)
	right := pictureOf(s, "a.jpg", Options{Crop: agency.CardCrop, Focus: agency.Focus{X: 100, Y: 50}}, 160)
	assert.NotEqual(t, left.Src, right.Src,
		"a moved focal point needs a new address, because addresses are cached for ever")
	picturetest.Near(t, red, decoded(t, get(s, left.Src).Body.Bytes()), 140, 10)
	picturetest.Near(t, blue, decoded(t, get(s, right.Src).Body.Bytes()), 10, 10)
	again := pictureOf(s, "a.jpg", Options{Crop: agency.CardCrop, Focus: agency.Focus{X: 1, Y: 50}}, 160)
	assert.Equal(t, http.StatusOK, get(s, again.Src).Code)
	assert.Equal(t, cacheImmutable, get(s, again.Src).Header().Get("Cache-Control"))

	whole := pictureOf(s, "a.jpg", Options{Focus: agency.Focus{X: 1, Y: 50}})
	assert.Equal(t, sourceOf(s, "a.jpg").Srcset, whole.Srcset, "without a crop the focus changes nothing")
	for _, none := range []agency.Focus{
		{X: 0, Y: 50}, {X: 101, Y: 50}, {X: 50, Y: 0}, {X: 999, Y: 999}, {X: -1, Y: 3},
	} {
		assert.Equal(t, pictureOf(s, "a.jpg", Options{Crop: agency.CardCrop}),
			pictureOf(s, "a.jpg", Options{Crop: agency.CardCrop, Focus: none}), none)
	}
}

func TestEscapesInAPathAreKept(t *testing.T) {
	base, err := url.Parse("https://panel.example/st%C3%B3rage/")
	require.NoError(t, err)
	s := &Store{roots: []*Root{{Name: "s", URL: base}}}
	for file, want := range map[string]string{
		"a b.jpg":       "a%20b.jpg",
		"a%20b.jpg":     "a%20b.jpg",
		"a%20b c.jpg":   "a%20b%20c.jpg",
		"olá.jpg":       "ol%C3%A1.jpg",
		"100%.jpg":      "100%25.jpg",
		"a%3Fb.jpg?v=1": "a%3Fb.jpg?v=1",
		"https://panel.example/st%C3%B3rage/a%3Fb%20c.jpg": "a%3Fb%20c.jpg",
		"https://panel.example/stórage/a b.jpg":            "a%20b.jpg",
	} {
		p, ok := s.resolve(file, "")
		require.True(t, ok, file)
		assert.Equal(t, "https://panel.example/st%C3%B3rage/"+want, s.roots[0].address(p.path).String(), file)
	}
}
