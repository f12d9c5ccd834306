package embedded

import (
	"bytes"
	"cmp"
	"io/fs"
	"maps"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/language"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/brand"
	"zedcard/internal/official"
	"zedcard/internal/routes"
	"zedcard/internal/site"
	"zedcard/internal/textfile"
)

func (l *loader) loadSite() {
	last := l.good.Site
	if last == nil {
		last = &agency.Site{}
	}
	decided, home := nobodys, []textfile.Fault(nil)
	if l.tree.has("agency.yaml") {
		decided, home = l.readAgency(*last)
	} else if !slices.Contains(l.good.Needed, "agency.yaml") { // else the guard says so
		missing := goneFault("agency.yaml", l.tree)
		if missing.Key == "fault.gone" {
			missing.Key = "fault.agency-missing"
		}
		l.faults = append(l.faults, missing)
	}
	decided.Overrides = l.readTexts(decided.Languages, last.Overrides)
	l.minors = l.config.MinorCategories.With(decided.Overrides)
	decided.Boards = nil
	if l.tree.has("boards.yaml") {
		decided.Boards = l.readBoards(decided, last.Boards)
	}
	for _, named := range home {
		id := named.Args[1]
		isNamed := func(g *agency.Group) bool { return g.Labels != nil && g.Screen == id }
		if slices.ContainsFunc(decided.Boards, isNamed) {
			decided.Home = append(decided.Home, agency.Board(id))
		} else if len(decided.Boards) != 1 && !l.unsure { // else boards.yaml has its fault
			l.faults = append(l.faults, named)
		}
	}
	l.next.Site = &decided
	if l.good.Site != nil && reflect.DeepEqual(decided, *l.good.Site) {
		l.next.Site = l.good.Site
	}
	if l.next.site = l.before; l.next.Site != l.good.Site || l.before == nil {
		l.next.site = site.New(l.config.Settings(*l.next.Site))
	}
}

// nobodys is a site that has no agency.yaml yet.
var nobodys = agency.Site{
	Languages: []i18n.Lang{i18n.EN, i18n.PT, i18n.ES}, BlogLang: i18n.EN, BlogTypes: blogTypes(nil, nil),
}

type agencyFields struct {
	Name    textfile.Code `yaml:"name" validate:"required"`
	Phone   textfile.Code `yaml:"phone"`
	Address string        `yaml:"address"`
	Mail    struct {
		Bookings   string `yaml:"bookings"   validate:"omitempty,email"`
		Accounting string `yaml:"accounting" validate:"omitempty,email"`
	} `yaml:"mail"`
	Languages []textfile.Code `yaml:"languages"`
	Social    []profileFields `yaml:"social" validate:"dive"`
	PoweredBy *profileFields  `yaml:"powered_by"`
	Apply     struct {
		MinimumAge int           `yaml:"minimum_age" validate:"max=99"`
		Phones     string        `yaml:"phones"      validate:"omitempty,oneof=mask international"`
		Country    textfile.Code `yaml:"country"`
	} `yaml:"apply"`
	Units string `yaml:"units" validate:"omitempty,oneof=metric both"`
	Blog  struct {
		Language textfile.Code                       `yaml:"language"`
		Types    map[string]map[string]textfile.Code `yaml:"types"`
	} `yaml:"blog"`
	Home     []string    `yaml:"home"`
	Official []string    `yaml:"official"`
	Brand    brandFields `yaml:"brand"`
}

type profileFields struct {
	Name string `yaml:"name" validate:"required"`
	URL  string `yaml:"url"  validate:"required,startswith=https://"`
}

type brandFields struct {
	Ink     string `yaml:"ink"`
	Paper   string `yaml:"paper"`
	Accent  string `yaml:"accent"`
	Logo    string `yaml:"logo"`
	Icon    string `yaml:"icon"`
	Display string `yaml:"display"`
	Text    string `yaml:"text"`
}

