package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"zedcard/handlers"
	"zedcard/internal/agency"
	"zedcard/internal/catalog"
	"zedcard/internal/config"
	"zedcard/internal/database"
	"zedcard/internal/disk"
	"zedcard/internal/folder"
	"zedcard/internal/intake"
	"zedcard/internal/mail"
	"zedcard/internal/media"
	"zedcard/internal/remote"
)

// contentTimeout bounds the reading of pages and their links.
const contentTimeout = 30 * time.Second

// Report is what a check found. Remarks are about the content folder, notes about everything else. Neither is a
// problem.
type Report struct{ Problems, Remarks, Notes []string }

func (r *Report) fault(format string, values ...any) {
	r.Problems = append(r.Problems, fmt.Sprintf(format, values...))
}

func (r *Report) note(format string, values ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, values...))
}

// Check checks everything. It writes nothing.
func Check(ctx context.Context, c config.Config) Report {
	var r Report
	r.checkWritable(ctx, c)
	faults, links := r.checkFolder(c)
	decided := folder.ReadSite(ContentFolder(c), c.Host())
	r.checkContacts(c, decided.Site)
	warned, log := &strings.Builder{}, slog.New(slog.DiscardHandler)
	if !c.Embedded() { // else checkFolder names the same
		log = slog.New(slog.NewTextHandler(warned, &slog.HandlerOptions{
			Level: slog.LevelWarn, ReplaceAttr: withoutTime,
		}))
	}
	backEnds, err := OpenBackEnds(c, log, nil, nil)
	if err != nil {
		r.fault("%v", err)
		return r
	}
	if refused := backEnds.SignIn(ctx); len(refused) > 0 { // nothing can be read
		for _, err := range refused {
			r.backEndFault(err)
		}
		return r
	}
	ctx, cancel := context.WithTimeout(ctx, contentTimeout)
	defer cancel()
	talents, complete := r.checkCalls(ctx, backEnds, decided.Site)
	for line := range strings.Lines(warned.String()) {
		r.fault("%s", strings.TrimSpace(line))
	}
	if !complete { // reading more would fail likewise
		return r
	}
	r.noteCategories(c, decided.Boards, talents)
	site, end := backEnds.OpenCatalog(nil)
	defer end()
	dir, err := os.MkdirTemp("", "zedcard-check-")
	if err != nil {
		r.fault("%v", err)
		return r
	}
	defer func() { _ = os.RemoveAll(dir) }()
	store, err := media.Open(media.Config{Dir: dir, Roots: MediaRoots(c, backEnds)})
	if err != nil {
		r.fault("%v", err)
		return r
	}
	defer func() { _ = store.Close() }() // its folder is temporary
	r.checkPictures(ctx, c, store, site)
	if !c.Embedded() {
		r.checkPages(ctx, decided.Texts.Codes(), site)
	}
	log = slog.New(slog.DiscardHandler)
	keys := database.Keys(func(context.Context) ([][]byte, error) { return [][]byte{make([]byte, 32)}, nil })
	screens, _ := Parts{
		Config: c, Log: log, BackEnds: backEnds, Content: site, Pictures: store, Keys: keys, // no form is submitted
		Intake: intake.New(nil, keys, intake.Options{Log: log}),
	}.Screens(decided, nil)
	status := func(address string) int { return handlers.Status(ctx, screens, decided.Routes, address) }
	r.addFaults(c, Nowhere(faults, links, status))
	return r
}

// checkWritable names the places that the site must be able to write to and can't.
func (r *Report) checkWritable(ctx context.Context, c config.Config) {
	var keys []string
	for _, key := range c.SessionKeys {
		keys = append(keys, string(key))
	}
	store := func(ctx context.Context, db *database.DB) error {
		return intake.New(db, db.Keys(keys...), intake.Options{MaxBytes: c.OutboxSize}).Probe(ctx)
	}
	if err := database.Check(ctx, string(c.DatabaseURL), store); err != nil {
		r.fault("%v", c.SettingError("DATABASE_URL", err))
	}
	if c.SMTPURL != "" {
		if sender, err := mail.New(string(c.SMTPURL), ""); err == nil { // otherwise the settings name it
			if err := sender.Try(ctx); err != nil {
				r.fault("SMTP_URL: the mail server takes no mail of the site: %v", err)
			}
		}
	}
	if err := disk.Writable(c.DataDir); err != nil {
		r.fault("%v", c.SettingError("DATA_DIR", err))
	}
}

// checkFolder names the faults of the content folder. It returns them, and the links of its texts.
func (r *Report) checkFolder(c config.Config) (faults, links []folder.Fault) {
	files := ContentFolder(c)
	if !c.Embedded() && c.ContentDir == "" {
		return nil, nil
	}
	faults, links = folder.Check(files, !c.Embedded())
	faults = append(faults, LeftOfDemo(c)...)
	held, _ := folder.Held(files, folder.Config{KeepDir: KeepDir(c), SiteOnly: !c.Embedded()})
	faults = folder.WithHeld(held, faults)
	r.addFaults(c, faults)
	return faults, links
}

func (r *Report) addFaults(c config.Config, faults []folder.Fault) {
	for _, fault := range faults {
		if line := pathIn(c, fault.String()); fault.Remark {
			r.Remarks = append(r.Remarks, line)
		} else {
			r.Problems = append(r.Problems, line)
		}
	}
}

