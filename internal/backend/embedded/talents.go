package embedded

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"zedcard/internal/agency"
)

// loadTalents reads every folder of talents/, in the order of their names.
func (l *loader) loadTalents() {
	takenBy := map[string]string{} // id → file
	for _, folder := range l.tree.subfolders("talents") {
		s, ok := l.open(path.Join("talents", folder, "talent.yaml"))
		var talent agency.Talent
		if ok {
			talent = l.readTalent(s, takenBy)
		} else {
			s.fault(0, "the file is missing; every folder of talents needs one")
		}
		l.faults = append(l.faults, s.faults...)
		if s.invalid {
			previous, ok := l.previous.talents[s.file]
			if !ok || takenBy[previous.ID] != "" {
				continue
			}
			talent = previous
		}
		takenBy[talent.ID] = s.file
		l.next.talents[s.file] = talent
		l.next.byID[talent.ID] = len(l.next.roster)
		l.next.roster = append(l.next.roster, talent)
		listed := talent
		listed.Book, listed.Snap, listed.Video, listed.Digital = nil, nil, nil, agency.Digital{}
		l.next.listed = append(l.next.listed, &listed)
	}
}

// talentFields are the values of a talent.yaml.
type talentFields struct {
	id                   located[int]
	birthdate            located[time.Time]
	name, gender         located[string]
	hair, eyes           located[string]
	cover                located[string]
	focus                []located[int]
	focusLine            int // 0: absent
	measures             map[string]*located[float64]
	categories           []located[string]
	book, snap           []pictureFields
	listsBook, listsSnap bool // the file lists the gallery itself
	video                []videoFields
	digital              digitalFields
}

type digitalFields struct {
	file          located[string]
	crown, ground located[float64]
}

type pictureFields struct{ file, caption located[string] }

type videoFields struct {
	provider, file, preview located[string]
}

// talentMeasures are the measures a talent.yaml may give.
var talentMeasures = []string{"height", "bust", "chest", "waist", "suit", "hips", "shoes", "jeans"}

func (s *contentFile) talentFields(node *yaml.Node) talentFields {
	t := talentFields{measures: map[string]*located[float64]{}}
	known := fields{
		"id": s.integer("id", &t.id), "name": s.text("name", &t.name), "gender": s.text("gender", &t.gender),
		"birthdate": s.date("birthdate", &t.birthdate), "categories": s.texts("categories", &t.categories),
		"hair": s.text("hair", &t.hair), "eyes": s.text("eyes", &t.eyes), "cover": s.text("cover", &t.cover),
		"focus": func(node *yaml.Node) {
			t.focusLine = node.Line
			s.list("focus", func(item *yaml.Node) {
				var percent located[int]
				s.integer("an entry of focus", &percent)(item)
				t.focus = append(t.focus, percent)
			})(node)
		},
		"book": func(node *yaml.Node) { t.listsBook = true; s.pictures("book", &t.book)(node) },
		"snap": func(node *yaml.Node) { t.listsSnap = true; s.pictures("snap", &t.snap)(node) },
		"digital": func(node *yaml.Node) {
			s.mapping(node, "digital", fields{
				"file": s.text("file", &t.digital.file), "crown": s.number("crown", &t.digital.crown),
				"ground": s.number("ground", &t.digital.ground),
			}, "file")
		},
		"video": s.list("video", func(item *yaml.Node) {
			var v videoFields
			s.mapping(item, "a video", fields{
				"provider": s.text("provider", &v.provider), "file": s.code("file", &v.file),
				"preview": s.text("preview", &v.preview),
			}, "provider", "file")
			t.video = append(t.video, v)
		}),
	}
	for _, measure := range talentMeasures {
		t.measures[measure] = &located[float64]{}
		known[measure] = s.number(measure, t.measures[measure])
	}
	s.mapping(node, "a talent", known, "id", "name")
	return t
}

// texts reads a list of texts.
func (s *contentFile) texts(name string, to *[]located[string]) reader {
	return s.list(name, func(item *yaml.Node) {
		var text located[string]
		s.text("an entry of "+name, &text)(item)
		if text.isSet() {
			*to = append(*to, text)
		}
	})
}

