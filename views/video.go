package views

import (
	"net/url"
	"slices"
	"strings"

	"zedcard/i18n"
	"zedcard/internal/agency"
)

// vimeo splits File of a Vimeo video into its id and the hash of an unlisted one; false for other providers.
func vimeo(v agency.Video) (id, hash string, ok bool) {
	if !strings.EqualFold(v.Provider, "vimeo") {
		return "", "", false
	}
	id, hash, _ = strings.Cut(v.File, "/")
	return id, hash, true
}

// VideoPage is the address of a video at its provider, for visitors without a script.
func VideoPage(v agency.Video) string {
	if id, hash, ok := vimeo(v); ok {
		address := "https://vimeo.com/" + url.PathEscape(id)
		if hash != "" {
			address += "/" + url.PathEscape(hash)
		}
		return address
	}
	return "https://www.youtube.com/watch?v=" + url.QueryEscape(v.File)
}

// VideoEmbed is the address of a player that starts at once and sets no tracking cookies.
func VideoEmbed(v agency.Video, lang *i18n.Language) string {
	if id, hash, ok := vimeo(v); ok {
		query := url.Values{"autoplay": {"1"}, "dnt": {"1"}}
		if hash != "" {
			query.Set("h", hash)
		}
		return "https://player.vimeo.com/video/" + url.PathEscape(id) + "?" + query.Encode()
	}
	query := url.Values{"autoplay": {"1"}, "rel": {"0"}, "hl": {string(lang.Lang)}, "playsinline": {"1"}}
	return "https://www.youtube-nocookie.com/embed/" + url.PathEscape(v.File) + "?" + query.Encode()
}

func providerName(v agency.Video) string {
	if _, _, ok := vimeo(v); ok {
		return "Vimeo"
	}
	return "YouTube"
}

// previewFile is the preview picture of a video; YouTube has one for each.
func previewFile(v agency.Video) string {
	if _, _, ok := vimeo(v); !ok && v.Preview == "" && v.File != "" {
		return "https://i.ytimg.com/vi/" + url.PathEscape(v.File) + "/hqdefault.jpg"
	}
	return v.Preview
}

// foreignPreview reports whether an address is one of the providers' own.
func foreignPreview(address string) bool {
	u, err := url.Parse(address)
	providers := []string{"ytimg.com", "youtube.com", "vimeocdn.com", "vimeo.com"}
	return err != nil || slices.ContainsFunc(providers, func(domain string) bool {
		return u.Hostname() == domain || strings.HasSuffix(u.Hostname(), "."+domain)
	})
}