// readAgency reads agency.yaml, and the boards on the home page, each as the fault that it is if there is no such
// board. If the file has faults the last good site is kept; without one, what could be read of it.
func (l *loader) readAgency(last agency.Site) (agency.Site, []textfile.Fault) {
	var a agencyFields
	f := l.open("agency.yaml")
	if at := bareColour.FindSubmatchIndex(f.Text); at != nil {
		f.Fault(1+bytes.Count(f.Text[:at[2]], []byte("\n")), "fault.colour-quotes",
			"field", string(f.Text[at[2]:at[3]]), "value", string(f.Text[at[4]:at[5]]))
	}
	f.Decode(&a)
	languages := l.languages(f, a.Languages)
	site := agency.Site{
		Name: string(a.Name), Phone: string(a.Phone), Address: a.Address,
		Bookings: a.Mail.Bookings, Accounting: a.Mail.Accounting,
		Languages:  languages,
		MinimumAge: a.Apply.MinimumAge, Country: strings.ToUpper(string(a.Apply.Country)),
		Phones: a.Apply.Phones, Metric: a.Units == "metric", Official: a.Official,
		Brand: l.brand(f, a.Brand, languages, last),
	}
	if site.Phones == "" && site.Country != "" {
		site.Phones = "international"
	}
	for _, profile := range a.Social {
		site.Social = append(site.Social, agency.SocialMedia(profile))
	}
	if a.PoweredBy != nil {
		site.PoweredBy = agency.SocialMedia(*a.PoweredBy)
	}
	if site.Phone != "" && !strings.HasPrefix(strings.TrimSpace(site.Phone), "+") {
		f.Remark(f.Line("phone"), "fault.phone", "value", site.Phone)
	}
	site.BlogLang = site.Languages[0]
	if at := slices.Index(site.Languages, i18n.Lang(a.Blog.Language)); at >= 0 {
		site.BlogLang = site.Languages[at]
	} else if a.Blog.Language != "" && len(a.Languages) == len(languages) {
		f.Fault(f.Line("blog.language"), "fault.language-other", "value", string(a.Blog.Language))
	}
	site.BlogTypes = blogTypes(f, a.Blog.Types)
	if _, err := language.ParseRegion(site.Country); site.Country != "" && (err != nil || len(site.Country) != 2) {
		f.Fault(f.Line("apply.country"), "fault.country", "value", site.Country)
	}
	var home []textfile.Fault
	for i, id := range a.Home {
		line := f.Line(item("home", i))
		if i == 2 {
			f.Fault(line, "fault.home-halves")
		}
		home = append(home, textfile.Fault{
			File: f.Name, Line: line, Key: "fault.home-board", Args: []string{"board", id},
		})
	}
	for i, contact := range a.Official {
		if _, err := official.Parse([]string{contact}); err != nil {
			f.Fault(f.Line(item("official", i)), "fault.official", "error", err.Error())
		}
	}
	if !l.finish(f) {
		if l.unsure = true; last.Name != "" {
			return last, nil
		}
	}
	return site, home
}

// languages reads the tags of the site's languages: those that the program brings, regional ones of them, and those
// with a file of texts.
func (l *loader) languages(f *textfile.File, tags []textfile.Code) []i18n.Lang {
	var all []i18n.Lang
	for i, tag := range tags {
		line := f.Line(item("languages", i))
		parsed, err := language.Parse(string(tag))
		lang := i18n.Lang(parsed.String())
		same := slices.IndexFunc(all, func(other i18n.Lang) bool { return other.Base() == lang.Base() })
		switch {
		case err != nil:
			f.Fault(line, "fault.tag", "value", string(tag))
		case same >= 0:
			f.Fault(line, "fault.languages-same", "value", string(lang), "other", string(all[same]))
		case !slices.Contains(i18n.Provided(), lang.Base()) && !l.tree.has(textsFile(lang)):
			f.Fault(line, "fault.language-texts", "lang", string(lang), "file", textsFile(lang))
		default:
			all = append(all, lang)
		}
	}
	switch {
	case len(tags) == 0:
		return []i18n.Lang{i18n.EN, i18n.PT, i18n.ES}
	case len(all) == 0:
		return []i18n.Lang{i18n.EN}
	}
	return all
}

