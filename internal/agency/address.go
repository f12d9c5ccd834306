package agency

import (
	"regexp"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// Addresses as people copy them into a field for a video's id, and ids with what stood behind them there.
var (
	youtubeAddress = regexp.MustCompile(`^(?i:(?:https?:)?(?://)?(?:www\.|m\.|music\.)?` +
		`(?:youtube(?:-nocookie)?\.com/(?:watch\?(?:[^#]*&)?v=|shorts/|embed/|live/|v/)|youtu\.be/))([\w-]+)`)
	vimeoAddress = regexp.MustCompile(`^(?i:(?:https?:)?(?://)?(?:www\.|player\.)?vimeo\.com/)` +
		`(?:[a-z]+/(?:[\w-]+/)?)*?([0-9]+)(?:/([0-9a-f]+))?(?:/?\?(?:[^#]*&)?h=([0-9a-f]+))?(?:$|[/?&#])`)
	youtubeID = regexp.MustCompile(`^([\w-]+)(?:$|[?&#])`)
	vimeoID   = regexp.MustCompile(`^([0-9]+)(?:/([0-9a-f]+))?(?:\?(?:[^#]*&)?h=([0-9a-f]+))?(?:$|[?&#])`)
)

// ParseVideo finds a video's provider and id in an id or an address of it; of a film of Vimeo's that is not listed the
// hash stands behind the id and a slash. The address says more than the provider that is named. It reports whether
// there is one.
func ParseVideo(provider, file string) (Video, bool) {
	provider, file = strings.ToLower(strings.TrimSpace(provider)), strings.TrimSpace(file)
	for _, form := range []struct {
		provider string
		form     *regexp.Regexp
		isNamed  bool
	}{
		{"youtube", youtubeAddress, true}, {"vimeo", vimeoAddress, true},
		{"youtube", youtubeID, provider == "youtube"}, {"vimeo", vimeoID, provider == "vimeo"},
	} {
		match := form.form.FindStringSubmatch(file)
		if match == nil || !form.isNamed {
			continue
		}
		if hash := strings.Join(match[2:], ""); hash != "" {
			return Video{Provider: form.provider, File: match[1] + "/" + hash}, true
		}
		return Video{Provider: form.provider, File: match[1]}, true
	}
	return Video{}, false
}

// domain is what an address without its scheme begins with.
var domain = regexp.MustCompile(`^(?i)(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+([a-z]{2,})(?::[0-9]+)?(?:$|[/?#])`)

// WebAddress gives an address without a scheme its own, as www.partner.example or instagram.com/agency: it would lead
// to a page of this site. Others are unchanged: paths, names of files, and those with a scheme.
func WebAddress(text string) string {
	text = strings.TrimSpace(text)
	match := domain.FindStringSubmatch(text)
	if match == nil {
		return text
	}
	host, _, hasPath := strings.Cut(text, "/")
	_, isKnown := publicsuffix.PublicSuffix(strings.ToLower(match[1]))
	isFile := !hasPath && (match[1] == "zip" || match[1] == "mov" || match[1] == "md")
	if isKnown && !isFile || strings.HasPrefix(strings.ToLower(host), "www.") {
		return "https://" + text
	}
	return text
}
