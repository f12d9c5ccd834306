package embedded_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/backend/embedded"
)

func TestDemoContentHasNoFaults(t *testing.T) {
	for _, fault := range embedded.Check(embedded.Demo(), false) {
		t.Error(fault)
	}
}

// A board of the demo agency shows faces, and a creative's portfolio something.
func TestEveryTalentOfTheDemoHasACoverAndPictures(t *testing.T) {
	backend, err := embedded.Open(embedded.Demo(), embedded.Config{})
	require.NoError(t, err)
	listed, err := backend.Talents(t.Context())
	require.NoError(t, err)
	require.Len(t, listed, 42)
	for _, talent := range listed {
		assert.NotEmpty(t, talent.Cover.File, talent.Name)
		profile, err := backend.Profile(t.Context(), talent.ID)
		require.NoError(t, err)
		assert.Positive(t, len(profile.Book)+len(profile.Video), talent.Name)
	}
}

// The built-in content must be read and answered from in less than a tenth of a second.
func BenchmarkOpenDemoToFirstAnswer(b *testing.B) {
	for b.Loop() {
		backend, err := embedded.Open(embedded.Demo(), embedded.Config{IntegrationSalt: "salt", APIKey: "key"})
		require.NoError(b, err)
		answer := httptest.NewRecorder()
		backend.Handler().ServeHTTP(answer, httptest.NewRequest(http.MethodPost, "/api/signin",
			strings.NewReader(`{"salt":"salt","api_key":"key"}`)))
		require.Equal(b, http.StatusOK, answer.Code)
	}
}