// readTexts reads the site's own texts. A text with a fault is left out, and its last good version stays.
func (l *loader) readTexts(langs []i18n.Lang, last i18n.Overrides) i18n.Overrides {
	all := i18n.Overrides{}
	for _, lang := range langs {
		for _, of := range slices.Compact([]i18n.Lang{lang.Base(), lang}) {
			if f := l.open(textsFile(of)); f != nil && l.texts[of] == nil {
				l.texts[of] = readTexts(f, of, last[of])
				l.finish(f)
			}
			if own := l.texts[of]; own != nil {
				all[of] = own
			}
		}
	}
	return all
}

func readTexts(f *textfile.File, lang i18n.Lang, last map[string]i18n.Override) map[string]i18n.Override {
	var texts map[string]textfile.Code
	f.Decode(&texts)
	own := map[string]i18n.Override{}
	for _, key := range f.Keys("") {
		text, line := string(texts[key]), f.Line("["+key+"]")
		wanted, found, known := lang.Placeholders(key, text)
		if old, ok := last[key]; ok {
			own[key] = old
		}
		switch {
		case !known:
			f.Warn(line, "fault.text-unknown", "key", key)
		case text == "" && key == MinorsKey: // has its own fault
		case text == "":
			f.Warn(line, "fault.text-empty", "key", key)
		case key == alphabetKey && !isAlphabet(text):
			f.Warn(line, "fault.alphabet")
		case !slices.Equal(found, wanted):
			f.Warn(line, "fault.text-placeholders", "key", key, "names", "{"+strings.Join(wanted, "}, {")+"}")
		default:
			own[key] = i18n.Override{Text: text, Place: f.Name + ":" + strconv.Itoa(line)}
		}
	}
	switch {
	case f.Invalid && last != nil:
		return last
	case !f.Invalid && !slices.Contains(i18n.Provided(), lang.Base()): // a language that only this file brings
		checkMissing(f, lang, texts)
	}
	return own
}

// MinorsKey is the key of the words for minors, without which children's boards are not known as such.
const MinorsKey = "minors.words"

// checkMissing names the texts that a language lacks, many in one line, but each plural form of a text that it has.
func checkMissing(f *textfile.File, lang i18n.Lang, texts map[string]textfile.Code) {
	forms := strings.Join(slices.Sorted(maps.Keys(lang.Plurals())), ", ")
	var missing []string
	for _, key := range lang.Wanted() {
		if _, ok := texts[key]; ok || key == MinorsKey || i18n.MayLack(key) {
			continue
		}
		if line := lineOfForm(f, key); line > 0 {
			f.Warn(line, "fault.text-plural", "key", key, "lang", string(lang), "forms", forms)
		} else {
			missing = append(missing, key)
		}
	}
	english, _ := i18n.EN.Original(MinorsKey)
	if words := string(texts[MinorsKey]); words == "" || words == english {
		f.Warn(max(f.Line("["+MinorsKey+"]"), 1), "fault.minors-words")
	}
	if len(missing) > 0 {
		f.Warn(1, "fault.texts-missing", "n", strconv.Itoa(len(missing)), "keys",
			strings.Join(missing[:min(len(missing), 3)], ", "), "lang", string(lang))
	}
}

// lineOfForm is the line of another plural form of a text, 0 for none.
func lineOfForm(f *textfile.File, key string) (line int) {
	text, form := i18n.Counted(key)
	for _, other := range f.Keys("") {
		if counted, its := i18n.Counted(other); form != "" && its != "" && counted == text {
			line = f.Line("[" + other + "]")
		}
	}
	return line
}

// alphabetKey is the key of the letters that a language lists names under.
const alphabetKey = "letters.alphabet"

// isAlphabet reports whether a text is letters with blanks between them, each once.
func isAlphabet(text string) bool {
	letters := strings.Fields(strings.ToUpper(text))
	for i, letter := range letters {
		isOther := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }
		if len([]rune(letter)) > 3 || strings.ContainsFunc(letter, isOther) || slices.Contains(letters[:i], letter) {
			return false
		}
	}
	return len(letters) > 1 && len(letters) < 100
}

func textsFile(lang i18n.Lang) string { return "texts/" + string(lang) + ".yaml" }

