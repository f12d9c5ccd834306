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
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"zedcard/internal/agency"
	"zedcard/internal/mail"
	"zedcard/internal/official"
	"zedcard/internal/textfile"
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
	AICrawlers        bool  // robots.txt allows crawlers that collect training data
	VideoPreviews     bool  // the site fetches the providers' previews of videos
	MediaSize         int64 // disk space for resized pictures, in bytes
	MediaAVIF         bool  // pictures are made as AVIF beside JPEG
	MediaPrepare      bool  // the first pictures are made at the start, not for the first visitor

	// What the agency decides, where the operator decides it: see Site.
	AgencyName      string
	AgencyAddress   string
	ContactPhone    string
	BookingsEmail   string
	AccountingEmail string
	PoweredByName   string
	PoweredByURL    string
	BlogTypes       []string
	ApplyPhone      string // MaskPhone or InternationalPhone
	MinimumAge      int    // of an applicant, in years

	SessionKeys    []Secret // newest first; empty: a key that the program makes
	TrustedProxies []netip.Prefix
	OutboxSize     int64  // disk space for undelivered submissions, in bytes
	SMTPURL        Secret // empty: no mail is sent
	MailTo         string
	MailContent    string        // MailText or MailNote
	MinorMeasures  string        // MeasuresSafe or MeasuresFull
	KidsListed     string        // KidsApart or KidsEverywhere
	BackEndTimeout time.Duration // of one page of an answer
	BackEndWait    time.Duration // how long a visitor waits for content that is not cached
	CDNMaxAge      time.Duration // how long a CDN may keep a page; 0: it revalidates each time
	AskSkinColor   bool          // the application asks for the colour of the skin
	PreviewToken   Secret        // empty: no editors' view outside of Dev
	Dev            bool

	MinorCategories agency.MinorCategories

	LogLevel  slog.Level
	LogFormat string // "text" or "json"

	Unknown []string // variables that are named like a setting and are none, each with what may be meant

	official *official.Contacts // OFFICIAL_CONTACTS; nil: not set
	read     map[string]string  // by variable: the value as messages may show it
}

// The values of MINOR_MEASURES.
const (
	MeasuresSafe = "safe"
	MeasuresFull = "full"
)

// The values of APPLY_PHONE.
const (
	MaskPhone          = "mask"
	InternationalPhone = "international"
)

// The values of MAIL_CONTENT.
const (
	MailText = "text"
	MailNote = "note"
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

// abroad reports whether a phone number is known to be of another country than Brazil, whose mobile numbers the mask is
// of.
func abroad(phone string) bool {
	return strings.HasPrefix(phone, "+") && !strings.HasPrefix(phone, "+55")
}

// derive sets the defaults that follow from other settings.
func (c *Config) derive() {
	c.DownloadURL = cmp.Or(c.DownloadURL, c.IntegrationURL)
	if c.StorageURL == "" && !c.Embedded() {
		c.StorageURL = c.PanelURL + "/storage/"
	}
	c.SlidesURL = cmp.Or(c.SlidesURL, c.StorageURL)
}

// Local reports whether nobody but who is at this machine reaches the site: neither by its address nor by a proxy.
func (c Config) Local() bool {
	host, _, err := net.SplitHostPort(c.ListenAddr)
	addr, notAddr := netip.ParseAddr(host)
	return err == nil && (host == "localhost" || notAddr == nil && addr.IsLoopback()) && !c.Public()
}

// Public reports whether visitors can reach the site at its address. The demo agency's own is none.
func (c Config) Public() bool {
	u, err := url.Parse(c.BaseURL)
	if err != nil {
		return false
	}
	host := u.Hostname()
	if addr, err := netip.ParseAddr(host); err == nil {
		return !addr.IsLoopback() && !addr.IsPrivate() && !addr.IsUnspecified()
	}
	private := []string{".localhost", ".local", ".internal", ".test", "." + agency.DemoDomain}
	return strings.Contains(host, ".") &&
		!slices.ContainsFunc(private, func(suffix string) bool { return strings.HasSuffix("."+host, suffix) })
}

// Site is what the agency decides about its site, as its folder has it, with the variables that are set.
func (c Config) Site(folder agency.Site) agency.Site {
	for _, field := range []struct {
		of    *string
		value string
	}{
		{&folder.Name, c.AgencyName}, {&folder.Address, c.AgencyAddress}, {&folder.Phone, c.ContactPhone},
		{&folder.Bookings, c.BookingsEmail}, {&folder.Accounting, c.AccountingEmail},
		{&folder.PoweredBy.Name, c.PoweredByName}, {&folder.PoweredBy.URL, c.PoweredByURL},
	} {
		*field.of = cmp.Or(field.value, *field.of)
	}
	if base, err := url.Parse(c.BaseURL); folder.Name == "" && err == nil {
		folder.Name = base.Hostname() // until agency.yaml says whose site it is
	}
	if c.BlogTypes != nil {
		named := folder.BlogTypes
		folder.BlogTypes = make([]agency.BlogType, len(c.BlogTypes))
		for i, kind := range c.BlogTypes {
			folder.BlogTypes[i].ID = kind
			if at := slices.IndexFunc(named, func(t agency.BlogType) bool { return t.ID == kind }); at >= 0 {
				folder.BlogTypes[i] = named[at]
			}
		}
	}
	folder.Phones = cmp.Or(c.ApplyPhone, folder.Phones)
	if folder.Phones == "" {
		folder.Phones = MaskPhone
		if abroad(folder.Phone) {
			folder.Phones = InternationalPhone
		}
	}
	if c.read["MINIMUM_AGE"] != "" {
		folder.MinimumAge = c.MinimumAge
	}
	return folder
}

// OfficialContacts are the agency's own, for "check a message"; none: it is not offered.
func (c Config) OfficialContacts(site agency.Site) official.Contacts {
	printed := []string{site.Phone, site.Bookings, site.Accounting}
	// A faulty SMTP_URL is found as the settings are read.
	if sender, err := mail.New(string(c.SMTPURL), cmp.Or(c.MailTo, site.Bookings)); err == nil {
		printed = append(printed, sender.From())
	}
	switch {
	case c.official == nil:
		return official.Default(c.BaseURL, site.Official, printed...)
	case c.official.IsEmpty():
		return *c.official
	}
	return c.official.With(printed...)
}

// foreign are the first words of names that other programs have, too.
var foreign = []string{"SESSION", "DATA", "LOG"}

// Unknown names the variables of an environment (NAME=value) that are named like a setting and are none.
func Unknown(environ []string) (unknown []string) {
	var names, words []string
	for _, s := range settings(new(Config)) {
		names = append(names, s.name)
		if word, _, ok := strings.Cut(s.name, "_"); ok && !slices.Contains(foreign, word) {
			words = append(words, word)
		}
	}
	for _, variable := range environ {
		name, _, _ := strings.Cut(variable, "=")
		word, _, _ := strings.Cut(name, "_")
		nearest := textfile.Nearest(name, names)
		service := strings.Contains(name, "_SERVICE_") || strings.Contains(name, "_PORT") // of Kubernetes
		switch {
		case slices.Contains(names, name) || service || name != strings.ToUpper(name):
		case nearest != "":
			unknown = append(unknown, fmt.Sprintf("%s is no setting; did you mean %s?", name, nearest))
		case slices.Contains(words, word) && strings.Contains(name, "_"):
			unknown = append(unknown, name+" is no setting; zedcard --help has all of them")
		}
	}
	slices.Sort(unknown)
	return unknown
}
