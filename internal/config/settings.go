package config

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"zedcard/internal/agency"
)

// setting is one row of the table that flags, variables, defaults and --help come from.
type setting struct {
	name     string // of the variable
	short    string // a second name of the flag
	meaning  string
	fallback string // the default value
	unset    string // what --help shows if there is no fallback
	secret   bool   // its value is never printed
	masked   bool   // its value may hold a password
	inUse    string // what is accepted, for values that fail only in use: see SettingError
	set      func(value string) error
}

// settings are in the order of --help. To add a setting, add a field to Config and a row here.
// An error of set says what is accepted.
func settings(c *Config) []setting {
	return []setting{
		{name: "LISTEN_ADDR", short: "listen", meaning: "address of the public site", fallback: ":8080",
			set: into(&c.ListenAddr, listenAddress)},
		{name: "ADMIN_ADDR", meaning: "address of health, metrics and pprof, never public; off turns it off",
			fallback: "127.0.0.1:9090", set: into(&c.AdminAddr, adminAddress)},
		{name: "BASE_URL", meaning: "public origin, for canonical links, sitemaps and mail",
			fallback: "http://localhost:8080", set: into(&c.BaseURL, origin)},
		{name: "DATABASE_URL", meaning: "sqlite:PATH or postgres://…", fallback: "sqlite:data/zedcard.db", masked: true,
			inUse: "sqlite:PATH of a file that can be written, or postgres://USER:PASSWORD@HOST/NAME of a server " +
				"that lets the site in", set: into(&c.DatabaseURL, databaseURL)},
		{name: "DATA_DIR",
			meaning: "folder of resized pictures, which can be made again, and hidden.json, which can't; by default " +
				"also of the database",
			fallback: "data", inUse: "a folder that can be written", set: into(&c.DataDir, text)},
		{name: "CONTENT_DIR",
			meaning: "the agency's folder: its agency.yaml, boards, brand and texts, with external back ends too",
			unset:   "built-in demo content",
			inUse:   "a content folder with its categories.yaml and options.yaml", set: into(&c.ContentDir, folder)},

		{name: "PANEL_URL", meaning: "panel back end; set together with INTEGRATION_URL", unset: "embedded",
			set: into(&c.PanelURL, address)},
		{name: "PANEL_SALT", meaning: "salt of the panel's sign-in", fallback: "demo-panel-salt", secret: true,
			set: into(&c.PanelSalt, secret)},
		{name: "PANEL_API_TOKEN", meaning: "token of the panel's sign-in", fallback: "demo-panel-token", secret: true,
			set: into(&c.PanelAPIToken, secret)},
		{name: "INTEGRATION_URL", meaning: "integration back end; set together with PANEL_URL", unset: "embedded",
			set: into(&c.IntegrationURL, address)},
		{name: "INTEGRATION_SALT", meaning: "salt of the integration back end's sign-in",
			fallback: "demo-integration-salt", secret: true, set: into(&c.IntegrationSalt, secret)},
		{name: "INTEGRATION_API_KEY", meaning: "key of the integration back end's sign-in",
			fallback: "demo-integration-key", secret: true, set: into(&c.IntegrationAPIKey, secret)},
		{name: "DOWNLOAD_URL", meaning: "host of the two download calls", unset: "INTEGRATION_URL",
			set: into(&c.DownloadURL, address)},
		{name: "CDN_MAX_AGE", meaning: "seconds that a shared cache in front of the site may keep a page (s-maxage)",
			fallback: "0", set: into(&c.CDNMaxAge, seconds)},
		{name: "STORAGE_URL", meaning: "prefix of picture paths that do not begin with http",
			unset: "PANEL_URL + /storage/, or the embedded back end's pictures", set: into(&c.StorageURL, storage)},
		{
			name: "PICTURE_HOSTS",
			meaning: "further origins that pictures may be read from, with commas between them; " +
				"for pictures of other hosts the default picture is shown, and `zedcard check` and the log name them",
			unset: "only the storages and the back ends", set: into(&c.PictureHosts, origins),
		},
		{name: "SLIDES_URL", meaning: "prefix of the home page's slides", unset: "STORAGE_URL",
			set: into(&c.SlidesURL, storage)},
		{name: "MEDIA_SIZE", meaning: "disk that resized pictures may take below DATA_DIR", fallback: "2GB",
			set: into(&c.MediaSize, bytes)},
		{name: "MEDIA_AVIF",
			meaning: "true: the site also makes AVIF, for browsers that show it; false: JPEG only, which is twice " +
				"as large but takes much less processor time to make", fallback: "true",
			set: into(&c.MediaAVIF, boolean)},

		{name: "OUTBOX_SIZE",
			meaning:  "disk that submissions may take, here and in the embedded inbox; above it the forms answer 503",
			fallback: "4GB", set: into(&c.OutboxSize, bytes)},
		{name: "SMTP_URL",
			meaning: "mail server, smtp://USER:PASSWORD@HOST:587 or smtps://…; the embedded inbox sends a note of " +
				"each submission, and parents of applicants under 18 get a link to confirm: an external panel gets " +
				"their application after that",
			unset: "no mail", secret: true, set: into(&c.SMTPURL, mailServer)},
		{name: "MAIL_TO", meaning: "who gets the notes", unset: "the address for bookings",
			set: into(&c.MailTo, email)},
		{name: "SESSION_KEYS",
			meaning: "keys with commas between them, newest first; a key of fewer than 16 characters causes a warning",
			unset:   "one made at first start, in a file beside the SQLite database (PATH.key), or in PostgreSQL",
			secret:  true,
			set:     into(&c.SessionKeys, sessionKeys)},
		{name: "TRUSTED_PROXIES",
			meaning: "networks whose X-Forwarded-For and X-Forwarded-Proto are believed", unset: "none",
			set: into(&c.TrustedProxies, networks)},
		{name: "MINOR_MEASURES",
			meaning: "safe: of a minor only height, shoes, hair and eyes are shown; full: all", fallback: MeasuresSafe,
			set: into(&c.MinorMeasures, oneOf(MeasuresSafe, MeasuresFull))},
		{name: "MINOR_CATEGORIES",
			meaning: "ids or names of categories of minors whose names do not say so, with commas between them; " +
				"behind a ! those that are not of minors, as in Stars,!Nina; `zedcard check` names all that it takes " +
				"for minors’",
			unset: "their names say it", set: into(&c.MinorCategories, agency.ParseMinorCategories)},
		{name: "KIDS_LISTED",
			meaning: "apart: talents in kids are listed on the kids board only; everywhere: on every board of " +
				"their categories", fallback: KidsApart, set: into(&c.KidsListed, oneOf(KidsApart, KidsEverywhere))},
		{name: "ASK_SKIN_COLOR",
			meaning: "true: the application asks for the colour of the skin, with a consent of its own, where the " +
				"back end has a list", fallback: "false", set: into(&c.AskSkinColor, boolean)},
		{name: "PREVIEW_TOKEN",
			meaning: "opens the pages of editors: /_content, /_copy, drafts; fewer than 16 characters cause a warning",
			unset:   "open with DEV, and for requests of this machine itself",
			secret:  true, set: into(&c.PreviewToken, secret)},
		{name: "DEV", meaning: "true while the site is worked on, as make dev sets it", fallback: "false",
			set: into(&c.Dev, boolean)},

		{name: "LOG_LEVEL", meaning: "debug, info, warn or error", fallback: "info", set: into(&c.LogLevel, logLevel)},
		{name: "LOG_FORMAT", meaning: "text or json", fallback: "text", set: into(&c.LogFormat, oneOf("text", "json"))},
	}
}

