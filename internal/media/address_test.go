package media

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
)

// TestAReplicaResolvesAddressesThatItHasNotWritten: two replicas have the keys and the back end in common, nothing
// else.
func TestAReplicaResolvesAddressesThatItHasNotWritten(t *testing.T) {
	from := &storage{}
	from.put("cover.jpg", asJPEG(t, corners(600, 200), 95)) // wider than a card: left red, right blue
	from.put("book.jpg", asJPEG(t, photo(400, 500), 90))
	listed := []PictureSpec{
		{"cover.jpg", Options{Crop: Card, Focus: agency.Focus{X: 1, Y: 50}, Owner: "101"}},
		{"book.jpg", Options{Owner: "101"}},
	}
	asked := 0
	replica := func() *Store {
		return open(t, from, func(c *Config) {
			c.Shown = func(_ context.Context, owner string) iter.Seq[PictureSpec] {
				asked++
				if owner != "101" {
					return slices.Values([]PictureSpec(nil))
				}
				return slices.Values(listed)
			}
		})
	}
	writer, reader := replica(), replica()
	cover := links(pictureOf(writer, "cover.jpg", listed[0].Options, 360).JPEG)["360w"]
	assert.Regexp(t, `^/media/[\w-]{8}\.101/0/c360\.jpg$`, cover)
	near(t, red, decoded(t, get(reader, cover).Body.Bytes()), 140, 10)
	book := pictureOf(writer, "book.jpg", listed[1].Options, 360).Src
	assert.Equal(t, http.StatusOK, get(reader, book).Code)
	assert.Equal(t, 2, asked)
	get(reader, book)
	get(writer, book)
	assert.Equal(t, 2, asked, "an address is looked up once, and never where it was written")
	versioned := pictureOf(reader, "book.jpg", listed[1].Options, 360).Src
	assert.Equal(t, cacheImmutable, get(writer, versioned).Header().Get("Cache-Control"), "replicas agree on versions")

	for what, address := range map[string]string{
		"another's picture":       strings.Replace(book, ".101/", ".102/", 1),
		"another hash":            strings.Replace(book, "/media/", "/media/A", 1),
		"a picture as no minor's": strings.Replace(book, "/media/", "/media/n", 1),
	} {
		assert.Equal(t, http.StatusNotFound, get(reader, address).Code, what)
	}

	// A page that somebody keeps has the address from before an editor moved the focal point.
	listed[0].Options.Focus = agency.Focus{X: 100, Y: 50}
	late := replica()
	near(t, blue, decoded(t, get(late, cover).Body.Bytes()), 10, 10)
	get(reader, cover)
	before := pictureOf(reader, "cover.jpg", Options{Crop: Card, Focus: agency.Focus{X: 1, Y: 50}, Owner: "101"}, 360)
	assert.NotEqual(t, before.Src, pictureOf(late, "cover.jpg", listed[0].Options, 360).Src,
		"a moved focal point needs a new address, because addresses are cached for ever")

	listed = listed[:1]
	assert.Equal(t, http.StatusNotFound, get(replica(), book).Code, "a picture is gone with the page that shows it")
}

func TestAMinorsShortAddressKeepsItsMark(t *testing.T) {
	from := &storage{}
	from.put("kid.jpg", asJPEG(t, photo(400, 500), 90))
	kid := PictureSpec{"kid.jpg", Options{Owner: "7", Minor: true}}
	replica := func() *Store {
		return open(t, from, func(c *Config) {
			c.Shown = func(context.Context, string) iter.Seq[PictureSpec] { return slices.Values([]PictureSpec{kid}) }
		})
	}
	writer, reader := replica(), replica()
	marked := pictureOf(writer, kid.File, kid.Options, 360).Src
	assert.Regexp(t, `^/media/n[\w-]{8}\.7/`, marked)
	for _, s := range []*Store{writer, reader} {
		answer := get(s, marked)
		assert.Equal(t, http.StatusOK, answer.Code)
		assert.Equal(t, "noimageindex", answer.Header().Get("X-Robots-Tag"))
		assert.Equal(t, http.StatusNotFound, get(s, strings.Replace(marked, "/media/n", "/media/", 1)).Code)
	}

	adult := pictureOf(writer, kid.File, Options{Owner: "7"}, 360).Src // on a page from before the birth date was known
	assert.Equal(t, http.StatusNotFound, get(reader, adult).Code)
	kid.Options.Minor = false
	answer := get(replica(), marked) // on a page from before the birthday
	require.Equal(t, http.StatusOK, answer.Code)
	assert.Equal(t, "noimageindex", answer.Header().Get("X-Robots-Tag"))
}

// TestAddressesStayTheSame: those that hold the picture itself are in pages that others keep.
func TestAddressesStayTheSame(t *testing.T) {
	from := &storage{}
	from.put("talents/a.jpg", asJPEG(t, corners(600, 200), 95))
	s := open(t, from)
	card := get(s, "/media/FrHatFqbLVkU/czp0YWxlbnRzL2EuanBnCTEsNTA/0/c360.jpg")
	require.Equal(t, http.StatusOK, card.Code)
	near(t, red, decoded(t, card.Body.Bytes()), 140, 10)
	minor := get(s, "/media/nF4lTjxk-rlM1/czp0YWxlbnRzL2EuanBn/012345/u360.jpg")
	require.Equal(t, http.StatusOK, minor.Code)
	assert.Equal(t, "noimageindex", minor.Header().Get("X-Robots-Tag"))
}

func TestCropFollowsTheFocalPoint(t *testing.T) {
	from := &storage{}
	from.put("a.jpg", asJPEG(t, corners(600, 200), 95)) // wider than a card: left red, right blue
	s := open(t, from)
	left := pictureOf(s, "a.jpg", Options{Crop: Card, Focus: agency.Focus{X: 1, Y: 50}}, 160)
	right := pictureOf(s, "a.jpg", Options{Crop: Card, Focus: agency.Focus{X: 100, Y: 50}}, 160)
	assert.NotEqual(t, left.Src, right.Src,
		"a moved focal point needs a new address, because addresses are cached for ever")
	near(t, red, decoded(t, get(s, left.Src).Body.Bytes()), 140, 10)
	near(t, blue, decoded(t, get(s, right.Src).Body.Bytes()), 10, 10)
	again := pictureOf(s, "a.jpg", Options{Crop: Card, Focus: agency.Focus{X: 1, Y: 50}}, 160)
	assert.Equal(t, http.StatusOK, get(s, again.Src).Code)
	assert.Equal(t, cacheImmutable, get(s, again.Src).Header().Get("Cache-Control"))

	whole := pictureOf(s, "a.jpg", Options{Focus: agency.Focus{X: 1, Y: 50}})
	assert.Equal(t, sourceOf(s, "a.jpg").JPEG, whole.JPEG, "without a crop the focal point doesn't change the address")
	for _, none := range []agency.Focus{
		{X: 0, Y: 50}, {X: 101, Y: 50}, {X: 50, Y: 0}, {X: 999, Y: 999}, {X: -1, Y: 3},
	} {
		assert.Equal(t, pictureOf(s, "a.jpg", Options{Crop: Card}),
			pictureOf(s, "a.jpg", Options{Crop: Card, Focus: none}), none)
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
