package embedded

import (
	"fmt"
	"maps"
	"net/mail"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v4"
	"golang.org/x/text/language"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/official"
	"zedcard/internal/routes"
)

// demoSite is the demo agency's, which a folder without agency.yaml has, too.
var demoSite = sync.OnceValue(func() agency.Site {
	folder := Demo()
	l := &loader{folder: folder, tree: tree{files: map[string]stamp{"agency.yaml": {}}}, read: map[string]bool{}}
	site, _ := l.readAgency(agency.Site{})
	return site
})

// maxBoards is the most boards and parts that a site may have.
const maxBoards = 60

// loadSite reads agency.yaml, boards.yaml and texts/.
func (l *loader) loadSite() {
	last := l.previous.site
	if last == nil {
		last = &agency.Site{}
	}
	site, home := demoSite(), []located[string]{}
	if l.tree.has("agency.yaml") {
		site, home = l.readAgency(*last)
		site.Own = true
	}
	site.Boards = nil
	if l.tree.has("boards.yaml") {
		site.Boards = l.readBoards(site, last.Boards)
	}
	for _, id := range home {
		if at := slices.IndexFunc(site.Boards, func(g agency.Group) bool {
			return g.Screen != "" && g.Labels != nil && string(g.Filter.Board) == id.value
		}); at < 0 {
			l.faults = append(l.faults, Fault{
				File: "agency.yaml", Line: id.line, Text: fmt.Sprintf("home: %q is no board of boards.yaml", id.value),
			})
			continue
		}
		site.Home = append(site.Home, agency.Board(id.value))
	}
	l.next.site = &site
	if l.previous.site != nil && reflect.DeepEqual(site, *l.previous.site) {
		l.next.site = l.previous.site
		return
	}
	site.Use() // talents are read by its boards
}

// readFile reads a file of YAML at the top of the folder; false: it has faults.
func (l *loader) readFile(file string, read func(*contentFile, *yaml.Node)) bool {
	s, _ := l.open(file)
	if node := s.parse(l.text(s)); node != nil {
		read(s, node)
	}
	l.faults = append(l.faults, s.faults...)
	return !s.invalid
}

var hexColour = regexp.MustCompile(`^#[0-9a-f]{6}$`)

