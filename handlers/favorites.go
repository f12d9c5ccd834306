package handlers

import (
	"archive/zip"
	"context"
	"errors"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/forms"
	"zedcard/internal/routes"
	"zedcard/views"
)

// showFavorites shows the shortlist in the address (?ids=1,2,3), which may be for somebody (?for=), or the session's
// own. With own=1 the address holds the visitor's own, which a script stores in the browser. ?before=1,2,3 is what it
// was before the last removal.
func (s *server) showFavorites(w http.ResponseWriter, r *http.Request) error {
	query := queryOf(r)
	page := s.page(r)
	if query.Has("ids") && query.Get("own") == "" {
		form := views.Form{Token: forms.NewToken(), Values: map[string]string{}}
		return s.renderShared(w, r, http.StatusOK, page, form, query)
	}
	ids := parseIDs(query["ids"]...)
	if !query.Has("ids") {
		ids = page.Saved
	}
	list, err := s.shortlist(r, ids)
	if err != nil {
		return err
	}
	if err := s.addRemoved(r, &list, parseIDs(query["before"]...)); err != nil {
		return err
	}
	markMinors(w, list)
	page.NoIndex = true
	page.Title = page.T("nav.favorites")
	page.Description = page.T("favorites.about", "agency", s.Site.Name)
	return s.renderPage(w, r, page, views.Favorites(page, list, views.Form{}))
}

// renderShared shows a shortlist of somebody else, by the values of its address. Whom it is for answers with the form;
// where that comes back, a script keeps the shortlist's address, so that a reload shows it.
func (s *server) renderShared(
	w http.ResponseWriter, r *http.Request, status int, page *views.Page, form views.Form, values url.Values,
) error {
	ids := parseIDs(values["ids"]...)
	list, err := s.shortlist(r, ids)
	if err != nil {
		return err
	}
	list.Shared, list.Unread = true, len(ids) == 0
	list.For = strings.TrimSpace(values.Get("for"))
	list.ForFault = !isRecipient(list.For)
	if len(list.Talents) > maxShared {
		list.Omitted = len(list.Talents) - maxShared
		list.Talents = list.Talents[:maxShared]
	}
	markMinors(w, list)
	page.Screen, page.NoIndex = routes.Favorites, true
	page.Title = page.T("favorites.shared")
	page.Description = page.T("favorites.about", "agency", s.Site.Name)
	page.Address = func(lang *i18n.Language) string {
		return routes.SharedPath(lang, routes.Favorites, ids, list.For)
	}
	page.ShareCover(s.firstCover(list.Talents))
	if list.IsFor() {
		w.Header().Set("X-Robots-Tag", "noindex, nofollow")
		if r.Method == http.MethodPost {
			w.Header().Set("HX-Replace-Url", page.Address(page.Lang))
		}
		page.Title = list.Heading(page)
		page.SearchTitle = views.FormTitle(page, page.Title, form)
	}
	switch view := views.Favorites(page, list, form); {
	case list.ForFault:
		return s.renderForm(w, r, http.StatusUnprocessableEntity, view)
	case list.IsFor():
		return s.renderForm(w, r, status, view)
	default:
		return s.renderPage(w, r, page, view)
	}
}

// maxShared is how many talents of a shared shortlist a page shows: anybody can write the address of one.
const maxShared = 100

// markMinors calls markMinor if a minor is on the shortlist, was removed from it, or is among the others.
func markMinors(w http.ResponseWriter, list views.Shortlist, others ...*agency.Talent) {
	if slices.ContainsFunc(slices.Concat(list.Talents, list.Removed, others), list.Measures.Minor) {
		markMinor(w)
	}
}

