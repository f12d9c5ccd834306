package api_test

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/api"
	"zedcard/internal/testkit"
)

func TestSignInRefusesWrongCredentials(t *testing.T) {
	s := testkit.Open(t, testkit.SmallContent(t))
	for _, test := range []struct {
		path, body string
		want       int
	}{
		{"signin", `{"salt":"integration-salt","api_key":"wrong"}`, http.StatusUnauthorized},
		{"signin", `{"salt":"wrong","api_key":"api-key"}`, http.StatusUnauthorized},
		{"signin", `{"salt":"panel-salt","api_key":"api-token"}`, http.StatusUnauthorized},
		{"login", `{}`, http.StatusUnauthorized},
		{"login", `{"salt":"panel-salt","api_token":"api-key"}`, http.StatusUnauthorized},
		{"login", "salt", http.StatusBadRequest},
		{"login", `{"salt":"` + strings.Repeat("x", 2<<20) + `"}`, http.StatusRequestEntityTooLarge},
	} {
		assert.Equal(t, test.want, s.Status(http.MethodPost, "/api/"+test.path, test.body), test.path)
	}
	unset := httptest.NewRecorder()
	api.New(nil, nil, api.Config{}).ServeHTTP(unset,
		httptest.NewRequest(http.MethodPost, "/api/login", strings.NewReader(`{"salt":"","api_token":""}`)))
	assert.Equal(t, http.StatusUnauthorized, unset.Code, "without credentials nobody signs in")
}

func TestEveryCallNeedsAFreshTokenOfItsAPI(t *testing.T) {
	s := testkit.Open(t, testkit.SmallContent(t))
	const slides = "GET /api/slides/home"
	for call := range strings.SplitSeq(slides+`
GET /api/posts/news/pt
GET /api/posts/news/pt/primeiro
GET /api/entities/about
GET /api/social-medias
POST /api/entry/contact/send
POST /api/contact/en
POST /api/get-scouted/en
POST /api/talents
GET /api/talent/profile
GET /api/talents/attributes
POST /api/download/zip
POST /api/download/gallery`, "\n") {
		method, path, _ := strings.Cut(call, " ")
		other := s.IntegrationToken
		if strings.HasPrefix(path, "/api/talent") || strings.HasPrefix(path, "/api/download") {
			other = s.PanelToken
		}
		for _, given := range []string{"", "Bearer ", "Bearer nonsense", "Basic " + s.PanelToken, "Bearer " + other} {
			assert.Equal(t, http.StatusUnauthorized, s.Status(method, path, "", "Authorization", given), call+" "+given)
		}
	}
	assert.Equal(t, http.StatusOK, s.Status(http.MethodGet, "/api/slides/home", ""))
	s.Now = s.Now.Add(24 * time.Hour)
	assert.Equal(t, http.StatusUnauthorized, s.Status(http.MethodGet, "/api/slides/home", ""))
	s.SignIn()
	assert.Equal(t, http.StatusOK, s.Status(http.MethodGet, "/api/slides/home", ""))
}

