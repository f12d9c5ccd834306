package folder

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"zedcard/internal/agency"
)

// loadTalents reads every folder of talents/, in the order of their names.
func (l *loader) loadTalents() {
	takenBy := map[string]string{} // id → file
	if len(l.tree.subfolders("talents")) == 0 {
		l.fault("talents", "fault.no-talents")
	}
	for _, folder := range l.tree.subfolders("talents") {
		name := path.Join("talents", folder, "talent.yaml")
		f := l.open(name)
		if f == nil {
			f = &File{Name: name, Invalid: true}
			beside := l.tree.folders[path.Dir(name)]
			if meant := slices.IndexFunc(beside, func(file string) bool {
				return strings.HasPrefix(Fold(file), "talent.y")
			}); meant >= 0 {
				f.Fault(0, "fault.talent-name", "other", beside[meant])
				l.read[path.Join(path.Dir(name), beside[meant])] = true
			} else if l.tree.closed[path.Dir(name)] == "" && l.tree.closed[name] == "" { // else it has its fault
				f.Fault(0, "fault.talent-missing")
			}
		}
		talent, ok := good(l, f, func(f *File) talentVersion { return l.readTalent(f, takenBy) })
		if ok && takenBy[talent.ID] == "" {
			takenBy[talent.ID] = name
			l.next.talents[name] = talent
		}
	}
}

type talentFields struct {
	ID         int           `yaml:"id"   validate:"required,gt=0,max=9007199254740991"`
	Name       string        `yaml:"name" validate:"required"`
	Gender     string        `yaml:"gender" validate:"omitempty,oneof=woman man"`
	Birthdate  Day           `yaml:"birthdate"`
	Boards     []string      `yaml:"boards"`
	Categories []string      `yaml:"categories"`
	Height     Number        `yaml:"height"`
	Bust       Number        `yaml:"bust"`
	Chest      Number        `yaml:"chest"`
	Waist      Number        `yaml:"waist"`
	Suit       Number        `yaml:"suit"`
	Hips       Number        `yaml:"hips"`
	Shoes      Number        `yaml:"shoes"`
	Jeans      Number        `yaml:"jeans"`
	Hair       string        `yaml:"hair"`
	Eyes       string        `yaml:"eyes"`
	Measured   Month         `yaml:"measured"`
	Cover      string        `yaml:"cover"`
	Focus      []int         `yaml:"focus"`
	Book       []workFields  `yaml:"book" validate:"dive"`
	Snap       []workFields  `yaml:"snap" validate:"dive"`
	Video      []videoFields `yaml:"video" validate:"dive"`
	Digital    digitalFields `yaml:"digital"`
	InTown     string        `yaml:"in_town"`
	InTownFrom Day           `yaml:"in_town_from"`
	InTownLast Day           `yaml:"in_town_until"`
	Instagram  string        `yaml:"instagram"`
	Draft      bool          `yaml:"draft"`
	Was        []string      `yaml:"was"`
}

// workFields name a picture of a gallery, who made it and who is in it, and for whom.
type workFields struct {
	File         string `yaml:"file" validate:"required"`
	Caption      string `yaml:"caption"`
	Photographer string `yaml:"photographer"`
	Model        string `yaml:"model"`
	Client       string `yaml:"client"`
}

type videoFields struct {
	Provider string `yaml:"provider" validate:"required,oneof=youtube vimeo"`
	File     string `yaml:"file" validate:"required"`
	Preview  string `yaml:"preview"`
}

type digitalFields struct {
	File   string `yaml:"file"`
	Crown  Number `yaml:"crown"`
	Ground Number `yaml:"ground"`
	Date   Day    `yaml:"date"`
}

// fieldKeys have the words that editors use for a talent's fields, with | between them.
var fieldKeys = []string{
	"field.name", "field.gender", "field.birthdate", "field.categories", "field.boards", "field.height", "field.bust",
	"field.chest", "field.waist", "field.suit", "field.hips", "field.shoes", "field.jeans", "field.hair", "field.eyes",
	"field.measured", "field.cover", "field.instagram", "field.in_town", "field.in_town_from", "field.in_town_until",
	"field.pictures",
}

