package embedded

import (
	"bytes"
	"cmp"
	"io"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/content"
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
		var talent talentVersion
		if f == nil {
			f = &content.File{Name: name}
			l.missingTalent(f, folder)
		} else {
			talent = l.readTalent(f, takenBy)
		}
		if talent, ok := finished(l, f, talent, l.good.Talents); ok && takenBy[talent.ID] == "" {
			takenBy[talent.ID] = name
			l.next.Talents[name] = talent
		}
	}
}

// missingTalent notes that a folder has no talent.yaml, and the file that is probably meant.
func (l *loader) missingTalent(f *content.File, folder string) {
	for _, name := range l.tree.folders[path.Join("talents", folder)] {
		if strings.HasPrefix(content.Fold(name), "talent.y") {
			f.Fault(0, "fault.talent-name", "other", name)
			return
		}
	}
	f.Fault(0, "fault.talent-missing")
}

// talentFields are the values of a talent.yaml.
type talentFields struct {
	ID         int            `yaml:"id"   validate:"required"`
	Name       string         `yaml:"name" validate:"required"`
	Gender     string         `yaml:"gender" validate:"omitempty,oneof=woman man"`
	Birthdate  content.Day    `yaml:"birthdate"`
	Boards     []string       `yaml:"boards"`
	Categories []string       `yaml:"categories"`
	Height     content.Number `yaml:"height"`
	Bust       content.Number `yaml:"bust"`
	Chest      content.Number `yaml:"chest"`
	Waist      content.Number `yaml:"waist"`
	Suit       content.Number `yaml:"suit"`
	Hips       content.Number `yaml:"hips"`
	Shoes      content.Number `yaml:"shoes"`
	Jeans      content.Number `yaml:"jeans"`
	Hair       string         `yaml:"hair"`
	Eyes       string         `yaml:"eyes"`
	Cover      string         `yaml:"cover"`
	Focus      []int          `yaml:"focus"`
	Living     string         `yaml:"living"`
	Book       []workFields   `yaml:"book" validate:"dive"`
	Snap       []workFields   `yaml:"snap" validate:"dive"`
	Video      []videoFields  `yaml:"video" validate:"dive"`
	Digital    digitalFields  `yaml:"digital"`
	InTown     string         `yaml:"in_town"`
	InTownFrom content.Day    `yaml:"in_town_from"`
	InTownLast content.Day    `yaml:"in_town_until"`
	Instagram  string         `yaml:"instagram"`
	Draft      bool           `yaml:"draft"`
	Was        []string       `yaml:"was"`
}

// imageFields name a picture; without a caption its name alone stands for it.
type imageFields struct {
	File    string `yaml:"file" validate:"required"`
	Caption string `yaml:"caption"`
}

// FromText reads a picture without a caption.
func (i *imageFields) FromText(text string) { i.File = text }

// workFields name a picture of a gallery, who made it and who is in it, and for whom.
type workFields struct {
	File         string `yaml:"file" validate:"required"`
	Caption      string `yaml:"caption"`
	Photographer string `yaml:"photographer"`
	Model        string `yaml:"model"`
	Client       string `yaml:"client"`
}

// FromText reads a picture without words.
func (w *workFields) FromText(text string) { w.File = text }

type videoFields struct {
	Provider string       `yaml:"provider" validate:"required,oneof=youtube vimeo"`
	File     content.Code `yaml:"file" validate:"required"`
	Preview  string       `yaml:"preview"`
}

// fieldKeys have the words that editors use for the fields of a talent.yaml, with | between them.
var fieldKeys = map[string]string{
	"name": "field.name", "gender": "field.gender", "birthdate": "field.birthdate", "categories": "field.categories",
	"height": "field.height", "bust": "field.bust", "chest": "field.chest", "waist": "field.waist",
	"suit": "field.suit", "hips": "field.hips", "shoes": "field.shoes", "jeans": "field.jeans", "hair": "field.hair",
	"eyes": "field.eyes", "cover": "field.cover", "instagram": "field.instagram", "boards": "field.boards",
	"in_town": "field.in_town", "in_town_from": "field.in_town_from", "in_town_until": "field.in_town_until",
}

