package embedded_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/backend/embedded"
	"zedcard/internal/backend/integration"
)

func TestDemoContentHasNoFaults(t *testing.T) {
	for _, fault := range embedded.Check(embedded.Demo(), false) {
		t.Error(fault)
	}
}

// A board of the demo agency shows faces, and a creative's portfolio something.
func TestEveryTalentOfTheDemoHasACoverAndPictures(t *testing.T) {
	backend, err := embedded.Open(embedded.Demo(), embedded.Config{IntegrationSalt: "salt", APIKey: "key"})
	require.NoError(t, err)
	client := integration.New(integration.Config{
		BaseURL: "http://embedded", Salt: "salt", APIKey: "key", Transport: backend.Transport(),
	})
	listed, err := client.Talents(t.Context())
	require.NoError(t, err)
	require.Len(t, listed, 42)
	for _, talent := range listed {
		assert.NotEmpty(t, talent.Cover, talent.Name)
		profile, err := client.Profile(t.Context(), talent.ID)
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

// What the first call of each second pays for noticing an edit.
func BenchmarkLookAtFolder(b *testing.B) {
	var now time.Time
	backend, err := embedded.Open(os.DirFS("demo"), embedded.Config{Now: func() time.Time {
		now = now.Add(time.Second)
		return now
	}})
	require.NoError(b, err)
	for b.Loop() {
		backend.Version()
	}
}
