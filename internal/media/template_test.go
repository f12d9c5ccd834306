package media

import (
	"encoding/base64"
	"image"
	"image/jpeg"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestExternalImageServerByTemplate(t *testing.T) {
	s := open(t, &storage{}, func(c *Config) {
		c.Roots[0].URL, _ = url.Parse("https://panel.example/storage/")
		c.Template = "https://images.example/insecure/rs:fill:{width}:{height}/g:fp:0.5:0.33/plain/{url}@{format}"
	})
	source := pictureOf(s, "talents/joão 1@2.jpg", Options{Crop: Card}, 360)
	assert.Equal(t, "https://images.example/insecure/rs:fill:360:480/g:fp:0.5:0.33/plain/"+
		"https%3A%2F%2Fpanel.example%2Fstorage%2Ftalents%2Fjo%25C3%25A3o%25201%402.jpg@jpg", source.Src)
	assert.Contains(t, source.AVIF, "@avif 360w")
	assert.Contains(t, sourceOf(s, "a.jpg", 360).Src, "rs:fill:360:0/")

	for bad, why := range map[string]string{
		"https://images.example/": "needs {url}", "https://images.example/{url}": "needs {url}",
		"https://i.example/{url}/{width}/{quality}": "unknown {quality}",
		"https://i.example/{url},{width}":           "in a srcset",
		"https://i.example/{url}/{width}":           `storage "s" has no address`,
	} {
		_, err := Open(Config{Dir: t.TempDir(), Template: bad, Roots: []Root{{Name: "s", Transport: &storage{}}}})
		require.ErrorIs(t, err, ErrTemplate)
		assert.ErrorContains(t, err, why)
	}
}

// imgproxy is as much of github.com/imgproxy/imgproxy as a MEDIA_URL for it uses: it reads an address as its
// documentation says, gets the original and answers with a picture of the size asked for. Its AVIFs are JPEGs.
type imgproxy struct{ storage http.Handler }

func (i imgproxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// /SIGNATURE/rs:fill:WIDTH:HEIGHT/g:fp:X:Y/plain/ESCAPED@FORMAT or …/BASE64.FORMAT
	parts := strings.SplitN(r.URL.EscapedPath(), "/", 5)
	size := strings.Split(parts[2], ":")
	if parts[1] != "insecure" || size[0] != "rs" || size[1] != "fill" || !strings.HasPrefix(parts[3], "g:fp:") {
		http.Error(w, "invalid URL", http.StatusNotFound)
		return
	}
	source, format := "", ""
	if rest, plain := strings.CutPrefix(parts[4], "plain/"); plain {
		source, format, _ = strings.Cut(rest, "@")
		source, _ = url.PathUnescape(source)
	} else {
		encoded, ending, _ := strings.Cut(strings.ReplaceAll(parts[4], "/", ""), ".")
		decoded, err := base64.RawURLEncoding.DecodeString(encoded)
		if err != nil {
			http.Error(w, "invalid URL", http.StatusNotFound)
			return
		}
		source, format = string(decoded), ending
	}
	original := httptest.NewRecorder()
	request, err := http.NewRequestWithContext(r.Context(), http.MethodGet, source, nil)
	if err != nil {
		http.Error(w, "invalid source", http.StatusNotFound)
		return
	}
	i.storage.ServeHTTP(original, request)
	m, _, err := image.Decode(original.Body)
	if err != nil {
		http.Error(w, "not a picture", http.StatusUnprocessableEntity)
		return
	}
	width, _ := strconv.Atoi(size[2])
	height, _ := strconv.Atoi(size[3])
	if height == 0 {
		height = width * m.Bounds().Dy() / m.Bounds().Dx()
	}
	w.Header().Set("Content-Type", map[string]string{"jpg": "image/jpeg", "avif": "image/avif"}[format])
	_ = jpeg.Encode(w, image.NewGray(image.Rect(0, 0, width, height)), nil)
}

// TestImgproxyUnderstandsTheAddresses: with both placeholders for the original, whose name has characters with a
// meaning in URLs.
func TestImgproxyUnderstandsTheAddresses(t *testing.T) {
	const file = "talents/joão 50%/1@2+3.jpg"
	from := &storage{}
	from.put(file, asJPEG(t, image.NewGray(image.Rect(0, 0, 600, 900)), 50))
	server := httptest.NewServer(imgproxy{from})
	defer server.Close()
	for _, name := range []string{"plain/{url}@{format}", "{url64}.{format}"} {
		s := open(t, from, func(c *Config) {
			c.Roots[0].URL, _ = url.Parse("https://panel.example/storage/")
			c.Template = server.URL + "/insecure/rs:fill:{width}:{height}/g:fp:0.5:0.33/" + name
		})
		escaped := "https://panel.example/storage/talents/jo%C3%A3o%2050%25/1@2+3.jpg"
		for _, c := range []struct {
			source Source
			want   image.Point
		}{
			{pictureOf(s, escaped, Options{Crop: Card}, 360), image.Pt(360, 480)},
			{pictureOf(s, escaped, Options{}, 360), image.Pt(360, 540)},
		} {
			for set, format := range map[string]string{c.source.JPEG: "image/jpeg", c.source.AVIF: "image/avif"} {
				address := links(set)["360w"]
				answer, err := http.Get(address)
				require.NoError(t, err)
				defer answer.Body.Close()
				require.Equal(t, http.StatusOK, answer.StatusCode, address)
				assert.Equal(t, format, answer.Header.Get("Content-Type"))
				m, err := jpeg.DecodeConfig(answer.Body)
				require.NoError(t, err)
				assert.Equal(t, c.want, image.Pt(m.Width, m.Height))
			}
		}
	}
}

func TestEscapesInAPathAreKept(t *testing.T) {
	base, err := url.Parse("https://panel.example/st%C3%B3rage/")
	require.NoError(t, err)
	s := &Store{roots: []*root{{name: "s", base: base}}}
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