// readAgency reads agency.yaml, and the names of the boards on the home page. If the file has faults the last good site
// is kept; without one, what could be read of it.
func (l *loader) readAgency(last agency.Site) (agency.Site, []located[string]) {
	site := agency.Site{Languages: []i18n.Lang{i18n.EN, i18n.PT, i18n.ES}}
	var name, phone, address, bookings, accounting, country, phones, units, blogLang located[string]
	var minimum located[int]
	var tags, home, contacts []located[string]
	poweredBy := agency.SocialMedia{}
	ok := l.readFile("agency.yaml", func(s *contentFile, node *yaml.Node) {
		brand := map[string]*located[string]{}
		brandFields := fields{}
		for _, key := range []string{"ink", "paper", "accent", "logo", "icon", "display", "text"} {
			brand[key] = &located[string]{}
			brandFields[key] = s.text(key, brand[key])
		}
		s.mapping(node, "agency.yaml", fields{
			"name": s.code("name", &name), "phone": s.code("phone", &phone), "address": s.text("address", &address),
			"mail": func(node *yaml.Node) {
				s.mapping(node, "mail", fields{
					"bookings": s.text("bookings", &bookings), "accounting": s.text("accounting", &accounting),
				})
			},
			"languages": s.texts("languages", &tags),
			"social": s.list("social", func(item *yaml.Node) {
				site.Social = append(site.Social, s.profile("a profile", item))
			}),
			"powered_by": func(node *yaml.Node) { poweredBy = s.profile("powered_by", node) },
			"apply": func(node *yaml.Node) {
				s.mapping(node, "apply", fields{
					"minimum_age": s.integer("minimum_age", &minimum), "phones": s.text("phones", &phones),
					"country": s.code("country", &country),
				})
			},
			"units": s.text("units", &units),
			"blog": func(node *yaml.Node) {
				s.mapping(node, "blog", fields{
					"language": s.code("language", &blogLang),
					"types":    func(node *yaml.Node) { site.BlogTypes = s.blogTypes(node) },
				})
			},
			"home": s.texts("home", &home), "official": s.texts("official", &contacts),
			"brand": func(node *yaml.Node) { s.mapping(node, "brand", brandFields) },
		}, "name")
		for _, address := range []located[string]{bookings, accounting} {
			parsed, err := mail.ParseAddress(address.value)
			if address.isSet() && (err != nil || parsed.Address != address.value) {
				s.fault(address.line, "%q is no mail address, such as bookings@example.com", address.value)
			}
		}
		if len(tags) > 0 {
			site.Languages = l.languages(s, tags)
		}
		site.BlogLang = site.Languages[0]
		if at := slices.Index(site.Languages, i18n.Lang(blogLang.value)); at >= 0 {
			site.BlogLang = site.Languages[at]
		} else if blogLang.isSet() {
			s.fault(blogLang.line, "language %q is not one of the site's languages", blogLang.value)
		}
		s.oneOf("units", units, "metric", "both")
		s.oneOf("phones", phones, "mask", "international")
		if _, err := language.ParseRegion(country.value); country.isSet() && (err != nil || len(country.value) != 2) {
			s.fault(country.line, "country must be two letters, such as PT, not %q", country.value)
		}
		if minimum.value > 99 {
			s.fault(minimum.line, "minimum_age must be a number of years from 1 to 99")
		}
		if len(home) > 2 {
			s.fault(home[2].line, "the home page has two halves at most")
		}
		for _, contact := range contacts {
			if _, err := official.Parse([]string{contact.value}); err != nil {
				s.fault(contact.line, "official: write %v", err)
			}
			site.Official = append(site.Official, contact.value)
		}
		site.Brand = l.brand(s, brand)
	})
	if !ok && last.Name != "" {
		return last, nil
	}
	site.Name, site.Phone, site.Address = name.value, phone.value, address.value
	site.Bookings, site.Accounting, site.PoweredBy = bookings.value, accounting.value, poweredBy
	site.MinimumAge, site.Country = minimum.value, strings.ToUpper(country.value)
	site.International = phones.value == "international" || country.isSet() && !phones.isSet()
	site.Metric = units.value == "metric"
	if site.BlogTypes == nil {
		site.BlogTypes = []agency.BlogType{{ID: "news"}, {ID: "editorial"}}
	}
	return site, home
}

func (s *contentFile) oneOf(name string, value located[string], accepted ...string) {
	if value.isSet() && !slices.Contains(accepted, value.value) {
		s.fault(value.line, "%s must be %s, not %q", name, strings.Join(accepted, " or "), value.value)
	}
}

// profile reads a name with an address.
func (s *contentFile) profile(what string, node *yaml.Node) agency.SocialMedia {
	var name, url located[string]
	s.mapping(node, what, fields{"name": s.text("name", &name), "url": s.text("url", &url)}, "name", "url")
	if url.isSet() && !strings.HasPrefix(url.value, "https://") {
		s.fault(url.line, "url must begin with https://")
	}
	return agency.SocialMedia{Name: name.value, URL: url.value}
}

// languages reads the tags of the site's languages: those that the program brings, regional ones of them, and those
// with a file of texts.
func (l *loader) languages(s *contentFile, tags []located[string]) []i18n.Lang {
	var all []i18n.Lang
	bases := map[i18n.Lang]string{}
	for _, tag := range tags {
		parsed, err := language.Parse(tag.value)
		lang := i18n.Lang(parsed.String())
		switch {
		case err != nil:
			s.fault(tag.line, "languages: %q is no tag of a language, such as pt-PT", tag.value)
		case bases[lang.Base()] != "":
			s.fault(tag.line, "languages: %s and %s would have the same addresses", bases[lang.Base()], lang)
		case !slices.Contains(i18n.Provided(), lang.Base()) && !l.tree.has(textsFile(lang)):
			s.fault(tag.line, "languages: %s needs %s; `zedcard texts %[1]s` writes it", lang, textsFile(lang))
		default:
			all = append(all, lang)
			bases[lang.Base()] = string(lang)
		}
	}
	if len(all) == 0 {
		return []i18n.Lang{i18n.EN}
	}
	return all
}

