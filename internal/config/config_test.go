package config_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/config"
)

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func load(t *testing.T, pairs ...string) config.Config {
	t.Helper()
	c, err := config.Load(nil, env(pairs...))
	require.NoError(t, err)
	return c
}

func TestStorageSlidesAndDownloadsFollowTheBackEnds(t *testing.T) {
	remote := []string{"PANEL_URL", "https://panel.example/", "INTEGRATION_URL", "https://mf.example/base/"}
	c := load(t, remote...)
	assert.False(t, c.Embedded())
	assert.Equal(t, "https://panel.example", c.PanelURL)
	assert.Equal(t, "https://mf.example/base", c.IntegrationURL)
	assert.Equal(t, "https://mf.example/base", c.DownloadURL)
	assert.Equal(t, "https://panel.example/storage/", c.StorageURL)
	assert.Equal(t, "https://panel.example/storage/", c.SlidesURL)

	c = load(t, append(remote, "STORAGE_URL", "https://cdn.example/s", "SLIDES_URL", "https://slides.example/",
		"DOWNLOAD_URL", "https://zip.example")...)
	assert.Equal(t, "https://zip.example", c.DownloadURL)
	assert.Equal(t, "https://cdn.example/s/", c.StorageURL)
	assert.Equal(t, "https://slides.example/", c.SlidesURL)
}

func TestFlagsOverrideVariables(t *testing.T) {
	variables := env("LISTEN_ADDR", ":1", "LOG_LEVEL", "debug")
	for _, args := range [][]string{
		{"--listen-addr", "127.0.0.1:9001"}, {"--listen", "127.0.0.1:9001"}, {"-listen=127.0.0.1:9001"},
	} {
		c, err := config.Load(args, variables)
		require.NoError(t, err, args)
		assert.Equal(t, "127.0.0.1:9001", c.ListenAddr, args)
		assert.Equal(t, slog.LevelDebug, c.LogLevel, args)
	}
}

func TestValuesAreRead(t *testing.T) {
	content := t.TempDir()
	c, err := config.Load([]string{"--admin-addr=off", "--base-url", "https://www.best.example/"}, env(
		"CONTENT_DIR", content,
		"SESSION_KEYS", "newest-key-0123456789, older-key-0123456789",
		"TRUSTED_PROXIES", "10.1.2.3/8, 192.0.2.7,2001:db8::1/32",
		"CDN_MAX_AGE", "60",
		"MINOR_MEASURES", "full",
		"DATABASE_URL", "postgres://u:p@db/zedcard",
		"DEV", "true",
		"LOG_FORMAT", "json",
	))
	require.NoError(t, err)
	assert.Empty(t, c.AdminAddr)
	assert.Equal(t, "https://www.best.example", c.BaseURL)
	assert.True(t, c.HTTPS())
	assert.Equal(t, content, c.ContentDir)
	assert.Equal(t, []config.Secret{"newest-key-0123456789", "older-key-0123456789"}, c.SessionKeys)
	assert.Equal(t, []netip.Prefix{
		netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("192.0.2.7/32"),
		netip.MustParsePrefix("2001:db8::/32"),
	}, c.TrustedProxies)
	assert.Equal(t, time.Minute, c.CDNMaxAge)
	assert.Equal(t, config.MeasuresFull, c.MinorMeasures)
	assert.Equal(t, "postgres://u:p@db/zedcard", string(c.DatabaseURL))
	assert.True(t, c.Dev)
	assert.Equal(t, "json", c.LogFormat)
}

func TestOfficialContactsAreThoseThatTheSitePrints(t *testing.T) {
	site := agency.Site{
		Phone: "+55 (11) 91234-5678", Bookings: "bookings@best.example", Accounting: "agency@gmail.com",
		Official: []string{"best-kids.example"},
	}
	contacts := load(t, "SMTP_URL", "smtp://site%40mailer.example:pw@localhost").OfficialContacts(site)
	for sender, verdict := range map[string]agency.Verdict{
		"bookings@best.example": agency.Ours,
		"ana@best.example":      agency.NotOurs, // it is not printed
		"site@mailer.example":   agency.Ours,    // which sends the site's mails
		"ana@best-kids.example": agency.Ours,    // agency.yaml says so
		"agency@gmail.com":      agency.Ours,
		"anybody@gmail.com":     agency.NotOurs, // the provider's domain
	} {
		assert.Equal(t, verdict, contacts.Check(sender), sender)
	}
}

