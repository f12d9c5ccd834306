// Package integration is the client of the integration back end: talents, the options of the
// application form, and composite cards.
package integration

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"zedcard/internal/agency"
	"zedcard/internal/backend/wire"
)

// Config is the address of the back end and the credentials to sign in with. An empty DownloadURL means BaseURL; the
// token is sent to both. A nil Transport means the network, a nil Log no log, zero Limits the defaults.
type Config struct {
	BaseURL, Salt, APIKey, DownloadURL string
	Transport                          http.RoundTripper
	Log                                *slog.Logger
	Limits                             wire.Limits
}

// Client calls the integration back end. Its errors wrap agency.ErrNotFound or
// agency.ErrUnavailable.
type Client struct {
	wire      *wire.Client
	downloads string // base address of the download calls
}

// New makes a client without calling the back end.
func New(config Config) *Client {
	return &Client{
		wire: wire.New(wire.Config{
			Name:    "integration",
			BaseURL: config.BaseURL,
			SignIn: wire.SignIn{
				Path:        "/api/signin",
				Credentials: map[string]string{"salt": config.Salt, "api_key": config.APIKey},
				Field:       "access_token",
			},
			Transport: config.Transport,
			Log:       config.Log,
			Limits:    config.Limits,
		}),
		downloads: strings.TrimRight(cmp.Or(config.DownloadURL, config.BaseURL), "/"),
	}
}

// SignIn fetches the token; if it fails, the first call tries again.
func (c *Client) SignIn(ctx context.Context) error { return c.wire.SignIn(ctx) }

const (
	pageSize  = 1000     // talents asked for at once
	maxPages  = 500      // the roster of a back end with more is truncated
	maxRoster = 64 << 20 // bytes of one page of talents
)

// Talents are all talents in the back end's order, each once, also those without a name. One that can't be read is left
// out and logged. If one page fails, the call fails: half a roster would look like a whole one.
func (c *Client) Talents(ctx context.Context) ([]agency.Talent, error) {
	var talents []agency.Talent
	seen := map[string]bool{}
	last := 1
	for number := 1; number <= last; number++ {
		if number > maxPages {
			c.wire.Log.Warn("roster truncated", "pages", maxPages)
			break
		}
		page, err := c.wire.Page(ctx, talentsCall(number))
		if err != nil {
			return nil, err
		}
		readable, anyNew := 0, false
		for _, item := range page.Items {
			talent, ok := c.readTalent(item)
			if !ok {
				continue
			}
			readable++
			if !seen[talent.ID] {
				seen[talent.ID], anyNew = true, true
				talents = append(talents, talent)
			}
		}
		if len(page.Items) > 0 && readable == 0 {
			return nil, c.wire.Misread("talents") // an unknown shape must not look like an empty roster
		}
		if !anyNew {
			break // a back end without pagination repeats its only page
		}
		last = page.LastOr(number, pageSize)
	}
	return talents, nil
}

func talentsCall(page int) wire.Call {
	call := wire.Call{
		What:   "talents",
		Method: http.MethodPost,
		Path:   fmt.Sprintf("/api/talents?language=en&paginate=%d", pageSize),
		Body:   wire.JSON(struct{}{}), // no filters
		Max:    maxRoster,
	}
	if page > 1 {
		call.What += fmt.Sprintf(", page %d", page)
		call.Path += fmt.Sprintf("&page=%d", page)
	}
	return call
}

func (c *Client) readTalent(raw []byte) (agency.Talent, bool) {
	var shape talentJSON
	if json.Unmarshal(raw, &shape) != nil || shape.ID == "" {
		c.wire.Log.Warn("talent skipped: unreadable", "talent", string(shape.ID))
		return agency.Talent{}, false
	}
	return c.talent(shape), true
}

func (c *Client) talent(shape talentJSON) agency.Talent {
	if shape.unclear() {
		c.wire.Log.Warn("birth date or categories can't be read, talent treated as a minor", "talent", string(shape.ID))
	}
	return shape.talent()
}

// Profile is the talent with this id, with galleries.
func (c *Client) Profile(ctx context.Context, id string) (agency.Talent, error) {
	what := "talent " + id
	if id == "" {
		return agency.Talent{}, c.wire.NotFound(what)
	}
	query := url.Values{"language": {"en"}, "id": {id}, "cover2": {"1"}, "skills": {"1"}}
	var shape talentJSON
	call := wire.Call{What: what, Path: "/api/talent/profile?" + query.Encode()}
	if err := c.wire.Object(ctx, call, &shape); err != nil {
		return agency.Talent{}, err
	}
	if shape.ID == "" {
		return agency.Talent{}, c.wire.Misread(what)
	}
	return c.talent(shape), nil
}

// Options are the lists of the application form.
func (c *Client) Options(ctx context.Context, ask agency.OptionsQuery) (agency.Options, error) {
	query := url.Values{"language": {cmp.Or(ask.Language, "en")}, "countries": {"1"}, "hair": {"1"}, "eyes": {"1"}}
	if ask.Country != "" {
		query.Set("cities", ask.Country)
		query.Set("hair_kind", "1")
		query.Set("hair_size", "1")
	}
	var shape optionsJSON
	err := c.wire.Object(ctx, wire.Call{What: "options", Path: "/api/talents/attributes?" + query.Encode()}, &shape)
	if err != nil {
		return agency.Options{}, err
	}
	options := shape.options()
	if len(options.Countries)+len(options.Hair)+len(options.Eyes) == 0 {
		return agency.Options{}, c.wire.Misread("options")
	}
	return options, nil
}
