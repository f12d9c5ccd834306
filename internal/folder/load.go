package folder

import (
	"archive/zip"
	"cmp"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/site"
)

// state is one state of the folder, never changed.
type state struct {
	fingerprint string // of the folder
	version     uint64 // how many states were before it
	kept        *lastGood

	needed     []string // see loader.needed
	decided    *agency.Site
	site       *site.Site                 // the same, with the operator's settings
	categories map[string]agency.Category // by Fold of the name
	options    *options
	lists      map[string]agency.Options // the same, in the site's languages
	slides     []agency.Slide
	redirects  []agency.Redirect
	talents    map[string]talentVersion // by file, as the next two
	posts      map[string]postVersion
	pages      map[string]pageVersion
	files      []string // of public/

	public, preview *Content
	until           time.Time       // when a post will be published; zero: none waits
	sizes           map[string]size // of the pictures that the content names, by file
	faults          []Fault
	links           []Fault // within the site, each as the fault that it is if it leads nowhere
}

// page names one page in one language.
type page struct{ name, lang string }

// loader reads one state of the folder.
type loader struct {
	folder fs.FS
	tree   tree
	now    time.Time
	config Config
	last   *state
	kept   *lastGood // of the last state
	next   *state
	words  map[string]string // see fieldWords
	unsure string            // agency.yaml or boards.yaml, if it has a fault
	minors agency.MinorCategories
	at     string            // the file that is being read
	read   map[string]bool   // files that some part of the loader reads
	good   map[string][]byte // their texts, as they are used
	faults []Fault
}

// load reads the folder. A file with faults is read as it was when it had none; one that never was without is left out.
func load(folder fs.FS, tree tree, last *state, config Config) (l *loader, err error) {
	l = &loader{
		folder: folder, tree: tree, now: config.Now(), config: config, last: last,
		kept: cmp.Or(last.kept, &lastGood{Reader: &zip.Reader{}}),
		read: map[string]bool{}, good: map[string][]byte{},
		next: &state{
			fingerprint: tree.fingerprint, version: last.version + 1, sizes: map[string]size{},
			talents: map[string]talentVersion{}, posts: map[string]postVersion{}, pages: map[string]pageVersion{},
		},
	}
	defer broken(&l.at, &err)
	maps.Copy(l.next.sizes, tree.fill(l.kept))
	for name, key := range tree.closed {
		l.fault(name, key)
	}
	for name, of := range tree.conflicts {
		l.fault(name, "fault.conflict", "other", path.Join(path.Dir(name), of))
		l.faults[len(l.faults)-1].Remark = true
	}
	l.loadSite()
	l.next.needed = l.needed()
	if config.SiteOnly {
		l.loadAddresses()
	} else {
		l.loadOptions()
		l.loadCategories()
		l.loadPosts()
		l.loadPages()
		l.loadTalents()
		l.loadSlides()
		l.loadAddresses()
		l.reportIgnored()
	}
	l.next.derive(l.now)
	l.remarkMeasures()
	l.next.kept = l.keep()
	l.faults = slices.DeleteFunc(l.faults, func(f Fault) bool {
		return l.unsure != "" && f.File != l.unsure && slices.Contains(follows, f.Key)
	})
	l.next.faults = SortFaults(l.faults)
	return l, nil
}

// follows are the faults of other files that only follow from one of agency.yaml or boards.yaml: one line says it.
var follows = []string{
	"fault.home-board", "fault.board-name", "fault.board-unknown", "fault.board-meant", "fault.board-gender",
	"fault.no-board", "fault.section", "fault.page-other", "fault.page-language",
}

// open reads a file; nil if the folder has none.
func (l *loader) open(name string) *File {
	l.read[name], l.at = true, name
	if !l.tree.has(name) {
		return nil
	}
	return ReadFile(l.from(name), name)
}

// from is what a file is read from: the last good content, where the folder can't be.
func (l *loader) from(name string) fs.FS {
	if l.tree.filled[name] {
		return l.kept
	}
	return l.folder
}

