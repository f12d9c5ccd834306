package embedded

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/content"
	"zedcard/internal/routes"
)

// Import is a spreadsheet that becomes talents.
type Import struct {
	File     string // a CSV
	Pictures string // the folder with a folder of pictures for each row; empty: none
	Dates    string // the order of dates other than 1999-03-02: dmy, mdy; empty: there are none
	DryRun   bool   // nothing is written
}

// importFields are the fields that a column may have, in the order in which a talent.yaml has them.
var importFields = []string{
	"id", "name", "gender", "birthdate", "boards", "categories", "height", "bust", "chest", "waist", "hips", "suit",
	"shoes", "jeans", "hair", "eyes", "in_town", "in_town_from", "in_town_until", "instagram", "draft", "pictures",
}

type importer struct {
	Import
	*loader
	root    string
	out     io.Writer
	columns []string          // the field of each column; empty: left out
	takenBy map[string]int    // by id: the line
	byID    map[string]string // the file of each talent who is there
	byName  map[string]string // by Fold of the name; empty: several have it

	rows, added, changed, faulty int
}

// Run makes or changes the talents of a content folder, and tells of each row. It never deletes. It reports whether all
// rows were taken.
func (i Import) Run(root string, config Config, out io.Writer) (ok bool, err error) {
	table, err := i.open()
	if err != nil {
		return false, err
	}
	folder := content.Folder(os.DirFS(root))
	tree, err := scan(folder)
	if err != nil {
		return false, err
	}
	config = config.withDefaults()
	last := load(folder, tree, &state{}, config)
	im := &importer{
		Import: i, root: root, out: out,
		takenBy: map[string]int{}, byID: map[string]string{}, byName: map[string]string{},
		loader: &loader{folder: folder, tree: tree, now: config.Now(), config: config, next: last},
	}
	for file, talent := range last.Talents {
		im.byID[talent.ID] = file
		if _, twice := im.byName[content.Fold(talent.Name)]; twice {
			file = ""
		}
		im.byName[content.Fold(talent.Name)] = file
	}
	for {
		row, err := table.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return false, fmt.Errorf("%s: %w", i.File, err)
		}
		switch line, _ := table.FieldPos(0); {
		case im.columns == nil:
			im.readHeadings(row, line)
		case strings.TrimSpace(strings.Join(row, "")) != "":
			im.rows++
			if err := im.row(row, line); err != nil {
				return false, err
			}
		}
	}
	ending := ""
	if i.DryRun {
		ending = "; nothing written (--dry-run)"
	}
	_, err = fmt.Fprintf(out, "%d rows: %d new, %d changed, %d with faults%s\n",
		im.rows, im.added, im.changed, im.faulty, ending)
	return im.faulty == 0, err
}

// open reads the file, with the delimiter that its headings have most of.
func (i Import) open() (*csv.Reader, error) {
	text, err := os.ReadFile(i.File)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(text) && !bytes.HasPrefix(text, []byte{0xff, 0xfe}) && !bytes.HasPrefix(text, []byte{0xfe, 0xff}) {
		if text, err = singleByte(text).NewDecoder().Bytes(text); err != nil {
			return nil, err
		}
	}
	f := content.Parse(i.File, text)
	if f.Invalid {
		return nil, errors.New(f.Faults[0].String())
	}
	headings, _, _ := strings.Cut(string(f.Text), "\n")
	r := csv.NewReader(bytes.NewReader(f.Text))
	r.FieldsPerRecord, r.LazyQuotes = -1, true
	r.Comma = slices.MaxFunc([]rune{',', ';', '\t'}, func(a, b rune) int {
		return cmp.Compare(strings.Count(headings, string(a)), strings.Count(headings, string(b)))
	})
	return r, nil
}

