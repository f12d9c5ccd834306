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

	smtp "zedcard/internal/mail"
)

// into parses a value into a field of the settings.
func into[T any](field *T, parse func(value string) (T, error)) func(value string) error {
	return func(value string) error {
		parsed, err := parse(value)
		if err == nil {
			*field = parsed
		}
		return err
	}
}

// Each function below parses one kind of value. Its error completes the sentence "accepted is …".

func text(value string) (string, error) {
	if strings.ContainsFunc(value, unicode.IsControl) {
		return "", errors.New("one line of text")
	}
	return value, nil
}

func secret(value string) (Secret, error) { return Secret(value), nil }

func boolean(value string) (bool, error) {
	parsed, err := strconv.ParseBool(value)
	if err != nil {
		err = errors.New("true or false")
	}
	return parsed, err
}

// seconds parses a number of them, also one that says so: 60s.
func seconds(value string) (time.Duration, error) {
	n, err := strconv.ParseUint(strings.TrimSuffix(value, "s"), 10, 31)
	if err != nil {
		return 0, errors.New("a number of seconds, such as 60")
	}
	return time.Duration(n) * time.Second, nil
}

func oneOf(accepted ...string) func(value string) (string, error) {
	return func(value string) (string, error) {
		if !slices.Contains(accepted, value) {
			return "", errors.New(strings.Join(accepted, " or "))
		}
		return value, nil
	}
}

func listenAddress(value string) (string, error) {
	_, port, err := net.SplitHostPort(value)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return "", errors.New("HOST:PORT or :PORT, such as :8080")
	}
	return value, nil
}

// off is the value that turns off a setting with a default.
const off = "off"

func adminAddress(value string) (string, error) {
	if value == off {
		return "", nil
	}
	value, err := listenAddress(value)
	if err != nil {
		err = fmt.Errorf("%s or %w", off, err)
	}
	return value, err
}

// webAddress parses an http or https address that has a host and neither user, query nor fragment.
func webAddress(value string) (*url.URL, bool) {
	u, err := url.Parse(value)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return nil, false
	}
	return u, u.User == nil && u.RawQuery == "" && !u.ForceQuery && u.Fragment == ""
}

func address(value string) (string, error) {
	if _, ok := webAddress(value); !ok {
		return "", errors.New("an http or https address, such as https://panel.example.com")
	}
	return strings.TrimRight(value, "/"), nil
}

func storage(value string) (string, error) {
	base, err := address(value)
	return base + "/", err
}

func origin(value string) (string, error) {
	u, ok := webAddress(value)
	if !ok || strings.Trim(u.Path, "/") != "" {
		return "", errors.New("scheme and host, such as https://www.example.com")
	}
	return u.Scheme + "://" + u.Host, nil
}

func origins(value string) (all []string, err error) {
	for _, part := range list(value) {
		parsed, err := origin(part)
		if err != nil || slices.Contains(all, parsed) {
			return nil, errors.New(
				"different schemes and hosts with commas between them, such as https://cdn.example.com")
		}
		all = append(all, parsed)
	}
	return all, nil
}

var size = regexp.MustCompile(`^([0-9]{1,6})(MB|GB)$`)

// bytes parses a size on disk, 64 MB at least: one picture with its sizes needs several.
func bytes(value string) (int64, error) {
	parts := size.FindStringSubmatch(value)
	if parts == nil {
		return 0, errors.New("a number with MB or GB, such as 2GB")
	}
	n, err := strconv.ParseInt(parts[1], 10, 64)
	if n <<= 20; parts[2] == "GB" {
		n <<= 10
	}
	if err != nil || n < 64<<20 {
		return 0, errors.New("64MB or more")
	}
	return n, nil
}

func databaseURL(value string) (Secret, error) {
	path, isSQLite := strings.CutPrefix(value, "sqlite:")
	u, err := url.Parse(value) // the rest is pgx's to judge
	isPostgres := err == nil && (u.Scheme == "postgres" || u.Scheme == "postgresql") && strings.Contains(value, "://")
	if !isPostgres && (!isSQLite || path == "") {
		return "", errors.New("sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME")
	}
	return Secret(value), nil
}

func folder(value string) (string, error) {
	if info, err := os.Stat(value); err != nil || !info.IsDir() {
		return "", errors.New("a folder that exists")
	}
	return value, nil
}

func email(value string) (string, error) {
	if parsed, err := mail.ParseAddress(value); err != nil || parsed.Address != value {
		return "", errors.New("a mail address, such as bookings@example.com")
	}
	return value, nil
}

// list splits at commas and trims the parts.
func list(value string) []string {
	parts := strings.Split(value, ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

func sessionKeys(value string) (keys []Secret, err error) {
	for _, key := range list(value) {
		if key == "" {
			return nil, errors.New("keys with commas between them, none of them empty")
		}
		keys = append(keys, Secret(key))
	}
	return keys, nil
}

func networks(value string) (prefixes []netip.Prefix, err error) {
	for _, part := range list(value) {
		prefix, err := netip.ParsePrefix(part)
		if single, addrErr := netip.ParseAddr(part); addrErr == nil && single.Zone() == "" {
			prefix, err = single.Prefix(single.BitLen())
		}
		if err != nil {
			return nil, errors.New("networks or addresses with commas between them, such as 10.0.0.0/8,192.0.2.7")
		}
		prefixes = append(prefixes, prefix.Masked())
	}
	return prefixes, nil
}

func logLevel(value string) (level slog.Level, err error) {
	if slices.Contains([]string{"debug", "info", "warn", "error"}, strings.ToLower(value)) {
		return level, level.UnmarshalText([]byte(value))
	}
	return 0, errors.New("debug, info, warn or error")
}

func mailServer(value string) (Secret, error) {
	_, err := smtp.New(value, "")
	return Secret(value), err
}