func blogTypes(f *textfile.File, names map[string]map[string]textfile.Code) []agency.BlogType {
	if len(names) == 0 {
		return []agency.BlogType{{ID: "news"}, {ID: "editorial"}}
	}
	var types []agency.BlogType
	for _, id := range f.Keys("blog.types") {
		at := "blog.types[" + id + "]"
		if !slug.MatchString(id) {
			f.Fault(f.Line(at), "fault.blog-type")
		}
		types = append(types, agency.BlogType{ID: id, Names: labels(f, at, names[id])})
	}
	return types
}

// labels is a name in several languages.
func labels(f *textfile.File, at string, names map[string]textfile.Code) map[i18n.Lang]string {
	if names == nil {
		return nil
	}
	all := map[i18n.Lang]string{}
	for tag, name := range names {
		parsed, err := language.Parse(tag)
		if err != nil {
			f.Fault(f.Line(at+"["+tag+"]"), "fault.tag", "value", tag)
		}
		if lost := lostComma.FindStringSubmatch(string(name)); lost != nil {
			f.Fault(f.Line(at+"["+tag+"]"), "fault.comma", "tag", lost[1])
		}
		all[i18n.Lang(parsed.String())] = string(name)
	}
	return all
}

// lostComma finds the tag of the next language in a name: the comma between them is missing.
var lostComma = regexp.MustCompile(`\s([a-z]{2,3}(?:-[A-Za-z]{2,4})?):\s`)

// bareColour finds a colour without quotes, which YAML takes for a comment.
var bareColour = regexp.MustCompile(`(?m)^[^#\n]*?\b(ink|paper|accent): *(#[0-9a-fA-F]{3,8})\b`)

var hexColour = regexp.MustCompile(`^#[0-9a-f]{6}$`)

// maxBrandFile is the size of the largest file of a brand, in bytes.
const maxBrandFile = 1 << 20

// brand reads the colours and files of a brand. A file with a fault is not taken: its last good version stays.
func (l *loader) brand(f *textfile.File, b brandFields, langs []i18n.Lang, before agency.Site) *agency.Brand {
	last := before.Brand
	if last == nil {
		last = &agency.Brand{}
	}
	for field, colour := range map[string]*string{"ink": &b.Ink, "paper": &b.Paper, "accent": &b.Accent} {
		*colour = strings.ToLower(*colour)
		if *colour != "" && !hexColour.MatchString(*colour) {
			f.Fault(f.Line("brand."+field), "fault.colour", "field", field, "value", *colour)
			*colour = ""
		}
	}
	made := &agency.Brand{Ink: b.Ink, Paper: b.Paper, Accent: b.Accent}
	for _, wrong := range brand.Check(made) {
		f.Fault(cmp.Or(f.Line("brand."+wrong.Field), f.Line("brand.paper")), "fault.contrast", "field", wrong.Field,
			"value", wrong.Value, "ratio", strconv.FormatFloat(min(wrong.Ratio, 4.44), 'f', 1, 64),
			"better", wrong.Better)
		made.Ink, made.Paper, made.Accent = last.Ink, last.Paper, last.Accent
	}
	made.Logo = l.brandFile(f, "logo", b.Logo, "", last.Logo, checkSVG)
	made.Icon = l.brandFile(f, "icon", b.Icon, "", last.Icon, checkSVG)
	made.LogoPNG = l.brandPNG(f, "logo", b.Logo, "fault.no-logo-png", last.LogoPNG, func(f *textfile.File) {
		if _, err := brand.ReadPNG(f.Text); err != nil {
			f.Fault(0, "fault.logo-png")
		}
	})
	made.IconPNG = l.brandPNG(f, "icon", b.Icon, "fault.no-icon-png", last.IconPNG, func(f *textfile.File) {
		if brand.CheckIcon(f.Text) != nil {
			f.Fault(0, "fault.icon-png")
		}
	})
	letters := lettersOf(i18n.New(langs, l.readTexts(langs, before.Overrides)))
	for _, face := range []struct {
		field, name string
		last        agency.Typeface
		into        *agency.Typeface
	}{{"display", b.Display, last.Display, &made.Display}, {"text", b.Text, last.Text, &made.Text}} {
		face.name = strings.TrimSuffix(strings.TrimSuffix(face.name, ".ttf"), ".woff2")
		if otf := strings.TrimSuffix(face.name, ".otf") + ".otf"; face.name != "" && l.tree.has(otf) &&
			!l.tree.has(face.name+".ttf") {
			f.Fault(f.Line("brand."+face.field), "fault.typeface-otf", "file", otf)
			*face.into = face.last
			continue
		}
		face.into.WOFF2 = l.brandFile(f, face.field, face.name, ".woff2", face.last.WOFF2, checkWOFF2)
		face.into.TTF = l.brandFile(f, face.field, face.name, ".ttf", face.last.TTF, func(f *textfile.File) {
			checkTTF(f, letters)
		})
	}
	return made
}