func textsFile(lang i18n.Lang) string { return "texts/" + string(lang) + ".yaml" }

// blogTypes reads the sections of the blog with their names, which may be left out.
func (s *contentFile) blogTypes(node *yaml.Node) []agency.BlogType {
	var types []agency.BlogType
	if node.Kind != yaml.MappingNode {
		s.wrongType(node, "types", "a group of fields")
		return nil
	}
	for i := 0; i < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		found := agency.BlogType{ID: key.Value}
		if !slug.MatchString(key.Value) {
			s.fault(key.Line, "the name of a type may hold a to z, 0 to 9 and single hyphens: it stands in the address")
		}
		if !isBlank(value) {
			found.Names = s.labels("the names of "+key.Value, value)
		}
		types = append(types, found)
	}
	return types
}

// labels reads a name in several languages.
func (s *contentFile) labels(name string, node *yaml.Node) map[i18n.Lang]string {
	labels := map[i18n.Lang]string{}
	if node.Kind != yaml.MappingNode {
		s.wrongType(node, name, "a group of fields, a language each")
		return labels
	}
	for i := 0; i < len(node.Content); i += 2 {
		key := node.Content[i]
		var label located[string]
		s.code(key.Value, &label)(node.Content[i+1])
		parsed, err := language.Parse(key.Value)
		if err != nil {
			s.fault(key.Line, "%q is no tag of a language, such as pt-PT", key.Value)
		}
		labels[i18n.Lang(parsed.String())] = label.value
	}
	return labels
}

// brand checks the colours and files of a brand.
func (l *loader) brand(s *contentFile, b map[string]*located[string]) agency.Brand {
	for _, key := range []string{"ink", "paper", "accent"} {
		b[key].value = strings.ToLower(b[key].value)
		if b[key].isSet() && !hexColour.MatchString(b[key].value) {
			s.fault(b[key].line, "%s must be a colour such as \"#102a43\", not %q", key, b[key].value)
		}
	}
	for key, endings := range map[string][]string{
		"logo": {""}, "icon": {""}, "display": {".woff2", ".ttf"}, "text": {".woff2", ".ttf"},
	} {
		for _, ending := range endings {
			if file := path.Clean(b[key].value + ending); b[key].isSet() && !l.tree.has(file) {
				s.fault(b[key].line, "%s: there is no %s", key, file)
			}
		}
	}
	return agency.Brand{
		Ink: b["ink"].value, Paper: b["paper"].value, Accent: b["accent"].value, Logo: b["logo"].value,
		Icon: b["icon"].value, Display: b["display"].value, Text: b["text"].value,
	}
}

// readBoards reads boards.yaml. If the file has faults the last good boards are kept; without them, what could be read.
func (l *loader) readBoards(site agency.Site, last []agency.Group) []agency.Group {
	var boards []agency.Group
	ok := l.readFile("boards.yaml", func(s *contentFile, node *yaml.Node) {
		taken := map[string]string{} // by address: the board
		s.list("boards.yaml", func(item *yaml.Node) {
			if board, ok := l.board(s, item, site, boards, taken); ok {
				boards = append(boards, board)
			}
		})(node)
		if len(boards) > maxBoards {
			s.fault(node.Line, "there are %d boards; %d are the most", len(boards), maxBoards)
		}
	})
	if !ok && last != nil {
		return last
	}
	boards = boards[:min(len(boards), maxBoards)]
	place := map[agency.Board]int{}
	for _, board := range boards {
		if _, ok := place[board.Filter.Board]; !ok {
			place[board.Filter.Board] = len(place)
		}
	}
	slices.SortStableFunc(boards, func(a, b agency.Group) int { // a board's parts stand behind it
		return place[a.Filter.Board] - place[b.Filter.Board]
	})
	return agency.OwnGroups(boards)
}

