package embedded_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/backend/embedded"
)

func TestDemoContentHasNoFaults(t *testing.T) {
	for _, fault := range embedded.Check(embedded.Demo()) {
		t.Error(fault)
	}
}

// The built-in content must be read and answered from in less than a tenth of a second.
func BenchmarkOpenDemoToFirstAnswer(b *testing.B) {
	for b.Loop() {
		firstAnswer(b, embedded.Config{IntegrationSalt: "salt", APIKey: "key"})
	}
}

func firstAnswer(tb testing.TB, config embedded.Config) {
	backend, err := embedded.Open(embedded.Demo(), config)
	require.NoError(tb, err)
	answer := httptest.NewRecorder()
	backend.Handler().ServeHTTP(answer, httptest.NewRequest(http.MethodPost, "/api/signin",
		strings.NewReader(`{"salt":"salt","api_key":"key"}`)))
	require.Equal(tb, http.StatusOK, answer.Code)
}

// The same content in a folder, as an editor has it.
func BenchmarkCheckFolder(b *testing.B) {
	folder := os.DirFS("demo")
	for b.Loop() {
		assert.NotNil(b, folder)
		embedded.Check(folder)
	}
}
