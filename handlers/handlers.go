// Package handlers answers every address of the site: it reads the request, asks the catalogue,
// and renders a view. A handler writes a whole answer or returns an error having written nothing.
package handlers

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/zeebo/xxh3"

	"zedcard/internal/agency"
	"zedcard/internal/cache"
	"zedcard/internal/catalog"
	"zedcard/internal/forms"
	"zedcard/internal/intake"
	"zedcard/internal/picture"
	"zedcard/internal/web"
	"zedcard/views"
)

// Composites makes composite cards and writes them as a zip into an empty file. It is implemented by the integration
// back end.
type Composites interface {
	Composite(ctx context.Context, talent agency.Talent, file *os.File) error
	Composites(ctx context.Context, ids []string, file *os.File) error
}

// Pictures serves the site's pictures.
type Pictures interface {
	// Print returns a whole picture with as many pixels as half a page of A4 needs, or those that it has.
	Print(ctx context.Context, picture agency.Picture) ([]byte, error)
}

// Services are the handlers' dependencies and settings.
type Services struct {
	Site views.Site
	Content
	Forms
	Editors
	Client        func(*http.Request) string              // whom a rate limit counts
	Limits        *Limits                                 // the program's; nil: new ones
	OtherHandlers map[string]http.Handler                 // by path prefix: everything that is not a screen
	Keys          func(context.Context) ([][]byte, error) // of sessions, newest first
	HTTPS         func(*http.Request) bool                // whether the visitor's connection is encrypted
	Now           func() time.Time                        // the clock, for ages and the year
	Log           *slog.Logger
}

// Content is what the screens show.
type Content struct {
	Catalog      *catalog.Catalog
	Visit        func(context.Context) context.Context // bounds a request's waits for back ends; nil: none waits
	Folder       Folder                                // the agency's; nil: there is none
	Composites   Composites
	Pictures     Pictures
	FullMeasures bool           // MINOR_MEASURES=full
	Pages        *web.PageCache // cache of pages that all visitors share; nil: none
	CDNMaxAge    time.Duration  // how long a CDN may keep a page; 0: it revalidates
}

// Forms are for what visitors send.
type Forms struct {
	Intake       *intake.Intake
	Worker       *picture.Worker // reads photos and makes pictures
	TempDir      string          // of downloads in progress; empty: the system's
	AskGuardians bool            // by mail to confirm; an external panel gets a minor's application then
	Phones       forms.Phones    // numbers accepted of applicants; empty: those of the mask
	AskSkinColor bool            // the application asks for the colour of the skin
	Official     agency.Official // the agency's own, for "check a message"; none: not offered
}

// Editors are let in by the token, or on the machine itself.
type Editors struct {
	PreviewToken string // empty: there is none
	EditorsOpen  bool   // nobody needs it
	HasDrafts    bool   // editors see drafts, which the back ends and the folder have
}

// server has a method for each screen.
type server struct {
	Services
	all         http.Handler // its screens, and what the folder adds
	formOptions cache.Cache[optionsKey, views.Options]
	policies    cache.Cache[policyKey, string]      // their hashes, once they are kept
	packs       cache.Cache[xxh3.Uint128, *os.File] // finished ones, by content
}
