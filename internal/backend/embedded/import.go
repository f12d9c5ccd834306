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

// importer reads rows one after the other.
type importer struct {
	Import
	*loader
	root    string
	say     func(line int, format string, args ...any)
	columns []string          // the field of each column; empty: left out
	takenBy map[string]string // by id: the line
	byName  map[string]string // by Fold of the name: the file; empty: several have it

	added, changed, faulty int
}

// Run makes or changes the talents of a content folder, and tells of each row. It never deletes. It reports whether all
// rows were taken.
func (i Import) Run(root string, config Config, out io.Writer) (ok bool, err error) {
	rows, lines, err := i.read()
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
		Import: i, root: root, takenBy: map[string]string{}, byName: map[string]string{},
		loader: &loader{
			folder: folder, tree: tree, now: config.Now(), config: config, next: last, read: map[string]bool{},
		},
		say: func(line int, format string, args ...any) {
			_, _ = fmt.Fprintf(out, "%s:%d: %s\n", i.File, line, fmt.Sprintf(format, args...)) // no other place for it
		},
	}
	for file, talent := range last.Talents {
		if _, twice := im.byName[content.Fold(talent.Name)]; twice {
			file = ""
		}
		im.byName[content.Fold(talent.Name)] = file
	}
	if len(rows) > 0 {
		im.readHeadings(rows[0], lines[0])
	}
	count := 0
	for n, row := range rows {
		if n == 0 || strings.TrimSpace(strings.Join(row, "")) == "" {
			continue
		}
		count++
		if err := im.row(row, lines[n]); err != nil {
			return false, err
		}
	}
	ending := ""
	if i.DryRun {
		ending = "; nothing written (--dry-run)"
	}
	_, err = fmt.Fprintf(out, "%d rows: %d new, %d changed, %d with faults%s\n",
		count, im.added, im.changed, im.faulty, ending)
	return im.faulty == 0, err
}

// read reads the rows of the file with the line that each begins on.
func (i Import) read() (rows [][]string, lines []int, err error) {
	text, err := os.ReadFile(i.File)
	if err != nil {
		return nil, nil, err
	}
	if !utf8.Valid(text) && !bytes.HasPrefix(text, []byte{0xff, 0xfe}) && !bytes.HasPrefix(text, []byte{0xfe, 0xff}) {
		if text, err = singleByte(text).NewDecoder().Bytes(text); err != nil {
			return nil, nil, err
		}
	}
	f := content.Parse(i.File, text)
	if f.Invalid {
		return nil, nil, errors.New(f.Faults[0].String())
	}
	text, skipped := f.Text, 0
	heading, rest, _ := bytes.Cut(text, []byte("\n"))
	delimiter := slices.MaxFunc([]byte{',', ';', '\t'}, func(a, b byte) int {
		return cmp.Compare(bytes.Count(heading, []byte{a}), bytes.Count(heading, []byte{b}))
	})
	if len(heading) == 5 && bytes.HasPrefix(heading, []byte("sep=")) {
		delimiter, text, skipped = heading[4], rest, 1 // Excel's own way of saying it
	}
	r := csv.NewReader(bytes.NewReader(text))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = rune(delimiter), -1, true
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return rows, lines, nil
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", i.File, err)
		}
		line, _ := r.FieldPos(0)
		rows, lines = append(rows, row), append(lines, line+skipped)
	}
}

