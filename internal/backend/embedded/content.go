package embedded

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/site"
	"zedcard/internal/textfile"
)

// state is one state of the folder, never changed.
type state struct {
	goodVersions
	fingerprint     string // of the folder
	version         uint64 // how many states were before it
	site            *site.Site
	public, preview *view
	until           time.Time       // when a post will be published; zero: none waits
	sizes           map[string]size // of the pictures that the content names, by file
	faults          []textfile.Fault
	links           []textfile.Fault // within the site, each as the fault that it is if it leads nowhere
}

// page names one page in one language.
type page struct{ name, lang string }

// loader reads one state of the folder.
type loader struct {
	folder fs.FS
	tree   tree
	now    time.Time
	config Config
	good   goodVersions    // for what has faults now
	before *site.Site      // of the last state
	known  map[string]size // of the last state
	next   *state
	words  map[string]string // see fieldWords
	unsure bool              // agency.yaml or boards.yaml has a fault: what follows from it is none of other files
	texts  i18n.Overrides    // of the files that were read
	minors agency.MinorCategories
	read   map[string]bool // files that some part of the loader reads
	faults []textfile.Fault
}

// load reads the folder. For a file with faults the good version of the last state is used; a file without one is left
// out.
func load(folder fs.FS, tree tree, last *state, config Config) *state {
	l := &loader{
		folder: folder, tree: tree, now: config.Now(), config: config, read: map[string]bool{},
		texts: i18n.Overrides{},
		good:  last.goodVersions, before: last.site, known: last.sizes,
		next: &state{
			goodVersions: goodVersions{
				Talents: map[string]talentVersion{}, Posts: map[string]postVersion{}, Pages: map[string]pageVersion{},
			},
			fingerprint: tree.fingerprint, version: last.version + 1, sizes: map[string]size{},
		},
	}
	for name, key := range tree.closed {
		l.fault(name, key)
	}
	for name, of := range tree.conflicts {
		l.fault(name, "fault.conflict", "other", path.Join(path.Dir(name), of))
		l.faults[len(l.faults)-1].Remark = true
	}
	l.loadSite()
	l.next.Needed = l.needed()
	if config.SiteOnly {
		l.loadAddresses()
	} else {
		finishOptions := l.loadOptions()
		l.loadCategories()
		l.loadPosts()
		l.loadPages()
		finishOptions()
		l.loadTalents()
		l.loadSlides()
		l.loadAddresses()
		l.reportIgnored()
	}
	for name, size := range l.known { // also of what is shown in its last good version
		if _, read := l.next.sizes[name]; !read && l.tree.files[name] == size.stamp {
			l.next.sizes[name] = size
		}
	}
	l.next.derive(l.now)
	l.next.faults = textfile.Sort(l.faults)
	return l.next
}

// open reads a file; nil if the folder has none.
func (l *loader) open(name string) *textfile.File {
	l.read[name] = true
	if !l.tree.has(name) {
		return nil
	}
	return textfile.Read(l.folder, name)
}

// openOrDefault reads a file at the top of the folder, by default the program's own.
func (l *loader) openOrDefault(name string) *textfile.File {
	if f := l.open(name); f != nil {
		return f
	}
	return textfile.Read(Demo(), name)
}

// finish notes a file's faults and reports whether the file can be used.
func (l *loader) finish(f *textfile.File) bool {
	l.faults = append(l.faults, f.Faults...)
	return !f.Invalid
}

func (l *loader) fault(file, key string, args ...string) {
	l.faults = append(l.faults, textfile.Fault{File: file, Key: key, Args: args})
}

// finished is what was read of a file, or the good version if it has faults now.
func finished[V any](l *loader, f *textfile.File, read V, good map[string]V) (version V, ok bool) {
	if l.finish(f) {
		return read, true
	}
	version, ok = good[f.Name]
	return version, ok
}

// fixedCategories are the names of categories whose ids the site relies on.
var fixedCategories = func() map[string]agency.CategoryID {
	fixed := map[string]agency.CategoryID{}
	for _, group := range agency.NewBoards(nil).Groups() {
		for _, name := range group.CategoryNames() {
			if group.ID != 0 {
				fixed[name] = group.ID
			}
		}
	}
	return fixed
}()

