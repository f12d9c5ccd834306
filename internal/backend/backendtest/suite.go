package backendtest

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/backend/integration"
	"zedcard/internal/backend/panel"
)

// Endpoints are a pair of back ends under test. Their content holds at least two talents with
// names, a slide of the home page, two posts of PostType, the entity about, and a country with a
// city. Transport nil is the network.
type Endpoints struct {
	PanelURL, PanelSalt, APIToken           string
	IntegrationURL, IntegrationSalt, APIKey string
	PostType                                string
	Transport                               http.RoundTripper
}

// Suite checks that a pair of back ends answers as docs/wire.md says: first the wire itself,
// then what the clients make of it. It sends submissions.
func Suite(t *testing.T, endpoints Endpoints) {
	s := suite{
		Endpoints: endpoints,
		http:      &http.Client{Transport: endpoints.Transport},
		panel: panel.New(panel.Config{
			BaseURL: endpoints.PanelURL, Salt: endpoints.PanelSalt,
			APIToken: endpoints.APIToken, Transport: endpoints.Transport,
		}),
		integration: integration.New(integration.Config{
			BaseURL: endpoints.IntegrationURL, Salt: endpoints.IntegrationSalt,
			APIKey: endpoints.APIKey, Transport: endpoints.Transport,
		}),
	}
	t.Run("signing in", s.signingIn)
	t.Run("every call wants a token", s.tokens)
	t.Run("shapes", s.shapes)
	t.Run("what is not there", s.notFound)
	t.Run("talents", s.talents)
	t.Run("options", s.options)
	t.Run("posts", s.posts)
	t.Run("pages", s.pages)
	t.Run("submissions", s.submissions)
	t.Run("downloads", s.downloads)
}

// object is a JSON object.
type object = map[string]any

type suite struct {
	Endpoints
	http        *http.Client
	panel       *panel.Client
	integration *integration.Client
}

// answer is a raw answer; value is its JSON, nil where it is none.
type answer struct {
	code  int
	body  []byte
	value any
}

// at follows object keys and takes the first element of arrays on the way.
func (a answer) at(t *testing.T, keys ...string) any {
	t.Helper()
	value := a.value
	for _, key := range keys {
		if array, ok := value.([]any); ok {
			require.NotEmpty(t, array, "no elements above %q", key)
			value = array[0]
		}
		object, ok := value.(map[string]any)
		require.True(t, ok, "no object above %q", key)
		require.Contains(t, object, key)
		value = object[key]
	}
	return value
}

func (s suite) call(t *testing.T, method, address, token string, body any) answer {
	t.Helper()
	var text io.Reader = http.NoBody
	if body != nil {
		encoded, err := json.Marshal(body)
		require.NoError(t, err)
		text = bytes.NewReader(encoded)
	}
	request, err := http.NewRequestWithContext(t.Context(), method, address, text)
	require.NoError(t, err)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := s.http.Do(request)
	require.NoError(t, err)
	defer func() { assert.NoError(t, response.Body.Close()) }()
	a := answer{code: response.StatusCode}
	a.body, err = io.ReadAll(response.Body)
	require.NoError(t, err)
	if json.Unmarshal(a.body, &a.value) != nil {
		a.value = nil
	}
	return a
}

func (s suite) panelToken(t *testing.T) string {
	t.Helper()
	a := s.call(t, "POST", s.PanelURL+"/api/login", "", object{"salt": s.PanelSalt, "api_token": s.APIToken})
	require.Equal(t, 200, a.code)
	return a.at(t, "token").(string)
}

func (s suite) integrationToken(t *testing.T) string {
	t.Helper()
	a := s.call(t, "POST", s.IntegrationURL+"/api/signin", "", object{"salt": s.IntegrationSalt, "api_key": s.APIKey})
	require.Equal(t, 200, a.code)
	return a.at(t, "access_token").(string)
}

func (s suite) signingIn(t *testing.T) {
	assert.NotEmpty(t, s.panelToken(t))
	assert.NotEmpty(t, s.integrationToken(t))
	require.NoError(t, s.panel.SignIn(t.Context()))
	require.NoError(t, s.integration.SignIn(t.Context()))
	for _, refused := range []struct {
		name, address string
		credentials   any
	}{
		{"panel, wrong salt", s.PanelURL + "/api/login", object{"salt": "wrong", "api_token": s.APIToken}},
		{"panel, wrong token", s.PanelURL + "/api/login", object{"salt": s.PanelSalt, "api_token": "wrong"}},
		{"panel, nothing", s.PanelURL + "/api/login", object{}},
		{"integration, wrong salt", s.IntegrationURL + "/api/signin", object{"salt": "wrong", "api_key": s.APIKey}},
		{"integration, wrong key", s.IntegrationURL + "/api/signin", object{
			"salt": s.IntegrationSalt, "api_key": "wrong",
		}},
		{"integration, nothing", s.IntegrationURL + "/api/signin", object{}},
	} {
		assert.Equal(t, 401, s.call(t, "POST", refused.address, "", refused.credentials).code, refused.name)
	}
}

