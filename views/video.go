package views

import (
	"net/url"
	"strings"

	"zedcard/internal/agency"
)

// VideoPage is the address of a video at its provider, for visitors without a script. The hash of
// an unlisted vimeo film stays behind the slash there.
func VideoPage(v agency.Video) string {
	if strings.EqualFold(v.Provider, "vimeo") {
		id, hash, _ := strings.Cut(v.File, "/")
		address := "https://vimeo.com/" + url.PathEscape(id)
		if hash != "" {
			address += "/" + url.PathEscape(hash)
		}
		return address
	}
	return "https://www.youtube.com/watch?v=" + url.QueryEscape(v.File)
}

func providerName(v agency.Video) string {
	if strings.EqualFold(v.Provider, "vimeo") {
		return "Vimeo"
	}
	return "YouTube"
}
