package response

import "strings"

// Matches compares an If-None-Match header with a strong ETag, weakly: a compressed answer carries W/ before the tag.
func Matches(header, tag string) bool {
	for candidate := range strings.SplitSeq(header, ",") {
		if strings.TrimPrefix(strings.TrimSpace(candidate), "W/") == tag {
			return true
		}
	}
	return false
}
