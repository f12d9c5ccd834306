// Package official tells whether a sender is the agency's. A sender is "ours" only if it is one of the agency's
// contacts: case, the spaces of a number, the two spellings of an international domain and the dots that Gmail ignores
// don't count, everything else does.
package official

import (
	"errors"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/nyaruka/phonenumbers"
	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"
)

// Contacts are the agency's own.
type Contacts struct {
	known   []sender // mail addresses, phone numbers, handles, and profiles on hosts that are not among networks
	domains []string // all addresses of them, and with their subdomains all web pages
	sites   []string // domains of whose addresses only the known ones are the agency's
}

// number is a phone number, in digits.
type number struct{ full, national string }

// handle is a name on a network, such as instagram.com; without a network it is the name on all of them.
type handle struct{ network, name string }

// networks are the hosts on which the first segment of a path is a handle.
var networks = []string{
	"instagram.com", "tiktok.com", "facebook.com", "x.com", "twitter.com", "threads.net", "threads.com", "youtube.com",
	"t.me", "pinterest.com", "linktr.ee", "snapchat.com", "vimeo.com",
}

// ErrEntry says what Parse accepts.
var ErrEntry = errors.New(
	"mail addresses, domains, phone numbers with + and the country's code, handles with @ and addresses of profiles, " +
		"with commas between them")

// Parse parses the agency's contacts: entries such as bookings@best.example, best.example, +351 210 000 000, @best or
// instagram.com/best. The error is ErrEntry.
func Parse(entries []string) (Contacts, error) {
	var c Contacts
	for _, entry := range entries {
		if !c.add(parseSender(entry)) {
			return Contacts{}, ErrEntry
		}
	}
	return c, nil
}

// Default are the contacts of an agency: those that it prints, the pages of its site and of the domains of its mail
// addresses, and more that Parse accepts.
func Default(site string, more []string, printed ...string) Contacts {
	c := Contacts{sites: []string{parseSender(site).host}}
	for _, entry := range more {
		c.add(parseSender(entry))
	}
	for _, text := range printed {
		if domain := parseSender(text).domain(); domain != "" && !isMailProvider(domain) {
			c.sites = append(c.sites, domain)
		}
	}
	return c.With(printed...)
}

// With adds contacts that the agency prints: mail addresses, numbers, which may lack their country code, and addresses
// of profiles. What is no contact, such as "ask for Ana", is left out.
func (c Contacts) With(printed ...string) Contacts {
	c.known = slices.Clip(c.known)
	for _, text := range printed {
		switch s := parseSender(text); {
		case s.host != "": // never the whole host: it is another's
			c.addPage(s)
		case s != sender{}:
			c.known = append(c.known, s)
		}
	}
	return c
}

// inText finds mail addresses, and links to numbers and other sites, in HTML.
var inText = regexp.MustCompile(`[^\s<>"'(),;:]+@[^\s<>"'(),;:]+\.[^\s<>"'(),;:]+|(?:tel:|https?://)[^\s<>"']+`)

// WithText adds the mail addresses, numbers and profiles that an HTML text of the agency's own prints. Links to other
// sites than the networks are none.
func (c Contacts) WithText(text string) Contacts {
	contacts := slices.DeleteFunc(inText.FindAllString(html.UnescapeString(text), -1), func(found string) bool {
		return parseSender(found).host != ""
	})
	return c.With(contacts...)
}

func (c *Contacts) addPage(s sender) {
	c.known = append(c.known, s)
	if at := strings.LastIndexByte(s.path, '/'); s.path != "" {
		name := strings.TrimPrefix(s.path[at+1:], "@")
		c.known = append(c.known, sender{handle: handle{network: s.host, name: name}})
	}
}

// add adds a contact; false if it is of no known kind, or a number without a country code.
func (c *Contacts) add(s sender) bool {
	switch {
	case s == sender{}, s.number != number{} && (s.number.full == "" || s.number.national == ""):
		return false
	case s.host != "" && s.path == "":
		c.domains = append(c.domains, s.host)
	case s.host != "":
		c.addPage(s)
	default:
		c.known = append(c.known, s)
	}
	return true
}

// IsEmpty reports whether there is nothing to compare with.
func (c Contacts) IsEmpty() bool { return len(c.known)+len(c.domains) == 0 }

// Verdict is the result of checking a sender.
type Verdict int

// The verdicts.
const (
	Unrecognized Verdict = iota // not an address, number or handle, or only a name
	Ours
	NotOurs
	NotWrittenFrom // an address at the agency's own domain that is none of its contacts
)

// Check compares what a visitor pasted.
func (c Contacts) Check(pasted string) Verdict {
	s := parseSender(pasted)
	isPage := func(own string) bool { return own != "" && (s.host == own || strings.HasSuffix(s.host, "."+own)) }
	switch {
	case s == sender{}:
		return Unrecognized
	case slices.ContainsFunc(c.known, s.matches), slices.Contains(c.domains, s.domain()),
		slices.ContainsFunc(c.domains, isPage), slices.ContainsFunc(c.sites, isPage):
		return Ours
	case slices.Contains(c.sites, s.domain()):
		return NotWrittenFrom
	case s.handle.name != "" && !strings.ContainsAny(pasted, "@/"):
		return Unrecognized // a name proves nothing: anybody can sign with it
	}
	return NotOurs
}

func (s sender) matches(own sender) bool {
	switch {
	case s.address != "":
		return s.address == own.address
	case s.number != number{}:
		return own.number != number{} && s.number.matches(own.number)
	case s.handle.name != "":
		return s.handle.matches(own.handle)
	}
	return s.host == own.host && (s.path == own.path || own.path != "" && strings.HasPrefix(s.path, own.path+"/"))
}

