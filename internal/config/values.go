package config

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"zedcard/internal/agency"
	smtp "zedcard/internal/mail"
	"zedcard/internal/official"
)

// Each function below parses one kind of value into a field. Its error completes the sentence "accepted is …".

func text(field *string, value string) error {
	if strings.ContainsFunc(value, unicode.IsControl) {
		return errors.New("one line of text")
	}
	*field = value
	return nil
}

func secret(field *Secret, value string) error {
	*field = Secret(value)
	return nil
}

func boolean(field *bool, value string) error {
	parsed, err := strconv.ParseBool(value)
	if err != nil {
		return errors.New("true or false")
	}
	*field = parsed
	return nil
}

func duration(field *time.Duration, value string) error {
	parsed, err := time.ParseDuration(value)
	if err != nil || parsed <= 0 {
		return errors.New("a time such as 2s, 500ms or 1m")
	}
	*field = parsed
	return nil
}

func oneOf(field *string, value string, accepted ...string) error {
	if !slices.Contains(accepted, value) {
		return errors.New(strings.Join(accepted, " or "))
	}
	*field = value
	return nil
}

func minorCategories(field *agency.MinorCategories, value string) (err error) {
	*field, err = agency.ParseMinorCategories(value)
	return err
}

// years parses an age of at most two digits.
func years(field *int, value string) error {
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 || n > 99 {
		return errors.New("a number of years from 0 to 99")
	}
	*field = n
	return nil
}

func listenAddress(field *string, value string) error {
	_, port, err := net.SplitHostPort(value)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return errors.New("HOST:PORT or :PORT, such as :8080")
	}
	*field = value
	return nil
}

func adminAddress(field *string, value string) error {
	if value == "off" {
		*field = ""
		return nil
	}
	if err := listenAddress(field, value); err != nil {
		return fmt.Errorf("off or %w", err)
	}
	return nil
}

// webAddress parses an http or https address that has a host and neither user, query nor fragment.
func webAddress(value string) (*url.URL, bool) {
	u, err := url.Parse(value)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return nil, false
	}
	return u, u.User == nil && u.RawQuery == "" && !u.ForceQuery && u.Fragment == ""
}

func address(field *string, value string) error {
	if _, ok := webAddress(value); !ok {
		return errors.New("an http or https address, such as https://panel.example.com")
	}
	*field = strings.TrimRight(value, "/")
	return nil
}

func origin(field *string, value string) error {
	u, ok := webAddress(value)
	if !ok || strings.Trim(u.Path, "/") != "" {
		return errors.New("scheme and host, such as https://www.example.com")
	}
	*field = u.Scheme + "://" + u.Host
	return nil
}

func origins(field *[]string, value string) error {
	var all []string
	for _, part := range list(value) {
		var parsed string
		if origin(&parsed, part) != nil || slices.Contains(all, parsed) {
			return errors.New("different schemes and hosts with commas between them, such as https://cdn.example.com")
		}
		all = append(all, parsed)
	}
	*field = all
	return nil
}

func storage(field *string, value string) error {
	if _, ok := webAddress(value); !ok {
		return errors.New("an http or https address, such as https://panel.example.com/storage/")
	}
	*field = strings.TrimRight(value, "/") + "/"
	return nil
}

// template parses an address, or a path behind the same proxy. Its placeholders are checked by package media.
func template(field *string, value string) error {
	path, _, _ := strings.Cut(value, "?")
	u, ok := webAddress(path)
	ok = ok && !strings.Contains(u.Host, "{") || strings.HasPrefix(value, "/") && !strings.HasPrefix(value, "//")
	if !ok || !strings.Contains(value, "{") {
		return errors.New(
			"an address with placeholders, such as " +
				"https://img.example.com/insecure/rs:fill:{width}:{height}/g:no/{url64}.{format}")
	}
	*field = value
	return nil
}

var size = regexp.MustCompile(`^([0-9]{1,6})(MB|GB)$`)

// bytes parses a size on disk, 64 MB at least: one picture with its sizes needs several.
func bytes(field *int64, value string) error {
	parts := size.FindStringSubmatch(value)
	if parts == nil {
		return errors.New("a number with MB or GB, such as 2GB")
	}
	n, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return err
	}
	n <<= 20
	if parts[2] == "GB" {
		n <<= 10
	}
	if n < 64<<20 {
		return errors.New("64MB or more")
	}
	*field = n
	return nil
}

func databaseURL(field *Secret, value string) error {
	path, isSQLite := strings.CutPrefix(value, "sqlite:")
	u, err := url.Parse(value)
	isPostgres := err == nil && (u.Scheme == "postgres" || u.Scheme == "postgresql") && u.Host != ""
	if !isPostgres && (!isSQLite || path == "") {
		return errors.New("sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME")
	}
	*field = Secret(value)
	return nil
}

func folder(field *string, value string) error {
	if info, err := os.Stat(value); err != nil || !info.IsDir() {
		return errors.New("a folder that exists")
	}
	*field = value
	return nil
}

func email(field *string, value string) error {
	if parsed, err := mail.ParseAddress(value); err != nil || parsed.Address != value {
		return errors.New("a mail address, such as bookings@example.com")
	}
	*field = value
	return nil
}

// list splits at commas and trims the parts.
func list(value string) []string {
	parts := strings.Split(value, ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

// off is the value that turns off a setting with a default.
const off = "off"

func officialContacts(c *Config, value string) error {
	c.official = &official.Contacts{}
	if value == off {
		return nil
	}
	contacts, err := official.Parse(list(value))
	if err != nil {
		return fmt.Errorf("%s or %w", off, err)
	}
	c.official = &contacts
	return nil
}

func sessionKeys(field *[]Secret, value string) error {
	var keys []Secret
	for _, key := range list(value) {
		if key == "" {
			return errors.New("keys with commas between them, none of them empty")
		}
		keys = append(keys, Secret(key))
	}
	*field = keys
	return nil
}

func networks(field *[]netip.Prefix, value string) error {
	var prefixes []netip.Prefix
	for _, part := range list(value) {
		prefix, err := netip.ParsePrefix(part)
		if err != nil {
			single, addrErr := netip.ParseAddr(part)
			if addrErr != nil || single.Zone() != "" {
				return errors.New("networks or addresses with commas between them, such as 10.0.0.0/8,192.0.2.7")
			}
			prefix = netip.PrefixFrom(single, single.BitLen())
		}
		prefixes = append(prefixes, prefix.Masked())
	}
	*field = prefixes
	return nil
}

var blogType = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func blogTypes(field *[]string, value string) error {
	types := list(value)
	for i, name := range types {
		if !blogType.MatchString(name) || slices.Contains(types[:i], name) {
			return errors.New(
				"different names of small letters, digits and hyphens with commas between them, such as news,editorial")
		}
	}
	*field = types
	return nil
}

func logLevel(field *slog.Level, value string) error {
	levels := map[string]slog.Level{
		"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError,
	}
	level, ok := levels[strings.ToLower(value)]
	if !ok {
		return errors.New("debug, info, warn or error")
	}
	*field = level
	return nil
}

func mailServer(field *Secret, value string) error {
	if _, err := smtp.New(value, ""); err != nil {
		return err
	}
	*field = Secret(value)
	return nil
}