func TestAWrongValueIsReportedInOneLineWithTheAcceptedValues(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	cases := []struct{ name, value, accepted string }{
		{"LISTEN_ADDR", "8080", "HOST:PORT"},
		{"LISTEN_ADDR", ":http8", "HOST:PORT"},
		{"LISTEN_ADDR", ":70000", "HOST:PORT"},
		{"ADMIN_ADDR", "on", "off or HOST:PORT"},
		{"BASE_URL", "www.best.example", "scheme and host"},
		{"BASE_URL", "https://best.example/site", "scheme and host"},
		{"BASE_URL", "ftp://best.example", "scheme and host"},
		{"CONTENT_DIR", "no/such/folder", "a folder that exists"},
		{"CONTENT_DIR", file, "a folder that exists"},
		{"DOWNLOAD_URL", "//zip.example", "an http or https address"},
		{"STORAGE_URL", "/storage/", "an http or https address"},
		{"SLIDES_URL", "//elsewhere.example/", "an http or https address"},
		{"MEDIA_SIZE", "2", "a number with MB or GB"},
		{"MEDIA_SIZE", "0GB", "64MB or more"},
		{"DATA_DIR", "da\nta", "one line of text"},
		{"CDN_MAX_AGE", "1m", "a number of seconds"},
		{"TRUSTED_PROXIES", "10.0.0.0/8,proxy", "networks or addresses"},
		{"TRUSTED_PROXIES", "10.0.0.0/33", "networks or addresses"},
		{"OUTBOX_SIZE", "much", "a number with MB or GB"},
		{"MAIL_TO", "bookings", "a mail address"},
		{"MAIL_TO", "Bookings <b@best.example>", "a mail address"},
		{"MINOR_MEASURES", "all", "safe or full"},
		{"MINOR_CATEGORIES", "Peques,!peques", "ids or names"},
		{"DEV", "maybe", "true or false"},
		{"LOG_LEVEL", "loud", "debug, info, warn or error"},
		{"LOG_FORMAT", "xml", "text or json"},
	}
	for _, tc := range cases {
		t.Run(tc.name+"="+tc.value, func(t *testing.T) {
			_, err := config.Load(nil, env(tc.name, tc.value))
			require.Error(t, err)
			require.NotErrorIs(t, err, config.ErrUsage)
			assert.True(t, strings.HasPrefix(err.Error(), tc.name+": "), err)
			assert.Contains(t, err.Error(), fmt.Sprintf("read %q", tc.value))
			assert.Contains(t, err.Error(), "accepted is "+tc.accepted)
			assert.NotContains(t, err.Error(), "\n")
		})
	}
}

func TestSecretIsNeverPrinted(t *testing.T) {
	const hidden = "hunter2"
	for name, value := range map[string]string{
		"SESSION_KEYS": hidden + ",", "DATABASE_URL": "mysql://u:" + hidden + "@db", "BASE_URL": "https://u:" + hidden +
			"@best.example",
		"DOWNLOAD_URL": "https://u:x/" + hidden + "@best.example",
		"SMTP_URL":     "https://u:" + hidden + "@mail.best.example",
	} {
		_, err := config.Load(nil, env(name, value))
		require.Error(t, err, name)
		assert.Contains(t, err.Error(), name+": ")
		assert.NotContains(t, err.Error(), hidden)
	}

	c := load(t, "PANEL_SALT", hidden, "INTEGRATION_API_KEY", hidden, "PREVIEW_TOKEN", hidden,
		"DATABASE_URL", "postgres://u:"+hidden+"@db/x", "SMTP_URL", "smtps://u:"+hidden+"@mail.best.example",
		"SESSION_KEYS", "0123456789"+hidden)
	var logged strings.Builder
	slog.New(slog.NewTextHandler(&logged, nil)).Info("start", "config", c, "salt", c.PanelSalt)
	slog.New(slog.NewJSONHandler(&logged, nil)).Info("start", "config", c, "salt", c.PanelSalt)
	encoded, err := json.Marshal(c)
	require.NoError(t, err)
	for _, printed := range []string{fmt.Sprint(c), fmt.Sprintf("%+v %#v", c, c), logged.String(), string(encoded)} {
		assert.NotContains(t, printed, hidden)
	}
}

