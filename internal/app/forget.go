package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/catalog"
	"zedcard/internal/config"
	"zedcard/internal/routes"
	"zedcard/internal/site"
)

// forgetHandler removes a talent from this site at once. The answer is a text for the operator: 404 for an unknown id,
// 507 if a restart would undo it.
type forgetHandler struct {
	baseURL string
	content *catalog.Catalog
	site    func() *site.Site
}

func (f forgetHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	talent, pictures, err := f.content.Hide(id)
	switch {
	case errors.Is(err, agency.ErrNotFound):
		w.WriteHeader(http.StatusNotFound)
		_, _ = fmt.Fprintf(w, "Nothing was done: no talent here has the id %q.\n", id)
		return
	case err != nil:
		w.WriteHeader(http.StatusInsufficientStorage)
		_, _ = fmt.Fprintf(w, "NOT SAFE YET: a restart of the site undoes this. Make DATA_DIR writable and run the "+
			"command again: %s\n\n", err)
	}
	_, _ = fmt.Fprintf(w, "Talent %q is no longer shown: list, profile, composite card and pictures are gone.\n"+
		"Take it down in the back end too. What a CDN in front of the site may still have:\n\n", id)
	for _, address := range slices.Concat(f.pages(&talent), pictures) {
		_, _ = fmt.Fprintln(w, f.baseURL+address)
	}
	_, _ = fmt.Fprintln(w, "\nAddresses that end in a slash are prefixes.")
}

// pages are the addresses of the pages that show a talent, except filtered lists.
func (f forgetHandler) pages(t *agency.Talent) []string {
	pages := []string{routes.Sitemap}
	site := f.site()
	for _, lang := range site.Texts.Langs() {
		pages = append(pages, routes.Path(lang, routes.Home), site.Routes.Talent(lang, t))
		for _, list := range site.Routes.Lists() {
			pages = append(pages, site.Routes.Path(lang, list))
		}
	}
	slices.Sort(pages)
	return slices.Compact(pages)
}

// ErrNotSafe is the error of Forget when a restart of the site would undo it.
var ErrNotSafe = errors.New("not safe yet")

// forgetTimeout is how long the running site may take to forget a talent.
const forgetTimeout = 10 * time.Second

// Forget asks the site that runs with these settings to remove a talent, and writes its answer.
func Forget(ctx context.Context, c config.Config, id string, to io.Writer) error {
	if c.AdminAddr == "" {
		return c.SettingError("ADMIN_ADDR", fmt.Errorf("the command reaches the running site there, and it is off"))
	}
	host := c.AdminAddr
	if strings.HasPrefix(host, ":") { // all interfaces
		host = "localhost" + host
	}
	ctx, cancel := context.WithTimeout(ctx, forgetTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPut, "http://"+host+"/forget/"+url.PathEscape(id), nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("the running site can't be reached: %w", err)
	}
	defer answer.Body.Close()
	if _, err := io.Copy(to, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode == http.StatusInsufficientStorage {
		return ErrNotSafe
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the running site answered %s", strings.ToLower(answer.Status))
	}
	return nil
}
