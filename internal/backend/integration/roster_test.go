package integration_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/backend/backendtest"
	"zedcard/internal/backend/integration"
)

// pages is a back end whose roster has these pages, each the ids of its talents.
type pages []string

func (p pages) RoundTrip(r *http.Request) (*http.Response, error) {
	number, err := strconv.Atoi(r.URL.Query().Get("page"))
	if err != nil {
		number = 1
	}
	var talents []string
	for id := range strings.FieldsSeq(p[number-1]) {
		talents = append(talents, fmt.Sprintf(`{"id": %q, "name": "Ana %s"}`, id, id))
	}
	return backendtest.FixedAnswer(fmt.Sprintf(`{"access_token": "t", "last_page": %d, "data": [%s]}`,
		len(p), strings.Join(talents, ","))).RoundTrip(r)
}

func TestAListFollowsItsPages(t *testing.T) {
	backEnd := pages{"1 2 3", "4 5 6", "7 8"}
	client := integration.New(integration.Config{BaseURL: "http://backend.example", Transport: backEnd})
	read := func() ([]*agency.Talent, string) {
		t.Helper()
		list, err := client.Talents(t.Context())
		require.NoError(t, err)
		ids := make([]string, len(list))
		for i := range list {
			ids[i] = list[i].ID
			assert.Equal(t, "Ana "+list[i].ID, list[i].Name)
		}
		return list, strings.Join(ids, " ")
	}
	first, _ := read()
	again, ids := read()
	assert.Equal(t, "1 2 3 4 5 6 7 8", ids)
	assert.Same(t, &first[0], &again[0], "an unchanged roster is not parsed again")
	for _, step := range []struct {
		page int
		now  string
		want string
	}{
		{2, "4 9 6", "1 2 3 4 9 6 7 8"},
		{3, "7 8 10", "1 2 3 4 9 6 7 8 10"},
		{1, "1 3", "1 3 4 9 6 7 8 10"},
		{2, "3 4", "1 3 4 7 8 10"},         // moved while the pages were read: on both
		{1, "1 2", "1 2 3 4 7 8 10"},       // so that the unchanged second page has one more
		{1, "1 2 7", "1 2 7 3 4 8 10"},     // and the third one less
		{1, "11 1 2", "11 1 2 3 4 7 8 10"}, // and one more again
	} {
		backEnd[step.page-1] = step.now
		_, ids := read()
		assert.Equal(t, step.want, ids)
	}
	assert.Equal(t, "5", again[4].ID, "a roster that was returned is not changed later")
}
