package handlers

import (
	"context"
	"net/http"
	"strings"

	"zedcard/internal/routes"
	"zedcard/internal/web"
)

// Status is what a site answers to who follows a link within it.
func Status(ctx context.Context, site http.Handler, table *routes.Table, address string) int {
	if isMistyped(table, address) {
		return http.StatusNotFound
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return http.StatusBadRequest
	}
	var answer web.Buffer
	site.ServeHTTP(&answer, r)
	status, _, _ := answer.Result()
	return status
}

// isMistyped reports whether an address is probably mistyped: under /pt and /es any word shows the list of all talents,
// which no link means.
func isMistyped(table *routes.Table, address string) bool {
	path, _, _ := strings.Cut(address, "?")
	path, _, _ = strings.Cut(path, "#")
	isAnyWord := false
	for _, route := range table.All() {
		before, _, open := strings.Cut(route.Pattern, "{anything}")
		if route.Pattern == path {
			return false
		}
		word, ok := strings.CutPrefix(path, before)
		isAnyWord = isAnyWord || open && ok && word != "" && !strings.Contains(word, "/")
	}
	return isAnyWord
}
