package app_test

import (
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/testkit"
)

func TestShortSessionKeysAreWarnedOfAndNotShown(t *testing.T) {
	t.Chdir(t.TempDir())
	taken, err := net.Listen("tcp", "127.0.0.1:0") // so that both end once they have started
	require.NoError(t, err)
	defer func() { _ = taken.Close() }()
	env := map[string]string{"LISTEN_ADDR": taken.Addr().String(), "ADMIN_ADDR": "off"}
	for keys, warned := range map[string]int{"tiny-one,tiny-two": 1, "long-enough-0123456789": 0, "": 0} {
		env["SESSION_KEYS"] = keys
		for _, command := range []string{"serve", "backend"} {
			_, _, log := run(t, env, command)
			assert.Equal(t, warned, strings.Count(log, "level=WARN msg=\"SESSION_KEYS"), log)
			assert.NotContains(t, log, "tiny")
		}
	}
	code, out, _ := run(t, map[string]string{"SESSION_KEYS": "a,b"}, "check")
	assert.Zero(t, code, out)
}

func TestASettingThatFailsInUseIsNamedWithWhatWasRead(t *testing.T) {
	t.Chdir(t.TempDir())
	empty, folder, file := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "file")
	write(t, file, "no database, though long enough for its header to be read\n")
	for _, tc := range []struct{ name, value, commands, why string }{
		{"DATABASE_URL", "sqlite:" + file + "/y.db", "serve backend inbox check", "not a directory"},
		{"DATABASE_URL", "sqlite:" + folder, "serve", "is a directory"},
		{"DATABASE_URL", "sqlite:" + file, "check", "file is not a database"},
		{"DATABASE_URL", "postgres://u@h/x?sslmode=wat", "serve", "sslmode is invalid"},
		{"DATABASE_URL", "postgres://u:geheim@127.0.0.1:1/x", "check", "refused"},
		{"DATA_DIR", file, "check", "not a directory"},
		{"DATA_DIR", file + "/data", "serve check", "not a directory"},
		{"CONTENT_DIR", empty, "serve backend media check", "holds no content"},
	} {
		for command := range strings.FieldsSeq(tc.commands) {
			t.Run(command+" "+tc.name+"="+filepath.Base(tc.value), func(t *testing.T) {
				args := strings.Fields(map[string]string{"inbox": "inbox list", "media": "media warm"}[command])
				if len(args) == 0 {
					args = []string{command}
				}
				code, out, errs := run(t, map[string]string{
					"LISTEN_ADDR": "127.0.0.1:0", "ADMIN_ADDR": "off", "LOG_LEVEL": "error", tc.name: tc.value,
				}, args...)
				assert.Equal(t, 1, code)
				said := strings.TrimPrefix(out+errs, "zedcard: ")
				assert.Equal(t, 1, strings.Count(said, "\n"), said)
				shown := strconv.Quote(tc.value)
				if strings.Contains(tc.value, "@") {
					shown = "a value that is not shown"
				}
				assert.True(t, strings.HasPrefix(said, tc.name+": read "+shown+", accepted is "), said)
				assert.Contains(t, said, tc.why)
			})
		}
	}
}

func TestCheckNamesWhatBackEndsDoNotGiveAndWhatVisitorsMiss(t *testing.T) {
	t.Chdir(t.TempDir())
	down := testkit.Status(http.StatusInternalServerError)
	for _, c := range []struct {
		faults map[string]testkit.Fault
		set    string // SMTP_URL
		count  int    // of lines; 0: any
		says   []string
	}{
		{faults: map[string]testkit.Fault{
			"/api/talent/profile": down, "/api/talents/attributes": down, "/api/slides": down,
			"/api/social-medias": down, "/api/posts/news/pt/post-": down,
			"POST /api/talents": testkit.Answer(`{"data": [{"id": 1}, {"uuid": 2}], "total": 9}`),
		}, says: []string{
			"integration: talent 1: unavailable: answered 500; visitors miss the galleries",
			"integration: options: unavailable: answered 500; visitors miss the application form",
			"panel: slides of home: unavailable: answered 500; visitors miss the home page",
			"panel: social medias: unavailable: answered 500; visitors miss the links",
			`panel: post "post-1" of news: unavailable: answered 500; visitors miss the texts`,
			"the list of talents ends before its total",
		}},
		{faults: map[string]testkit.Fault{"POST /api/talents": down}, count: 1, says: []string{"integration"}},
		{count: 6, says: []string{ // two pages in each language; safety need not be there
			"page future-face (en): can't be read", "page privacy (es): can't be read",
		}},
		{set: "smtp://127.0.0.1:1", says: []string{"SMTP_URL: the mail server takes no mail of the site: "}},
	} {
		fake := testkit.NewFake(t)
		fake.Change(func(c *testkit.Content) { c.Entities = []agency.Entity{{Name: "about", Body: "<p>Us.</p>"}} })
		for path, fault := range c.faults {
			fake.Break(path, fault)
		}
		settings := fake.Settings()
		settings["SMTP_URL"] = c.set
		code, out, _ := run(t, settings, "check")
		assert.Equal(t, 1, code)
		for _, line := range c.says {
			assert.Contains(t, out, line)
		}
		if c.count > 0 {
			assert.Equal(t, c.count, strings.Count(out, "\n"), out)
		}
	}
}