// checkCalls makes each call that a visitor's page needs, and says what visitors miss where it fails.
func (r *Report) checkCalls(
	ctx context.Context, backEnds BackEnds, site agency.Site,
) (talents []*agency.Talent, complete bool) {
	complete = true
	miss := func(err error, misses string) {
		if err != nil && !errors.Is(err, agency.ErrNotFound) {
			r.backEndFault(fmt.Errorf("%w; visitors miss %s", err, misses))
			complete = false
		}
	}
	panel, integration := backEnds.Answers(ctx)
	talents, err := integration.Talents(ctx)
	miss(err, "every board and profile")
	if len(talents) > 0 {
		_, err = integration.Profile(ctx, talents[0].ID)
		miss(err, "the galleries of profiles, and cards")
	}
	_, err = integration.Options(ctx, agency.OptionsQuery{Language: string(site.Languages[0].Base())})
	miss(err, "the application form")
	_, err = panel.Slides(ctx, "home")
	miss(err, "the home page")
	_, err = panel.SocialMedias(ctx)
	miss(err, "the links to the agency’s profiles elsewhere, in menu and footer")
	for _, kind := range site.BlogKinds() {
		page, err := panel.Posts(ctx, kind, 10, 1)
		miss(err, "the posts of "+kind)
		if len(page.Posts) > 0 {
			_, err = panel.Post(ctx, kind, page.Posts[0].Slug)
			miss(err, "the texts of posts")
		}
	}
	return talents, complete
}

func withoutTime(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey || a.Key == slog.LevelKey {
		return slog.Attr{}
	}
	return a
}

// backEndFault is the fault of a call, nil for none, with what a person would see in the place of the answer.
func (r *Report) backEndFault(err error) {
	switch seen := remote.Seen(err); {
	case err == nil:
	case seen == "":
		r.fault("%v", err)
	default:
		r.fault("%v: %s", err, seen)
	}
}

// pathIn prefixes a line that begins with a file's name with the content folder.
func pathIn(c config.Config, text string) string {
	if c.ContentDir == "" {
		return text
	}
	return strings.TrimRight(c.ContentDir, "/") + "/" + text
}

// checkContacts finds what an agency has to set before it opens the site: contacts that are still the demo's. Notes are
// what it may want to set.
func (r *Report) checkContacts(c config.Config, site agency.Site) {
	if !c.Public() {
		return
	}
	for _, contact := range []string{site.Phone, site.Bookings, site.Accounting} {
		if c.ContentDir == "" && agency.IsDemos(contact) { // in a folder it is a fault of its line
			r.fault("CONTENT_DIR: %s is the demo agency’s: set a folder whose agency.yaml has your own", contact)
		}
	}
	if site.Address == "" {
		r.note("to do: agency.yaml: address: many countries require a postal address on an agency’s site")
	}
}

// noteCategories names the categories, and boards of the site's own, that are read as of minors.
func (r *Report) noteCategories(c config.Config, boards *agency.Boards, talents []*agency.Talent) {
	var notes []string
	unknown := 0
	for _, board := range boards.Groups() {
		if boards.Own() && board.Minors {
			notes = append(notes, fmt.Sprintf("board %s: of minors", board.Screen))
		}
	}
	for _, talent := range talents {
		if talent.Gender == "" && !c.Embedded() {
			unknown++
		}
		for _, category := range talent.Categories {
			if category.ID == 0 || !c.MinorCategories.Contains(category) { // 0: a board of the site's own
				continue
			}
			note := fmt.Sprintf("category %d %q: of minors", category.ID, category.Name)
			if _, isSettled := c.MinorCategories.Settled(category); isSettled {
				note += ", as MINOR_CATEGORIES says"
			} else if category.ID != agency.KidsID {
				note += fmt.Sprintf("; MINOR_CATEGORIES=!%d says that it is not", category.ID)
			}
			notes = append(notes, note)
		}
	}
	if unknown > 0 {
		r.note("gender: %d of %d talents are neither woman nor man, and on no board of these", unknown, len(talents))
	}
	slices.Sort(notes)
	r.Notes = append(r.Notes, slices.Compact(notes)...)
}

// checkPictures names the hosts whose pictures are not shown.
func (r *Report) checkPictures(ctx context.Context, c config.Config, store *media.Store, site *catalog.Catalog) {
	shown, err := Covers(ctx, c, site)
	if err != nil {
		r.fault("%v", err)
	}
	for _, picture := range shown {
		store.Picture(picture.File, picture.Options)
	}
	for origin, count := range store.ForeignOrigins() {
		r.fault("PICTURE_HOSTS: %d pictures of %s are not shown", count, origin)
	}
}

// checkPages names the pages that the site links to and a panel does not give.
func (r *Report) checkPages(ctx context.Context, languages []string, site *catalog.Catalog) {
	for _, name := range handlers.Entities {
		for _, lang := range languages {
			_, err := site.Entity(ctx, name, lang)
			if err != nil && (name != agency.SafetyPage || !errors.Is(err, agency.ErrNotFound)) {
				r.fault("page %s (%s): can't be read: %v", name, lang, err)
			}
		}
	}
}