// fieldWords are a talent's fields by the words for them, by headingKey, in every language of the program and the site.
func (l *loader) fieldWords() map[string]string {
	if l.words != nil {
		return l.words
	}
	l.words = map[string]string{"id": "id", "draft": "draft"}
	for _, lang := range l.next.site.Texts.All() {
		for _, key := range fieldKeys {
			field := strings.TrimPrefix(key, "field.")
			l.words[headingKey(field)] = field
			for word := range strings.SplitSeq(lang.T(key), "|") {
				if _, taken := l.words[headingKey(word)]; !taken { // the site's own languages come first
					l.words[headingKey(word)] = field
				}
			}
		}
	}
	return l.words
}

func (l *loader) readTalent(f *File, takenBy map[string]string) talentVersion {
	var t talentFields
	f.Meant = func(word string) string { return l.fieldWords()[headingKey(word)] }
	f.Decode(&t)
	id := strconv.Itoa(t.ID)
	if other := takenBy[id]; other != "" {
		f.Fault(f.Line("id"), "fault.id-taken", "id", id, "other", other, "free", strconv.Itoa(l.FreeID()))
	}
	if _, isNumber := ParseNumber(t.Name); isNumber {
		f.Fault(f.Line("name"), "fault.type", "field", "name",
			"wanted", "fault.type-text", "found", "fault.type-number")
	}
	folder := path.Dir(f.Name)
	if t.Cover == "" {
		t.Cover = l.coverIn(folder)
	}
	categories, known := l.categoriesOf(f, t)
	talent := agency.Talent{
		ID: id, Name: t.Name, Gender: agency.Gender(t.Gender), Birthdate: t.Birthdate.Time,
		Categories: categories, Draft: t.Draft,
		Protected: !known, // a board that is gone may have been children's
		Instagram: agency.InstagramHandle(t.Instagram),
		Measures: agency.Measures{
			Height: l.measure(f, "height", t.Height), Bust: l.measure(f, "bust", t.Bust),
			Chest: l.measure(f, "chest", t.Chest), Waist: l.measure(f, "waist", t.Waist),
			Suit: l.measure(f, "suit", t.Suit), Hips: l.measure(f, "hips", t.Hips),
			Shoes: l.measure(f, "shoes", t.Shoes), Jeans: l.measure(f, "jeans", t.Jeans),
			Hair: option(f, "hair", t.Hair, l.next.options.Hair), Eyes: option(f, "eyes", t.Eyes, l.next.options.Eyes),
		},
		Measured: t.Measured.Time,
		Cover:    agency.Picture{File: l.optionalPicture(f, folder, t.Cover, "cover"), Focus: focusOf(f, t)},
		Book:     l.gallery(f, id, "book", t.Book), Snap: l.gallery(f, id, "snap", t.Snap), Video: l.videos(f, t.Video),
		Digital: l.digital(f, t.Digital),
	}
	talent = *l.next.site.Boards.Mark(&talent)
	l.minors.Mark(&talent)
	talent.Stay = l.stay(f, t, talent.Minor(l.now))
	l.creditCover(&talent)
	if t.Instagram != "" && talent.Instagram == "" {
		f.Warn(f.Line("instagram"), "fault.instagram", "value", t.Instagram)
	}
	for i, old := range t.Was {
		var alone agency.Redirects
		if alone.Add(agency.Redirect{From: old, To: agency.Gone}) != nil || strings.HasSuffix(old, "*") {
			f.Fault(f.Line(item("was", i)), "fault.was", "value", old)
		}
	}
	l.checkAge(f, &talent)
	if !talent.Minor(l.now) {
		checkAdult(f, talent.Measures)
	}
	if !f.Invalid {
		l.checkBoards(f, t, &talent)
		l.remarkUnused(f, t)
	}
	return talentVersion{talent, t.Was}
}

// coverIn is the name of the picture that is a talent's cover where talent.yaml names none: cover.jpg, or else the
// first of the book.
func (l *loader) coverIn(folder string) string {
	for _, name := range slices.Concat(l.tree.withPrefix(folder, "cover."), l.tree.withPrefix(folder, "book-")) {
		if _, fault, _ := l.lookUp(path.Join(folder, name)); fault == "" {
			return name
		}
	}
	return ""
}