// FieldWords are the fields of a talent.yaml by the words for them, by Fold, in every language of the program.
var FieldWords = sync.OnceValue(func() map[string]string {
	words := map[string]string{}
	for _, lang := range i18n.Provided() {
		for field, key := range fieldKeys {
			words[field] = field
			for word := range strings.SplitSeq(lang.T(key), "|") {
				words[content.Fold(word)] = field
			}
		}
	}
	return words
})

type digitalFields struct {
	File   string         `yaml:"file"`
	Crown  content.Number `yaml:"crown"`
	Ground content.Number `yaml:"ground"`
}

// readTalent reads one talent.yaml and the pictures beside it.
func (l *loader) readTalent(f *content.File, takenBy map[string]string) talentVersion {
	var t talentFields
	f.Aliases = FieldWords()
	f.Decode(&t)
	id := strconv.Itoa(t.ID)
	if other := takenBy[id]; other != "" {
		f.Fault(f.Line("id"), "fault.id-taken", "id", id, "other", other, "free", strconv.Itoa(l.freeID()))
	}
	folder := path.Dir(f.Name)
	talent := agency.Talent{
		ID: id, Name: t.Name, Gender: agency.Gender(t.Gender), Birthdate: t.Birthdate.Time,
		Categories: append(l.categoriesOf(f, t), l.boardsOf(f, t)...), Draft: t.Draft,
		Instagram: agency.InstagramHandle(t.Instagram), Stay: stayOf(f, t),
		Measures: agency.Measures{
			Height: l.measure(f, "height", t.Height), Bust: l.measure(f, "bust", t.Bust),
			Chest: l.measure(f, "chest", t.Chest), Waist: l.measure(f, "waist", t.Waist),
			Suit: l.measure(f, "suit", t.Suit), Hips: l.measure(f, "hips", t.Hips),
			Shoes: l.measure(f, "shoes", t.Shoes), Jeans: l.measure(f, "jeans", t.Jeans),
			Hair: l.option(f, "hair", t.Hair, l.next.Options.Hair),
			Eyes: l.option(f, "eyes", t.Eyes, l.next.Options.Eyes),
		},
		Cover:  agency.Picture{File: l.optionalPicture(f, folder, t.Cover, "cover"), Focus: focusOf(f, t)},
		Living: l.living(f, folder, t.Living), Video: l.videos(f, t.Video), Digital: l.digital(f, t.Digital),
	}
	if t.Instagram != "" && talent.Instagram == "" {
		f.Warn(f.Line("instagram"), "fault.instagram", "value", t.Instagram)
	}
	l.config.MinorCategories.Mark(&talent)
	l.checkBoards(f, talent)
	l.checkStay(f, &talent)
	talent.Book = l.gallery(f, id, "book", t.Book)
	talent.Snap = l.gallery(f, id, "snap", t.Snap)
	creditCover(&talent)
	if !f.Invalid {
		l.remarkUnused(f, t)
	}
	for i, old := range t.Was {
		if !isOldAddress(old) || strings.HasSuffix(old, "*") {
			f.Fault(f.Line(item("was", i)), "fault.was", "value", old)
		}
	}
	return talentVersion{talent, t.Was}
}

// creditCover gives a cover that is a picture of the book its credit. A creative without a cover is shown by their
// first work.
func creditCover(t *agency.Talent) {
	if t.Cover.File == "" && t.Board() == agency.Creative && len(t.Book) > 0 {
		t.Cover.File = t.Book[0].File
	}
	isCover := func(picture agency.Picture) bool { return picture.File == t.Cover.File }
	if i := slices.IndexFunc(t.Book, isCover); i >= 0 {
		t.Cover.Credit = t.Book[i].Credit
	}
}

// stayOf is a stay in a city, which needs a last day.
func stayOf(f *content.File, t talentFields) agency.Stay {
	stay := agency.Stay{City: t.InTown, From: t.InTownFrom.Time, Until: t.InTownLast.Time}
	line := max(f.Line("in_town"), f.Line("in_town_from"), f.Line("in_town_until"))
	if line > 0 && (stay.City == "" || stay.Until.IsZero() || stay.From.After(stay.Until)) {
		f.Fault(line, "fault.stay")
	}
	return stay
}

