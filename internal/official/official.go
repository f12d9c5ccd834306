// Package official tells whether a sender is the agency's. A sender is "ours" only if it is spelled exactly like one of
// the agency's contacts: a look-alike letter of another alphabet makes it somebody else's.
package official

import (
	"errors"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/nyaruka/phonenumbers"
)

// Contacts are the agency's own.
type Contacts struct {
	known   []sender // mail addresses, phone numbers, handles, and profiles on hosts that are not among networks
	domains []string // of mail addresses, and with their subdomains of web pages
	people  []string // words of their names
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

// Default are the contacts of an agency: those that it prints, the domain of its site, the domains of its mail
// addresses, and more that Parse accepts.
func Default(site string, more []string, printed ...string) Contacts {
	var c Contacts
	for _, entry := range append([]string{site}, more...) {
		c.add(parseSender(entry))
	}
	for _, text := range printed {
		if _, domain, _ := strings.Cut(parseSender(text).address, "@"); domain != "" && !isMailProvider(domain) {
			c.domains = append(c.domains, domain)
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

// WithPeople adds names, which are recognised but prove nothing: anybody can sign with them.
func (c Contacts) WithPeople(names ...string) Contacts {
	c.people = slices.Clip(c.people)
	for _, name := range names {
		c.people = append(c.people, strings.Fields(strings.ToLower(name))...)
	}
	return c
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
)

// Check compares what a visitor pasted.
func (c Contacts) Check(pasted string) Verdict {
	s := parseSender(pasted)
	_, domain, _ := strings.Cut(s.address, "@")
	isOwn := func(own string) bool {
		return domain == own || s.host == own || strings.HasSuffix(s.host, "."+own)
	}
	switch {
	case s == sender{}:
		return Unrecognized
	case slices.ContainsFunc(c.known, s.matches), slices.ContainsFunc(c.domains, isOwn):
		return Ours
	case slices.Contains(c.people, strings.ToLower(strings.TrimSpace(pasted))):
		return Unrecognized
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
	text = strings.ToLower(strings.TrimSpace(text))
	for _, scheme := range []string{"mailto:", "tel:", "whatsapp:"} {
		text = strings.TrimPrefix(text, scheme)
	}
	switch {
	case strings.Contains(text, "://"):
		return parseWeb(text)
	case phoneNumber.MatchString(text):
		return sender{number: parseNumber(text)}
	case mailAddress.MatchString(text):
		return sender{address: text}
	case handleName.MatchString(text):
		return sender{handle: handle{name: text[1:]}}
	case webAddress.MatchString(text):
		return parseWeb("https://" + text)
	case bareName.MatchString(text):
		return sender{handle: handle{name: text}}
	}
	return sender{}
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
	host := strings.TrimSuffix(u.Hostname(), ".")
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

// lookAlikes are letters and signs that pass for another: of other alphabets, digits, and pairs. Dots and dashes are
// dropped, since best-example.com passes for best.example.
var lookAlikes = strings.NewReplacer(
	"а", "a", "е", "e", "о", "o", "р", "p", "с", "c", "х", "x", "у", "y", "і", "i", "ѕ", "s", "ԁ", "d", "һ", "h",
	"ӏ", "l", "α", "a", "ο", "o", "ν", "v", "ρ", "p", "ı", "i", "0", "o", "1", "l", "3", "e", "5", "s", "rn", "m",
	"vv", "w", ".", "", "-", "", "_", "",
)

// Imitated is what a sender that is not the agency's passes for: the part of the sender, and the contact of the
// agency's that it is spelled like; false if it is like none.
func (c Contacts) Imitated(pasted string) (fake, real string, ok bool) {
	s := parseSender(pasted)
	candidates := c.domains
	switch {
	case s.address != "":
		_, fake, _ = strings.Cut(s.address, "@")
	case s.handle.name != "":
		fake = s.handle.name
		candidates = nil
		for _, own := range c.known {
			if own.handle.name != "" {
				candidates = append(candidates, own.handle.name)
			}
		}
	default:
		fake = s.host
	}
	i := slices.IndexFunc(candidates, func(own string) bool {
		return fake != own && slices.ContainsFunc(spellings(fake), func(a string) bool {
			return slices.ContainsFunc(spellings(own), func(b string) bool { return alike(a, b) })
		}) || strings.HasPrefix(fake, own+".") // best.example.evil.example
	})
	if fake == "" || i < 0 {
		return "", "", false
	}
	return fake, candidates[i], true
}

// spellings are what is compared of a domain: the whole, and without its last part; of a handle the whole.
func spellings(name string) []string {
	all := []string{lookAlikes.Replace(name)}
	if at := strings.LastIndexByte(name, '.'); at >= 0 {
		all = append(all, lookAlikes.Replace(name[:at]))
	}
	return all
}

// alike reports whether two spellings are the same, but for what is easily overlooked in longer ones: one or two
// characters in one place.
func alike(a, b string) bool {
	start := 0
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	a, b = a[start:], b[start:]
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	length := start + max(len(a), len(b))
	switch differ := max(len(a), len(b)); differ {
	case 0:
		return length > 3
	case 1:
		return length > 5
	default:
		return differ == 2 && length > 8
	}
}