// creditCover gives a cover that is a picture of the book its caption and credit. A creative without a cover is shown
// by their first work.
func (l *loader) creditCover(t *agency.Talent) {
	if t.Cover.File == "" && l.next.site.Boards.BoardOf(t) == agency.Creative && len(t.Book) > 0 {
		t.Cover.File = t.Book[0].File
	}
	isCover := func(picture agency.Picture) bool { return picture.File == t.Cover.File }
	if i := slices.IndexFunc(t.Book, isCover); i >= 0 {
		t.Cover.Caption, t.Cover.Credit = t.Book[i].Caption, t.Book[i].Credit
	}
}

// stay is a stay in a city, which needs a last day. It says why one is not shown.
func (l *loader) stay(f *File, t talentFields, minor bool) agency.Stay {
	stay := agency.Stay{City: t.InTown, From: t.InTownFrom.Time, Until: t.InTownLast.Time}
	line := max(f.Line("in_town"), f.Line("in_town_from"), f.Line("in_town_until"))
	switch {
	case line == 0:
	case stay.City == "" || stay.Until.IsZero() || stay.From.After(stay.Until):
		f.Fault(line, "fault.stay")
	case minor:
		f.Remark(line, "fault.stay-minor")
	case stay.Over(l.now):
		f.Remark(line, "fault.stay-over", "date", stay.Until.Format(time.DateOnly))
	}
	return stay
}

// remarkMeasures says who is to be measured again: all of them in one line.
func (l *loader) remarkMeasures() {
	if names := agency.ToMeasure(l.next.public.listed, l.now); names != nil {
		l.fault("talents", "fault.measured", "names", strings.Join(names, ", "),
			"days", strconv.Itoa(agency.MeasuresLast), "minors", strconv.Itoa(agency.MinorsMeasuresLast))
		l.faults[len(l.faults)-1].Remark = true
	}
}

// FreeID is the id after the greatest of all talents.
func (l *loader) FreeID() int {
	free := 1
	for _, folder := range l.tree.subfolders("talents") {
		var t struct {
			ID int `yaml:"id"`
		}
		ReadFile(l.folder, path.Join("talents", folder, "talent.yaml")).Decode(&t)
		free = max(free, t.ID+1)
	}
	return free
}

func focusOf(f *File, t talentFields) agency.Focus {
	switch {
	case t.Focus == nil:
	case len(t.Focus) != 2 || min(t.Focus[0], t.Focus[1]) < 1 || max(t.Focus[0], t.Focus[1]) > 100:
		f.Fault(f.Line("focus"), "fault.focus")
	case t.Cover == "":
		f.Fault(f.Line("focus"), "fault.focus-alone")
	default:
		return agency.Focus{X: t.Focus[0], Y: t.Focus[1]}
	}
	return agency.Focus{}
}

// digital is the full-length picture, or the day of the snaps alone. Without crown or ground it is not to scale, and
// nothing is guessed.
func (l *loader) digital(f *File, d digitalFields) agency.Digital {
	digital := agency.Digital{
		File:  l.optionalPicture(f, path.Dir(f.Name), d.File, "digital.file"),
		Crown: float64(d.Crown), Ground: float64(d.Ground), Taken: d.Date.Time,
	}
	if digital.File != "" {
		size := l.size(digital.File)
		digital.Width, digital.Height = size.width, size.height
	}
	switch {
	case f.Line("digital") != 0 && d.File == "" && d.Date.IsZero():
		f.Fault(f.Line("digital"), "fault.missing", "field", "file")
	case d.Crown != 0 && d.Ground != 0 && digital.File != "" && !digital.ToScale():
		f.Fault(f.Line("digital.crown"), "fault.digital")
	}
	return digital
}

// option is the value on a list that a talent has, in any of its languages.
func option(f *File, field, value string, choices []choice) string {
	if value == "" {
		return ""
	}
	var values []string
	for _, c := range choices {
		for _, name := range append([]string{c.Value, c.Label, c.Value2}, slices.Collect(maps.Values(c.Names))...) {
			if Fold(name) == Fold(value) {
				return c.Value
			}
		}
		values = append(values, c.Value)
	}
	if meant := Nearest(value, values); meant != "" {
		f.Fault(f.Line(field), "fault.option-meant", "field", field, "value", value, "meant", meant)
	} else {
		f.Fault(f.Line(field), "fault.option", "field", field, "value", value)
	}
	return ""
}