// singleByte is the encoding of a text that is not Unicode. Accented letters lie above 0xc0 in Windows-1252, and below
// 0xa0 in what Excel writes on a Mac.
func singleByte(text []byte) *charmap.Charmap {
	lower, upper := 0, 0
	for _, b := range text {
		switch {
		case b >= 0xc0:
			upper++
		case b >= 0x80 && b < 0xa0:
			lower++
		}
	}
	if lower > upper {
		return charmap.Macintosh
	}
	return charmap.Windows1252
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

// row makes or changes one talent.
func (im *importer) row(row []string, line int) error {
	values := map[string]string{}
	for column, value := range row[:min(len(row), len(im.columns))] {
		field := im.columns[column]
		if field == "boards" || field == "categories" {
			value = strings.ReplaceAll(value, "\n", "|")
		}
		if value = strings.Join(strings.Fields(value), " "); value != "" && field != "" {
			values[field] = value
		}
	}
	if strings.ContainsAny(values["name"], "?\ufffd") {
		const lost = "name %s: letters were lost when the file was saved; save it as CSV UTF-8; left out"
		im.say(line, lost, values["name"])
		im.faulty++
		return nil
	}
	id, known := im.find(values)
	file, text, isNew := known, []byte(nil), known == ""
	if isNew {
		if id == "" {
			id = strconv.Itoa(im.nextID())
		}
		file = path.Join(im.freeFolder(values["name"]), "talent.yaml")
	} else {
		f := content.Read(im.folder, file)
		if f.Invalid {
			im.refuse(line, f.Faults)
			return nil
		}
		text = f.Text
	}
	if other := im.takenBy[id]; other != "" {
		im.say(line, "id %s is that of line %s; left out", id, other)
		im.faulty++
		return nil
	}
	if !isNew && values["id"] == "" {
		delete(values, "name") // by which the talent was found, in any case
	}
	values["id"] = id
	before := string(text)
	var changes []string
	for _, field := range importFields {
		if value := values[field]; value != "" && field != "pictures" {
			var change string
			text, change = set(text, field, im.written(line, field, value))
			if change != "" {
				changes = append(changes, change)
			}
		}
	}
	f := content.Parse(file, text)
	im.readTalent(f, map[string]string{})
	faults := slices.DeleteFunc(f.Faults, func(fault content.Fault) bool { return fault.Remark })
	if f.Invalid {
		im.refuse(line, faults)
		return nil
	}
	im.takenBy[id] = strconv.Itoa(line)
	values["name"] = cmp.Or(values["name"], im.next.Talents[file].Name)
	pictures, err := im.copyPictures(line, values, path.Dir(file), &text)
	if err != nil {
		return err
	}
	for _, fault := range faults {
		im.say(line, "%s", fault.Text(i18n.EN))
	}
	switch {
	case isNew:
		im.added++
		im.say(line, "new: %s, id %s, %d pictures", path.Dir(file), id, pictures)
	case before != string(text) || pictures > 0:
		im.changed++
		if pictures > 0 {
			changes = append(changes, fmt.Sprintf("%d pictures", pictures))
		}
		im.say(line, "changed: %s: %s", path.Dir(file), strings.Join(changes, ", "))
	default:
		im.say(line, "unchanged: %s", path.Dir(file))
		return nil
	}
	folder := path.Dir(file)
	im.tree.folders[folder] = append(im.tree.folders[folder], "talent.yaml") // its number is taken
	if im.DryRun {
		return nil
	}
	return writeFile(im.root, file, text)
}

func (im *importer) refuse(line int, faults []content.Fault) {
	im.faulty++
	for _, fault := range faults {
		im.say(line, "%s; left out", fault.Text(i18n.EN))
	}
}

// find is the talent that a row is about: by its id, or by its name, and the file of who is there already.
func (im *importer) find(values map[string]string) (id, file string) {
	for name, talent := range im.next.Talents {
		if talent.ID == values["id"] {
			return talent.ID, name
		}
	}
	if file := im.byName[content.Fold(values["name"])]; file != "" && values["id"] == "" {
		return im.next.Talents[file].ID, file
	}
	return values["id"], ""
}

// nextID is the next id that neither the folder nor a row before has.
func (im *importer) nextID() int {
	id := im.freeID()
	for im.takenBy[strconv.Itoa(id)] != "" {
		id++
	}
	return id
}

var (
	metres    = regexp.MustCompile(`^([12])[.,]([0-9]{1,2}) ?m?$`)
	dayParts  = regexp.MustCompile(`^([0-9]{1,4})[./-]([0-9]{1,2})[./-]([0-9]{1,4})$`)
	plainName = regexp.MustCompile(`^\pL[\pL\pN +-]*$`)
	truthy    = []string{"true", "yes", "sim", "sí", "si", "oui", "x", "1"}
	plainText = []string{"name", "gender", "hair", "eyes", "in_town", "instagram"}
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
			if name = strings.TrimSpace(name); name == "" {
				continue
			}
			if !plainName.MatchString(name) {
				name = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `"`
			}
			names = append(names, name)
		}
		return "[" + strings.Join(names, ", ") + "]"
	case "draft":
		return strconv.FormatBool(slices.Contains(truthy, content.Fold(value)))
	case "gender":
		for _, lang := range i18n.Provided() {
			for gender, key := range map[agency.Gender]string{
				agency.Woman: "field.woman", agency.Man: "field.man",
			} {
				if slices.Contains(strings.Split(lang.T(key), "|"), content.Fold(value)) {
					return string(gender)
				}
			}
		}
	}
	if slices.Contains(plainText, field) {
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
	switch {
	case len(parts[1]) == 4:
		layout = "2006/1/2"
	case layout == "":
		im.say(line, "birthdate %s: does the day come first? say it with --dates dmy or mdy", date)
	case len(parts[3]) == 2:
		layout = strings.Replace(layout, "2006", "06", 1)
	}
	day, err := time.Parse(layout, strings.Join(parts[1:], "/"))
	if err != nil || layout == "" {
		return date
	}
	if len(parts[3]) == 2 && len(parts[1]) < 4 {
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
	if same(strings.Join(lines[at:end], ""), field+": "+value+"\n", field) {
		return text, ""
	}
	old, comment, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(lines[at], field+":")), " #")
	if comment != "" {
		comment = " #" + comment
	}
	lines = slices.Replace(lines, at, end, field+": "+value+strings.TrimRight(comment, "\n")+"\n")
	return []byte(strings.Join(lines, "")), fmt.Sprintf("%s %s → %s", field, strings.TrimSpace(old), value)
}