func (n number) matches(other number) bool {
	if n.full != "" && other.full != "" {
		return n.full == other.full
	}
	return n.national == other.national || n.national == other.full
}

func (h handle) matches(other handle) bool {
	return h.name == other.name && (h.network == other.network || h.network == "" || other.network == "")
}

// sender is a parsed contact; only one of its fields is set.
type sender struct {
	address string
	number  number // only national if the country code is missing
	handle  handle
	host    string
	path    string // below host, without slashes around it
}

// domain is that of a mail address, empty for all others.
func (s sender) domain() string {
	_, domain, _ := strings.Cut(s.address, "@")
	return domain
}

var (
	// inBrackets is the address after a name, as mail programs show it: Best Management <bookings@best.example>.
	inBrackets  = regexp.MustCompile(`<([^<>]+)>$`)
	phoneNumber = regexp.MustCompile(`^[+0-9()\[\]./\s\x{00A0}\x{2010}-\x{2015}-]+$`)
	mailAddress = regexp.MustCompile(`^[^@\s/]+@[^@\s/]+\.[^@\s/]+$`)
	handleName  = regexp.MustCompile(`^@[^@\s/]+$`)
	webAddress  = regexp.MustCompile(`^(?:[^\s./:@]+\.)+[^\s./:@]+(?:[/:?#].*)?$`)
	bareName    = regexp.MustCompile(`^[^\s@.:/<>]+$`)
)

func parseSender(text string) sender {
	text = strings.Trim(strings.TrimSpace(text), "\"'.,;:!")
	if found := inBrackets.FindStringSubmatch(text); found != nil {
		text = found[1]
	}
	text = norm.NFC.String(strings.ToLower(strings.TrimSpace(text)))
	for _, scheme := range []string{"mailto:", "tel:", "whatsapp:"} {
		text = strings.TrimPrefix(text, scheme)
	}
	switch {
	case strings.Contains(text, "://"):
		return parseWeb(text)
	case phoneNumber.MatchString(text):
		return sender{number: parseNumber(text)}
	case mailAddress.MatchString(text):
		return sender{address: parseAddress(text)}
	case handleName.MatchString(text):
		return sender{handle: handle{name: text[1:]}}
	case webAddress.MatchString(text):
		return parseWeb("https://" + text)
	case bareName.MatchString(text):
		return sender{handle: handle{name: text}}
	}
	return sender{}
}

// parseAddress is a mail address with its domain as DNS has it. Gmail ignores dots.
func parseAddress(text string) string {
	local, domain, _ := strings.Cut(text, "@")
	domain = hostname(domain)
	if domain == "gmail.com" || domain == "googlemail.com" {
		local = strings.ReplaceAll(local, ".", "")
	}
	return local + "@" + domain
}

// hostname is a host as DNS has it, of all ways to write an international one.
func hostname(host string) string {
	host = strings.TrimSuffix(host, ".")
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		return ascii
	}
	return host
}

// minDigits is the length of the shortest phone number.
const minDigits = 7

func parseNumber(text string) number {
	digits := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, text)
	international := strings.HasPrefix(strings.TrimLeft(text, "( "), "+")
	if rest, found := strings.CutPrefix(digits, "00"); found && !international {
		digits, international = rest, true
	}
	if len(digits) < minDigits {
		return number{}
	}
	if !international {
		return number{national: strings.TrimLeft(digits, "0")}
	}
	parsed, err := phonenumbers.Parse("+"+digits, "")
	if err != nil {
		return number{full: digits}
	}
	return number{
		full:     strings.TrimPrefix(phonenumbers.Format(parsed, phonenumbers.E164), "+"),
		national: phonenumbers.GetNationalSignificantNumber(parsed),
	}
}

// parseWeb parses a web address: of a chat with a phone number, of a profile, or of a page.
func parseWeb(text string) sender {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" {
		return sender{}
	}
	host := hostname(u.Hostname())
	for _, prefix := range []string{"www.", "m."} {
		host = strings.TrimPrefix(host, prefix)
	}
	path := strings.Trim(u.Path, "/")
	name, _, _ := strings.Cut(path, "/")
	switch {
	case host == "wa.me":
		return sender{number: parseNumber("+" + name)}
	case host == "api.whatsapp.com":
		return sender{number: parseNumber("+" + u.Query().Get("phone"))}
	case slices.Contains(networks, host) && name != "":
		return sender{handle: handle{network: host, name: strings.TrimPrefix(name, "@")}}
	}
	return sender{host: host, path: path}
}

// mailProviders give anybody an address: their domains are no agency's own. One that ends in a dot is the same in every
// country.
var mailProviders = []string{
	"aol.", "bol.com.br", "free.fr", "gmail.com", "gmx.", "googlemail.com", "hotmail.", "icloud.com", "ig.com.br",
	"laposte.net", "libero.it", "live.", "mac.com", "mail.com", "mail.ru", "me.com", "msn.com", "netcabo.pt",
	"orange.es", "orange.fr", "outlook.", "pm.me", "proton.me", "protonmail.com", "sapo.pt", "t-online.de",
	"telefonica.net", "terra.com.br", "terra.es", "tuta.com", "tutanota.com", "uol.com.br", "wanadoo.", "web.de",
	"yahoo.", "yandex.", "ymail.com", "zoho.com", "zohomail.com",
}

func isMailProvider(domain string) bool {
	return slices.ContainsFunc(mailProviders, func(provider string) bool {
		return domain == provider || strings.HasSuffix(provider, ".") && strings.HasPrefix(domain, provider)
	})
}