// pictures reads a list of pictures: the name of a file, or a group with the name and a caption.
func (s *contentFile) pictures(name string, to *[]pictureFields) reader {
	return s.list(name, func(item *yaml.Node) {
		var picture pictureFields
		if item.Kind == yaml.MappingNode {
			s.mapping(item, "a picture", fields{
				"file": s.text("file", &picture.file), "caption": s.text("caption", &picture.caption),
			}, "file")
		} else {
			s.text("an entry of "+name, &picture.file)(item)
		}
		if picture.file.isSet() {
			*to = append(*to, picture)
		}
	})
}

// readTalent reads one talent.yaml and the pictures beside it.
func (l *loader) readTalent(s *contentFile, takenBy map[string]string) agency.Talent {
	node := s.parse(l.text(s))
	if node == nil {
		if !s.invalid {
			s.fault(0, "the file is empty")
		}
		return agency.Talent{}
	}
	t := s.talentFields(node)
	id := strconv.Itoa(t.id.value)
	if other := takenBy[id]; other != "" {
		s.fault(t.id.line, "id %s is taken by %s", id, other)
	}
	if t.gender.isSet() && t.gender.value != string(agency.Woman) && t.gender.value != string(agency.Man) {
		s.fault(t.gender.line, "gender must be woman, man or absent, not %q", t.gender.value)
	}
	s.checkOption("hair", t.hair, l.next.options.hair)
	s.checkOption("eyes", t.eyes, l.next.options.eyes)
	talent := agency.Talent{
		ID: id, Name: t.name.value, Gender: agency.Gender(t.gender.value), Birthdate: t.birthdate.value,
		Categories: l.categoriesOf(s, t), Measures: l.measuresOf(s, t),
	}
	l.minors.Mark(&talent)
	l.checkBoards(s, t, talent)

	folder := path.Dir(s.file)
	talent.Cover = agency.Picture{File: l.optionalPicture(s, folder, t.cover), Focus: s.focusOf(t)}
	talent.Book = l.gallery(s, id, "book-", t.book, t.listsBook)
	talent.Snap = l.gallery(s, id, "snap-", t.snap, t.listsSnap)
	talent.Video = l.videos(s, t.video)
	talent.Digital = l.digital(s, t.digital)
	return talent
}

// digital is the full-length picture. Without crown or ground it is not to scale, and nothing is guessed.
func (l *loader) digital(s *contentFile, d digitalFields) agency.Digital {
	digital := agency.Digital{
		File:  l.optionalPicture(s, path.Dir(s.file), d.file),
		Crown: d.crown.value, Ground: d.ground.value,
	}
	if d.crown.isSet() && d.ground.isSet() && digital.File != "" && !digital.ToScale() {
		s.fault(d.crown.line, "crown and ground must be fractions of the picture's height from its top, crown first, "+
			"as in crown: 0.11, ground: 0.95")
	}
	return digital
}

// focusOf is the cover's focal point.
func (s *contentFile) focusOf(t talentFields) agency.Focus {
	switch {
	case t.focusLine == 0:
		return agency.Focus{}
	case len(t.focus) != 2 || t.focus[0].value > 100 || t.focus[1].value > 100:
		s.fault(t.focusLine, "focus must be two percentages from 1 to 100, as in [50, 30]")
		return agency.Focus{}
	case !t.cover.isSet():
		s.fault(t.focusLine, "focus without a cover")
		return agency.Focus{}
	}
	return agency.Focus{X: t.focus[0].value, Y: t.focus[1].value}
}

// checkOption checks that a value is on a list. An empty list has been reported already.
func (s *contentFile) checkOption(name string, value located[string], list []agency.Option) {
	if value.isSet() && len(list) > 0 && !hasValue(list, value.value) {
		s.fault(value.line, "%s %q is not one of options.yaml", name, value.value)
	}
}

func (l *loader) categoriesOf(s *contentFile, t talentFields) []agency.Category {
	var list []agency.Category
	for _, name := range t.categories {
		category, ok := l.next.categories[name.value]
		switch {
		case !ok && len(l.next.categories) == 0: // the fault of categories.yaml was reported already
		case !ok:
			s.fault(name.line, "category %q is not one of categories.yaml", name.value)
		case slices.Contains(list, category):
			s.fault(name.line, "category %q stands here twice", name.value)
		default:
			list = append(list, category)
		}
	}
	return list
}

