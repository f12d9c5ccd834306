package folder

import (
	"io/fs"
	"path"

	"zedcard/internal/site"
)

// Reading is a folder as it was read once, whatever its faults, for who writes into it.
type Reading struct{ *loader }

// Read reads a folder. Of config it needs MinorCategories and Now.
func Read(folder fs.FS, config Config) (Reading, error) {
	folder = AnyForm{folder}
	tree, err := scan(folder)
	if err != nil {
		return Reading{}, err
	}
	l, err := load(folder, tree, &state{}, config.withDefaults())
	return Reading{l}, err
}

// Site is what the folder says of the site.
func (r Reading) Site() *site.Site { return r.next.site }

// TalentFolders are the names of the talents' folders.
func (r Reading) TalentFolders() []string { return r.tree.subfolders("talents") }

// Talent is the id and the name in a talent.yaml: what can be read of one with faults.
func (r Reading) Talent(folder string) (id int, name string) {
	f := ReadFile(r.folder, path.Join("talents", folder, "talent.yaml"))
	var t talentFields
	f.Decode(&t)
	return t.ID, t.Name
}

// TalentFaults are the faults that a talent.yaml has, and whether they keep it from being shown.
func (r Reading) TalentFaults(file string, text []byte) (faults []Fault, invalid bool) {
	f := Parse(file, text)
	r.readTalent(f, nil)
	return f.Faults, f.Invalid
}

// FieldOf is the field of a talent that a heading names in one of the site's languages, empty if it is none.
func (r Reading) FieldOf(heading string) string { return r.fieldWords()[headingKey(heading)] }

// PictureFault is why a picture of a folder is not shown; ok: it is.
func PictureFault(folder fs.FS, file string, info fs.FileInfo) (fault Fault, ok bool) {
	fault = Fault{Key: "fault.picture-type", Args: []string{"picture", file}}
	if IsHEIC(file) {
		fault.Key = "fault.picture-heic"
	} else if PictureType(file) != "" {
		read := readSize(folder, file, info.Size(), true)
		fault.Key, fault.Args = read.fault, append(fault.Args, read.args...)
	}
	return fault, fault.Key == ""
}
