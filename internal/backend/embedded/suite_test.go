package embedded_test

import (
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"zedcard/internal/backend/backendtest"
	"zedcard/internal/backend/embedded"
)

func TestSpeaksTheContract(t *testing.T) {
	config := embedded.Config{
		PanelSalt: "panel-salt", APIToken: "api-token", IntegrationSalt: "integration-salt", APIKey: "api-key",
	}
	for name, endpoints := range map[string]func(*testing.T, *embedded.Backend) backendtest.Endpoints{
		"in process": func(_ *testing.T, b *embedded.Backend) backendtest.Endpoints {
			return backendtest.Endpoints{
				PanelURL: "http://embedded", IntegrationURL: "http://embedded", Transport: b.Transport(),
			}
		},
		"over a port": func(t *testing.T, b *embedded.Backend) backendtest.Endpoints {
			server := httptest.NewServer(b.Handler())
			t.Cleanup(server.Close)
			return backendtest.Endpoints{PanelURL: server.URL, IntegrationURL: server.URL}
		},
	} {
		t.Run(name, func(t *testing.T) {
			backend, err := embedded.Open(embedded.Demo(), config)
			require.NoError(t, err)
			e := endpoints(t, backend)
			e.PanelSalt, e.APIToken = config.PanelSalt, config.APIToken
			e.IntegrationSalt, e.APIKey = config.IntegrationSalt, config.APIKey
			e.PostType = "news"
			backendtest.Suite(t, e)
		})
	}
}