// measuresOf gives the measures as texts. One outside the range in options.yaml is shown nevertheless: the ranges are
// meant for applicants.
func (l *loader) measuresOf(s *contentFile, t talentFields) agency.Measures {
	text := func(name string) string {
		value := *t.measures[name]
		if !value.isSet() {
			return ""
		}
		if r, ok := l.next.options.ranges[name]; ok && (value.value < r.from || value.value > r.to) {
			s.warn(value.line, "%s %s is outside %s to %s (options.yaml)",
				name, formatNumber(value.value), formatNumber(r.from), formatNumber(r.to))
		}
		return formatNumber(value.value)
	}
	return agency.Measures{
		Height: text("height"), Bust: text("bust"), Chest: text("chest"), Waist: text("waist"), Suit: text("suit"),
		Hips: text("hips"), Shoes: text("shoes"), Jeans: text("jeans"), Hair: t.hair.value, Eyes: t.eyes.value,
	}
}

// checkBoards compares the boards with each other and with the birth date. A talent who has turned 18 stays in kids
// with a remark only: it happens without an edit.
func (l *loader) checkBoards(s *contentFile, t talentFields, talent agency.Talent) {
	kid := talent.InKids()
	switch age := agency.Age(t.birthdate.value, l.now); {
	case !t.birthdate.isSet(): // no age to check
	case t.birthdate.value.After(l.now):
		s.fault(t.birthdate.line, "birthdate is in the future")
	case age > agency.MaxAge:
		s.fault(t.birthdate.line, "birthdate is more than %d years ago", agency.MaxAge)
	case kid && age >= agency.AdultAge:
		s.warn(t.birthdate.line, "an adult is in kids, and shown by the rules for minors")
	}
	if !s.invalid && len(l.next.categories) > 0 && !talent.Has(agency.ModelsID) && !talent.Has(agency.CreativeID) {
		s.warn(t.name.line, "neither in models nor in creative, so on no board")
	}
}

// gallery are the pictures that a file lists, or else those beside it whose names begin with prefix.
func (l *loader) gallery(s *contentFile, id, prefix string, listed []pictureFields, explicit bool) []agency.Picture {
	folder := path.Dir(s.file)
	if !explicit {
		for _, name := range l.tree.picturesWithPrefix(folder, prefix) {
			listed = append(listed, pictureFields{file: located[string]{value: name}})
		}
	}
	var pictures []agency.Picture
	for _, fields := range listed {
		name := fields.file
		if strings.Contains(name.value, "/") {
			s.fault(name.line, "%q must be the name of a file beside talent.yaml", name.value)
			continue
		}
		if picture, ok := l.picture(s, path.Join(folder, name.value), name.line); ok {
			picture.ID, picture.Caption = id+"-"+name.value, fields.caption.value
			pictures = append(pictures, picture)
		}
	}
	return pictures
}

// videoFile is an id of a provider; vimeo may add a hash after a slash.
var videoFile = map[string]*regexp.Regexp{
	"youtube": regexp.MustCompile(`^[A-Za-z0-9_-]+$`),
	"vimeo":   regexp.MustCompile(`^[0-9]+(/[0-9a-f]+)?$`),
}

func (l *loader) videos(s *contentFile, listed []videoFields) []agency.Video {
	var videos []agency.Video
	for _, v := range listed {
		if !v.provider.isSet() || !v.file.isSet() {
			continue
		}
		format, ok := videoFile[v.provider.value]
		if !ok {
			s.fault(v.provider.line, "provider must be youtube or vimeo, not %q", v.provider.value)
		} else if !format.MatchString(v.file.value) {
			s.fault(v.file.line, "file must be the id of a %s video, not %q", v.provider.value, v.file.value)
		}
		preview := v.preview.value
		if !strings.HasPrefix(preview, "https://") {
			preview = l.optionalPicture(s, path.Dir(s.file), v.preview)
		}
		videos = append(videos, agency.Video{Provider: v.provider.value, File: v.file.value, Preview: preview})
	}
	return videos
}