func (s suite) tokens(t *testing.T) {
	for _, call := range []struct{ method, address string }{
		{"POST", s.IntegrationURL + "/api/talents?language=en&paginate=1000"},
		{"GET", s.IntegrationURL + "/api/talent/profile?language=en&id=1"},
		{"GET", s.IntegrationURL + "/api/talents/attributes"},
		{"POST", s.IntegrationURL + "/api/download/gallery"},
		{"POST", s.IntegrationURL + "/api/download/zip"},
		{"GET", s.PanelURL + "/api/slides/home"},
		{"GET", s.PanelURL + "/api/posts/" + s.PostType + "/pt"},
		{"GET", s.PanelURL + "/api/posts/" + s.PostType + "/pt/any"},
		{"GET", s.PanelURL + "/api/entities/about"},
		{"GET", s.PanelURL + "/api/social-medias"},
		{"POST", s.PanelURL + "/api/entry/contact/send"},
		{"POST", s.PanelURL + "/api/entry/getScouted/send"},
		{"POST", s.PanelURL + "/api/contact/en"},
		{"POST", s.PanelURL + "/api/get-scouted/en"},
	} {
		assert.Equal(t, 401, s.call(t, call.method, call.address, "", nil).code,
			"%s %s without a token", call.method, call.address)
		assert.Equal(t, 401, s.call(t, call.method, call.address, "wrong", nil).code,
			"%s %s with a wrong token", call.method, call.address)
	}
}

func (s suite) shapes(t *testing.T) {
	token := s.integrationToken(t)
	talents := s.call(t, "POST", s.IntegrationURL+"/api/talents?language=en&paginate=1000", token, object{})
	require.Equal(t, 200, talents.code)
	assert.InDelta(t, 1, talents.at(t, "data", "current_page"), 0)
	assert.GreaterOrEqual(t, talents.at(t, "data", "last_page"), 1.0)
	assert.GreaterOrEqual(t, talents.at(t, "data", "total"), 2.0)
	id := talents.at(t, "data", "data", "id")
	talents.at(t, "data", "data", "name")
	talents.at(t, "data", "data", "categories", "id")
	talents.at(t, "data", "data", "categories", "name")

	// Pages of one: the first two differ, and each says where it stands.
	for page := 1; page <= 2; page++ {
		response := s.call(t, "POST",
			s.IntegrationURL+"/api/talents?language=en&paginate=1&page="+strconv.Itoa(page), token, object{})
		assert.Len(t, response.at(t, "data", "data"), 1)
		assert.InDelta(t, page, response.at(t, "data", "current_page"), 0)
		assert.Equal(t, response.at(t, "data", "total"), response.at(t, "data", "last_page"))
		assert.Equal(t, page == 1, response.at(t, "data", "data", "id") == id)
	}

	profile := s.call(t, "GET",
		s.IntegrationURL+"/api/talent/profile?language=en&id="+number(id)+"&cover2=1&skills=1", token, nil)
	require.Equal(t, 200, profile.code)
	assert.Equal(t, id, profile.at(t, "data", "id"))

	options := s.call(t, "GET",
		s.IntegrationURL+"/api/talents/attributes?language=en&countries=1&hair=en&eyes=en", token, nil)
	require.Equal(t, 200, options.code)
	if wrapped, ok := options.value.(map[string]any)["data"]; ok {
		options.value = wrapped
	}
	for _, list := range []string{"eyes", "hair", "height", "bust", "waist", "hips", "shoes", "suit", "gender"} {
		options.at(t, list, "value")
		options.at(t, list, "label")
	}
	options.at(t, "countries", "id")
	options.at(t, "countries", "value")
	options.at(t, "hair", "value2")

	token = s.panelToken(t)
	slides := s.call(t, "GET", s.PanelURL+"/api/slides/home", token, nil)
	for _, key := range []string{"image_mobile", "image_desktop", "description"} {
		assert.IsType(t, "", slides.at(t, "data", key))
	}
	posts := s.call(t, "GET", s.PanelURL+"/api/posts/"+s.PostType+"/pt?paginate=1&page=2", token, nil)
	assert.Len(t, posts.at(t, "data"), 1)
	assert.InDelta(t, 2, posts.at(t, "current_page"), 0)
	assert.GreaterOrEqual(t, posts.at(t, "last_page"), 2.0)
	post := s.call(t, "GET",
		s.PanelURL+"/api/posts/"+s.PostType+"/pt/"+posts.at(t, "data", "slug").(string), token, nil)
	for _, key := range []string{"id", "type", "slug", "title", "excerpt", "body", "cover", "published_at", "author"} {
		post.at(t, "data", key)
	}
	entity := s.call(t, "GET", s.PanelURL+"/api/entities/about", token, nil)
	for _, key := range []string{"name", "title", "body", "images"} {
		entity.at(t, "data", key)
	}
	medias := s.call(t, "GET", s.PanelURL+"/api/social-medias", token, nil)
	medias.at(t, "data", "name")
	medias.at(t, "data", "url")
}

