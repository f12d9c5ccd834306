package folder

import (
	"bytes"
	"embed"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"sync"

	"zedcard/internal/agency"
)

//go:embed all:demo
var demo embed.FS

// Demo is the content folder of the demo agency, built into the program.
var Demo = sync.OnceValue(func() fs.FS {
	folder, err := fs.Sub(demo, "demo")
	if err != nil {
		panic(err) // only for an invalid name
	}
	return folder
})

// ownWords is a text in brackets of the demo: what an agency must write there, and the demo agency's own words. Only
// the demo's site shows these without brackets; in a copy of the folder they are still to be written.
var ownWords = regexp.MustCompile(`\[([^\[\]:]+):\s([^\[\]]+)\]`)

// WithoutOwnWords is a text whose brackets say what to write there, without the demo agency's words.
func WithoutOwnWords(text []byte) []byte { return ownWords.ReplaceAll(text, []byte("[$1]")) }

// What a folder still has of the demo agency; the first group are the words.
var (
	demoContact = regexp.MustCompile("(" + regexp.QuoteMeta(agency.DemoDomain) + "|" +
		regexp.QuoteMeta(agency.DemoPhone) + ")")
	nameLine = regexp.MustCompile(`(?m)^name: *"?([^"\n#]*[^"\s#])`)
	// placeholder is what zedcard init writes in the place of the agency's own.
	placeholder = regexp.MustCompile(`(?m)^[^#\n]*?(Your Agency|Your street 1|Your city|Your name|Seu nome|Tu nombre|` +
		`youragency|Maria Example|Tom Example|\+351 222 000 111|Sua agência|Tu agencia)`)
	// inBrackets is where every agency must write its own text; a link has its address behind the brackets.
	inBrackets = regexp.MustCompile(`(?m)(\[[^\[\]]+\])(?:[^(\[]|$)`)
)

// demoPeople finds the demo agency's talents.
var demoPeople = sync.OnceValue(func() *regexp.Regexp {
	var names []string
	files, _ := fs.Glob(Demo(), "talents/*/talent.yaml") // the pattern is well formed
	for _, file := range files {
		text, _ := fs.ReadFile(Demo(), file) // embedded
		names = append(names, regexp.QuoteMeta(string(nameLine.FindSubmatch(text)[1])))
	}
	return regexp.MustCompile(`(?m)^name: *"?(` + strings.Join(names, "|") + `)"?[ \r]*$`)
})

// LeftOfDemo names what a folder still has of the demo agency, its contacts and people, or of the folder to begin with;
// and the texts of pages that wait in brackets for the agency's own, which are remarks.
func LeftOfDemo(folder fs.FS) (left []Fault) {
	folder = AnyForm{folder}
	var a agencyFields
	f := ReadFile(folder, "agency.yaml")
	f.Decode(&a)
	f.Faults = nil // Check names them
	for field, value := range map[string]string{
		"phone": a.Phone, "mail.bookings": a.Mail.Bookings, "mail.accounting": a.Mail.Accounting,
	} {
		if agency.IsDemos(value) {
			f.Warn(f.Line(field), "fault.demo-contact", "field", strings.TrimPrefix(field, "mail."), "value", value)
		}
	}
	left = f.Faults
	for _, search := range []struct {
		pattern string
		words   *regexp.Regexp
		key     string
	}{
		{"talents/*/talent.yaml", demoPeople(), "fault.demo-person"},
		{"pages/*.md", demoContact, "fault.demo-text"}, {"posts/*/*.md", demoContact, "fault.demo-text"},
		{"pages/*.md", inBrackets, "fault.brackets"}, {"agency.yaml", placeholder, "fault.placeholder"},
		{"talents/*/talent.yaml", placeholder, "fault.placeholder"}, {"posts/*/*.md", placeholder, "fault.placeholder"},
		{"pages/*.md", placeholder, "fault.placeholder"}, {"texts/*.yaml", placeholder, "fault.placeholder"},
	} {
		files, _ := fs.Glob(folder, search.pattern) // well formed
		for _, file := range files {
			if IsClutter(path.Base(file)) || copyOf(path.Base(file)) != "" {
				continue
			}
			text := ReadFile(folder, file).Text          // Check names one that can't be read
			head := bytes.Index(text, []byte("\n---\n")) // front matter has lists in brackets
			for _, at := range search.words.FindAllSubmatchIndex(text, -1) {
				if at[0] < head {
					continue
				}
				words := strings.Join(strings.Fields(string(text[at[2]:at[3]])), " ")
				left = append(left, Fault{
					File: file, Line: 1 + bytes.Count(text[:at[0]], []byte("\n")), Key: search.key,
					Args: []string{"words", words, "folder", path.Dir(file)}, Remark: search.key == "fault.brackets",
				})
			}
		}
	}
	return SortFaults(left)
}