// openOrDefault reads a file at the top of the folder, by default the program's own.
func (l *loader) openOrDefault(name string) *File {
	if f := l.open(name); f != nil {
		return f
	}
	return ReadFile(Demo(), name)
}

// finish notes a file's faults and reports whether the file can be used.
func (l *loader) finish(f *File) bool {
	if !l.tree.filled[f.Name] { // else the folder has its fault
		l.faults = append(l.faults, f.Faults...)
	}
	if !f.Invalid && l.tree.has(f.Name) {
		l.good[f.Name] = f.Text
	}
	return !f.Invalid
}

func (l *loader) fault(file, key string, args ...string) {
	l.faults = append(l.faults, Fault{File: file, Key: key, Args: args})
}

// good is what read makes of a file. One that has faults now is read as it was when it had none, and what it names that
// is gone since then is left out. Without that, what can be read of it is not ok.
func good[V any](l *loader, f *File, read func(*File) V) (value V, ok bool) {
	value = read(f)
	if l.finish(f) {
		return value, true
	}
	last := ReadFile(l.kept, f.Name)
	if last.Invalid {
		return value, false
	}
	links := len(l.next.links)
	l.good[f.Name] = last.Text
	value = read(last)
	l.next.links = l.next.links[:links]
	return value, true
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
	l.next.categories, _ = good(l, l.openOrDefault("categories.yaml"), readCategories)
}

func readCategories(f *File) map[string]agency.Category {
	var list []struct {
		ID   int    `yaml:"id"   validate:"required,gt=0"`
		Name string `yaml:"name" validate:"required"`
	}
	f.Decode(&list)
	categories := map[string]agency.Category{}
	for i, c := range list {
		name := Fold(c.Name)
		if fixed, ok := fixedCategories[name]; ok && int(fixed) != c.ID {
			f.Fault(f.Line(item("", i)+".id"), "fault.category-id", "name", c.Name, "id", strconv.Itoa(int(fixed)))
		}
		categories[name] = agency.Category{ID: agency.CategoryID(c.ID), Name: c.Name}
	}
	return categories
}

func (l *loader) loadSlides() {
	if f := l.open("slides.yaml"); f != nil {
		if slides, ok := good(l, f, l.readSlides); ok {
			l.next.slides = slides
		}
	}
}

func (l *loader) readSlides(f *File) (slides []agency.Slide) {
	var list []struct {
		Mobile      string `yaml:"mobile"      validate:"required"`
		Desktop     string `yaml:"desktop"     validate:"required"`
		Description string `yaml:"description" validate:"required,oneof=1 2"`
		Talent      string `yaml:"talent"`
	}
	f.Decode(&list)
	for i, slide := range list {
		at, id := item("", i), slide.Talent
		slides = append(slides, agency.Slide{
			Mobile:  l.optionalPicture(f, "", slide.Mobile, at+".mobile"),
			Desktop: l.optionalPicture(f, "", slide.Desktop, at+".desktop"),
			Group:   LeadingNumber(slide.Description), Talent: id,
		})
		switch talent := l.talent(id); {
		case id == "":
		case talent != nil && talent.Minor(l.now):
			f.Remark(f.Line(at+".talent"), "fault.slide-minor", "id", id)
		case talent == nil && len(l.next.talents) == len(l.tree.subfolders("talents")): // else its file has a fault
			f.Warn(f.Line(at+".talent"), "fault.slide-talent", "id", id)
		}
	}
	return slides
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
func Check(folder fs.FS, siteOnly bool) (faults, links []Fault) {
	own := folder != Demo() // the program's pictures are decoded by its test
	read, err := Read(folder, Config{SiteOnly: siteOnly, decodes: own})
	switch {
	case err != nil:
		return []Fault{unreadable(err)}, nil
	case read.tree.isEmpty():
		return nil, nil // Open says so
	}
	return read.next.faults, read.next.links
}
