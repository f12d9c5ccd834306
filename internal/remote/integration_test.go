package remote_test

import (
	"cmp"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"zedcard/internal/agency"
	"zedcard/internal/remote"
	"zedcard/internal/testkit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestTalentsAsksForAllInEnglishWithoutFilters(t *testing.T) {
	fake := testkit.NewFake(t)
	_, err := fake.Integration().Talents(t.Context())
	require.NoError(t, err)
	requests := fake.Requests("POST /api/talents")
	require.Len(t, requests, 1)
	assert.Equal(t, "language=en&paginate=1000", requests[0].Query.Encode())
	assert.JSONEq(t, `{}`, string(requests[0].Body))
	assert.Regexp(t, "^Bearer .", requests[0].Header.Get("Authorization"))
	assert.Equal(t, "zedcard", requests[0].Header.Get("User-Agent"))
}

func TestTalentsOfAllPagesComeInOrder(t *testing.T) {
	fake := testkit.NewFake(t)
	roster := testkit.Talents(2500)
	fake.Change(func(c *testkit.Content) { c.Talents = roster })
	talents, err := fake.Integration().Talents(t.Context())
	require.NoError(t, err)
	require.Len(t, talents, 2500)
	for i, talent := range talents {
		require.Equal(t, roster[i].ID, talent.ID)
	}
	assert.Len(t, fake.Requests("/api/talents"), 3)
}

func TestTalentsOfABackEndThatIgnoresPagesEnd(t *testing.T) {
	fake := testkit.NewFake(t)
	fake.Break("/api/talents", testkit.Answer(`{"data": [{"id": 1}, {"id": 2}], "last_page": 1000000}`))
	talents, err := fake.Integration().Talents(t.Context())
	require.NoError(t, err)
	assert.Len(t, talents, 2)
	assert.Len(t, fake.Requests("/api/talents"), 2)
}

// A back end may give fewer at once than are asked for.
func TestEveryWordForMorePagesIsUnderstood(t *testing.T) {
	for name, hints := range map[string]string{
		"meta":              `"meta": {"current_page": %d, "last_page": 3}`,
		"meta.total":        `"meta": {"current_page": %d, "total": "250"}`,
		"total":             `"current_page": %d, "per_page": "100", "total": 250`,
		"next_page_url":     `"current_page": %d, "next_page_url": NEXT`,
		"links.next":        `"links": {"first": "?page=%d", "next": NEXT}, "last_page": null`,
		"links of numbers":  `"links": [{"url": null, "label": "%d"}], "next_page_url": NEXT`,
		"per_page":          `"current_page": %d, "per_page": 100`,
		"meta and nextless": `"meta": {"from": %d, "last_page": 3}, "next_page_url": null`,
	} {
		for _, envelope := range []string{`{"data": LIST, HINTS}`, `{"data": {"data": LIST, HINTS}}`} {
			fake := testkit.NewFake(t)
			fake.Break("/api/talents", pages(envelope, hints, 250))
			var log strings.Builder
			config := fake.IntegrationConfig(testkit.Limits)
			config.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))
			talents, err := remote.NewIntegration(remote.IntegrationConfig{Config: config}).Talents(t.Context())
			require.NoError(t, err)
			assert.Len(t, talents, 250, name)
			assert.Len(t, fake.Requests("/api/talents"), 3, name)
			assert.Empty(t, log.String(), name)
		}
	}
}

func TestATotalThatIsNotReachedIsAWarning(t *testing.T) {
	fake := testkit.NewFake(t)
	fake.Break("/api/talents", pages(`{"data": LIST, HINTS}`, `"meta": {"current_page": %d, "total": 250}`, 100))
	var log strings.Builder
	config := fake.IntegrationConfig(testkit.Limits)
	config.Log = slog.New(slog.NewTextHandler(&log, nil))
	talents, err := remote.NewIntegration(remote.IntegrationConfig{Config: config}).Talents(t.Context())
	require.NoError(t, err)
	assert.Len(t, talents, 100)
	assert.Contains(t, log.String(), "level=WARN")
	assert.Contains(t, log.String(), "read=100 total=250")
}

// pages answers with a hundred talents at a time.
func pages(envelope, hints string, talents int) testkit.Fault {
	return func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			page, _ := strconv.Atoi(cmp.Or(r.URL.Query().Get("page"), "1"))
			var list []string
			for id := page*100 - 99; id <= min(page*100, talents); id++ {
				list = append(list, fmt.Sprintf(`{"id": %d}`, id))
			}
			next := "null"
			if page*100 < talents {
				next = fmt.Sprintf(`"https://panel.example/api/talents?page=%d"`, page+1)
			}
			_, _ = strings.NewReplacer("LIST", "["+strings.Join(list, ",")+"]", "NEXT", next,
				"HINTS", fmt.Sprintf(strings.ReplaceAll(hints, "NEXT", next), page)).WriteString(w, envelope)
		})
	}
}

func TestAnIncompleteRosterIsAnError(t *testing.T) {
	fake := testkit.NewFake(t)
	fake.Change(func(c *testkit.Content) { c.Talents = testkit.Talents(1001) })
	fake.Break("/api/talents", testkit.Status(500))
	fake.Break("/api/talents", testkit.Times(1, testkit.Answer(`{"data": [{"id": 1}], "last_page": 2}`)))
	talents, err := fake.Integration().Talents(t.Context())
	require.ErrorIs(t, err, agency.ErrUnavailable)
	assert.Empty(t, talents)
	assert.EqualError(t, err, "integration: talents, page 2: unavailable: answered 500")
}

func TestProfileOfAnUnknownTalentIsNotFound(t *testing.T) {
	fake := testkit.NewFake(t)
	_, err := fake.Integration().Profile(t.Context(), "812")
	require.ErrorIs(t, err, agency.ErrNotFound)
	require.EqualError(t, err, "integration: talent 812: not found")
	assert.Len(t, fake.Requests("/api/talent/profile"), 1, "a 404 is not retried")
	assert.Equal(t, "cover2=1&id=812&language=en&skills=1", fake.Requests("/api/talent/profile")[0].Query.Encode())

	for _, nothing := range []string{`{"data": null}`, `{"data": []}`} {
		fake.Break("/api/talent/profile", testkit.Answer(nothing))
		_, err = fake.Integration().Profile(t.Context(), "812")
		require.ErrorIs(t, err, agency.ErrNotFound, nothing)
	}
}

func TestOptionsOfACountryAskForMore(t *testing.T) {
	fake := testkit.NewFake(t)
	options, err := fake.Integration().Options(t.Context(), agency.OptionsQuery{Language: "pt"})
	require.NoError(t, err)
	assert.Empty(t, options.Cities)
	assert.Equal(t, fake.Content().Options.Hair, options.Hair)

	options, err = fake.Integration().Options(t.Context(), agency.OptionsQuery{Language: "pt", Country: "1"})
	require.NoError(t, err)
	assert.Equal(t, fake.Content().Options, options)

	requests := fake.Requests("/api/talents/attributes")
	assert.Equal(t, "countries=1&eyes=pt&hair=pt&language=pt", requests[0].Query.Encode())
	assert.Equal(t, "cities=1&countries=1&eyes=pt&hair=pt&hair_kind=1&hair_size=1&language=pt",
		requests[1].Query.Encode())
}

func client(fake *testkit.Fake, limits remote.Limits) *remote.Integration {
	return remote.NewIntegration(remote.IntegrationConfig{Config: fake.IntegrationConfig(limits)})
}