// same reports whether two ways of writing a field mean the same.
func same(a, b, field string) bool {
	meaning := func(text string) string {
		var t talentFields
		content.Parse("", []byte(text)).Decode(&t)
		if field == "boards" || field == "categories" {
			names := slices.Concat(t.Boards, t.Categories)
			for i := range names {
				names[i] = content.Fold(names[i])
			}
			return fmt.Sprint(names)
		}
		t.Hair, t.Eyes, t.Gender = content.Fold(t.Hair), content.Fold(t.Eyes), content.Fold(t.Gender)
		return fmt.Sprintf("%+v", t)
	}
	return meaning(a) == meaning(b)
}

// copyPictures copies the pictures of a row's folder that are new or differ: cover.jpg, book- and snap-, others as more
// of the book; without a cover the first one is it. It returns how many.
func (im *importer) copyPictures(
	line int, values map[string]string, folder string, text *[]byte,
) (count int, err error) {
	if im.Pictures == "" {
		return 0, nil
	}
	pictures := content.Folder(os.DirFS(im.Pictures))
	var names []string
	var from string
	for _, name := range []string{values["pictures"], values["name"], routes.Slug(values["name"])} {
		if name == "" {
			continue
		}
		entries, err := fs.ReadDir(pictures, path.Clean(name))
		if err != nil {
			if name == values["pictures"] {
				im.say(line, "there is no folder %s in %s", name, im.Pictures)
			}
			continue
		}
		from = path.Clean(name)
		for _, entry := range entries {
			switch {
			case pictureType(entry.Name()) != "":
				names = append(names, entry.Name())
			case isHEIC(entry.Name()):
				im.say(line, "%s is not copied: save it as JPEG", path.Join(from, entry.Name()))
			}
		}
		break
	}
	slices.SortFunc(names, byNumber)
	cover, book := "", 0
	for _, name := range names {
		if strings.HasPrefix(strings.ToLower(name), "cover.") {
			cover = name
		}
		if rest, ok := strings.CutPrefix(strings.ToLower(name), "book-"); ok {
			book = max(book, leadingNumber(rest))
		}
	}
	for _, name := range names {
		to := strings.ToLower(name)
		known := strings.HasPrefix(to, "cover.") || strings.HasPrefix(to, "book-") || strings.HasPrefix(to, "snap-") ||
			strings.HasPrefix(to, "digital-")
		if !known && cover == "" {
			cover, to = name, "cover"+path.Ext(to)
		} else if !known {
			book++
			to = "book-" + strconv.Itoa(book) + path.Ext(to)
		}
		if name == cover {
			*text, _ = set(*text, "cover", to)
		}
		data, err := fs.ReadFile(pictures, path.Join(from, name))
		if err != nil {
			return count, err
		}
		old, err := os.ReadFile(filepath.Join(im.root, filepath.FromSlash(folder), to))
		switch {
		case err == nil && bytes.Equal(old, data):
			continue
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return count, err
		}
		if count++; im.DryRun {
			continue
		}
		if err := writeFile(im.root, path.Join(folder, to), data); err != nil {
			return count, err
		}
	}
	return count, nil
}
