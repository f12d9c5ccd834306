package app_test

import (
	"fmt"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAForgottenTalentIsGoneAtOnce: list, profile, card, pictures and their cached sizes, although the back end still
// has them.
func TestAForgottenTalentIsGoneAtOnce(t *testing.T) {
	t.Chdir(t.TempDir())
	data := t.TempDir()
	p := start(t, map[string]string{"DATA_DIR": data})
	const profile = "/models/101/benedita-nascimento"
	picture := pageAt(t, p.site+profile).Attr("article img", "src")
	require.Equal(t, http.StatusOK, statusOf(t, p.site+picture))
	cover := pageAt(t, p.site+"/models").Attr("[data-talent='101'] img", "src")

	forget := func(args ...string) (int, string) {
		args = append([]string{"forget", "--admin-addr", strings.TrimPrefix(p.admin, "http://")}, args...)
		code, out, _ := run(t, nil, args...)
		return code, out
	}
	code, said := forget("101")
	require.Zero(t, code)
	assert.Equal(t, http.StatusGone, statusOf(t, p.site+profile))
	assert.Equal(t, http.StatusGone, statusOf(t, p.site+profile+"/composite"))
	assert.Equal(t, http.StatusNotFound, statusOf(t, p.site+picture))
	for _, address := range []string{"/models", "/pt/mulheres", "/sitemap-talents-1.xml"} {
		_, page := get(t, p.site+address)
		assert.NotContains(t, page, "benedita", address)
	}
	for _, purge := range []string{
		profile, "/pt" + profile, "/models", "/es/mujeres", "/sitemap.xml",
		path.Dir(path.Dir(picture)), path.Dir(path.Dir(cover)),
	} {
		assert.Contains(t, said, purge)
	}

	for _, unknown := range []string{"99999", "../1"} {
		code, said := forget(unknown)
		assert.Equal(t, 1, code, unknown)
		assert.Contains(t, said, fmt.Sprintf("no talent here has the id %q", unknown))
	}
	file := filepath.Join(data, "hidden.json") // cannot be replaced by a file
	require.NoError(t, os.Remove(file))
	require.NoError(t, os.MkdirAll(filepath.Join(file, "x"), 0o700))
	code, said = forget("101")
	assert.Equal(t, 3, code, "not stored, so not safe")
	assert.Regexp(t, "(?s)^NOT SAFE YET: a restart of the site undoes this.*hidden.json.*is no longer shown", said)
	assert.Equal(t, http.StatusGone, statusOf(t, p.site+profile))
	require.NoError(t, os.RemoveAll(file))
	code, _ = forget("101")
	assert.Zero(t, code)

	p.stop()
	p = start(t, map[string]string{"DATA_DIR": data})
	assert.Equal(t, http.StatusGone, statusOf(t, p.site+profile), "gone over a restart")
	p.stop()
	code, _ = forget("101")
	assert.Equal(t, 1, code, "forget fails when the site is not running")
}
