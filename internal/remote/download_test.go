package remote_test

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/remote"
	"zedcard/internal/testkit"
)

func TestACompositeIsAskedForWithTheTalentAsText(t *testing.T) {
	fake := testkit.NewFake(t)
	name := filepath.Join(t.TempDir(), "composite.zip")
	inPortuguese := agency.WithLanguage(t.Context(), i18n.PT)
	require.NoError(t, fake.Integration().Composite(inPortuguese, agata(), create(t, name)))
	archive, err := zip.OpenReader(name)
	require.NoError(t, err)
	defer archive.Close()
	assert.Len(t, archive.File, 1)

	requests := fake.Requests("POST /api/download/gallery")
	require.Len(t, requests, 1)
	assert.Equal(t, "pt", requests[0].Header.Get("Accept-Language"))
	var ask map[string]string
	require.NoError(t, json.Unmarshal(requests[0].Body, &ask))
	assert.Equal(t, "compo", ask["gallery"])
	var sent, want map[string]any
	require.NoError(t, json.Unmarshal([]byte(ask["talent"]), &sent))
	require.NoError(t, json.Unmarshal([]byte(wholeTalent), &want))
	delete(want, "birthdate")
	for _, gallery := range []string{"book", "snap"} { // a picture's id is sent as a text
		for _, picture := range sent[gallery].([]any) {
			delete(picture.(map[string]any), "id")
		}
		for _, picture := range want[gallery].([]any) {
			delete(picture.(map[string]any), "id")
		}
	}
	assert.Equal(t, want, sent, "every field of docs/wire.md except the birth date is sent")
}

func TestCompositesAreAskedForByIDs(t *testing.T) {
	fake := testkit.NewFake(t)
	require.NoError(t, fake.Integration().Composites(t.Context(), []string{"1", "25"}, create(t, "")))
	assert.JSONEq(t, `{"talents": [1, 25], "gallery": "compo"}`,
		string(fake.Requests("POST /api/download/zip")[0].Body))
}

func TestDownloadsComeFromTheirOwnHost(t *testing.T) {
	fake, downloads := testkit.NewFake(t), testkit.NewFake(t)
	c := remote.NewIntegration(remote.IntegrationConfig{
		Config: fake.IntegrationConfig(testkit.Limits), DownloadURL: downloads.IntegrationURL + "/",
	})
	require.NoError(t, c.Composites(t.Context(), []string{"1"}, create(t, "")))
	assert.Empty(t, fake.Requests("/api/download"))
	assert.Empty(t, downloads.Requests("/api/signin"))
	assert.Len(t, downloads.Requests("/api/download/zip"), 1)
}

func TestOnlyACompleteZipIsADownload(t *testing.T) {
	for name, fault := range map[string]testkit.Fault{
		"truncated":         testkit.Truncate(),
		"connection lost":   testkit.CutShort(),
		"HTML":              testkit.HTML(),
		"nothing":           testkit.Answer(""),
		"no entries":        testkit.Answer(string(zipOf(t))),
		"too large":         testkit.Huge(2 << 20),
		"500":               testkit.Status(500),
		"a refusal":         testkit.Status(422),
		"a redirect":        testkit.Status(302, "Location", "/api/signin"),
		"no headers":        testkit.Hang(),
		"dripping":          testkit.Drip(),
		"a name with ..":    testkit.Answer(string(zipOf(t, "../../.bashrc"))),
		"an absolute name":  testkit.Answer(string(zipOf(t, "/etc/passwd"))),
		"a truncated entry": testkit.Answer(string(withoutLocalHeaders(zipOf(t, "card.pdf")))),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := testkit.NewFake(t)
			limits := testkit.QuickLimits
			limits.Download = 1 << 20
			fake.Break("/api/download", fault)
			err := client(fake, limits).Composite(t.Context(), agata(), create(t, ""))
			require.ErrorIs(t, err, agency.ErrUnavailable)
			assert.Len(t, fake.Requests("/api/download"), 1, "a download is not retried")
		})
	}
}

func TestADownloadGoesToItsFileWhileItArrives(t *testing.T) {
	fake, file := testkit.NewFake(t), create(t, "")
	whole := zipOf(t, "card.pdf")
	fake.Break("/api/download", func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(whole[:10])
			assert.NoError(t, http.NewResponseController(w).Flush())
			assert.Eventually(t, func() bool {
				info, err := file.Stat()
				return err == nil && info.Size() == 10
			}, time.Minute, time.Millisecond, "what has arrived is in the file")
			_, _ = w.Write(whole[10:])
		})
	})
	require.NoError(t, fake.Integration().Composites(t.Context(), []string{"1"}, file))
}

// create makes a file; without a name one that nothing else needs to find.
func create(t *testing.T, name string) *os.File {
	t.Helper()
	file, err := os.Create(cmp.Or(name, filepath.Join(t.TempDir(), "download.zip")))
	require.NoError(t, err)
	t.Cleanup(func() { _ = file.Close() })
	return file
}

func zipOf(t *testing.T, names ...string) []byte {
	t.Helper()
	var buffer bytes.Buffer
	archive := zip.NewWriter(&buffer)
	for _, name := range names {
		_, err := archive.Create(name)
		require.NoError(t, err)
	}
	require.NoError(t, archive.Close())
	return buffer.Bytes()
}

// withoutLocalHeaders leaves the directory of a zip, and zeros where its entries should be.
func withoutLocalHeaders(archive []byte) []byte {
	directory := bytes.Index(archive, []byte("PK\x01\x02"))
	return append(make([]byte, directory), archive[directory:]...)
}