// brandFile reads a file of a brand, which check finds faults in.
func (l *loader) brandFile(
	f *textfile.File, field, name, ending string, last []byte, check func(*textfile.File),
) []byte {
	if name == "" {
		return nil
	}
	name = path.Clean(name) + ending
	var data []byte
	err := fs.ErrNotExist
	if l.tree.has(name) {
		data, err = fs.ReadFile(l.folder, name)
	}
	if err != nil {
		f.Fault(f.Line("brand."+field), "fault.brand-file", "field", field, "file", name)
		return last
	}
	file := &textfile.File{Name: name, Text: data}
	if ending == "" {
		file = textfile.Parse(name, data)
	}
	if len(data) > maxBrandFile {
		file.Fault(0, "fault.public-large")
	} else {
		check(file)
	}
	if !l.finish(file) {
		return last
	}
	return file.Text
}

// brandPNG reads the PNG beside an SVG, for what shows no SVG. Without one there is a remark.
func (l *loader) brandPNG(
	f *textfile.File, field, svg, missing string, last []byte, check func(*textfile.File),
) []byte {
	if svg == "" {
		return nil
	}
	name := strings.TrimSuffix(path.Clean(svg), ".svg")
	if !l.tree.has(name + ".png") {
		f.Remark(f.Line("brand."+field), missing, "file", name+".png")
		return nil
	}
	return l.brandFile(f, field, name, ".png", last, check)
}

func checkSVG(f *textfile.File) {
	if what, line := brand.CheckSVG(f.Text); what != "" {
		f.Fault(line, "fault.svg", "what", what)
	}
}

func checkWOFF2(f *textfile.File) {
	if !bytes.HasPrefix(f.Text, []byte("wOF2")) {
		f.Fault(0, "fault.typeface", "format", "WOFF2")
	}
}

// checkTTF also names the letters that cards, and most likely pages, would show in another typeface.
func checkTTF(f *textfile.File, letters []rune) {
	missing, err := brand.CheckTypeface(f.Text, letters)
	if err != nil {
		f.Fault(0, "fault.typeface", "format", "TrueType")
	} else if missing != "" {
		f.Warn(0, "fault.typeface-letters", "letters", missing)
	}
}

// lettersOf are the letters that a site's texts are written with.
func lettersOf(said *i18n.Texts) []rune {
	var texts strings.Builder
	for _, lang := range said.Langs() {
		for _, key := range lang.Keys() {
			texts.WriteString(lang.T(key))
		}
	}
	letters := []rune(strings.ToLower(texts.String()) + strings.ToUpper(texts.String()))
	slices.Sort(letters)
	return slices.DeleteFunc(slices.Compact(letters), func(r rune) bool { return !unicode.IsLetter(r) })
}

// boardFields are the values of a board of boards.yaml.
type boardFields struct {
	ID       string                   `yaml:"id"       validate:"required"`
	Names    map[string]textfile.Code `yaml:"names"    validate:"required"`
	Gender   string                   `yaml:"gender"   validate:"omitempty,oneof=woman man"`
	PartOf   string                   `yaml:"part_of"`
	Kind     string                   `yaml:"kind"     validate:"omitempty,oneof=creative models"`
	Category textfile.Code            `yaml:"category"`
	Path     map[string]textfile.Code `yaml:"path"`
	Minors   bool                     `yaml:"minors"`
	Booker   struct {
		Name  string        `yaml:"name"  validate:"required_with=Phone Email"`
		Phone textfile.Code `yaml:"phone"`
		Email string        `yaml:"email" validate:"omitempty,email"`
	} `yaml:"booker"`
}

