package remote

import (
	"cmp"
	"context"
	"net/url"
	"strings"
	"sync"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/site"
)

// IntegrationConfig describes the back end. An empty DownloadURL means BaseURL; the token is sent to both. Zero
// MinorCategories mean those whose names say so, in the words of the site too; a nil Site is that of the specification.
type IntegrationConfig struct {
	Config
	DownloadURL     string
	MinorCategories agency.MinorCategories
	Site            func() *site.Site
}

// Integration calls the integration back end. Its errors wrap agency.ErrNotFound or
// agency.ErrUnavailable.
type Integration struct {
	*client
	downloads string // base address of the download calls
	minors    agency.MinorCategories
	site      func() *site.Site
}

// NewIntegration makes a client without calling the back end.
func NewIntegration(config IntegrationConfig) *Integration {
	api := signIn{Name: "integration", SignIn: "/api/signin", Key: "api_key", Token: "access_token"}
	if config.Site == nil {
		config.Site = sync.OnceValue(func() *site.Site { return site.New(agency.Site{}) })
	}
	return &Integration{
		client:    newClient(api, config.Config),
		downloads: strings.TrimRight(cmp.Or(config.DownloadURL, config.BaseURL), "/"),
		minors:    config.MinorCategories,
		site:      config.Site,
	}
}

func (c *Integration) readTalent(shape talentJSON) (agency.Talent, bool) {
	if shape.ID == "" {
		return agency.Talent{}, false
	}
	return c.talent(shape), true
}

func (c *Integration) talent(shape talentJSON) agency.Talent {
	if shape.unreadable() {
		c.Log.Warn("birth date or categories can't be read, talent treated as a minor", "talent", string(shape.ID))
	}
	now := c.site()
	talent, unread := shape.talent(c.minors.With(now.Overrides), now.Texts)
	c.reportLost("videos of talent "+talent.ID, unread)
	return talent
}

// Profile is the talent with this id, with galleries.
func (c *Integration) Profile(ctx context.Context, id string) (agency.Talent, error) {
	what := "talent " + id
	query := url.Values{"language": {"en"}, "id": {id}, "cover2": {"1"}, "skills": {"1"}}
	var shape talentJSON
	call := Call{What: what, Path: "/api/talent/profile?" + query.Encode()}
	if err := c.object(ctx, call, &shape); err != nil {
		return agency.Talent{}, err
	}
	if shape.ID == "" {
		return agency.Talent{}, c.malformed(what)
	}
	return c.talent(shape), nil
}

// Options are the lists of the application form.
func (c *Integration) Options(ctx context.Context, params agency.OptionsQuery) (agency.Options, error) {
	lang := cmp.Or(string(i18n.Lang(params.Language).Base()), "en") // they know none with a region
	query := url.Values{"language": {lang}, "countries": {"1"}, "hair": {lang}, "eyes": {lang}}
	if params.Country != "" {
		query.Set("cities", params.Country)
		query.Set("hair_kind", "1")
		query.Set("hair_size", "1")
	}
	var options agency.Options
	err := c.object(ctx, Call{What: "options", Path: "/api/talents/attributes?" + query.Encode()}, &options)
	if err != nil {
		return agency.Options{}, err
	}
	CleanOptions(&options)
	if len(options.Countries)+len(options.Hair)+len(options.Eyes) == 0 {
		return agency.Options{}, c.malformed("options")
	}
	return options, nil
}