// checkStay says why a stay is not shown.
func (l *loader) checkStay(f *content.File, t *agency.Talent) {
	switch line := f.Line("in_town"); {
	case t.Stay.City == "":
	case t.Minor(l.now):
		f.Remark(line, "fault.stay-minor")
	case t.Stay.Over(l.now):
		f.Remark(line, "fault.stay-over", "date", t.Stay.Until.Format(time.DateOnly))
	}
}

// maxLiving is the size of the largest living cover, in bytes: each card may load one.
const maxLiving = 2 << 20

// videoTypes are the MIME types of the videos that are served, by extension.
var videoTypes = map[string]string{".mp4": "video/mp4", ".webm": "video/webm"}

// living is the video that a cover becomes.
func (l *loader) living(f *content.File, folder, name string) string {
	if name == "" {
		return ""
	}
	line, file := f.Line("living"), path.Join(folder, name)
	switch found, ok := l.tree.files[file]; {
	case strings.Contains(name, "/"):
		f.Fault(line, "fault.picture-beside", "picture", name)
	case !ok:
		f.Fault(line, "fault.picture-missing", "picture", file)
	case found.size > maxLiving:
		f.Fault(line, "fault.living-large", "size", strconv.FormatInt(found.size>>10, 10),
			"most", strconv.Itoa(maxLiving>>10))
	case videoTypes[path.Ext(name)] == "" || !l.isVideo(file):
		f.Fault(line, "fault.living-format")
	default:
		return file
	}
	return ""
}

// isVideo reports whether a file begins as MP4 or WebM do.
func (l *loader) isVideo(name string) bool {
	file, err := l.folder.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	var head [8]byte
	_, err = io.ReadFull(file, head[:])
	return err == nil && (string(head[4:]) == "ftyp" || bytes.HasPrefix(head[:], []byte{0x1a, 0x45, 0xdf, 0xa3}))
}

// freeID is the id after the greatest of all talents.
func (l *loader) freeID() int {
	free := 1
	for _, folder := range l.tree.subfolders("talents") {
		var t struct {
			ID int `yaml:"id"`
		}
		content.Read(l.folder, path.Join("talents", folder, "talent.yaml")).Decode(&t)
		free = max(free, t.ID+1)
	}
	return free
}

// focusOf is the cover's focal point.
func focusOf(f *content.File, t talentFields) agency.Focus {
	switch {
	case t.Focus == nil:
		return agency.Focus{}
	case len(t.Focus) != 2 || t.Focus[0] > 100 || t.Focus[1] > 100:
		f.Fault(f.Line("focus"), "fault.focus")
		return agency.Focus{}
	case t.Cover == "":
		f.Fault(f.Line("focus"), "fault.focus-alone")
		return agency.Focus{}
	}
	return agency.Focus{X: t.Focus[0], Y: t.Focus[1]}
}

// digital is the full-length picture. Without crown or ground it is not to scale, and nothing is guessed.
func (l *loader) digital(f *content.File, d digitalFields) agency.Digital {
	digital := agency.Digital{
		File:  l.optionalPicture(f, path.Dir(f.Name), d.File, "digital.file"),
		Crown: float64(d.Crown), Ground: float64(d.Ground),
	}
	switch {
	case f.Line("digital") != 0 && d.File == "":
		f.Fault(f.Line("digital"), "fault.missing", "field", "file")
	case d.Crown != 0 && d.Ground != 0 && digital.File != "" && !digital.ToScale():
		f.Fault(f.Line("digital.crown"), "fault.digital")
	}
	return digital
}

