package app_test

import (
	"net/http"
	"net/http/cookiejar"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"zedcard/internal/testkit/htmltest"
)

// newFolder is a folder to begin with, and a run of commands on it.
func newFolder(t *testing.T) func(code int, args ...string) string {
	t.Chdir(t.TempDir())
	do := func(code int, args ...string) string {
		t.Helper()
		env := map[string]string{"CONTENT_DIR": "lumen", "DATA_DIR": "data", "DATABASE_URL": "sqlite:data/z.db"}
		got, out, errs := run(t, env, args...)
		require.Equal(t, code, got, out+errs)
		return out + errs
	}
	do(0, "init", "lumen")
	return do
}

// What other programs and systems write is read: UTF-16, lines as Windows ends them, names of files as a Mac has them.
func TestCheckReadsWhatOtherProgramsWrite(t *testing.T) {
	const maria = "lumen/talents/010-maria-example/"
	do := newFolder(t)
	text, cover := read(t, maria+"talent.yaml"), read(t, maria+"cover.jpg")
	encoded := []byte{0xfe, 0xff}
	for _, unit := range utf16.Encode([]rune(text)) {
		encoded = append(encoded, byte(unit>>8), byte(unit))
	}
	for _, taken := range []string{string(encoded), strings.ReplaceAll(text, "\n", "\r\n")} {
		write(t, maria+"talent.yaml", taken)
		assert.Contains(t, do(0, "check"), "no faults")
	}
	write(t, maria+"talent.yaml", strings.Replace(text, "cover: cover.jpg", "cover: praça.jpg", 1))
	require.NoError(t, os.Rename(maria+"cover.jpg", maria+norm.NFD.String("praça.jpg")))
	assert.Contains(t, do(0, "check"), "no faults")

	write(t, maria+"talent.yaml", strings.Replace(text, "Maria", "Jo\xe3o", 1))
	assert.Contains(t, do(1, "check"), maria+"talent.yaml:3: save as UTF-8")
	write(t, maria+"talent.yaml", text)
	for data, says := range map[string]string{
		strings.Repeat("x", 41<<20): "cover.jpg has 41 MB; 40 MB is the most",
		cover[:len(cover)/2]:        "cover.jpg is incomplete; copy it again",
	} {
		write(t, maria+"cover.jpg", data)
		assert.Contains(t, do(1, "check"), says)
	}
}

func TestADraftsPicturesAreForEditorsAlone(t *testing.T) {
	newFolder(t)
	const maria = "lumen/talents/010-maria-example/talent.yaml"
	write(t, maria, read(t, maria)+"draft: true\n")
	p := start(t, map[string]string{"CONTENT_DIR": "lumen", "PREVIEW_TOKEN": "sesame-sesame-sesame"})
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	editor := &http.Client{Jar: jar}
	_, err = editor.Get(p.site + "/_content?token=sesame-sesame-sesame")
	require.NoError(t, err)
	profile, err := editor.Get(p.site + "/models/1/maria-example")
	require.NoError(t, err)
	picture := htmltest.Read(t, body(t, profile)).Attr("article img", "src")
	shown, err := editor.Get(p.site + picture)
	require.NoError(t, err)
	assert.Equal(t, http.StatusOK, shown.StatusCode)
	assert.Contains(t, shown.Header.Get("Cache-Control"), "no-store")
	assert.Equal(t, http.StatusNotFound, statusOf(t, p.site+picture))
	write(t, maria, strings.Replace(read(t, maria), "draft: true\n", "", 1))
	require.Eventually(t, func() bool { return statusOf(t, p.site+picture) == http.StatusOK },
		time.Minute, 100*time.Millisecond)
}

// A script of the folder must not take over the site.
func TestNoScriptOfTheFolderBecomesAServiceWorker(t *testing.T) {
	newFolder(t)
	write(t, "lumen/public/worker.js", "self.onfetch = () => {}")
	p := start(t, map[string]string{"CONTENT_DIR": "lumen"})
	asked, err := http.NewRequest(http.MethodGet, p.site+"/worker.js", nil)
	require.NoError(t, err)
	asked.Header.Set("Service-Worker", "script") // as browsers do for one that is to be registered
	answer, err := http.DefaultClient.Do(asked)
	require.NoError(t, err)
	body(t, answer)
	assert.Equal(t, http.StatusNotFound, answer.StatusCode)
}