// categoriesOf are the categories and boards that a talent names. known: all are some.
func (l *loader) categoriesOf(f *File, t talentFields) (all []agency.Category, known bool) {
	known = true
	for i, name := range t.Categories {
		if category, ok := l.next.categories[Fold(name)]; ok {
			all = append(all, category)
		} else if name != "" {
			f.Fault(f.Line(item("categories", i)), "fault.category", "name", name)
			known = false
		}
	}
	for i, name := range t.Boards {
		found := l.boardNamed(name)
		for _, category := range found {
			if !slices.Contains(all, category) {
				all = append(all, category)
			}
		}
		if name == "" || len(found) > 0 {
			continue
		}
		known = false
		ids := l.boardIDs()
		if meant := Nearest(name, ids); meant != "" {
			f.Fault(f.Line(item("boards", i)), "fault.board-meant", "board", name, "meant", meant)
		} else {
			f.Fault(f.Line(item("boards", i)), "fault.board-unknown", "board", name, "known", strings.Join(ids, ", "))
		}
	}
	return all, known
}

// boardNamed are the categories of a board; of the default boards a part brings its board with it.
func (l *loader) boardNamed(name string) []agency.Category {
	groups := l.next.site.Boards.Groups()
	if l.next.site.Boards.Own() {
		if board := agency.BoardNamed(groups, name); board != nil {
			return []agency.Category{{ID: board.ID, Name: boardID(board)}}
		}
		return nil
	}
	category, ok := l.next.categories[Fold(name)]
	if !ok {
		return nil
	}
	board := agency.Models
	if slices.ContainsFunc(groups, func(g *agency.Group) bool {
		named := slices.Contains(g.CategoryNames(), Fold(name))
		return g.Creative && (named || g.ID == category.ID && g.ID != 0)
	}) {
		board = agency.Creative
	}
	return []agency.Category{l.next.categories[string(board)], category}
}

func boardID(g *agency.Group) string {
	return cmp.Or(string(g.Filter.Subcategory), string(g.Filter.Board))
}

// boardIDs are the boards that a talent may name.
func (l *loader) boardIDs() (ids []string) {
	if !l.next.site.Boards.Own() {
		return slices.Sorted(maps.Keys(l.next.categories))
	}
	for _, group := range l.next.site.Boards.Groups() {
		if group.Labels != nil {
			ids = append(ids, boardID(group))
		}
	}
	return ids
}

// measure is a measure as text. One outside the range in options.yaml is shown nevertheless: the ranges are meant for
// applicants.
func (l *loader) measure(f *File, name string, value Number) string {
	if value == 0 {
		return ""
	}
	text := formatNumber(value)
	if r, ok := l.next.options.Ranges[name]; ok && (value < r.From || value > r.To) {
		args := []string{"field", name, "value", text, "from", formatNumber(r.From), "to", formatNumber(r.To)}
		if inMetres := value * 100; r.Unit == "cm" && inMetres >= r.From && inMetres <= r.To {
			f.Fault(f.Line(name), "fault.metres", append(args, "meant", strconv.Itoa(int(inMetres+0.5)))...)
		} else {
			f.Warn(f.Line(name), "fault.range", args...)
		}
	}
	return text
}

// checkAdult finds measures that no adult has, of whom most were typed in inches.
func checkAdult(f *File, of agency.Measures) {
	for _, small := range of.Small() {
		field, value := string(small.Name), small.Text
		inches, _ := strconv.ParseFloat(value, 64) // Small has read it
		f.Warn(f.Line(field), "fault.small", "field", field, "value", value,
			"meant", strconv.Itoa(int(inches*2.54+0.5)))
	}
}

// checkAge compares the birth date with today and with the boards. A talent who has turned 18 stays in kids with a
// warning only: it happens without an edit.
func (l *loader) checkAge(f *File, talent *agency.Talent) {
	born := f.Line("birthdate")
	switch age := agency.Age(talent.Birthdate, l.now); {
	case talent.Birthdate.IsZero(): // no age to check
	case talent.Birthdate.After(l.now):
		f.Fault(born, "fault.birthdate-future")
	case age > agency.MaxAge:
		f.Fault(born, "fault.birthdate-old", "years", strconv.Itoa(agency.MaxAge))
	case talent.InKids() && age >= agency.AdultAge:
		f.Warn(born, "fault.adult-in-kids")
	}
}

