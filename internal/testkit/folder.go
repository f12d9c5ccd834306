package testkit

import (
	"bytes"
	"encoding/json"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/api"
	"zedcard/internal/folder"
)

// Site is a back end with two signed-in clients and a stopped clock.
type Site struct {
	*folder.Folder
	t                            *testing.T
	url                          string
	Now                          time.Time
	Log                          bytes.Buffer
	PanelToken, IntegrationToken string
}

// Open is a back end over a folder.
func Open(t *testing.T, dir fs.FS, change ...func(*folder.Config)) *Site {
	s := &Site{t: t, Now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	config := folder.Config{
		Now: func() time.Time { return s.Now }, Log: slog.New(slog.NewTextHandler(&s.Log, nil)),
	}
	for _, change := range change {
		change(&config)
	}
	backend, err := folder.Open(dir, config)
	require.NoError(t, err)
	s.Folder = backend
	content := func() api.Content { return backend.Content(t.Context()) }
	server := httptest.NewServer(api.New(content, backend, api.Config{
		PanelSalt: "panel-salt", APIToken: "api-token", IntegrationSalt: "integration-salt", APIKey: "api-key",
		Pictures: backend.Pictures(), Now: config.Now, Log: config.Log,
	}))
	t.Cleanup(server.Close)
	s.url = server.URL
	s.SignIn()
	return s
}

func (s *Site) SignIn() {
	var token struct {
		AccessToken string `json:"access_token"`
		Token       string `json:"token"`
	}
	s.Read(s.Call(http.MethodPost, "/api/signin", `{"salt":"integration-salt","api_key":"api-key"}`), &token)
	s.Read(s.Call(http.MethodPost, "/api/login", `{"salt":"panel-salt","api_token":"api-token"}`), &token)
	s.IntegrationToken, s.PanelToken = token.AccessToken, token.Token
}

// Call makes a request with the token of the API that the path belongs to.
func (s *Site) Call(method, path, body string, header ...string) *http.Response {
	r, err := http.NewRequest(method, s.url+path, strings.NewReader(body))
	require.NoError(s.t, err)
	r.Header.Set("Authorization", "Bearer "+s.PanelToken)
	if strings.HasPrefix(path, "/api/talent") || strings.HasPrefix(path, "/api/download") {
		r.Header.Set("Authorization", "Bearer "+s.IntegrationToken)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	require.NoError(s.t, err)
	s.t.Cleanup(func() { response.Body.Close() })
	return response
}

func (s *Site) Read(response *http.Response, into any) {
	body, err := io.ReadAll(response.Body)
	require.NoError(s.t, err)
	require.Less(s.t, response.StatusCode, 300, string(body))
	assert.Equal(s.t, "application/json; charset=utf-8", response.Header.Get("Content-Type"))
	assert.Equal(s.t, "no-store", response.Header.Get("Cache-Control"))
	require.NoError(s.t, json.Unmarshal(body, into))
}

func (s *Site) Get(path string) string {
	response := s.Call(http.MethodGet, path, "")
	body, err := io.ReadAll(response.Body)
	require.NoError(s.t, err)
	require.Equal(s.t, http.StatusOK, response.StatusCode, string(body))
	return string(body)
}

func (s *Site) Status(method, path, body string, header ...string) int {
	return s.Call(method, path, body, header...).StatusCode
}

// Later advances the clock until the folder is checked again.
func (s *Site) Later() { s.Now = s.Now.Add(time.Second) }

// SmallContent is a folder without faults: two talents, three posts, four pages.
func SmallContent(t testing.TB) fstest.MapFS {
	files := map[string]string{
		"categories.yaml": `
- {id: 1, name: models}
- {id: 1881, name: creative}
- {id: 1909, name: kids}
- {id: 7, name: women}
`,
		"options.yaml": `
hair: [{value: Black, label: Negro, value2: Preto}, {value: Red, label: Pelirrojo, value2: Ruivo}]
eyes: [{value: Hazel, label: Avellana, value2: Avelã}]
gender: [{value: woman, label: Woman}, {value: man, label: Man}]
hair_kind: [{value: Curly, label: Rizado, value2: Cacheado}]
hair_size: [{value: Long, label: Largo, value2: Longo}]
skin_color: [{value: Tan, label: Morena, value2: Morena}]
ranges:
  height: {from: 30, to: 200, step: 1, unit: cm}
  bust: {from: 65, to: 200, step: 1, unit: cm}
  waist: {from: 20, to: 200, step: 1, unit: cm}
  hips: {from: 20, to: 200, step: 1, unit: cm}
  weight: {from: 3, to: 200, step: 1, unit: kg}
  shoes: {from: 1, to: 60, step: 0.5}
  suit: {from: 1, to: 60, step: 0.5}
countries:
  - {id: ZA, value: South Africa, pt: África do Sul, es: Sudáfrica}
  - {id: BR, value: Brazil, pt: Brasil, es: Brasil, cities: [São Paulo, Recife]}
  - {id: DE, value: Germany, pt: Alemanha, es: Alemania, cities: [Nuremberg, {value: Munich, pt: Munique, es: Múnich}]}
`,
		"slides.yaml": `
- {mobile: slides/m.jpg, desktop: slides/d.png, description: "1", talent: 101}
- {mobile: slides/m.jpg, desktop: slides/d.png, description: 2}
`,
		"agency.yaml": "name: Best\nsocial: [{name: Instagram, url: https://instagram.example/agency}]\n",
		"talents/010-agata/talent.yaml": `id: 101
name: Ágata Moreira
gender: woman
birthdate: 2001-04-17
categories:
  - models
  - women
height: 178
bust: 83
waist: 61.5
suit: 36
hips: 89
shoes: 39
jeans: 36
hair: Black
eyes: Hazel
cover: cover.jpg
video:
  - provider: youtube
    file: b3Nd1taN_sc
  - {provider: vimeo, file: 948120376, preview: book-1.jpg}
focus: [50, 20]
digital: {file: snap-1.jpg, crown: 0.11, ground: 0.95}
`,
		"talents/020-bo/talent.yaml": "id: 102\nname: Bo\ncategories: [creative]\nsnap: []\n" +
			"book: [{file: work.jpg, caption: Linha — Test}]\n",
		"posts/news/primeiro.md": "---\ntitle: Primeiro\ndate: 2026-01-05\n---\n\nUm **texto**.\n",
		"posts/news/segundo.md": "---\ntitle: Segundo\ndate: 2026-02-05\nexcerpt: Curto\nauthor: Ana\n" +
			"cover: slides/m.jpg\n---\n\n![Duas pessoas](slides/m.jpg)\n",
		"posts/editorial/luz.md": "---\ntitle: Luz\ndate: 2026-02-05\n---\nLuz.\n",
		"pages/about.md": "---\ntitle: About us\nimages:\n  - file: slides/m.jpg\n    caption: Marta " +
			"— bookings\n---\n\nAn agency.\n",
		"pages/about.pt.md":    "---\ntitle: Sobre nós\n---\n\nUma agência.\n",
		"pages/privacy.md":     "---\ntitle: Privacy\n---\n\nWords.\n",
		"pages/future-face.md": "---\ntitle: Future face\n---\n\nWords.\n",
		"README.md":            "For editors.",
	}
	dir := fstest.MapFS{
		"slides/m.jpg": {Data: JPEG(t, 65, 100)}, "slides/d.png": {Data: PNG(t, 192, 108)},
		"talents/010-agata/cover.jpg":   {Data: JPEG(t, 90, 120)},
		"talents/010-agata/book-10.jpg": {Data: JPEG(t, 100, 50)},
		"talents/010-agata/book-2.jpg":  {Data: JPEG(t, 20, 30)},
		"talents/010-agata/book-1.jpg":  {Data: JPEG(t, 72, 108)},
		"talents/010-agata/snap-1.jpg":  {Data: JPEG(t, 64, 80)},
		"talents/020-bo/snap-1.jpg":     {Data: JPEG(t, 64, 80)},
		"talents/020-bo/work.jpg":       {Data: JPEG(t, 64, 80)},
		".git/config.yaml":              {Data: []byte("nobody's business")},
	}
	for name, text := range files {
		dir[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return dir
}

func JPEG(t testing.TB, width, height int) []byte {
	var data bytes.Buffer
	require.NoError(t, jpeg.Encode(&data, image.NewGray(image.Rect(0, 0, width, height)), nil))
	return data.Bytes()
}

func PNG(t testing.TB, width, height int) []byte {
	var data bytes.Buffer
	require.NoError(t, png.Encode(&data, image.NewGray(image.Rect(0, 0, width, height))))
	return data.Bytes()
}

// Edit replaces one text of a file.
func Edit(t testing.TB, dir fstest.MapFS, file, old, replacement string) {
	text := string(dir[file].Data)
	require.Contains(t, text, old, file)
	dir[file] = &fstest.MapFile{Data: []byte(strings.Replace(text, old, replacement, 1))}
}

// faults are those that count.

// Put writes a file of a folder.
func Put(dir fstest.MapFS, file, text string) { dir[file] = &fstest.MapFile{Data: []byte(text)} }
