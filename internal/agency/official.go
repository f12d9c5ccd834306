package agency

import (
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"
)

// Official are the agency's own contacts. A sender is the agency's only if it is one of them, exactly: case, the signs
// in a number and the spellings of an international domain don't count.
type Official struct {
	known   []string // mail addresses, numbers in digits, handles with @, pages as host/path, also those below them
	domains []string // of all whose addresses and pages are the agency's
}

// ErrOfficial says what ParseOfficial accepts.
var ErrOfficial = errors.New(
	"mail addresses, domains, phone numbers with + and the country's code, handles with @ and addresses of profiles, " +
		"with commas between them")

// ParseOfficial parses the agency's contacts: entries such as bookings@best.example, best.example, +351 210 000 000,
// @best or instagram.com/best. The error is ErrOfficial.
func ParseOfficial(entries []string) (c Official, err error) {
	for _, entry := range entries {
		sender := parseContact(entry)
		switch {
		case sender == "", isNumber(sender) && !strings.HasPrefix(strings.TrimSpace(entry), "+"):
			return Official{}, ErrOfficial
		case !isNumber(sender) && !strings.ContainsAny(sender, "@/"):
			c.domains = append(c.domains, sender)
		default:
			c.add(sender)
		}
	}
	return c, nil
}

// NewOfficial are the contacts of an agency: the pages of its site, what it prints, and more that ParseOfficial
// accepts.
func NewOfficial(site string, more []string, printed ...string) Official {
	c, _ := ParseOfficial(more) // the folder's reader has named what is wrong with them
	c.add(parseContact(site))
	return c.With(printed...)
}

// With adds contacts that the agency prints. What is no contact, such as "ask for Ana", is left out, and so is a whole
// host, which is another's.
func (c Official) With(printed ...string) Official {
	c.known = slices.Clip(c.known)
	for _, text := range printed {
		if sender := parseContact(text); isNumber(sender) || strings.ContainsAny(sender, "@/") {
			c.add(sender)
		}
	}
	return c
}

// add adds a contact; a profile is known by its handle, too.
func (c *Official) add(sender string) {
	c.known = append(c.known, sender)
	if at := strings.LastIndexByte(sender, '/'); at >= 0 {
		c.known = append(c.known, "@"+strings.TrimPrefix(sender[at+1:], "@"))
	}
}

// IsEmpty reports whether there is nothing to compare with.
func (c Official) IsEmpty() bool { return len(c.known)+len(c.domains) == 0 }

// Verdict is the result of checking a sender.
type Verdict int

// The verdicts.
const (
	Unrecognized Verdict = iota // not an address, number or handle: a name proves nothing
	Ours
	NotOurs
)

// localDigits is how many digits a number has at least that lacks its country's code.
const localDigits = 9

// Check compares what a visitor pasted.
func (c Official) Check(pasted string) Verdict {
	sender := parseContact(pasted)
	if sender == "" {
		return Unrecognized
	}
	isLocal := isNumber(sender) && len(sender) >= localDigits && !strings.Contains(pasted, "+")
	same := func(own string) bool {
		return sender == own || !isNumber(own) && strings.HasPrefix(sender, own+"/") ||
			isLocal && isNumber(own) && strings.HasSuffix(own, strings.TrimLeft(sender, "0"))
	}
	host, _, _ := strings.Cut(sender, "/")
	if at := strings.LastIndexByte(sender, '@'); at > 0 && host == sender {
		host = sender[at+1:] // of a mail address
	}
	ofDomain := func(own string) bool {
		return host == own || strings.HasSuffix(host, "."+own) && !strings.Contains(sender, "@")
	}
	if slices.ContainsFunc(c.known, same) || slices.ContainsFunc(c.domains, ofDomain) {
		return Ours
	}
	return NotOurs
}

func isNumber(sender string) bool { return sender != "" && strings.Trim(sender, "0123456789") == "" }

var (
	// inBrackets is the address after a name, as mail programs show it: Best Management <bookings@best.example>.
	inBrackets  = regexp.MustCompile(`<([^<>]+)>$`)
	phoneNumber = regexp.MustCompile(`^(?:[+()\[\]./\s\x{00A0}\x{2010}-\x{2015}-]*[0-9]){7,}[)\s]*$`)
	mailAddress = regexp.MustCompile(`^[^@\s/]+@[^@\s/]+\.[^@\s/]+$`)
	handleName  = regexp.MustCompile(`^@[^@\s/]+$`)
	webAddress  = regexp.MustCompile(`^(?:[^\s./:@]+\.)+[^\s./:@]+(?:[/:?#].*)?$`)
	noDigit     = regexp.MustCompile(`[^0-9]`)
)

// parseContact is a contact in the one spelling that is compared; empty if it is none.
func parseContact(text string) string {
	text = strings.Trim(strings.TrimSpace(text), "\"'.,;:!")
	if found := inBrackets.FindStringSubmatch(text); found != nil {
		text = found[1]
	}
	text = norm.NFC.String(strings.ToLower(strings.TrimSpace(text)))
	for _, scheme := range []string{"mailto:", "tel:"} {
		text = strings.TrimPrefix(text, scheme)
	}
	switch {
	case strings.HasPrefix(text, "https://"), strings.HasPrefix(text, "http://"):
		return parsePage(text)
	case phoneNumber.MatchString(text):
		return strings.TrimPrefix(noDigit.ReplaceAllString(text, ""), "00")
	case mailAddress.MatchString(text):
		local, domain, _ := strings.Cut(text, "@")
		return local + "@" + hostname(domain)
	case handleName.MatchString(text):
		return text
	case webAddress.MatchString(text):
		return parsePage("https://" + text)
	}
	return ""
}

// parsePage is the address of a page without what is before its name or behind its path, or the number of a chat.
func parsePage(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" {
		return ""
	}
	host := strings.TrimPrefix(strings.TrimPrefix(hostname(u.Hostname()), "www."), "m.")
	if host == "wa.me" {
		return noDigit.ReplaceAllString(u.Path, "")
	}
	return strings.TrimSuffix(host+u.Path, "/")
}

// hostname is a host as DNS has it, of all ways to write an international one.
func hostname(host string) string {
	host = strings.TrimSuffix(host, ".")
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		return ascii
	}
	return host
}