// addRemoved adds the talents that were on the shortlist before and are not now, so that the page can offer to undo it.
func (s *server) addRemoved(r *http.Request, list *views.Shortlist, before []string) error {
	if len(before) > maxUndo {
		return nil
	}
	previous, err := s.shortlist(r, before)
	if err != nil {
		return err
	}
	list.PreviousIDs = before
	list.Removed = slices.DeleteFunc(previous.Talents, func(t *agency.Talent) bool {
		return slices.Contains(list.Talents, t)
	})
	return nil
}

// shortlist finds the talents with these ids, in this order.
func (s *server) shortlist(r *http.Request, ids []string) (views.Shortlist, error) {
	list := views.Shortlist{Asked: ids, Measures: s.sheet(r)}
	if len(ids) == 0 {
		return list, nil
	}
	roster, err := s.Catalog.Roster(r.Context())
	if err != nil {
		return list, err
	}
	for _, id := range ids {
		if t := roster.ByID(id); t != nil {
			list.Talents = append(list.Talents, t)
		} else {
			list.Gone++
		}
	}
	return list, nil
}

// askedFor is the shortlist in the address (?ids=1,2,3), of somebody at least.
func (s *server) askedFor(r *http.Request) (views.Shortlist, error) {
	list, err := s.shortlist(r, parseIDs(queryOf(r)["ids"]...))
	if err == nil && len(list.Talents) == 0 {
		err = agency.ErrNotFound
	}
	return list, err
}

// changeFavorites saves a talent to the session, removes one, keeps a shared shortlist, clears all or restores what was
// there before, and redirects to the page the visitor came from. A script posts "clear" once it has copied the
// session's favourites to the browser's storage.
func (s *server) changeFavorites(w http.ResponseWriter, r *http.Request) error {
	if !s.parseForm(w, r) {
		return nil
	}
	before, anchor := s.savedIDs(r), ""
	ids, removes := slices.Clone(before), false
	switch form := r.PostForm; {
	case form.Has("save"):
		ids = parseIDs(append(ids, form.Get("save"))...)
		anchor = form.Get("save")
	case form.Has("remove"):
		ids = slices.DeleteFunc(ids, func(id string) bool { return id == form.Get("remove") })
		anchor, removes = form.Get("remove"), true
	case form.Has("keep"):
		ids = parseIDs(append(ids, form.Get("keep"))...)
	case form.Has("restore"):
		ids = parseIDs(append([]string{form.Get("restore")}, before...)...)
	case form.Has("clear"):
		ids, removes = nil, true
	}
	if err := s.saveIDs(w, r, ids); err != nil {
		return err
	}
	favorites := routes.Path(s.routeOf(r).Lang, routes.Favorites)
	to := favorites
	if from := r.PostForm.Get("from"); !r.PostForm.Has("keep") && isLocal(from) {
		to = from
	}
	switch {
	case removes && to == favorites && len(before) <= maxUndo:
		to += "?before=" + url.QueryEscape(strings.Join(before, ","))
	case isID(anchor) && to != favorites:
		to += "#" + views.CardID(anchor)
	}
	redirect(w, http.StatusSeeOther, to)
	return nil
}

// maxUndo is the longest shortlist for which undoing a removal is offered: a longer one does not fit into an address.
const maxUndo = 200

// isLocal reports whether a text is a path of this site: never "//host" or anything that a
// browser reads like it.
func isLocal(address string) bool {
	if !strings.HasPrefix(address, "/") || strings.HasPrefix(address, "//") ||
		strings.ContainsAny(address, "\\\t\r\n#") {
		return false
	}
	_, err := url.Parse(address)
	return err == nil
}

// downloadComposites sends the composite cards of a shortlist, in one zip.
func (s *server) downloadComposites(w http.ResponseWriter, r *http.Request) error {
	list, err := s.askedFor(r)
	if err != nil {
		return err
	}
	listed := list.Talents[:min(len(list.Talents), maxComposites)]
	name := s.routeOf(r).Lang.T("favorites.file") + s.fileSuffix(".zip")
	return s.download(w, r, name, zipType, len(listed), func(ctx context.Context, file *os.File) error {
		profiles, err := s.profiles(ctx, listed)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(profiles, func(t agency.Talent) bool { return t.Minor(s.Now()) }) {
			markMinor(w)
		}
		return s.writeCards(ctx, profiles, file)
	})
}