// flag is the name of the setting's flag.
func (s setting) flag() string {
	return strings.ReplaceAll(strings.ToLower(s.name), "_", "-")
}

// Help explains every setting.
func Help() string {
	var b strings.Builder
	for _, s := range settings(new(Config)) {
		names := s.name + ", --" + s.flag()
		if s.short != "" {
			names += ", --" + s.short
		}
		fmt.Fprintf(&b, "  %s\n        %s (default: %s)\n", names, s.meaning, cmp.Or(s.fallback, s.unset))
	}
	return b.String()
}

// hidden replaces a value in messages that may hold a password.
const hidden = "a value that is not shown"

var (
	password    = regexp.MustCompile(`//.*@`)
	credentials = regexp.MustCompile(`(?i)[@%]|pass|pwd|secret`) // after which a password may stand
)

// shown is the value as messages may show it.
func (s setting) shown(value string) string {
	if s.secret || s.masked && !strings.HasPrefix(value, "sqlite:") && credentials.MatchString(value) {
		return hidden
	}
	return fmt.Sprintf("%q", password.ReplaceAllString(value, "//…@"))
}

var lineEnd = regexp.MustCompile(`\s*\n\s*`)

// SettingError is the error, in one line, of a setting whose value is valid but fails in use.
func (c Config) SettingError(name string, err error) error {
	all := settings(&c)
	i := slices.IndexFunc(all, func(s setting) bool { return s.name == name })
	why := lineEnd.ReplaceAllString(err.Error(), " ")
	return fmt.Errorf("%s: read %s, accepted is %s: %s", name, c.read[name], all[i].inUse, why)
}