func TestAttributes(t *testing.T) {
	folder := testkit.SmallContent(t)
	testkit.Edit(t, folder, "options.yaml", "  shoes:", "  chest: {from: 10, to: 200, step: 1, unit: cm}\n"+
		"  jeans: {from: 34, to: 60, step: 0.5}\n  shirt: {from: 1, to: 60, step: 0.5}\n  shoes:")
	s := testkit.Open(t, folder)
	type option struct{ ID, Value, Label, Value2 string }
	read := func(query string) (lists map[string][]option) {
		require.NoError(t, json.Unmarshal([]byte(s.Get("/api/talents/attributes?"+query)), &lists))
		return lists
	}
	lists := read("language=en")
	assert.ElementsMatch(t, strings.Fields("bust chest countries eyes gender hair hair_kind hair_size height hips "+
		"jeans shirt shoes skin_color suit waist weight"), slices.Collect(maps.Keys(lists)))
	assert.Equal(t, []option{{"", "Black", "Negro", "Preto"}, {"", "Red", "Pelirrojo", "Ruivo"}}, lists["hair"])
	assert.Equal(t, []option{{"", "woman", "Woman", ""}, {"", "man", "Man", ""}}, lists["gender"])
	countries := []option{{ID: "BR", Value: "Brazil"}, {ID: "DE", Value: "Germany"}, {ID: "ZA", Value: "South Africa"}}
	assert.Equal(t, countries, lists["countries"])
	assert.Equal(t, []int{171, 181, 119}, []int{len(lists["height"]), len(lists["waist"]), len(lists["shoes"])})
	for measure, labels := range map[string][]string{ // pairs that agencies publish
		"height": {
			`30 cm / 1'0"`, `170 cm / 5'7"`, `176 cm / 5'9½"`, `178 cm / 5'10"`, `182 cm / 5'11½"`, `183 cm / 6'0"`,
			`200 cm / 6'6½"`,
		},
		"waist":  {`57 cm / 22½"`, `60 cm / 23½"`, `62 cm / 24½"`, `71 cm / 28"`, `84 cm / 33"`},
		"shoes":  {"1", "38.5", "60"},
		"jeans":  {"34", "34.5", "60"},
		"chest":  {`10 cm / 4"`, `200 cm / 78½"`},
		"weight": {"3 kg / 7 lb", "55 kg / 121 lb", "200 kg / 441 lb"},
	} {
		for _, label := range labels {
			value, _, _ := strings.Cut(label, " ")
			assert.Contains(t, lists[measure], option{Value: value, Label: label}, measure)
		}
	}

	lists = read("language=pt&countries=1&hair=pt&eyes=pt&cities=BR")
	assert.Contains(t, lists["shoes"], option{Value: "38.5", Label: "38,5"}, "the value is not localized")
	countries = []option{{ID: "ZA", Value: "África do Sul"}, {ID: "DE", Value: "Alemanha"}, {ID: "BR", Value: "Brasil"}}
	assert.Equal(t, countries, lists["countries"], "sorted by the rules of the language")
	assert.Equal(t, []option{{ID: "Recife", Value: "Recife"}, {ID: "São Paulo", Value: "São Paulo"}}, lists["cities"])
	assert.Equal(t, []option{{ID: "Munich", Value: "Múnich"}, {ID: "Nuremberg", Value: "Nuremberg"}},
		read("language=es&cities=DE")["cities"], "the id of a city is its English name")
}