// checkBoards says that no list shows the talent.
func (l *loader) checkBoards(f *File, t talentFields, talent *agency.Talent) {
	for i, name := range t.Boards {
		board := agency.BoardNamed(l.next.site.Boards.Groups(), name)
		if board != nil && l.next.site.Boards.Own() && board.Only != "" && board.Only != talent.Gender {
			f.Warn(f.Line(item("boards", i)), "fault.board-gender", "board", name, "gender", string(board.Only))
			return
		}
	}
	boards, isListed := "models, creative", talent.Has(agency.ModelsID) || talent.Has(agency.CreativeID)
	if l.next.site.Boards.Own() {
		boards = strings.Join(l.boardIDs(), ", ")
		isListed = slices.ContainsFunc(l.next.site.Boards.Groups(), func(g *agency.Group) bool {
			return g.Labels != nil && l.next.site.Boards.Contains(g, talent)
		})
	}
	if boards == "" || isListed {
		return
	}
	f.Warn(f.Line("name"), "fault.no-board", "boards", boards)
	f.Faults[len(f.Faults)-1].Remark = talent.Draft
}

// gallery are the pictures that a file lists, or else those beside it whose names begin with the gallery's name. Of
// those one with a fault is left out: nobody has named it.
func (l *loader) gallery(f *File, id, name string, listed []workFields) (pictures []agency.Picture) {
	folder := path.Dir(f.Name)
	if listed == nil {
		for _, base := range l.tree.withPrefix(folder, name+"-") {
			picture, fault, args := l.lookUp(path.Join(folder, base))
			if IsHEIC(base) {
				fault = "fault.picture-heic-left-out"
			}
			if fault != "" {
				f.Warn(0, fault, args...)
				continue
			}
			picture.ID = id + "-" + base
			pictures = append(pictures, picture)
		}
	}
	for i, w := range listed {
		line := f.Line(item(name, i))
		if strings.Contains(w.File, "/") {
			f.Fault(line, "fault.picture-beside", "picture", w.File)
		} else if w.File != "" {
			if picture, ok := l.picture(f, path.Join(folder, w.File), line); ok {
				picture.ID, picture.Caption = id+"-"+w.File, w.Caption
				picture.Credit = agency.Credit{Photographer: w.Photographer, Model: w.Model, Client: w.Client}
				pictures = append(pictures, picture)
			}
		}
	}
	return pictures
}

// remarkUnused names the pictures of a talent's folder that nothing shows.
func (l *loader) remarkUnused(f *File, t talentFields) {
	shown := []string{t.Cover}
	for _, image := range slices.Concat(t.Book, t.Snap) {
		shown = append(shown, image.File)
	}
	for _, video := range t.Video {
		shown = append(shown, video.Preview)
	}
	for _, name := range l.tree.folders[path.Dir(f.Name)] {
		gallery, _, _ := strings.Cut(strings.ToLower(name), "-")
		isShown := gallery == "book" || gallery == "snap" || gallery == "digital" || slices.Contains(shown, name)
		if (PictureType(name) != "" || IsHEIC(name)) && !isShown && name != t.Digital.File {
			f.Remark(0, "fault.picture-unused", "picture", name)
		}
	}
}

func (l *loader) videos(f *File, listed []videoFields) (videos []agency.Video) {
	for i, v := range listed {
		at := item("video", i)
		video, ok := agency.ParseVideo(v.Provider, v.File)
		if isKnown := v.Provider == "youtube" || v.Provider == "vimeo"; !ok && v.File != "" && isKnown {
			f.Fault(f.Line(at+".file"), "fault.video-id", "provider", v.Provider, "value", v.File)
		}
		if video.Preview = v.Preview; !strings.HasPrefix(v.Preview, "https://") {
			video.Preview = l.optionalPicture(f, path.Dir(f.Name), v.Preview, at+".preview")
		}
		videos = append(videos, video)
	}
	return videos
}

// headingKey is the same for two ways of writing a heading.
func headingKey(text string) string {
	return strings.Join(strings.FieldsFunc(agency.Fold(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ")
}
