// Package config reads the settings of the program from flags and environment variables. A flag is named after its
// variable: LISTEN_ADDR is --listen-addr. Flags override variables.
package config

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"zedcard/internal/agency"
	"zedcard/internal/mail"
)

// Config holds all settings, validated and with defaults. Addresses of hosts have no slash at the end, addresses of
// storages have one.
type Config struct {
	ListenAddr string
	AdminAddr  string // empty: off
	BaseURL    string // scheme and host only

	DatabaseURL Secret // "sqlite:PATH" or "postgres://…", which may hold a password
	DataDir     string
	ContentDir  string // empty: the built-in demo content

	PanelURL          string // empty, with IntegrationURL: the embedded back end
	PanelSalt         Secret
	PanelAPIToken     Secret
	IntegrationURL    string
	IntegrationSalt   Secret
	IntegrationAPIKey Secret
	DownloadURL       string   // empty with the embedded back end
	PictureHosts      []string // origins that pictures may be read from, beside the storages
	StorageURL        string   // empty: the pictures of the embedded back end
	SlidesURL         string
	MediaSize         int64 // disk space for resized pictures, in bytes
	MediaAVIF         bool  // pictures are made as AVIF beside JPEG

	SessionKeys    []Secret // newest first; empty: a key that the program makes
	TrustedProxies []netip.Prefix
	OutboxSize     int64  // disk space for undelivered submissions, in bytes
	SMTPURL        Secret // empty: no mail is sent
	MailTo         string
	MinorMeasures  string        // MeasuresSafe or MeasuresFull
	KidsListed     string        // KidsApart or KidsEverywhere
	CDNMaxAge      time.Duration // how long a CDN may keep a page; 0: it revalidates each time
	AskSkinColor   bool          // the application asks for the colour of the skin
	PreviewToken   Secret        // empty: no editors' view outside of Dev
	Dev            bool

	MinorCategories agency.MinorCategories

	LogLevel  slog.Level
	LogFormat string // "text" or "json"

	read map[string]string // by variable: the value as messages may show it
}

// The values of MINOR_MEASURES.
const (
	MeasuresSafe = "safe"
	MeasuresFull = "full"
)

// The values of KIDS_LISTED.
const (
	KidsApart      = "apart"
	KidsEverywhere = "everywhere"
)

// Embedded reports whether the site runs on its own back end.
func (c Config) Embedded() bool { return c.PanelURL == "" }

// AsksGuardiansFirst reports whether a minor's application is kept from an external panel until a guardian has
// confirmed it. Without a mail server none is asked.
func (c Config) AsksGuardiansFirst() bool { return !c.Embedded() && c.SMTPURL != "" }

// safeLength is the minimum number of characters of a secret that can't be guessed: 16 random bytes are 128 bits.
const safeLength = 16

// WeakSecrets names the settings with a secret that is shorter than is safe.
func (c Config) WeakSecrets() (names []string) {
	weak := func(s Secret) bool { return utf8.RuneCountInString(string(s)) < safeLength }
	if slices.ContainsFunc(c.SessionKeys, weak) {
		names = append(names, "SESSION_KEYS")
	}
	if c.PreviewToken != "" && weak(c.PreviewToken) {
		names = append(names, "PREVIEW_TOKEN")
	}
	return names
}

// Host is that of the public address, without a port.
func (c Config) Host() string {
	u, err := url.Parse(c.BaseURL)
	if err != nil { // the settings are checked
		return ""
	}
	return u.Hostname()
}

// HTTPS reports whether the public address is https.
func (c Config) HTTPS() bool { return strings.HasPrefix(c.BaseURL, "https://") }

// Secret is a text that is never printed: a log or a message that gets one by mistake only says whether it is set.
// string(s) is the value.
type Secret string

func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return "(secret)"
}

// GoString covers %#v.
func (s Secret) GoString() string { return s.String() }

// MarshalText covers JSON, and with it log/slog.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// ErrUsage is wrapped by errors about the command line itself, as opposed to a setting's value.
var ErrUsage = errors.New("usage")