// number writes an id as it came: a number or a text.
func number(id any) string {
	if text, ok := id.(string); ok {
		return text
	}
	return strconv.FormatFloat(id.(float64), 'f', -1, 64)
}

func (s suite) notFound(t *testing.T) {
	ctx := t.Context()
	_, err := s.integration.Profile(ctx, "987654321")
	require.ErrorIs(t, err, agency.ErrNotFound)
	_, err = s.panel.Post(ctx, s.PostType, "no-such-post")
	require.ErrorIs(t, err, agency.ErrNotFound)
	_, err = s.panel.Entity(ctx, "no-such-entity", "")
	require.ErrorIs(t, err, agency.ErrNotFound)
	for _, name := range []string{
		"..", "../entities/about", "%2e%2e", "a/b", "about?x=1", "\x00", strings.Repeat("a", 4000),
	} {
		_, err = s.panel.Entity(ctx, name, "")
		require.Error(t, err, "entity %q", name)
		_, err = s.panel.Post(ctx, s.PostType, name)
		require.Error(t, err, "post %q", name)
	}
}

func (s suite) talents(t *testing.T) {
	talents, err := s.integration.Talents(t.Context())
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(talents), 2)
	ids := map[string]bool{}
	for _, talent := range talents {
		require.NotEmpty(t, talent.ID)
		assert.False(t, ids[talent.ID], "talent %s twice", talent.ID)
		ids[talent.ID] = true
	}
	for _, talent := range talents[:2] {
		profile, err := s.integration.Profile(t.Context(), talent.ID)
		require.NoError(t, err)
		assert.Equal(t, talent.ID, profile.ID)
		assert.Equal(t, talent.Name, profile.Name)
		assert.Equal(t, talent.Measures, profile.Measures)
		assert.Equal(t, talent.Categories, profile.Categories)
	}
}

func (s suite) options(t *testing.T) {
	options, err := s.integration.Options(t.Context(), agency.OptionsQuery{Language: "en"})
	require.NoError(t, err)
	require.NotEmpty(t, options.Countries)
	assert.Empty(t, options.Cities)
	genders := []string{}
	for _, gender := range options.Gender {
		genders = append(genders, gender.Value)
	}
	assert.Subset(t, genders, []string{"woman", "man"})

	hasCity := slices.ContainsFunc(options.Countries, func(country agency.Place) bool {
		withCities, err := s.integration.Options(t.Context(), agency.OptionsQuery{Language: "pt", Country: country.ID})
		require.NoError(t, err)
		return len(withCities.Cities) > 0
	})
	assert.True(t, hasCity, "no country has a city")
}

func (s suite) posts(t *testing.T) {
	first, err := s.panel.Posts(t.Context(), s.PostType, 1, 1)
	require.NoError(t, err)
	require.Len(t, first.Posts, 1)
	assert.GreaterOrEqual(t, first.LastPage, 2)
	second, err := s.panel.Posts(t.Context(), s.PostType, 1, 2)
	require.NoError(t, err)
	require.Len(t, second.Posts, 1)
	assert.NotEqual(t, first.Posts[0].Slug, second.Posts[0].Slug)
	assert.False(t, second.Posts[0].PublishedAt.After(first.Posts[0].PublishedAt), "the newest comes first")
	beyond, err := s.panel.Posts(t.Context(), s.PostType, 1, first.LastPage+1)
	require.NoError(t, err)
	assert.Empty(t, beyond.Posts, "beyond the last page")

	post, err := s.panel.Post(t.Context(), s.PostType, first.Posts[0].Slug)
	require.NoError(t, err)
	assert.Equal(t, first.Posts[0].Title, post.Title)
	assert.NotEmpty(t, post.Body)
}