func (l *loader) loadCategories() {
	var list []struct {
		ID   int    `yaml:"id"   validate:"required,gt=0"`
		Name string `yaml:"name" validate:"required"`
	}
	f := l.openOrDefault("categories.yaml")
	f.Decode(&list)
	categories := map[string]agency.Category{}
	for i, c := range list {
		name := textfile.Fold(c.Name)
		if fixed, ok := fixedCategories[name]; ok && int(fixed) != c.ID {
			f.Fault(f.Line(item("", i)+".id"), "fault.category-id", "name", c.Name, "id", strconv.Itoa(int(fixed)))
		}
		categories[name] = agency.Category{ID: agency.CategoryID(c.ID), Name: c.Name}
	}
	if !l.finish(f) && l.good.Categories != nil {
		categories = l.good.Categories
	}
	l.next.Categories = categories
}

func (l *loader) loadSlides() {
	f := l.open("slides.yaml")
	if f == nil {
		return
	}
	var list []struct {
		Mobile      string `yaml:"mobile"      validate:"required"`
		Desktop     string `yaml:"desktop"     validate:"required"`
		Description string `yaml:"description" validate:"required,oneof=1 2"`
		Talent      string `yaml:"talent"`
	}
	f.Decode(&list)
	for i, slide := range list {
		at, id := item("", i), slide.Talent
		l.next.Slides = append(l.next.Slides, agency.Slide{
			Mobile:  l.optionalPicture(f, "", slide.Mobile, at+".mobile"),
			Desktop: l.optionalPicture(f, "", slide.Desktop, at+".desktop"),
			Group:   LeadingNumber(slide.Description), Talent: id,
		})
		switch talent := l.talent(id); {
		case id == "":
		case talent != nil && talent.Minor(l.now):
			f.Remark(f.Line(at+".talent"), "fault.slide-minor", "id", id)
		case talent == nil && len(l.next.Talents) == len(l.tree.subfolders("talents")): // else its file has a fault
			f.Warn(f.Line(at+".talent"), "fault.slide-talent", "id", id)
		}
	}
	if !l.finish(f) {
		l.next.Slides = l.good.Slides
	}
}

// item is the path of an entry of a list, as video[0].
func item(list string, i int) string { return list + "[" + strconv.Itoa(i) + "]" }

// slug matches what may be a part of an address.
var slug = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// reportIgnored reports files that look like content but are not read.
func (l *loader) reportIgnored() {
	for file := range l.tree.files {
		isRead := l.read[file] || strings.HasPrefix(file, "texts/") || path.Base(file) == "README.md"
		switch {
		case isRead:
		case isContentFile(file):
			l.fault(file, "fault.ignored")
		case strings.HasPrefix(file, "talents/") && PictureType(file) != "" && strings.Count(file, "/") != 2:
			l.fault(file, "fault.picture-elsewhere")
			l.faults[len(l.faults)-1].Remark = true
		case isDocument(file):
			l.fault(file, "fault.document", "other", strings.TrimSuffix(file, path.Ext(file))+".md")
		}
	}
}

// isDocument reports whether a file is a text of a word processor where pages or posts are expected.
func isDocument(file string) bool {
	folder, _, _ := strings.Cut(file, "/")
	return slices.Contains([]string{"pages", "posts"}, folder) && slices.Contains(
		[]string{".doc", ".docx", ".odt", ".rtf", ".txt", ".pages", ".html", ".htm", ".markdown"},
		strings.ToLower(path.Ext(file)))
}

// Check reads a whole content folder and names every fault, ordered by file and line. It also names faults that don't
// keep a file from being served: a missing page that the site links to, a picture without a description, a file that is
// not read. Links are those of pages and posts within the site, each as the fault that it is if it leads nowhere. With
// siteOnly talents and texts come from elsewhere.
func Check(folder fs.FS, siteOnly bool) (faults, links []textfile.Fault) {
	folder = textfile.Folder(folder)
	tree, err := scan(folder)
	if err != nil {
		return []textfile.Fault{{File: ".", Key: "fault.folder-unreadable", Args: []string{"error", err.Error()}}}, nil
	}
	if tree.isEmpty() {
		return nil, nil // Open says so
	}
	own := folder != textfile.Folder(Demo()) // the program's pictures are decoded by its test
	read := load(folder, tree, &state{}, Config{SiteOnly: siteOnly, decodes: own}.withDefaults())
	return read.faults, read.links
}