// singleByte is the encoding of a text that is not Unicode: accented letters lie above 0xc0 in Windows-1252, and below
// 0xa0 in what Excel writes on a Mac.
func singleByte(text []byte) *charmap.Charmap {
	upper := 0
	for _, b := range text {
		if b >= 0xc0 {
			upper++
		} else if b >= 0x80 && b < 0xa0 {
			upper--
		}
	}
	if upper < 0 {
		return charmap.Macintosh
	}
	return charmap.Windows1252
}

func (im *importer) say(line int, format string, args ...any) {
	_, _ = fmt.Fprintf(im.out, "%s:%d: %s\n", im.File, line, fmt.Sprintf(format, args...)) // no other place for it
}

func (im *importer) refuse(line int, why ...string) {
	im.faulty++
	for _, text := range why {
		im.say(line, "%s; left out", text)
	}
}

func (im *importer) readHeadings(row []string, line int) {
	for _, heading := range row {
		word, _, _ := strings.Cut(heading, "(") // as in "Height (cm)"
		field := fieldWords()[content.Fold(word)]
		switch {
		case content.Fold(heading) == "":
		case !slices.Contains(importFields, field):
			im.say(line, "the column %q is unknown and left out", strings.TrimSpace(heading))
			field = ""
		case slices.Contains(im.columns, field):
			im.say(line, "the column %q is the second for %s and left out", strings.TrimSpace(heading), field)
			field = ""
		}
		im.columns = append(im.columns, field)
	}
}

func (im *importer) row(row []string, line int) error {
	values := map[string]string{}
	for column, value := range row[:min(len(row), len(im.columns))] {
		field := im.columns[column]
		if field == "boards" || field == "categories" {
			value = strings.ReplaceAll(value, "\n", "|")
		}
		values[field] = strings.Join(strings.Fields(value), " ")
	}
	name := values["name"]
	if strings.ContainsAny(name, "?\ufffd") {
		im.refuse(line, "name "+name+": letters were lost when the file was saved; save it as CSV UTF-8")
		return nil
	}
	file := im.byID[values["id"]]
	if values["id"] == "" {
		file = im.byName[content.Fold(name)]
	}
	isNew, text := file == "", []byte(nil)
	if isNew {
		values["id"] = cmp.Or(values["id"], im.nextID())
		file = path.Join(im.freeFolder(name), "talent.yaml")
	} else {
		f := content.Read(im.folder, file)
		if f.Invalid {
			im.refuse(line, englishOf(f.Faults)...)
			return nil
		}
		text = f.Text
		if values["id"] == "" {
			delete(values, "name") // by which the talent was found, in any case
		}
		talent := im.next.Talents[file]
		values["id"], name = talent.ID, cmp.Or(name, talent.Name)
	}
	if other := im.takenBy[values["id"]]; other != 0 {
		im.refuse(line, fmt.Sprintf("id %s is that of line %d", values["id"], other))
		return nil
	}
	var changes []string
	for _, field := range importFields {
		if value := values[field]; value != "" && field != "pictures" {
			var change string
			if text, change = set(text, field, im.written(line, field, value)); change != "" {
				changes = append(changes, change)
			}
		}
	}
	f := content.Parse(file, text)
	im.readTalent(f, nil)
	faults := englishOf(slices.DeleteFunc(f.Faults, func(fault content.Fault) bool { return fault.Remark }))
	if f.Invalid {
		im.refuse(line, faults...)
		return nil
	}
	im.takenBy[values["id"]] = line
	folder := path.Dir(file)
	pictures, cover, err := im.copyPictures(line, folder, values["pictures"], name)
	if err != nil {
		return err
	}
	if cover != "" {
		text, _ = set(text, "cover", cover)
	}
	for _, fault := range faults {
		im.say(line, "%s", fault)
	}
	if pictures > 0 {
		changes = append(changes, fmt.Sprintf("%d pictures", pictures))
	}
	switch {
	case isNew:
		im.added++
		im.say(line, "new: %s, id %s, %d pictures", folder, values["id"], pictures)
	case len(changes) > 0:
		im.changed++
		im.say(line, "changed: %s: %s", folder, strings.Join(changes, ", "))
	default:
		im.say(line, "unchanged: %s", folder)
		return nil
	}
	im.tree.folders[folder] = append(im.tree.folders[folder], "talent.yaml") // its number is taken
	if im.DryRun {
		return nil
	}
	return writeFile(im.root, file, text)
}