// option is the value on a list that a talent has, in any of its languages.
func (l *loader) option(f *content.File, field, value string, choices []choice) string {
	if value == "" {
		return ""
	}
	var values []string
	for _, c := range choices {
		names := append([]string{c.Value, c.Label, c.Value2}, slices.Collect(maps.Values(c.Names))...)
		if slices.ContainsFunc(names, func(name string) bool {
			return content.Fold(name) == content.Fold(value)
		}) {
			return c.Value
		}
		values = append(values, c.Value)
	}
	if meant := content.Nearest(value, values); meant != "" {
		f.Fault(f.Line(field), "fault.option-meant", "field", field, "value", value, "meant", meant)
	} else {
		f.Fault(f.Line(field), "fault.option", "field", field, "value", value)
	}
	return ""
}

func (l *loader) categoriesOf(f *content.File, t talentFields) []agency.Category {
	var all []agency.Category
	for i, name := range t.Categories {
		line := f.Line(item("categories", i))
		category, ok := l.next.Categories[content.Fold(name)]
		switch {
		case name == "":
		case !ok:
			f.Fault(line, "fault.category", "name", name)
		case slices.Contains(all, category):
			f.Fault(line, "fault.category-repeated", "name", name)
		default:
			all = append(all, category)
		}
	}
	return all
}

// boardsOf are the categories of the boards that a talent names by id or name. Of the default boards a part brings its
// board with it.
func (l *loader) boardsOf(f *content.File, t talentFields) []agency.Category {
	var all []agency.Category
	for i, name := range t.Boards {
		line := f.Line(item("boards", i))
		if agency.OwnBoards() {
			if board := agency.BoardNamed(agency.Groups(), name); board != nil {
				all = append(all, agency.Category{ID: board.ID, Name: boardID(board)})
			} else if name != "" {
				l.unknownBoard(f, line, name)
			}
			continue
		}
		category, ok := l.next.Categories[content.Fold(name)]
		if !ok {
			l.unknownBoard(f, line, name)
			continue
		}
		board := l.next.Categories[string(agency.Models)]
		if category.ID == agency.CreativeID || slices.ContainsFunc(agency.Groups(), func(g *agency.Group) bool {
			named := slices.Contains(g.CategoryNames(), content.Fold(name))
			return g.Creative && (named || g.ID == category.ID && g.ID != 0)
		}) {
			board = l.next.Categories[string(agency.Creative)]
		}
		for _, c := range []agency.Category{board, category} {
			if !slices.Contains(all, c) {
				all = append(all, c)
			}
		}
	}
	return all
}

func boardID(g *agency.Group) string {
	return cmp.Or(string(g.Filter.Subcategory), string(g.Filter.Board))
}

// boardIDs are the boards that a talent may name.
func (l *loader) boardIDs() []string {
	if !agency.OwnBoards() {
		return slices.Sorted(maps.Keys(l.next.Categories))
	}
	var ids []string
	for _, group := range agency.Groups() {
		if group.Labels != nil {
			ids = append(ids, boardID(group))
		}
	}
	return ids
}

func (l *loader) unknownBoard(f *content.File, line int, name string) {
	if len(l.boardIDs()) == 0 {
		return // boards.yaml has its fault
	}
	if meant := content.Nearest(name, l.boardIDs()); meant != "" {
		f.Fault(line, "fault.board-meant", "board", name, "meant", meant)
		return
	}
	f.Fault(line, "fault.board-unknown", "board", name, "known", strings.Join(l.boardIDs(), ", "))
}

// isOnBoard reports whether a list shows the talent.
func isOnBoard(talent *agency.Talent) bool {
	if !agency.OwnBoards() {
		return talent.Has(agency.ModelsID) || talent.Has(agency.CreativeID)
	}
	return slices.ContainsFunc(agency.Groups(), func(g *agency.Group) bool {
		return g.Labels != nil && g.Contains(talent)
	})
}

// measure is a measure as text. One outside the range in options.yaml is shown nevertheless: the ranges are meant for
// applicants.
func (l *loader) measure(f *content.File, name string, value content.Number) string {
	if value == 0 {
		return ""
	}
	text := formatNumber(value)
	if r, ok := l.next.Options.Ranges[name]; ok && (value < r.From || value > r.To) {
		args := []string{"field", name, "value", text, "from", formatNumber(r.From), "to", formatNumber(r.To)}
		if inMetres := value * 100; r.Unit == "cm" && inMetres >= r.From && inMetres <= r.To {
			f.Fault(f.Line(name), "fault.metres", append(args, "meant", strconv.Itoa(int(inMetres+0.5)))...)
		} else {
			f.Warn(f.Line(name), "fault.range", args...)
		}
	}
	return text
}

