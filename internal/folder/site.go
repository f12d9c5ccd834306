package folder

import (
	"bytes"
	"cmp"
	"io/fs"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/site"
)

func (l *loader) loadSite() {
	decided, isKnown := nobodys, false
	f := l.open("agency.yaml")
	if f != nil {
		decided, isKnown = good(l, f, l.readAgency)
		if f.Invalid {
			l.unsure = f.Name
		}
	} else {
		l.missing("agency.yaml", "fault.agency-missing")
	}
	decided.Overrides = l.readTexts(decided.Languages)
	l.minors = l.config.MinorCategories.With(decided.Overrides)
	if boards := l.open("boards.yaml"); boards != nil {
		decided.Boards, _ = good(l, boards, func(f *File) []*agency.Group { return l.readBoards(f, decided) })
		if boards.Invalid {
			l.unsure = cmp.Or(l.unsure, boards.Name)
		}
	} else if len(decided.Home) > 0 || goneFault("boards.yaml", l.tree).Key != "fault.gone" {
		l.missing("boards.yaml", "fault.boards-missing")
	}
	if isKnown {
		decided.Home = l.homeBoards(f, decided)
	}
	l.next.decided, l.next.site = &decided, l.last.site
	if l.last.site == nil || !reflect.DeepEqual(decided, *l.last.decided) {
		l.next.site = l.config.site(decided)
	} else {
		l.next.decided = l.last.decided
	}
}

// homeBoards are the halves of the home page. If one is no board, none goes for the slip: they are as they were.
func (l *loader) homeBoards(f *File, site agency.Site) []agency.Board {
	isNone := func(id agency.Board) bool {
		return !slices.ContainsFunc(site.Boards, func(g *agency.Group) bool {
			return g.Labels != nil && g.Screen == string(id)
		})
	}
	if !slices.ContainsFunc(site.Home, isNone) {
		return site.Home
	}
	for i, id := range site.Home {
		if isNone(id) && len(site.Boards) != 1 { // else boards.yaml has its fault
			l.faults = append(l.faults, Fault{
				File: f.Name, Line: f.Line(item("home", i)), Key: "fault.home-board",
				Args: []string{"board", string(id)},
			})
		}
	}
	if last := ReadFile(l.kept, f.Name); !last.Invalid {
		l.good[f.Name], site.Home = last.Text, l.readAgency(last).Home
	}
	return slices.DeleteFunc(site.Home, isNone)
}

// missing notes that a file is not there, from which others would seem to have faults.
func (l *loader) missing(name, key string) {
	l.unsure = cmp.Or(l.unsure, name)
	missing := goneFault(name, l.tree)
	if missing.Key == "fault.gone" {
		missing.Key = key
	} else {
		l.read[missing.Args[1]] = true
	}
	l.faults = append(l.faults, missing)
}

// nobodys is a site that has no agency.yaml yet.
var nobodys = agency.Site{
	Languages: []i18n.Lang{i18n.EN, i18n.PT, i18n.ES}, BlogLang: i18n.EN, BlogTypes: blogTypes(nil, nil, i18n.EN),
}

type agencyFields struct {
	Name    string `yaml:"name" validate:"required"`
	Phone   string `yaml:"phone"`
	Address string `yaml:"address"`
	Mail    struct {
		Bookings   string `yaml:"bookings"   validate:"omitempty,email"`
		Accounting string `yaml:"accounting" validate:"omitempty,email"`
	} `yaml:"mail"`
	Languages []string        `yaml:"languages"`
	Social    []profileFields `yaml:"social" validate:"dive"`
	PoweredBy *profileFields  `yaml:"powered_by"`
	Apply     struct {
		MinimumAge int    `yaml:"minimum_age" validate:"omitempty,gt=0,max=99"`
		Phones     string `yaml:"phones"      validate:"omitempty,oneof=mask international"`
		Country    string `yaml:"country"`
	} `yaml:"apply"`
	Units string `yaml:"units" validate:"omitempty,oneof=metric both"`
	Blog  struct {
		Language string                       `yaml:"language"`
		Types    map[string]map[string]string `yaml:"types"`
	} `yaml:"blog"`
	Home     []string    `yaml:"home"`
	Official []string    `yaml:"official"`
	Security string      `yaml:"security" validate:"omitempty,email|startswith=https://"`
	AI       string      `yaml:"ai" validate:"omitempty,oneof=no-training"`
	Brand    brandFields `yaml:"brand"`
}