func englishOf(faults []content.Fault) (texts []string) {
	for _, fault := range faults {
		texts = append(texts, fault.Text(i18n.EN))
	}
	return texts
}

// nextID is the next id that neither the folder nor a row before has.
func (im *importer) nextID() string {
	id := im.freeID()
	for im.takenBy[strconv.Itoa(id)] != 0 {
		id++
	}
	return strconv.Itoa(id)
}

var (
	metres    = regexp.MustCompile(`^([12])[.,]([0-9]{1,2}) ?m?$`)
	dayParts  = regexp.MustCompile(`^([0-9]{1,4})[./-]([0-9]{1,2})[./-]([0-9]{1,4})$`)
	plainName = regexp.MustCompile(`^\pL[\pL\pN +-]*$`)
	truthy    = []string{"true", "yes", "sim", "sí", "si", "oui", "x", "1"}
)

// written is a value as a talent.yaml has it.
func (im *importer) written(line int, field, value string) string {
	switch field {
	case "birthdate", "in_town_from", "in_town_until":
		return im.day(line, value)
	case "height":
		if parts := metres.FindStringSubmatch(value); parts != nil {
			read := parts[1] + (parts[2] + "0")[:2]
			im.say(line, "height %s read as %s", value, read)
			return read
		}
	case "boards", "categories":
		var names []string
		for name := range strings.SplitSeq(value, "|") {
			if name = strings.TrimSpace(name); name != "" && !plainName.MatchString(name) {
				name = strconv.Quote(name)
			}
			if name != "" {
				names = append(names, name)
			}
		}
		return "[" + strings.Join(names, ", ") + "]"
	case "draft":
		return strconv.FormatBool(slices.Contains(truthy, content.Fold(value)))
	case "gender":
		for _, lang := range i18n.Provided() {
			if slices.Contains(strings.Split(lang.T("field.woman"), "|"), content.Fold(value)) {
				return string(agency.Woman)
			}
			if slices.Contains(strings.Split(lang.T("field.man"), "|"), content.Fold(value)) {
				return string(agency.Man)
			}
		}
		return quoted(value)
	case "name", "hair", "eyes", "in_town", "instagram":
		return quoted(value)
	}
	return value
}

// day is a date as yyyy-mm-dd; one that can't be read stays, and is a fault. A year of two digits is the last that was.
func (im *importer) day(line int, value string) string {
	date, _, _ := strings.Cut(value, " ") // a time follows
	parts := dayParts.FindStringSubmatch(date)
	if parts == nil {
		return date
	}
	layout := map[string]string{"dmy": "2/1/2006", "mdy": "1/2/2006"}[im.Dates]
	isShort := len(parts[1]) < 4 && len(parts[3]) == 2
	switch {
	case len(parts[1]) == 4:
		layout = "2006/1/2"
	case layout == "":
		im.say(line, "birthdate %s: does the day come first? say it with --dates dmy or mdy", date)
		return date
	case isShort:
		layout = strings.TrimSuffix(layout, "2006") + "06"
	}
	day, err := time.Parse(layout, strings.Join(parts[1:], "/"))
	if err != nil {
		return date
	}
	if isShort {
		if day.After(im.now) {
			day = day.AddDate(-100, 0, 0)
		}
		im.say(line, "birthdate %s read as %s", date, day.Format(time.DateOnly))
	}
	return day.Format(time.DateOnly)
}