func (s suite) pages(t *testing.T) {
	slides, err := s.panel.Slides(t.Context(), "home")
	require.NoError(t, err)
	require.NotEmpty(t, slides)
	assert.Contains(t, []int{1, 2}, slides[0].Group)

	entity, err := s.panel.Entity(t.Context(), "about", "")
	require.NoError(t, err)
	assert.NotEmpty(t, entity.Title)
	assert.NotEmpty(t, entity.Body)
	_, err = s.panel.Entity(t.Context(), "about", "pt")
	require.NoError(t, err, "a language is honoured or ignored")

	medias, err := s.panel.SocialMedias(t.Context())
	require.NoError(t, err)
	assert.NotEmpty(t, medias)
}

func (s suite) submissions(t *testing.T) {
	message := agency.Submission{
		ID: "suite-contact", Kind: agency.Contact,
		Fields: []agency.Field{
			{Name: "name", Value: "Zoë"}, {Name: "email", Value: "zoe@example.org"},
			{Name: "phone", Value: "+55 11"}, {Name: "message", Value: "Olá"},
		},
	}
	require.NoError(t, s.panel.Send(t.Context(), message))
	require.NoError(t, s.panel.Send(t.Context(), message), "a submission that the panel has is delivered")

	require.NoError(t, s.panel.Send(t.Context(), agency.Submission{
		ID: "suite-application", Kind: agency.GetScouted,
		Fields: []agency.Field{
			{Name: "realname", Value: "Zoë"}, {Name: "email", Value: "zoe@example.org"},
			{Name: "birthdate", Value: "2001-02-03"},
			{Name: "gender", Value: "woman"},
			{Name: "phone", Value: "+55 (11) 91234-5678"}, {Name: "note", Value: "Brazil"},
			{Name: "nationality", Value: `{"value":"1","label":"Brazil"}`},
			{Name: "height", Value: "178"}, {Name: "bust", Value: "84"},
			{Name: "waist", Value: "60"}, {Name: "hips", Value: "90"},
			{Name: "shoes", Value: "39"}, {Name: "dress", Value: "36"},
			{Name: "eyes", Value: "Blue"}, {Name: "hair", Value: "Black"},
		},
		Files: []agency.File{
			{Field: "image_1", Name: "profile.jpg", Type: "image/jpeg", Data: []byte("\xff\xd8\xff profile")},
			{Field: "image_2", Name: "body.jpg", Type: "image/jpeg", Data: []byte("\xff\xd8\xff body")},
			{Field: "image_3", Name: "face.jpg", Type: "image/jpeg", Data: []byte("\xff\xd8\xff face")},
		},
	}))

	err := s.panel.Send(t.Context(), agency.Submission{
		ID: "suite-incomplete", Kind: agency.Contact, Fields: []agency.Field{{Name: "name", Value: "Zoë"}},
	})
	require.ErrorIs(t, err, agency.ErrRejected)
	assert.Contains(t, err.Error(), "email", "the refusal names what is missing")

	legacy := s.call(t, "POST", s.PanelURL+"/api/contact/en", s.panelToken(t), nil)
	assert.NotContains(t, []int{404, 405}, legacy.code, "the older path is there")
}

func (s suite) downloads(t *testing.T) {
	talents, err := s.integration.Talents(t.Context())
	require.NoError(t, err)
	talent, err := s.integration.Profile(t.Context(), talents[0].ID)
	require.NoError(t, err)
	one, both := filepath.Join(t.TempDir(), "one.zip"), filepath.Join(t.TempDir(), "both.zip")
	require.NoError(t, s.integration.Composite(t.Context(), talent, create(t, one)))
	assertReadable(t, one)
	ids := []string{talents[0].ID, talents[1].ID}
	require.NoError(t, s.integration.Composites(t.Context(), ids, create(t, both)))
	assertReadable(t, both)
}

func create(t *testing.T, name string) *os.File {
	t.Helper()
	file, err := os.Create(name)
	require.NoError(t, err)
	t.Cleanup(func() { _ = file.Close() })
	return file
}

func assertReadable(t *testing.T, name string) {
	t.Helper()
	archive, err := zip.OpenReader(name)
	require.NoError(t, err)
	defer archive.Close()
	require.NotEmpty(t, archive.File)
	for _, file := range archive.File {
		entry, err := file.Open()
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, entry) // #nosec G110 -- in tests only; checks the CRC
		require.NoError(t, err, file.Name)
		require.NoError(t, entry.Close())
	}
}
