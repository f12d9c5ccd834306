package handlers

import (
	"net/http"
	"slices"
	"strconv"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/catalog"
	"zedcard/internal/web"
	"zedcard/views"
)

// talent is the talent that the address names by its id. An address with another board or slug than the talent's
// redirects to the right one with its query. Crawlers that collect training data get a 404 for minors.
func (s *server) talent(r *http.Request, address func(*i18n.Language, *agency.Talent) string) (*agency.Talent, error) {
	id := variable(r, "id")
	if !isID(id) {
		return nil, agency.ErrNotFound // the back end is not asked
	}
	t, err := s.Catalog.Talent(r.Context(), id)
	if err != nil {
		return nil, err
	}
	if t.Minor(s.Now()) && isTrainer(r.UserAgent()) {
		return nil, agency.ErrNotFound
	}
	if canonical := address(s.routeOf(r).Lang, &t); r.URL.EscapedPath() != canonical {
		if r.URL.RawQuery != "" {
			canonical += "?" + r.URL.RawQuery
		}
		return nil, moved{canonical, true}
	}
	return &t, nil
}

// markMinor keeps an answer that shows a minor out of picture search, training data and the browser's cache.
func markMinor(w http.ResponseWriter) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Robots-Tag", "noimageindex, noai, noimageai")
	w.Header().Set("Content-Usage", agency.NoTraining)
	w.Header().Set("Vary", "User-Agent")
}

// similarShown is how many similar talents a profile shows.
const similarShown = 6

// showProfile shows a talent. Where there are videos one gallery is open: ?gallery=book|snap|video, of the videos
// ?video=1, 2, ...
func (s *server) showProfile(w http.ResponseWriter, r *http.Request) error {
	t, err := s.talent(r, s.Site.Routes.Talent)
	if err != nil {
		return err
	}
	query := r.URL.Query()
	profile := views.Profile{Talent: t, Measures: s.sheet(r)}
	profile.Open = profile.OpenGallery(query.Get("gallery"))
	if n, err := strconv.Atoi(query.Get("video")); err == nil && n >= 1 && n <= len(t.Video) {
		profile.Playing = n - 1
	}
	if roster, err := s.Catalog.Roster(r.Context()); err == nil { // otherwise the profile goes without
		profile.Similar = roster.Similar(t, similarShown)
		profile.Credited = credited(roster, profile)
		profile.ListPosition = s.walk(r, roster, t)
	} else {
		web.MarkIncomplete(r.Context())
	}

	page := s.page(r)
	page.Title, page.Board = t.Name, views.BoardTitle(page, t)
	page.Description = page.T("profile.about", "name", t.Name, "agency", s.Site.Name)
	if page.NoImageIndex = profile.Measures.Minor(t); page.NoImageIndex { // a child is not advertised for booking
		page.Description = page.T("profile.about.minor", "name", t.Name, "agency", s.Site.Name)
		markMinor(w)
	}
	page.Canonical = func(lang *i18n.Language) string { return s.Site.Routes.Talent(lang, t) }
	page.Address = func(lang *i18n.Language) string { return profile.Address(s.Site.Routes, lang) }
	if !page.NoImageIndex {
		page.ShareCover(t.Cover)
	}
	page.StructuredData = views.ProfileThings(page, profile)
	if t.Partial { // complete in a moment
		w.Header().Set("Cache-Control", "no-store")
	}
	return s.renderPage(w, r, page, views.TalentProfile(page, profile))
}

// credited are the talents whom the credits of a profile's pictures name, but for minors.
func credited(roster *catalog.Roster, profile views.Profile) map[string]*agency.Talent {
	talents := map[string]*agency.Talent{}
	for _, picture := range slices.Concat(profile.Talent.Book, profile.Talent.Snap) {
		for _, name := range []string{picture.Photographer, picture.Model} {
			if t := roster.WithName(name); t != nil && !profile.Measures.Minor(t) {
				talents[name] = t
			}
		}
	}
	return talents
}

// showFrames gives the pictures that a talent's card shows beside its cover, as HTML for a script. Like the profile, a
// minor's is not cached.
func (s *server) showFrames(w http.ResponseWriter, r *http.Request) error {
	t, err := s.talent(r, s.Site.Routes.TalentFrames)
	if err != nil {
		return err
	}
	page, minor := s.page(r), s.sheet(r).Minor(t)
	switch {
	case minor:
		markMinor(w)
	case t.Partial: // complete in a moment
		w.Header().Set("Cache-Control", "no-store")
	default:
		web.MarkCacheable(r.Context(), s.Site.Routes.TalentFrames(page.Lang, t))
	}
	w.Header().Add("X-Robots-Tag", "noindex")
	return s.renderPart(w, r, views.Frames(page, t, minor))
}