// board reads one board.
func (l *loader) board(
	s *contentFile, item *yaml.Node, site agency.Site, before []agency.Group, taken map[string]string,
) (agency.Group, bool) {
	var id, gender, partOf, kind, category located[string]
	var minors bool
	var labels, own map[i18n.Lang]string
	var addresses *yaml.Node
	s.mapping(item, "a board", fields{
		"id": s.text("id", &id), "gender": s.text("gender", &gender), "part_of": s.text("part_of", &partOf),
		"kind": s.text("kind", &kind), "category": s.code("category", &category),
		"names":  func(node *yaml.Node) { labels = s.labels("names", node) },
		"path":   func(node *yaml.Node) { own, addresses = s.labels("path", node), node },
		"minors": func(node *yaml.Node) { minors = s.boolean("minors", node) },
	}, "id", "names")
	s.oneOf("gender", gender, string(agency.Woman), string(agency.Man))
	s.oneOf("kind", kind, "creative", "models")
	if !id.isSet() || len(labels) == 0 {
		return agency.Group{}, false
	}
	if !slug.MatchString(id.value) {
		s.fault(id.line, "the id of a board may hold a to z, 0 to 9 and single hyphens: it stands in the address")
	}
	if _, twice := agency.BoardNamed(before, id.value); twice {
		s.fault(id.line, "there is a second board %s", id.value)
	}
	board := agency.NewBoard(id.value, agency.Board(partOf.value), labels, category.value)
	board.Only, board.Creative, board.Minors = agency.Gender(gender.value), kind.value == "creative", minors
	for _, name := range board.Names {
		board.Minors = board.Minors || l.minors.Contains(agency.Category{ID: board.ID, Name: name})
	}
	if partOf.isSet() {
		at := slices.IndexFunc(before, func(g agency.Group) bool { return g.Screen == partOf.value })
		if at < 0 {
			s.fault(partOf.line, "part_of: %q is no board above this one", partOf.value)
			return board, false
		}
		board.Creative = board.Creative || before[at].Creative
		board.Minors = board.Minors || before[at].Minors
	} else {
		board.Paths = map[i18n.Lang]string{}
		for _, lang := range site.Languages {
			segment := id.value
			if path := strings.Trim(own[lang], "/"); path != "" {
				segment = path
			}
			if !slug.MatchString(segment) {
				s.fault(addresses.Line, "path: %q may hold a to z, 0 to 9 and single hyphens", segment)
			}
			address := lang.Prefix() + "/" + segment
			if other, ok := taken[string(lang)+address]; ok {
				s.fault(id.line, "the address %s is taken by %s", address, other)
			} else if routes.IsTaken(segment, site.Languages) {
				s.fault(id.line, "the address %s is one of the site's own pages", address)
			}
			taken[string(lang)+address], board.Paths[lang] = id.value, "/"+segment
		}
	}
	if board.Creative {
		board.Job = "profile.job.creative"
	}
	for lang := range maps.Keys(labels) {
		if !slices.Contains(site.Languages, lang) {
			s.warn(id.line, "%s has a name in %s, which is not one of the site's languages", id.value, lang)
		}
	}
	return board, true
}

// boolean reads true or false.
func (s *contentFile) boolean(name string, node *yaml.Node) bool {
	var value bool
	if node.Kind != yaml.ScalarNode || node.ShortTag() != "!!bool" || node.Load(&value) != nil {
		s.wrongType(node, name, "true or false")
	}
	return value
}

// Site is what the agency decides about its site, as the folder is now. It must not be changed.
func (b *Backend) Site() *agency.Site { return b.current().site }
