package official

import (
	"slices"
	"strings"
)

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