// set gives a field of a talent.yaml a value, and says what changes. Comments and other fields stay.
func set(text []byte, field, value string) (_ []byte, change string) {
	lines := strings.SplitAfter(string(text), "\n")
	at := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, field+":") })
	if at < 0 {
		return append(text, field+": "+value+"\n"...), field + " " + value
	}
	end := at + 1
	for end < len(lines) && (strings.HasPrefix(lines[end], " ") || strings.HasPrefix(lines[end], "-")) {
		end++
	}
	if meaning(strings.Join(lines[at:end], ""), field) == meaning(field+": "+value+"\n", field) {
		return text, ""
	}
	old, comment, found := strings.Cut(strings.TrimSpace(strings.TrimPrefix(lines[at], field+":")), " #")
	if found {
		comment = " #" + comment
	}
	lines = slices.Replace(lines, at, end, field+": "+value+comment+"\n")
	return []byte(strings.Join(lines, "")), fmt.Sprintf("%s %s → %s", field, strings.TrimSpace(old), value)
}

// meaning is the same for two ways of writing a field that mean the same; only a name differs by its case.
func meaning(text, field string) string {
	var t talentFields
	content.Parse("", []byte(text)).Decode(&t)
	printed := fmt.Sprintf("%+v", t)
	if field != "name" {
		printed = content.Fold(printed)
	}
	return printed
}

// copyPictures copies the pictures of a row's folder that are new or differ. It returns how many, and the cover.
func (im *importer) copyPictures(line int, folder, named, talent string) (count int, cover string, err error) {
	if im.Pictures == "" {
		return 0, "", nil
	}
	pictures := content.Folder(os.DirFS(im.Pictures))
	for _, from := range []string{named, talent, routes.Slug(talent)} {
		entries, err := fs.ReadDir(pictures, path.Clean(from))
		if from == "" || err != nil {
			if from != "" && from == named {
				im.say(line, "there is no folder %s in %s", from, im.Pictures)
			}
			continue
		}
		var names []string
		for _, entry := range entries {
			switch {
			case pictureType(entry.Name()) != "":
				names = append(names, entry.Name())
			case isHEIC(entry.Name()):
				im.say(line, "%s is not copied: save it as JPEG", path.Join(from, entry.Name()))
			}
		}
		slices.SortFunc(names, byNumber)
		to, cover := pictureNames(names)
		for i, name := range names {
			changed, err := im.copy(pictures, path.Join(from, name), path.Join(folder, to[i]))
			if err != nil {
				return count, "", err
			}
			if changed {
				count++
			}
		}
		return count, cover, nil
	}
	return 0, "", nil
}

// pictureNames are the names that pictures have beside a talent.yaml: cover.jpg, book-1.jpg and the like stay, others
// are more of the book; without a cover the first of them is it.
func pictureNames(names []string) (to []string, cover string) {
	book := 0
	for _, name := range names {
		name = strings.ToLower(name)
		to = append(to, name)
		if strings.HasPrefix(name, "cover.") {
			cover = name
		}
		if number, ok := strings.CutPrefix(name, "book-"); ok {
			book = max(book, leadingNumber(number))
		}
	}
	for i, name := range to {
		switch kind, _, _ := strings.Cut(name, "-"); {
		case slices.Contains([]string{"book", "snap", "digital"}, kind) || strings.HasPrefix(name, "cover."):
		case cover == "":
			cover = "cover" + path.Ext(name)
			to[i] = cover
		default:
			book++
			to[i] = "book-" + strconv.Itoa(book) + path.Ext(name)
		}
	}
	return to, cover
}

// copy copies a picture unless it is there, and reports whether it was not.
func (im *importer) copy(pictures fs.FS, from, to string) (changed bool, err error) {
	data, err := fs.ReadFile(pictures, from)
	if err != nil {
		return false, err
	}
	old, err := os.ReadFile(filepath.Join(im.root, filepath.FromSlash(to)))
	if err == nil && bytes.Equal(old, data) || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if im.DryRun {
		return true, nil
	}
	return true, writeFile(im.root, to, data)
}