// checkBoards compares the boards with each other and with the birth date. A talent who has turned 18 stays in kids
// with a remark only: it happens without an edit.
func (l *loader) checkBoards(f *content.File, talent agency.Talent) {
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
	boards := "models, creative"
	if agency.OwnBoards() {
		boards = strings.Join(l.boardIDs(), ", ")
	}
	if f.Invalid || boards == "" || isOnBoard(&talent) {
		return
	}
	if talent.Draft {
		f.Remark(f.Line("name"), "fault.no-board", "boards", boards)
	} else {
		f.Warn(f.Line("name"), "fault.no-board", "boards", boards)
	}
}

// gallery are the pictures that a file lists, or else those beside it whose names begin with the gallery's name. Of
// those one with a fault is left out: nobody has named it.
func (l *loader) gallery(f *content.File, id, name string, listed []workFields) []agency.Picture {
	folder := path.Dir(f.Name)
	var pictures []agency.Picture
	add := func(picture agency.Picture, base string, w workFields) {
		picture.ID, picture.Caption = id+"-"+base, w.Caption
		picture.Credit = agency.Credit{Photographer: w.Photographer, Model: w.Model, Client: w.Client}
		pictures = append(pictures, picture)
	}
	if listed == nil {
		for _, base := range l.tree.withPrefix(folder, name+"-") {
			picture, fault, args := l.lookUp(path.Join(folder, base))
			if fault != "" {
				if isHEIC(base) {
					fault = "fault.picture-heic-left-out"
				}
				f.Warn(0, fault, args...)
				continue
			}
			add(picture, base, workFields{})
		}
		return pictures
	}
	for i, image := range listed {
		line := f.Line(item(name, i))
		if strings.Contains(image.File, "/") {
			f.Fault(line, "fault.picture-beside", "picture", image.File)
		} else if image.File != "" {
			if picture, ok := l.picture(f, path.Join(folder, image.File), line); ok {
				add(picture, image.File, image)
			}
		}
	}
	return pictures
}

// remarkUnused names the pictures of a talent's folder that nothing shows.
func (l *loader) remarkUnused(f *content.File, t talentFields) {
	shown := []string{t.Cover, t.Digital.File}
	for _, image := range slices.Concat(t.Book, t.Snap) {
		shown = append(shown, image.File)
	}
	for _, video := range t.Video {
		shown = append(shown, video.Preview)
	}
	for _, name := range l.tree.folders[path.Dir(f.Name)] {
		gallery, _, _ := strings.Cut(strings.ToLower(name), "-")
		isShown := gallery == "book" || gallery == "snap" || gallery == "digital" || slices.Contains(shown, name)
		if (pictureType(name) != "" || isHEIC(name)) && !isShown {
			f.Remark(0, "fault.picture-unused", "picture", name)
		}
	}
}

// videoFile is an id of a provider; vimeo may add a hash after a slash.
var videoFile = map[string]*regexp.Regexp{
	"youtube": regexp.MustCompile(`^[A-Za-z0-9_-]+$`),
	"vimeo":   regexp.MustCompile(`^[0-9]+(/[0-9a-f]+)?$`),
}

func (l *loader) videos(f *content.File, listed []videoFields) []agency.Video {
	var videos []agency.Video
	for i, v := range listed {
		at := item("video", i)
		if id := videoFile[v.Provider]; id != nil && v.File != "" && !id.MatchString(string(v.File)) {
			f.Fault(f.Line(at+".file"), "fault.video-id", "provider", v.Provider, "value", string(v.File))
		}
		preview := v.Preview
		if !strings.HasPrefix(preview, "https://") {
			preview = l.optionalPicture(f, path.Dir(f.Name), v.Preview, at+".preview")
		}
		videos = append(videos, agency.Video{Provider: v.Provider, File: string(v.File), Preview: preview})
	}
	return videos
}
