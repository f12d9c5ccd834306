package agency

import (
	"errors"
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Redirect leads from an old address to a new one. From may have a query, or end in * and stand for all paths below; if
// To ends in *, too, the rest follows it. To is a path or an address, TalentTarget with an id, or Gone.
type Redirect struct{ From, To string }

// Gone is the target of a redirect to nowhere.
const Gone = "410"

// TalentTarget begins the target of a redirect to a talent's profile; the id follows.
const TalentTarget = "talent:"

// Why a redirect is refused.
var (
	ErrRedirect      = errors.New("no old address and new one")
	ErrRedirectTwice = errors.New("the old address is there twice")
	ErrRedirectRest  = errors.New("a * in the new address must stand below its host")
	ErrRedirectLoop  = errors.New("the new address leads back")
)

// Redirects are a site's old addresses. They are compared in one form: decoded once, in NFC, without a slash at the
// end. The zero value has none.
type Redirects struct {
	exact   map[string][]queried // by path
	below   map[string]string    // targets by what paths begin with
	lengths []int                // of the keys of below, the greatest first
}

// queried is the target of a path with these values in its query.
type queried struct {
	query url.Values
	to    string
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

// maxHops is how many redirects may follow one another.
const maxHops = 10

// Add adds a redirect, or says why it can't be one.
func (r *Redirects) Add(redirect Redirect) error {
	from, query, hasQuery := strings.Cut(redirect.From, "?")
	before, isBelow := strings.CutSuffix(from, "*")
	old := OldPath(before)
	if isBelow && strings.HasSuffix(before, "/") && old != "/" {
		old += "/"
	}
	values, err := url.ParseQuery(query)
	if old == "" || old == "/" && !hasQuery || strings.ContainsAny(before, "*#") || err != nil ||
		hasQuery && (isBelow || len(values) == 0) {
		return ErrRedirect
	}
	if err := checkTarget(redirect.To); err != nil {
		return err
	}
	if isBelow {
		return r.addBelow(old, redirect.To)
	}
	same := func(other queried) bool { return other.query.Encode() == values.Encode() }
	if slices.ContainsFunc(r.exact[old], same) {
		return ErrRedirectTwice
	}
	if r.exact == nil {
		r.exact = map[string][]queried{}
	}
	r.exact[old] = append(slices.Clip(r.exact[old]), queried{values, redirect.To})
	slices.SortStableFunc(r.exact[old], func(a, b queried) int { return len(b.query) - len(a.query) })
	if r.loops(redirect.To) {
		r.exact[old] = slices.DeleteFunc(r.exact[old], same)
		return ErrRedirectLoop
	}
	return nil
}

func (r *Redirects) addBelow(before, to string) error {
	if _, twice := r.below[before]; twice {
		return ErrRedirectTwice
	}
	if r.below == nil {
		r.below = map[string]string{}
	}
	r.below[before] = to
	lengths := r.lengths
	if at, known := slices.BinarySearchFunc(lengths, len(before), func(a, b int) int { return b - a }); !known {
		r.lengths = slices.Insert(slices.Clone(lengths), at, len(before))
	}
	if r.loops(to) {
		delete(r.below, before)
		r.lengths = lengths
		return ErrRedirectLoop
	}
	return nil
}

// checkTarget finds what a new address must not be: another site's without https, or one whose host a rest extends.
func checkTarget(to string) error {
	if id, isTalent := strings.CutPrefix(to, TalentTarget); isTalent && id != "" || to == Gone {
		return nil
	}
	before, hasRest := strings.CutSuffix(to, "*")
	target, err := url.Parse(before)
	isOther := err == nil && target.Scheme == "https" && target.Host != "" && target.User == nil
	isOurs := err == nil && target.Scheme == "" && target.Host == "" && canonical(target.Path) != ""
	switch {
	case strings.ContainsAny(before, "*\\") || !isOther && !isOurs:
		return ErrRedirect
	case hasRest && (target.Path == "" || target.RawQuery != "" || target.Fragment != ""):
		return ErrRedirectRest
	}
	return nil
}

// loops reports whether a new address leads to others without end.
func (r *Redirects) loops(to string) bool {
	if before, hasRest := strings.CutSuffix(to, "*"); hasRest {
		to = below(before, "a")
	}
	for range maxHops {
		next, err := url.Parse(to)
		if err != nil || next.Host != "" || next.Path == "" {
			return false
		}
		found := false
		if to, found = r.Find(next.Path, next.RawQuery); !found {
			return false
		}
	}
	return true
}

// Find is the target of a decoded path and its query; false if there is none. A * has its rest.
func (r *Redirects) Find(decoded, query string) (to string, ok bool) {
	old := canonical(decoded)
	if old == "" {
		return "", false
	}
	if found := r.exact[old]; len(found) > 0 {
		values, _ := url.ParseQuery(query) // what can't be read is no value
		for _, q := range found {
			if isPart(q.query, values) {
				return target(q.to), true
			}
		}
	}
	for _, length := range r.lengths {
		if length > len(old)+1 {
			continue
		}
		before := (old + "/")[:length]
		to, ok := r.below[before]
		if !ok {
			continue
		}
		if start, hasRest := strings.CutSuffix(to, "*"); hasRest {
			return below(start, strings.TrimSuffix((old + "/")[length:], "/")), true
		}
		return target(to), true
	}
	return "", false
}

// isPart reports whether a query has all values of another.
func isPart(part, query url.Values) bool {
	for name, values := range part {
		if !slices.Equal(query[name], values) {
			return false
		}
	}
	return true
}

// target is a new address with its letters encoded.
func target(to string) string {
	if parsed, err := url.Parse(to); err == nil && strings.Contains(to, "/") {
		return parsed.String()
	}
	return to
}

// below is a rest under an address: it never leaves it, whatever is asked for.
func below(before, rest string) string {
	parsed, err := url.Parse(before)
	if err != nil {
		return before // checkTarget has parsed it
	}
	clean := path.Clean("/" + rest)
	if strings.HasSuffix(parsed.Path, "/") || !strings.HasPrefix(rest, "/") {
		clean = clean[1:]
	}
	parsed.Path, parsed.RawPath = parsed.Path+clean, ""
	return parsed.String()
}