func TestOneBackEndAloneIsRefused(t *testing.T) {
	_, err := config.Load(nil, env("PANEL_URL", "https://panel.example"))
	require.ErrorContains(t, err,
		"INTEGRATION_URL: read nothing although PANEL_URL is set, accepted is both or neither")
	_, err = config.Load([]string{"--integration-url", "https://mf.example"}, env())
	require.ErrorContains(t, err,
		"PANEL_URL: read nothing although INTEGRATION_URL is set, accepted is both or neither")
}

func TestEveryWrongValueIsNamed(t *testing.T) {
	_, err := config.Load(nil, env("LOG_LEVEL", "loud", "DEV", "maybe"))
	require.Error(t, err)
	assert.Len(t, strings.Split(err.Error(), "\n"), 2)
}

func TestCommandLineFaults(t *testing.T) {
	for _, args := range [][]string{{"--colour", "red"}, {"extra"}, {"--listen"}} {
		_, err := config.Load(args, env())
		require.ErrorIs(t, err, config.ErrUsage, args)
		assert.NotContains(t, err.Error(), "\n")
	}
	_, err := config.Load([]string{"--help"}, env())
	require.ErrorIs(t, err, flag.ErrHelp)
}

func TestHelpNamesEverySettingOfTheContract(t *testing.T) {
	help := config.Help()
	for _, name := range strings.Fields(`LISTEN_ADDR ADMIN_ADDR BASE_URL DATABASE_URL DATA_DIR CONTENT_DIR PANEL_URL
		PANEL_SALT PANEL_API_TOKEN INTEGRATION_URL INTEGRATION_SALT INTEGRATION_API_KEY DOWNLOAD_URL STORAGE_URL
		SLIDES_URL SESSION_KEYS TRUSTED_PROXIES MINOR_MEASURES PREVIEW_TOKEN KIDS_LISTED PICTURE_HOSTS CDN_MAX_AGE
		LOG_LEVEL LOG_FORMAT MINOR_CATEGORIES SMTP_URL MAIL_TO`) {
		assert.Contains(t, help, "  "+name+", --"+strings.ReplaceAll(strings.ToLower(name), "_", "-"))
	}
	assert.Contains(t, help, "(default: 127.0.0.1:9090)")
	assert.Contains(t, help, "--listen\n")
}

func TestDatabasesThatTheDriversTakeAreRight(t *testing.T) {
	for _, value := range []string{
		"sqlite:a b.db", "postgres://h/x", "postgresql://u:p@h:1,h2:2/x?sslmode=disable",
		"postgres:///db?host=/var/run/postgresql",
	} {
		assert.Equal(t, value, string(load(t, "DATABASE_URL", value).DatabaseURL))
	}
}

func TestWrongDatabaseIsShownWithoutItsPassword(t *testing.T) {
	const hidden = "a value that is not shown"
	for value, shown := range map[string]string{
		"zedcard.db": `"zedcard.db"`, "sqlite:": `"sqlite:"`, "mysql://h/x?a=1": `"mysql://h/x?a=1"`,
		"mysql://u:hunter2@h/x": hidden, "mysql://h/x?%70ass%77ord=hunter2": hidden,
		"host=h user=u password=hunter2": hidden, "Server=h;User Id=u;Pwd=hunter2": hidden,
	} {
		_, err := config.Load(nil, env("DATABASE_URL", value))
		require.EqualError(t, err,
			"DATABASE_URL: read "+shown+", accepted is sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME")
	}
}

func TestSecretsThatCanBeGuessedAreNamed(t *testing.T) {
	for value, weak := range map[string][]string{"ã23456789012345": {"PREVIEW_TOKEN"}, "ã234567890123456": nil} {
		assert.Equal(t, weak, load(t, "PREVIEW_TOKEN", value).WeakSecrets())
	}
	c := load(t, "SESSION_KEYS", "a, ã234567890123456,b")
	assert.Equal(t, []config.Secret{"a", "ã234567890123456", "b"}, c.SessionKeys)
	assert.Equal(t, []string{"SESSION_KEYS"}, c.WeakSecrets())
	for _, value := range []string{",", "a,,b", "a, ,b"} {
		_, err := config.Load(nil, env("SESSION_KEYS", value))
		require.EqualError(t, err, "SESSION_KEYS: read a value that is not shown, accepted is "+
			"keys with commas between them, none of them empty")
	}
}
