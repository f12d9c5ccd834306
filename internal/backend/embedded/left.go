package embedded

import (
	"bytes"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"sync"

	"zedcard/internal/agency"
	"zedcard/internal/content"
)

var (
	nameLine = regexp.MustCompile(`(?m)^name: *"?([^"\n#]*[^"\s#])`)
	// inBrackets is where every agency must write its own text; a link has its address behind the brackets.
	inBrackets = regexp.MustCompile(`\[[^\[\]]+\]([^(\[]|$)`)
)

// demoPeople are the names of the demo agency's talents.
var demoPeople = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	files, _ := fs.Glob(Demo(), "talents/*/talent.yaml") // the pattern is well formed
	for _, file := range files {
		text, _ := fs.ReadFile(Demo(), file) // embedded
		if name := nameLine.FindSubmatch(text); name != nil {
			names[string(name[1])] = true
		}
	}
	return names
})

// LeftOfDemo names what a folder still has of the demo agency: its contacts and people; and the texts of pages that
// wait in brackets for the agency's own, which are remarks.
func LeftOfDemo(folder fs.FS) (left []content.Fault) {
	folder = content.Folder(folder)
	if f := content.Read(folder, "agency.yaml"); !f.Invalid {
		var a agencyFields
		f.Decode(&a)
		for field, value := range map[string]string{
			"phone": string(a.Phone), "mail.bookings": a.Mail.Bookings, "mail.accounting": a.Mail.Accounting,
		} {
			if agency.IsDemos(value) {
				left = append(left, content.Fault{
					File: f.Name, Line: f.Line(field), Key: "fault.demo-contact",
					Args: []string{"field", strings.TrimPrefix(field, "mail."), "value", value},
				})
			}
		}
	}
	each := func(pattern string, words *regexp.Regexp, found func(file string, line int, match [][]byte)) {
		files, _ := fs.Glob(folder, pattern) // well formed
		for _, file := range files {
			text, err := fs.ReadFile(folder, file)
			if err != nil {
				continue
			}
			for _, at := range words.FindAllSubmatchIndex(text, -1) {
				match := [][]byte{text[at[0]:at[1]], text[at[2]:at[3]]}
				found(file, 1+bytes.Count(text[:at[0]], []byte("\n")), match)
			}
		}
	}
	each("talents/*/talent.yaml", nameLine, func(file string, line int, match [][]byte) {
		if demoPeople()[string(match[1])] {
			left = append(left, content.Fault{
				File: file, Line: line, Key: "fault.demo-person",
				Args: []string{"name", string(match[1]), "folder", path.Dir(file)},
			})
		}
	})
	each("pages/*.md", inBrackets, func(file string, line int, match [][]byte) {
		left = append(left, content.Fault{
			File: file, Line: line, Key: "fault.brackets", Remark: true,
			Args: []string{"words", strings.TrimSpace(string(match[0]))},
		})
	})
	return content.Sort(left)
}