// readBoards reads boards.yaml. If the file has faults the last good boards are kept; without them, what could be read.
func (l *loader) readBoards(site agency.Site, last []*agency.Group) []*agency.Group {
	var list []boardFields
	f := l.open("boards.yaml")
	f.Decode(&list)
	var boards []*agency.Group
	taken := map[string]string{} // by address: the board
	for i, fields := range list {
		if board, ok := l.board(f, item("", i), fields, site, boards, taken); ok {
			boards = append(boards, board)
		}
	}
	if !l.finish(f) {
		if l.unsure = true; last != nil {
			return last
		}
	}
	place := map[agency.Board]int{}
	for _, board := range boards {
		if _, ok := place[board.Filter.Board]; !ok {
			place[board.Filter.Board] = len(place)
		}
	}
	slices.SortStableFunc(boards, func(a, b *agency.Group) int { // a board's parts stand behind it
		return cmp.Compare(place[a.Filter.Board], place[b.Filter.Board])
	})
	return agency.OwnGroups(boards)
}

// board is one board; at is its path in the file.
func (l *loader) board(
	f *textfile.File, at string, b boardFields, site agency.Site, before []*agency.Group, taken map[string]string,
) (*agency.Group, bool) {
	names, paths := labels(f, at+".names", b.Names), labels(f, at+".path", b.Path)
	if b.ID == "" || len(names) == 0 {
		return nil, false
	}
	line, first := f.Line(at+".id"), site.Languages[0]
	if names[first] == "" && names[first.Base()] == "" {
		f.Fault(line, "fault.board-name", "board", b.ID, "lang", string(first))
	}
	if !slug.MatchString(b.ID) {
		f.Fault(line, "fault.board-id")
	}
	if agency.BoardNamed(before, b.ID) != nil {
		f.Fault(line, "fault.board-twice", "board", b.ID)
	}
	board := agency.NewBoard(b.ID, agency.Board(b.PartOf), names, string(b.Category))
	board.Booker = agency.Booker{Name: b.Booker.Name, Phone: string(b.Booker.Phone), Email: b.Booker.Email}
	board.Only, board.Creative, board.Minors = agency.Gender(b.Gender), b.Kind == "creative", b.Minors
	for _, name := range board.Names {
		board.Minors = board.Minors || l.minors.Contains(agency.Category{ID: board.ID, Name: name})
	}
	if b.PartOf != "" {
		parent := slices.IndexFunc(before, func(g *agency.Group) bool { return g.Screen == b.PartOf })
		if parent < 0 {
			f.Fault(f.Line(at+".part_of"), "fault.board-parent", "board", b.PartOf)
			return board, false
		}
		board.Creative = board.Creative || before[parent].Creative
		board.Minors = board.Minors || before[parent].Minors
	} else {
		board.Paths = map[i18n.Lang]string{}
		for _, lang := range site.Languages {
			segment := cmp.Or(strings.Trim(paths[lang], "/"), b.ID)
			if !slug.MatchString(segment) {
				f.Fault(f.Line(at+".path"), "fault.board-path", "path", segment)
			}
			address := "/" + segment
			if lang != site.Languages[0] {
				address = "/" + string(lang.Base()) + address
			}
			if other, ok := taken[string(lang)+address]; ok {
				f.Fault(line, "fault.address-taken", "address", address, "other", other)
			} else if routes.IsTaken(segment, site.Languages) {
				f.Fault(line, "fault.address-own", "address", address)
			}
			taken[string(lang)+address], board.Paths[lang] = b.ID, "/"+segment
		}
	}
	if board.Creative {
		board.Job = "profile.job.creative"
	}
	return board, true
}

// ReadSite is what the agency decides about its site, read once, with the settings of the program before it.
func ReadSite(folder fs.FS, settings func(agency.Site) agency.Site) *site.Site {
	config := Config{SiteOnly: true, Settings: settings}.withDefaults()
	folder = textfile.Folder(folder)
	files, err := scan(folder)
	if err != nil {
		return site.New(config.Settings(nobodys))
	}
	return load(folder, files, &state{}, config).site
}

// Site is the site as the folder is now. It must not be changed.
func (b *Backend) Site() *site.Site { return b.current().site }