type profileFields struct {
	Name string  `yaml:"name" validate:"required"`
	URL  Address `yaml:"url"  validate:"required,startswith=https://"`
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

// readAgency reads agency.yaml. Whether Home are boards is not known yet.
func (l *loader) readAgency(f *File) agency.Site {
	var a agencyFields
	if at := bareColour.FindSubmatchIndex(f.Text); at != nil {
		f.Fault(1+bytes.Count(f.Text[:at[2]], []byte("\n")), "fault.colour-quotes",
			"field", string(f.Text[at[2]:at[3]]), "value", string(f.Text[at[4]:at[5]]))
	}
	f.Decode(&a)
	before := len(f.Faults)
	languages := l.languages(f, a.Languages)
	known := len(f.Faults) == before && (len(a.Languages) > 0 || f.Line("languages") == 0)
	site := agency.Site{
		Name: a.Name, Phone: a.Phone, Address: a.Address,
		Bookings: a.Mail.Bookings, Accounting: a.Mail.Accounting,
		Languages:  languages,
		MinimumAge: a.Apply.MinimumAge, Country: strings.ToUpper(a.Apply.Country),
		Phones: a.Apply.Phones, Metric: a.Units == "metric", Official: a.Official,
		Security: a.Security, NoTraining: a.AI != "", Brand: l.brand(f, a.Brand),
	}
	isAbroad := strings.HasPrefix(site.Phone, "+") && !strings.HasPrefix(site.Phone, "+55") // the mask is of Brazil
	if site.Phones == "" && (site.Country != "" || isAbroad) {
		site.Phones = "international"
	}
	for _, profile := range a.Social {
		site.Social = append(site.Social, agency.SocialMedia{Name: profile.Name, URL: string(profile.URL)})
	}
	if a.PoweredBy != nil {
		site.PoweredBy = agency.SocialMedia{Name: a.PoweredBy.Name, URL: string(a.PoweredBy.URL)}
	}
	if site.Phone != "" && !strings.HasPrefix(strings.TrimSpace(site.Phone), "+") {
		f.Remark(f.Line("phone"), "fault.phone", "value", site.Phone)
	}
	site.BlogLang = site.Languages[0]
	if at := slices.Index(site.Languages, i18n.Lang(a.Blog.Language)); at >= 0 {
		site.BlogLang = site.Languages[at]
	} else if a.Blog.Language != "" && known {
		f.Fault(f.Line("blog.language"), "fault.language-other", "value", a.Blog.Language)
	}
	first := languages[0]
	if !known {
		first = ""
	}
	site.BlogTypes = blogTypes(f, a.Blog.Types, first)
	if _, err := language.ParseRegion(site.Country); site.Country != "" && (err != nil || len(site.Country) != 2) {
		f.Fault(f.Line("apply.country"), "fault.country", "value", a.Apply.Country)
	}
	for i, id := range a.Home {
		if i == 2 {
			f.Fault(f.Line(item("home", i)), "fault.home-halves")
		}
		site.Home = append(site.Home, agency.Board(id))
	}
	for i, contact := range a.Official {
		if _, err := agency.ParseOfficial([]string{contact}); err != nil {
			f.Fault(f.Line(item("official", i)), "fault.official", "error", err.Error())
		}
	}
	return site
}

// languages reads the tags of the site's languages: those that the program brings, regional ones of them, and those
// with a file of texts.
func (l *loader) languages(f *File, tags []string) []i18n.Lang {
	var all []i18n.Lang
	for i, tag := range tags {
		line := f.Line(item("languages", i))
		parsed, err := language.Parse(tag)
		lang := i18n.Lang(parsed.String())
		same := slices.IndexFunc(all, func(other i18n.Lang) bool { return other.Base() == lang.Base() })
		switch {
		case err != nil:
			f.Fault(line, "fault.tag", "value", tag)
		case same >= 0:
			f.Fault(line, "fault.languages-same", "value", string(lang), "other", string(all[same]))
		case !slices.Contains(i18n.Provided(), lang.Base()) && !l.tree.has(textsFile(lang)):
			if gone := goneFault(textsFile(lang), l.tree); gone.Key == "fault.gone" {
				f.Fault(line, "fault.language-texts", "lang", string(lang), "file", textsFile(lang))
			} else {
				f.Fault(line, "fault.language-renamed", "lang", string(lang), "file", textsFile(lang),
					"other", gone.Args[1])
			}
			if _, err := fs.Stat(l.kept, textsFile(lang)); err == nil { // it is in use, and the guard wants its file
				all = append(all, lang)
			}
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

// blogTypes reads the sections of the blog; first is the site's first language where it is known.
func blogTypes(f *File, names map[string]map[string]string, first i18n.Lang) []agency.BlogType {
	if len(names) == 0 {
		return []agency.BlogType{{ID: "news"}, {ID: "editorial"}}
	}
	var types []agency.BlogType
	for _, id := range f.Keys("blog.types") {
		at := "blog.types." + id
		if !slug.MatchString(id) {
			f.Fault(f.Line(at), "fault.blog-type")
		}
		named := labels(f, at, names[id])
		if named != nil && first != "" && named[first] == "" && named[first.Base()] == "" {
			f.Fault(f.Line(at), "fault.board-name", "board", id, "lang", string(first))
		}
		types = append(types, agency.BlogType{ID: id, Names: named})
	}
	return types
}

// labels is a name in several languages.
func labels(f *File, at string, names map[string]string) map[i18n.Lang]string {
	if names == nil {
		return nil
	}
	all := map[i18n.Lang]string{}
	for tag, name := range names {
		parsed, err := language.Parse(tag)
		if err != nil {
			f.Fault(f.Line(at+"."+tag), "fault.tag", "value", tag)
		}
		if lost := lostComma.FindStringSubmatch(name); lost != nil {
			f.Fault(f.Line(at+"."+tag), "fault.comma", "tag", lost[1])
		}
		all[i18n.Lang(parsed.String())] = name
	}
	return all
}

// lostComma finds the tag of the next language in a name: the comma between them is missing.
var lostComma = regexp.MustCompile(`\s([a-z]{2,3}(?:-[A-Za-z]{2,4})?):\s`)

// site is what the agency decides, with a name.
func (c Config) site(decided agency.Site) *site.Site {
	decided.Name = cmp.Or(decided.Name, c.Host)
	return site.New(decided)
}

// ReadSite is what the agency decides about its site, read once. Without a name of its own, the agency is called as the
// host of the site.
func ReadSite(folder fs.FS, host string) *site.Site {
	config := Config{SiteOnly: true, Host: host}
	if read, err := Read(folder, config); err == nil {
		return read.next.site
	}
	return config.site(nobodys)
}

// Site is the site as the folder is now. It must not be changed.
func (b *Folder) Site() *site.Site { return b.current().site }
