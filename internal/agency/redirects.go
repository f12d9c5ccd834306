package agency

import (
	"errors"
	"net/url"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Redirect leads from an old path to a new address. A * at the end of From stands for all paths below. To is a path or
// an address, TalentTarget with an id, or Gone.
type Redirect struct{ From, To string }

// Gone is the target of a redirect to nowhere.
const Gone = "410"

// TalentTarget begins the target of a redirect to a talent's profile; the id follows.
const TalentTarget = "talent:"

// Why a redirect is refused.
var (
	ErrRedirect      = errors.New("no old address and new one")
	ErrRedirectTwice = errors.New("the old address is there twice")
)

// Redirects are a site's old addresses. They are compared in one form: decoded once, in NFC, without a slash at the
// end. The zero value has none.
type Redirects struct {
	exact map[string]string // new addresses by path
	below map[string]string // by what paths begin with
}

// OldPath is the form in which paths are compared; empty for what is no path.
func OldPath(text string) string {
	if decoded, err := url.PathUnescape(text); err == nil {
		text = decoded
	}
	return canonical(text)
}

func canonical(text string) string {
	if !strings.HasPrefix(text, "/") || strings.HasPrefix(text, "//") {
		return ""
	}
	if text = norm.NFC.String(text); len(text) > 1 {
		text = strings.TrimSuffix(text, "/")
	}
	return text
}

// Add adds a redirect, or says why it can't be one.
func (r *Redirects) Add(redirect Redirect) error {
	before, isBelow := strings.CutSuffix(redirect.From, "*")
	old := OldPath(before)
	to, ok := target(redirect.To)
	if old == "" || old == "/" || strings.ContainsAny(before, "*?#") || !ok {
		return ErrRedirect
	}
	if r.exact == nil {
		r.exact, r.below = map[string]string{}, map[string]string{}
	}
	into := r.exact
	if isBelow {
		into = r.below
		if strings.HasSuffix(before, "/") {
			old += "/"
		}
	}
	if _, twice := into[old]; twice {
		return ErrRedirectTwice
	}
	into[old] = to
	return nil
}

// target is a new address with its letters encoded. ok: it is a path of this site, or another site's with https.
func target(to string) (encoded string, ok bool) {
	if id, isTalent := strings.CutPrefix(to, TalentTarget); isTalent || to == Gone {
		return to, id != ""
	}
	parsed, err := url.Parse(to)
	if err != nil || strings.ContainsAny(to, `*\`) {
		return "", false
	}
	isOther := parsed.Scheme == "https" && parsed.Host != "" && parsed.User == nil
	isOurs := parsed.Scheme == "" && parsed.Host == "" && canonical(parsed.Path) != ""
	return parsed.String(), isOther || isOurs
}

// IsOld reports whether a new address is itself an old one: a visitor would be led on, perhaps in a circle.
func (r *Redirects) IsOld(to string) bool {
	parsed, err := url.Parse(to)
	if err != nil || parsed.Host != "" {
		return false
	}
	_, isOld := r.Find(parsed.Path)
	return isOld
}

// Find is the new address of a decoded path; false if there is none. The longest of several * counts.
func (r *Redirects) Find(decoded string) (to string, ok bool) {
	old := canonical(decoded)
	if old == "" {
		return "", false
	}
	if to, ok := r.exact[old]; ok {
		return to, true
	}
	longest := ""
	for before := range r.below {
		if len(before) > len(longest) && strings.HasPrefix(old+"/", before) {
			longest = before
		}
	}
	return r.below[longest], longest != ""
}