func TestAnswersHaveTheShapesOfTheContract(t *testing.T) {
	s := testkit.Open(t, testkit.SmallContent(t))
	const list = "/api/talents?paginate=1" // the only one that is posted
	for path, want := range map[string]string{
		list: `{"data": {"data": [{
			"id": 101, "name": "Ágata Moreira", "gender": "woman", "cover": "talents/010-agata/cover.jpg",
			"birthdate": "2001-04-17",
			"categories": [{"id": 1, "name": "models"}, {"id": 7, "name": "women"}],
			"height": "178", "bust": "83", "waist": "61.5", "suit": "36", "hips": "89", "shoes": "39",
			"hair": "Black", "eyes": "Hazel", "jeans": "36", "focus": [50, 20]
		}], "current_page": 1, "last_page": 2, "total": 2}}`,
		"/api/talent/profile?language=en&id=101&cover2=1&skills=1": `{"data": {
			"id": 101, "name": "Ágata Moreira", "gender": "woman", "cover": "talents/010-agata/cover.jpg",
			"birthdate": "2001-04-17",
			"categories": [{"id": 1, "name": "models"}, {"id": 7, "name": "women"}],
			"height": "178", "bust": "83", "waist": "61.5", "suit": "36", "hips": "89", "shoes": "39",
			"hair": "Black", "eyes": "Hazel", "jeans": "36", "focus": [50, 20],
			"book": [
				{"id": "101-book-1.jpg", "file": "talents/010-agata/book-1.jpg", "width": 72, "height": 108},
				{"id": "101-book-2.jpg", "file": "talents/010-agata/book-2.jpg", "width": 20, "height": 30},
				{"id": "101-book-10.jpg", "file": "talents/010-agata/book-10.jpg", "width": 100, "height": 50}],
			"snap": [{"id": "101-snap-1.jpg", "file": "talents/010-agata/snap-1.jpg", "width": 64, "height": 80}],
			"video": [
				{"provider": "youtube", "file": "b3Nd1taN_sc", "preview": ""},
				{"provider": "vimeo", "file": "948120376", "preview": "talents/010-agata/book-1.jpg"}],
			"digital": {"file": "talents/010-agata/snap-1.jpg", "crown": 0.11, "ground": 0.95,
				"width": 64, "height": 80}
		}}`,
		// An empty list stays empty, even if the folder has pictures.
		"/api/talent/profile?id=102": `{"data": {"id": 102, "name": "Bo",
			"categories": [{"id": 1881, "name": "creative"}], "snap": [], "video": [], "book": [
				{"id": "102-work.jpg", "file": "talents/020-bo/work.jpg", "width": 64, "height": 80,
				"caption": "Linha — Test"}],
			"cover": "talents/020-bo/work.jpg", "cover_caption": "Linha — Test"}}`,
		"/api/slides/home": `{"data": [
			{"image_mobile": "slides/m.jpg", "image_desktop": "slides/d.png", "description": "1",
				"talent": 101},
			{"image_mobile": "slides/m.jpg", "image_desktop": "slides/d.png", "description": "2"}]}`,
		"/api/social-medias": `{"data": [{"name": "Instagram", "url": "https://instagram.example/agency"}]}`,
		"/api/posts/news/pt?paginate=1&page=1": `{"data": [{"id": "news-segundo", "type": "news",
			"slug": "segundo", "title": "Segundo", "excerpt": "Curto",
			"body": "<p><img src=\"/storage/slides/m.jpg\" alt=\"Duas pessoas\"></p>\n", "cover": "slides/m.jpg",
			"published_at": "2026-02-05", "author": "Ana"}],
			"current_page": 1, "last_page": 2}`,
		"/api/posts/nothing/pt": `{"data": [], "current_page": 1, "last_page": 1}`,
		"/api/posts/news/pt/primeiro": `{"data": {"id": "news-primeiro", "type": "news", "slug": "primeiro",
			"title": "Primeiro", "excerpt": "",
			"body": "<p>Um <strong>texto</strong>.</p>\n", "cover": "", "published_at": "2026-01-05", "author": ""}}`,
		"/api/entities/about": `{"data": {"name": "about", "title": "About us", "body": "<p>An agency.</p>\n",
			"images": [{"file": "slides/m.jpg", "width": 65, "height": 100, "caption": "Marta — bookings"}]}}`,
		"/api/entities/about?language=pt": `{"data": {"name": "about", "title": "Sobre nós",
			"body": "<p>Uma agência.</p>\n", "images": [], "language": "pt"}}`,
		"/api/entities/privacy?language=es": `{"data": {"name": "privacy", "title": "Privacy",
			"body": "<p>Words.</p>\n", "images": [], "language": "en"}}`,
	} {
		if path == list {
			answer, err := io.ReadAll(s.Call(http.MethodPost, list, "{}").Body)
			require.NoError(t, err)
			assert.JSONEq(t, want, string(answer))
		} else {
			assert.JSONEq(t, want, s.Get(path), path)
		}
	}
	for _, path := range []string{
		"/api/slides/other", "/api/posts/news/pt/nothing", "/api/posts/editorial/pt/primeiro",
		"/api/entities/nothing", "/api/nothing", "/api/talent/profile?id=", "/api/talent/profile?id=103",
		"/api/talent/profile?id=101x", "/api/talent/profile?id=../101",
	} {
		assert.Equal(t, http.StatusNotFound, s.Status(http.MethodGet, path, ""), path)
	}
	assert.Equal(t, http.StatusMethodNotAllowed, s.Status(http.MethodPost, "/api/slides/home", ""))
	assert.Equal(t, http.StatusBadRequest, s.Status(http.MethodPost, "/api/talents", "[]"))
}
