package app_test

import (
	"fmt"
	"net"
	"os"
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

func TestCheckNamesEachCallThatFailsAndWhatVisitorsMiss(t *testing.T) {
	t.Chdir(t.TempDir())
	fake := testkit.NewFake(t)
	failing := map[string]string{
		"/api/talent/profile":      "integration: talent 1: %s the galleries",
		"/api/talents/attributes":  "integration: options: %s the application form",
		"/api/slides":              "panel: slides of home: %s the home page",
		"/api/social-medias":       "panel: social medias: %s the links",
		"/api/posts/news/pt/post-": "panel: post \"post-1\" of news: %s the texts",
	}
	for path := range failing {
		fake.Break(path, testkit.Status(500))
	}
	fake.Break("POST /api/talents", testkit.Answer(`{"data": [{"id": 1}, {"uuid": 2}], "total": 9}`))
	code, out, _ := run(t, fake.Settings(), "check")
	assert.Equal(t, 1, code)
	for _, line := range failing {
		assert.Contains(t, out, fmt.Sprintf(line, "unavailable: answered 500; visitors miss"))
	}
	assert.Contains(t, out, "the list of talents ends before its total")
}

func TestCheckMakesNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	output(t, map[string]string{"DATABASE_URL": "sqlite:new/zedcard.db", "DATA_DIR": "new/data"}, "check")
	made, err := os.ReadDir(".")
	require.NoError(t, err)
	assert.Empty(t, made)
}

func TestCheckNamesWhatIsStillTheDemosOnAPublicSite(t *testing.T) {
	t.Chdir(t.TempDir())
	env := map[string]string{
		"BASE_URL": "https://www.agency.example", "SMTP_URL": "smtp://web%40mailer.example:x@mx.example",
	}
	code, out, _ := run(t, env, "check")
	assert.Equal(t, 1, code)
	for _, line := range []string{
		"CONTENT_DIR: +55 (11) 91234-5678 is the demo agency’s: ",
		"CONTENT_DIR: bookings@best.example is the demo agency’s: ",
		"CONTENT_DIR: accounting@best.example is the demo agency’s: ",
	} {
		assert.Contains(t, out, line)
	}
	assert.Regexp(t, `pages/safety\.md:\d+: best\.example is the demo agency’s; write your own\n`, out)
	assert.NotContains(t, out, "mailer.example", "SMTP_URL is a secret")

	fake := testkit.NewFake(t)
	fake.Change(func(c *testkit.Content) {
		c.Entities = nil
		for _, name := range []string{"about", "privacy", "future-face", "safety"} {
			c.Entities = append(c.Entities, agency.Entity{Name: name, Body: "<p>Us.</p>"})
		}
	})
	settings := fake.Settings()
	settings["BASE_URL"], settings["CONTENT_DIR"] = "https://www.agency.example", t.TempDir()
	write(t, settings["CONTENT_DIR"]+"/agency.yaml",
		"name: Nova\nphone: +351 210 000 000\nmail: {bookings: b@agency.example}\n")
	code, out, _ = run(t, settings, "check")
	assert.Zero(t, code, "with external back ends, agency.yaml is enough of a folder: %s", out)
	assert.Contains(t, out, "to do: agency.yaml: address: ")
	_, contact := get(t, start(t, settings).site+"/contact")
	for _, own := range []string{"Nova", "+351 210 000 000", "b@agency.example"} {
		assert.Contains(t, contact, own)
	}
	assert.NotContains(t, contact, "best.example")
}
