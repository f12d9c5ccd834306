package folder

import (
	"bytes"
	"cmp"
	"io/fs"
	"math"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"

	"zedcard/internal/agency"
	"zedcard/internal/brand"
)

// bareColour finds a colour without quotes, which YAML takes for a comment.
var bareColour = regexp.MustCompile(`(?m)^[^#\n]*?\b(ink|paper|accent): *(#[0-9a-fA-F]{3,8})\b`)

var hexColour = regexp.MustCompile(`^#[0-9a-f]{6}$`)

// maxBrandFile is the size of the largest file of a brand, in bytes.
const maxBrandFile = 1 << 20

// brand reads the colours and files of a brand.
func (l *loader) brand(f *File, b brandFields) *agency.Brand {
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
		made.Ink, made.Paper, made.Accent = "", "", ""
	}
	made.Logo = l.brandSVG(f, "logo", b.Logo)
	made.Icon = l.brandSVG(f, "icon", b.Icon)
	if ratio := brand.Ratio(made.Icon); ratio != 0 && math.Abs(ratio-1) > 0.1 {
		f.Remark(f.Line("brand.icon"), "fault.icon-square", "file", b.Icon)
	}
	made.LogoPNG = l.brandPNG(f, "logo", b.Logo, "fault.no-logo-png", func(f *File) {
		if _, err := brand.ReadPNG(f.Text); err != nil {
			f.Fault(0, "fault.logo-png")
		}
	})
	made.IconPNG = l.brandPNG(f, "icon", b.Icon, "fault.no-icon-png", func(f *File) {
		if brand.CheckIcon(f.Text) != nil {
			f.Fault(0, "fault.icon-png")
		}
	})
	for _, face := range []struct {
		field, name string
		into        *agency.Typeface
	}{{"display", b.Display, &made.Display}, {"text", b.Text, &made.Text}} {
		face.name = strings.TrimSuffix(strings.TrimSuffix(face.name, ".ttf"), ".woff2")
		if otf := strings.TrimSuffix(face.name, ".otf") + ".otf"; face.name != "" && l.tree.has(otf) &&
			!l.tree.has(face.name+".ttf") {
			f.Fault(f.Line("brand."+face.field), "fault.typeface-otf", "file", otf)
			continue
		}
		face.into.WOFF2 = l.brandFile(f, face.field, face.name, ".woff2", checkWOFF2)
		face.into.TTF = l.brandFile(f, face.field, face.name, ".ttf", checkTTF)
	}
	return made
}

// brandSVG reads a logo or an icon.
func (l *loader) brandSVG(f *File, field, name string) []byte {
	file := path.Clean(name)
	if ending := path.Ext(file); l.tree.has(file) && !strings.EqualFold(ending, ".svg") {
		f.Fault(f.Line("brand."+field), "fault.no-svg", "field", field, "file", file,
			"format", strings.ToUpper(strings.TrimPrefix(ending, ".")))
		return nil
	}
	return l.brandFile(f, field, name, "", func(svg *File) { checkSVG(svg, field) })
}

// brandFile reads a file of a brand, which check finds faults in. One that is missing, or has some, is as it was last.
func (l *loader) brandFile(f *File, field, name, ending string, check func(*File)) []byte {
	if name == "" {
		return nil
	}
	name = path.Clean(name) + ending
	l.at = name
	if !l.tree.has(name) {
		if meant := path.Join("brand", path.Base(name)); meant != name && l.tree.has(meant) {
			f.Fault(f.Line("brand."+field), "fault.brand-meant", "field", field, "file", name, "meant", meant)
		} else {
			f.Fault(f.Line("brand."+field), "fault.brand-file", "field", field, "file", name)
		}
		return l.lastFile(name)
	}
	file := &File{Name: name}
	if l.tree.files[name].size > maxBrandFile {
		file.Fault(0, "fault.public-large")
	} else if data, err := fs.ReadFile(l.from(name), name); err != nil {
		file.Fault(0, "fault.file-unreadable")
	} else {
		file.Text = data
		check(file)
	}
	if !l.finish(file) {
		return l.lastFile(name)
	}
	return file.Text
}

// lastFile is a file as it was when it had no fault; nil if it never was.
func (l *loader) lastFile(name string) []byte {
	data, err := fs.ReadFile(l.kept, name)
	if err != nil {
		return nil
	}
	l.good[name] = data
	return data
}

// brandPNG reads the PNG beside an SVG, for what shows no SVG. Without one there is a remark.
func (l *loader) brandPNG(f *File, field, svg, missing string, check func(*File)) []byte {
	if svg == "" || !l.tree.has(path.Clean(svg)) || !strings.HasSuffix(svg, ".svg") { // it has its fault
		return nil
	}
	name := strings.TrimSuffix(path.Clean(svg), ".svg")
	if !l.tree.has(name + ".png") {
		f.Remark(f.Line("brand."+field), missing, "file", name+".png")
		return nil
	}
	return l.brandFile(f, field, name, ".png", check)
}

// checkSVG also names what only has the name of an SVG.
func checkSVG(f *File, field string) {
	kind, format, _ := strings.Cut(http.DetectContentType(f.Text), "/")
	if kind != "text" {
		f.Fault(0, "fault.no-svg", "field", field, "file", f.Name, "format", strings.ToUpper(format))
		return
	}
	*f = *Parse(f.Name, f.Text)
	if what, line := brand.CheckSVG(f.Text); what != "" && !f.Invalid {
		f.Fault(line, "fault.svg", "what", what)
	}
}

func checkWOFF2(f *File) {
	if !bytes.HasPrefix(f.Text, []byte("wOF2")) {
		f.Fault(0, "fault.typeface", "format", "WOFF2")
	}
}

func checkTTF(f *File) {
	if brand.CheckTypeface(f.Text) != nil {
		f.Fault(0, "fault.typeface", "format", "TrueType")
	}
}