// Load reads the settings from the arguments after a command and from env, which is os.Getenv outside of tests. It
// returns flag.ErrHelp for -h, an error that wraps ErrUsage for an unknown flag or argument, and otherwise one line for
// each wrong value.
func Load(args []string, env func(string) string) (Config, error) {
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	read := Flags(flags)
	if err := Parse(flags, args); err != nil {
		return Config{}, err
	}
	if flags.NArg() > 0 {
		return Config{}, fmt.Errorf("%w: unknown argument %q", ErrUsage, flags.Arg(0))
	}
	return read(env)
}

// Parse parses args without printing anything. Its errors are those of Load.
func Parse(flags *flag.FlagSet, args []string) error {
	flags.SetOutput(io.Discard)
	err := flags.Parse(args)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUsage, err)
}

// Flags adds every setting to flags, for a command with flags of its own. After parsing, the returned function reads
// the settings from them and from env.
func Flags(flags *flag.FlagSet) func(env func(string) string) (Config, error) {
	values := map[string]*string{}
	for _, s := range settings(new(Config)) {
		values[s.name] = flags.String(s.flag(), "", "")
		if s.short != "" {
			flags.StringVar(values[s.name], s.short, "", "")
		}
	}
	return func(env func(string) string) (Config, error) {
		return load(func(name string) string {
			if value := *values[name]; value != "" {
				return value
			}
			return strings.TrimSpace(env(name))
		})
	}
}

func load(value func(name string) string) (Config, error) {
	c := Config{read: map[string]string{}}
	var faults []error
	for _, s := range settings(&c) {
		text := cmp.Or(value(s.name), s.fallback)
		if text == "" {
			continue
		}
		c.read[s.name] = s.shown(text)
		if err := s.set(text); err != nil {
			faults = append(faults, fmt.Errorf("%s: read %s, accepted is %w", s.name, c.read[s.name], err))
		}
	}
	panel, integration := value("PANEL_URL") != "", value("INTEGRATION_URL") != ""
	if panel != integration {
		set, unset := "PANEL_URL", "INTEGRATION_URL"
		if integration {
			set, unset = unset, set
		}
		faults = append(faults,
			fmt.Errorf("%s: read nothing although %s is set, accepted is both or neither", unset, set))
	}
	if len(faults) > 0 {
		return Config{}, errors.Join(faults...)
	}
	c.derive()
	return c, nil
}

// derive sets the defaults that follow from other settings.
func (c *Config) derive() {
	c.DownloadURL = cmp.Or(c.DownloadURL, c.IntegrationURL)
	if c.StorageURL == "" && !c.Embedded() {
		c.StorageURL = c.PanelURL + "/storage/"
	}
	c.SlidesURL = cmp.Or(c.SlidesURL, c.StorageURL)
}

// Public reports whether visitors can reach the site at its address.
func (c Config) Public() bool { return IsPublic(c.Host()) }

// IsPublic reports whether everybody can reach a host. The demo agency's own is none.
func IsPublic(host string) bool {
	if addr, err := netip.ParseAddr(host); err == nil {
		return !addr.IsLoopback() && !addr.IsPrivate() && !addr.IsUnspecified()
	}
	private := []string{".localhost", ".local", ".internal", ".test", "." + agency.DemoDomain}
	return strings.Contains(host, ".") &&
		!slices.ContainsFunc(private, func(suffix string) bool { return strings.HasSuffix("."+host, suffix) })
}

// OfficialContacts are the agency's own, for "check a message".
func (c Config) OfficialContacts(site agency.Site) agency.Official {
	printed := []string{site.Phone, site.Bookings, site.Accounting}
	// A faulty SMTP_URL is found as the settings are read.
	if sender, err := mail.New(string(c.SMTPURL), cmp.Or(c.MailTo, site.Bookings)); err == nil {
		printed = append(printed, sender.From())
	}
	return agency.NewOfficial(c.BaseURL, site.Official, printed...)
}
