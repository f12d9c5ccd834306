package agency

import (
	"context"
	"strings"

	"zedcard/i18n"
)

// Site is what an agency decides about its site: agency.yaml, boards.yaml, texts/ and brand/ of its folder. What they
// leave out is not shown.
type Site struct {
	Name       string
	Phone      string
	Bookings   string // mail addresses
	Accounting string
	Address    string // postal
	Social     []SocialMedia
	PoweredBy  SocialMedia
	Official   []string // more contacts for "check a message"
	Security   string   // who is told of the site's faults: mail address, or one of the web; empty: Bookings
	NoTraining bool     // on its pictures; it has a page that says so

	Languages []i18n.Lang // the first has no prefix
	Overrides i18n.Overrides
	Boards    []*Group // nil: the default ones
	Home      []Board  // of the two halves of the home page; empty: the first two boards

	MinimumAge int
	Phones     string // numbers that applicants may have: mask, international or empty
	Country    string // of phone numbers without a country code, in two capitals; may be empty
	Metric     bool   // lengths are shown in centimetres alone

	BlogLang  i18n.Lang
	BlogTypes []BlogType

	Brand *Brand // nil: the program's
}

// NoTraining is the preference that no model be trained with something (IETF draft-ietf-aipref-vocab).
const NoTraining = "train-ai=n"

// ContentUsage is the preference for all of the site; empty: none.
func (s *Site) ContentUsage() string {
	if s.NoTraining {
		return NoTraining
	}
	return ""
}

// BlogType is a section of the blog: its name in addresses, and in each language.
type BlogType struct {
	ID    string
	Names map[i18n.Lang]string // nil: the site has texts for it
}

// BlogKinds are the ids of the blog's types.
func (s *Site) BlogKinds() (kinds []string) {
	for _, kind := range s.BlogTypes {
		kinds = append(kinds, kind.ID)
	}
	return kinds
}

// Brand is how the site looks. Colours are #rrggbb; what is empty is the program's.
type Brand struct {
	Ink, Paper, Accent string
	Logo, Icon         []byte // SVG
	LogoPNG, IconPNG   []byte
	Display, Text      Typeface
}

// Typeface is one that the agency brings: for pages, and for cards.
type Typeface struct{ WOFF2, TTF []byte }

// The demo agency's contacts: on a public site they send visitors to strangers.
const (
	DemoDomain = "best.example"
	DemoPhone  = "+55 (11) 91234-5678"
)

// IsDemos reports whether a contact is the demo agency's.
func IsDemos(contact string) bool {
	return contact == DemoPhone || strings.HasSuffix(contact, "@"+DemoDomain)
}

type draftsKey struct{}

// WithDrafts is the context of an editor's request, which is answered with drafts, too.
func WithDrafts(ctx context.Context) context.Context {
	return context.WithValue(ctx, draftsKey{}, true)
}

// SeesDrafts reports whether a request is answered with drafts.
func SeesDrafts(ctx context.Context) bool { return ctx.Value(draftsKey{}) != nil }

type languageKey struct{}

// WithLanguage says which language a back end shall write in, where it writes itself: on composite cards.
func WithLanguage(ctx context.Context, lang i18n.Lang) context.Context {
	return context.WithValue(ctx, languageKey{}, lang)
}

// LanguageOf is the language that a back end shall write in; empty: the site's first.
func LanguageOf(ctx context.Context) i18n.Lang {
	lang, _ := ctx.Value(languageKey{}).(i18n.Lang)
	return lang
}
