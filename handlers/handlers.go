// Package handlers answers every address of the site: it reads the request, asks the catalogue,
// and draws a view. A handler writes a whole answer or returns an error having written nothing.
package handlers

import (
	"context"
	"image"
	"log/slog"
	"net/http"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/catalog"
	"zedcard/internal/forms"
	"zedcard/internal/guardian"
	"zedcard/internal/official"
	"zedcard/internal/pagecache"
	"zedcard/internal/photo"
	"zedcard/internal/submission"
	"zedcard/views"
	"zedcard/views/ui"
)

// Composites makes composite cards; the integration back end does.
type Composites interface {
	Composite(ctx context.Context, talent agency.Talent) (agency.Download, error)
	Composites(ctx context.Context, ids []string) (agency.Download, error)
}

// Pictures serves the site's pictures.
type Pictures interface {
	// Prefetch begins with a picture that a page shows first, before its own request comes.
	Prefetch(picture agency.Picture, shape ui.Shape)
	// Render gives a picture as the site shows it in this shape.
	Render(ctx context.Context, picture agency.Picture, shape ui.Shape) (image.Image, error)
}

// Guardians knows the links by which parents and guardians confirm. A token of no link that works is
// agency.ErrNotFound.
type Guardians interface {
	Look(ctx context.Context, token string) (guardian.Application, error)
	Confirm(ctx context.Context, token string) (guardian.Application, error)
}

// Services are what the handlers work with.
type Services struct {
	Site          views.Site
	Catalog       *catalog.Catalog
	Composites    Composites
	Pictures      Pictures
	Keys          func(context.Context) ([][]byte, error) // secret keys, newest first
	HTTPS         func(*http.Request) bool                // whether the visitor's connection is encrypted
	Submissions   *submission.Service
	Guardians     Guardians
	AskGuardians  bool                       // a parent or guardian is asked by mail to confirm
	Client        func(*http.Request) string // whom a rate limit counts
	Pages         *pagecache.Cache           // whole pages that all visitors get; nil: none is kept
	UploadMemory  int64                      // bytes of photos being read and cleaned; 0: as usual
	UploadWait    time.Duration              // how long an application waits for memory; 0: as usual
	CDNMaxAge     time.Duration              // how long a CDN may keep a page; 0: it asks each time
	FullMeasures  bool                       // MINOR_MEASURES=full
	Phones        forms.Phones               // that an applicant may have; empty: those of the mask
	MinimumAge    int                        // of an applicant, in years
	Official      official.Contacts          // what "check a message" calls the agency's own; none: not offered
	AskSkinColor  bool                       // the application asks for the colour of the skin
	PreviewToken  string                     // opens the editors' view of the texts; empty: Site.Dev alone does
	NoAICrawlers  bool                       // AI_CRAWLERS=false
	Now           func() time.Time           // the clock, for ages and the year
	Log           *slog.Logger
	OtherHandlers map[string]http.Handler // by path prefix: what is served beside the screens
}

// site joins the services with the methods that answer.
type site struct {
	Services
	shareCache                 shareCache
	contactLimits, applyLimits limits
	cleaner                    *photo.Cleaner
	uploads, composers         *shares
	drawings                   *shares // pages being rendered
	previewLimits              limits
	guardianLimits             limits
	checkLimits                limits
}
