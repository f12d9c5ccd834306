package embedded

import (
	"bytes"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"sync"
	"time"

	"go.yaml.in/yaml/v4"

	"zedcard/internal/agency"
)

// content is everything the two APIs answer from: one state of the folder, never changed.
type content struct {
	site       *agency.Site
	categories map[string]agency.Category // by name
	options    *options
	slides     []agency.Slide
	roster     []agency.Talent          // in the order of the boards
	listed     []*agency.Talent         // the roster as lists have it: without galleries
	byID       map[string]int           // places in the roster
	blog       map[string][]agency.Post // by type, newest first
	pages      map[page]agency.Entity

	// The last good versions, for files that now have faults, by file.
	talents map[string]agency.Talent
	posts   map[string]agency.Post
	sizes   map[string]size // of all pictures, by file
}

// page names one page in one language.
type page struct{ name, lang string }

// loader reads one state of the folder.
type loader struct {
	folder   fs.FS
	tree     tree
	now      time.Time
	minors   agency.MinorCategories
	previous *content // the state before, for what has faults now; empty at first
	next     *content
	sizes    func() map[string]size // waits until they are read
	read     map[string]bool        // files that some part of the loader reads
	faults   []Fault
}

// load reads the folder. For a file with faults the content of last is used; a file that last lacks is left out. last
// may be nil.
func load(folder fs.FS, tree tree, last *content, config Config) (*content, []Fault) {
	if last == nil {
		last = &content{options: &options{}}
	}
	l := &loader{
		folder: folder, tree: tree, now: config.Now(), minors: config.MinorCategories,
		previous: last, read: map[string]bool{},
		next: &content{
			byID: map[string]int{}, blog: map[string][]agency.Post{}, pages: map[page]agency.Entity{},
			talents: map[string]agency.Talent{}, posts: map[string]agency.Post{},
		},
	}
	l.sizes = sync.OnceValue(func() map[string]size { return readSizes(folder, tree, last.sizes) })
	go l.sizes() // while this goroutine reads the texts
	l.loadSite()
	awaitOptions := l.beginOptions() // the longest file
	l.loadCategories()
	l.loadSlides()
	l.loadPosts()
	l.loadPages()
	awaitOptions()
	l.loadTalents()
	l.reportIgnored()
	l.next.sizes = l.sizes()
	return l.next, sortFaults(l.faults)
}

// text reads a file that an editor wrote, with line endings of any system.
func (l *loader) text(s *contentFile) []byte {
	text, err := fs.ReadFile(l.folder, s.file)
	if err != nil {
		s.fault(0, "the file can't be read")
		return nil
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	text = bytes.ReplaceAll(text, []byte("\r"), []byte("\n"))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(text, '\n')
	}
	s.lines = bytes.Count(text, []byte("\n"))
	return text
}

// open starts reading a file; it returns false if the folder has none.
func (l *loader) open(file string) (*contentFile, bool) {
	l.read[file] = true
	return &contentFile{file: file}, l.tree.has(file)
}

// loadFile reads a file at the top of the folder, whose content it passes to read. It reports whether the file can be
// used.
func (l *loader) loadFile(file string, read func(*contentFile, *yaml.Node)) bool {
	return l.beginFile(file, read)()
}

// beginFile is loadFile in the background; await waits for it.
func (l *loader) beginFile(file string, read func(*contentFile, *yaml.Node)) (await func() bool) {
	s, ok := l.open(file)
	parse := sync.OnceFunc(func() {
		if !ok {
			s.fault(0, "the file is missing")
		} else if node := s.parse(l.text(s)); node != nil {
			read(s, node)
		} else if !s.invalid {
			s.fault(0, "the file is empty")
		}
	})
	go parse()
	return func() bool {
		parse()
		l.faults = append(l.faults, s.faults...)
		return !s.invalid
	}
}

// fixedCategories are the names of categories whose ids the site relies on.
var fixedCategories = func() map[string]agency.CategoryID {
	fixed := map[string]agency.CategoryID{}
	for _, group := range agency.Groups() {
		for _, name := range group.Names {
			if group.ID != 0 {
				fixed[name] = group.ID
			}
		}
	}
	return fixed
}()

func (l *loader) loadCategories() {
	categories := map[string]agency.Category{}
	taken := map[int]string{}
	ok := l.loadFile("categories.yaml", func(s *contentFile, node *yaml.Node) {
		s.list("categories.yaml", func(item *yaml.Node) {
			var id located[int]
			var name located[string]
			s.mapping(item, "a category", fields{
				"id": s.integer("id", &id), "name": s.text("name", &name),
			}, "id", "name")
			if !id.isSet() || !name.isSet() {
				return
			}
			if other, ok := taken[id.value]; ok {
				s.fault(id.line, "id %d is taken by %s", id.value, other)
			}
			if _, ok := categories[name.value]; ok {
				s.fault(name.line, "there is a second category %s", name.value)
			}
			if fixed, ok := fixedCategories[name.value]; ok && int(fixed) != id.value {
				s.fault(id.line, "the id of %s must be %d", name.value, fixed)
			}
			taken[id.value] = name.value
			categories[name.value] = agency.Category{ID: agency.CategoryID(id.value), Name: name.value}
		})(node)
	})
	if !ok && l.previous.categories != nil {
		categories = l.previous.categories
	}
	l.next.categories = categories
}

func (l *loader) loadSlides() {
	var slides []agency.Slide
	ok := l.loadFile("slides.yaml", func(s *contentFile, node *yaml.Node) {
		s.list("slides.yaml", func(item *yaml.Node) {
			var mobile, desktop, description located[string]
			s.mapping(item, "a slide", fields{
				"mobile": s.text("mobile", &mobile), "desktop": s.text("desktop", &desktop),
				"description": s.code("description", &description),
			}, "mobile", "desktop", "description")
			if description.isSet() && description.value != "1" && description.value != "2" {
				s.fault(description.line, `description must be "1" or "2", the number of the carousel`)
			}
			slides = append(slides, agency.Slide{
				Mobile:  l.optionalPicture(s, "", mobile),
				Desktop: l.optionalPicture(s, "", desktop),
				Group:   leadingNumber(description.value),
			})
		})(node)
	})
	if !ok {
		slides = l.previous.slides
	}
	l.next.slides = slides
}

// slug matches what may be a part of an address.
var slug = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// reportIgnored reports files that look like content but are not read.
func (l *loader) reportIgnored() {
	for file := range maps.Keys(l.tree.files) {
		if isContentFile(file) && !l.read[file] && path.Base(file) != "README.md" {
			l.faults = append(l.faults, Fault{
				File: file, Text: "this file is ignored: its name or folder is not part of the format",
			})
		}
	}
}