// maxComposites is how many cards one zip holds at most.
const maxComposites = 100

// profilesAtOnce is how many profiles of a shortlist are requested at the same time.
const profilesAtOnce = 8

// profiles are the full profiles of listed talents: a list has no galleries, and may lack the birthdate that makes a
// minor. Talents who have left since are left out.
func (s *server) profiles(ctx context.Context, listed []*agency.Talent) ([]agency.Talent, error) {
	found := make([]agency.Talent, len(listed))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(profilesAtOnce)
	for i, t := range listed {
		group.Go(func() error {
			var err error
			found[i], err = s.Catalog.Talent(s.Visit(ctx), t.ID) // all are listed
			switch {
			case errors.Is(err, agency.ErrNotFound):
				return nil
			case err == nil && found[i].Partial:
				return errPartial(t.ID)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(found, func(t agency.Talent) bool { return t.ID == "" }), nil
}

// writeCards writes one zip of several cards. The call for several names talents by id only, so that the back end
// prints all measures: a minor's card is requested separately, without the hidden ones, and added to the zip.
func (s *server) writeCards(ctx context.Context, talents []agency.Talent, to *os.File) error {
	if len(talents) == 0 {
		return agency.ErrNotFound
	}
	var ids []string
	var minors []*agency.Talent
	for i := range talents {
		if s.hidesMeasures(&talents[i]) {
			minors = append(minors, &talents[i])
		} else {
			ids = append(ids, talents[i].ID)
		}
	}
	if len(minors) == 0 {
		return s.Composites.Composites(ctx, ids, to)
	}
	merged := zip.NewWriter(to)
	if len(ids) > 0 {
		err := s.addToZip(merged, "", func(file *os.File) error { return s.Composites.Composites(ctx, ids, file) })
		if err != nil {
			return err
		}
	}
	for _, t := range minors {
		folder := agency.FileName(t.Name) // as back ends name an adult's
		if slices.ContainsFunc(talents, func(other agency.Talent) bool {
			return other.ID != t.ID && agency.FileName(other.Name) == folder
		}) {
			folder += " " + t.ID
		}
		folder += "/"
		err := s.addToZip(merged, folder, func(file *os.File) error {
			return s.Composites.Composite(ctx, s.cardOf(t), file)
		})
		if err != nil {
			return err
		}
	}
	return merged.Close()
}

// addToZip adds the files of the zip that write writes. The folder, if there is one, ends in a slash.
func (s *server) addToZip(merged *zip.Writer, folder string, write func(*os.File) error) error {
	part, err := s.tempFile()
	if err != nil {
		return err
	}
	defer part.Close()
	if err := write(part); err != nil {
		return err
	}
	info, err := part.Stat()
	if err != nil {
		return err
	}
	files, err := zip.NewReader(part, info.Size())
	if err != nil {
		return err
	}
	for _, file := range files.File {
		file.Name = folder + file.Name
		if err := merged.Copy(file); err != nil {
			return err
		}
	}
	return nil
}

// showDock gives the bar of the shortlist at the foot of a page. ?ids=1,2,3 is the shortlist that the browser stores,
// ?before=1,2,3 what it was before the last removal.
func (s *server) showDock(w http.ResponseWriter, r *http.Request) error {
	query := queryOf(r)
	list, err := s.shortlist(r, parseIDs(query["ids"]...))
	if err != nil {
		return err
	}
	if err := s.addRemoved(r, &list, parseIDs(query["before"]...)); err != nil {
		return err
	}
	markMinors(w, list)
	w.Header().Add("X-Robots-Tag", "noindex")
	return s.renderPart(w, r, views.ShortlistBar(s.page(r), list))
}
