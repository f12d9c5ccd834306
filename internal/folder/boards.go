package folder

import (
	"cmp"
	"slices"
	"strings"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/routes"
)

// boardFields are the values of a board of boards.yaml.
type boardFields struct {
	ID       string            `yaml:"id"       validate:"required"`
	Names    map[string]string `yaml:"names"    validate:"required"`
	Gender   string            `yaml:"gender"   validate:"omitempty,oneof=woman man"`
	PartOf   string            `yaml:"part_of"`
	Kind     string            `yaml:"kind"     validate:"omitempty,oneof=creative models"`
	Category string            `yaml:"category"`
	Path     map[string]string `yaml:"path"`
	Minors   bool              `yaml:"minors"`
	Booker   struct {
		Name  string `yaml:"name"  validate:"required_with=Phone Email"`
		Phone string `yaml:"phone"`
		Email string `yaml:"email" validate:"omitempty,email"`
	} `yaml:"booker"`
}

// readBoards reads boards.yaml, or what can be read of it.
func (l *loader) readBoards(f *File, site agency.Site) []*agency.Group {
	var list []boardFields
	f.Decode(&list)
	var boards []*agency.Group
	taken := map[string]string{} // by address: the board
	for i, fields := range list {
		if board, ok := l.board(f, item("", i), fields, site, boards, taken); ok {
			boards = append(boards, board)
		}
	}
	place := map[agency.Board]int{}
	for _, board := range boards {
		if _, ok := place[board.Filter.Board]; !ok {
			place[board.Filter.Board] = len(place)
		}
	}
	slices.SortStableFunc(boards, func(a, b *agency.Group) int { // a board's parts stand behind it
		return cmp.Compare(place[a.Filter.Board], place[b.Filter.Board])
	})
	return agency.OwnGroups(boards)
}

// board is one board; at is its path in the file.
func (l *loader) board(
	f *File, at string, b boardFields, site agency.Site, before []*agency.Group, taken map[string]string,
) (*agency.Group, bool) {
	names, paths := labels(f, at+".names", b.Names), labels(f, at+".path", b.Path)
	if b.ID == "" || len(names) == 0 {
		return nil, false
	}
	line, first := f.Line(at+".id"), site.Languages[0]
	if names[first] == "" && names[first.Base()] == "" {
		f.Fault(line, "fault.board-name", "board", b.ID, "lang", string(first))
	}
	if !slug.MatchString(b.ID) {
		f.Fault(line, "fault.board-id")
	}
	isTwice := agency.BoardNamed(before, b.ID) != nil
	if isTwice {
		f.Fault(line, "fault.board-twice", "board", b.ID)
	}
	board := agency.NewBoard(b.ID, agency.Board(b.PartOf), names, b.Category)
	board.Booker = agency.Booker{Name: b.Booker.Name, Phone: b.Booker.Phone, Email: b.Booker.Email}
	board.Only, board.Creative, board.Minors = agency.Gender(b.Gender), b.Kind == "creative", b.Minors
	for _, name := range board.Names {
		board.Minors = board.Minors || l.minors.Contains(agency.Category{ID: board.ID, Name: name})
	}
	if b.PartOf != "" {
		parent := slices.IndexFunc(before, func(g *agency.Group) bool { return g.Screen == b.PartOf })
		if parent < 0 {
			f.Fault(f.Line(at+".part_of"), "fault.board-parent", "board", b.PartOf)
			return board, false
		}
		board.Creative = board.Creative || before[parent].Creative
		board.Minors = board.Minors || before[parent].Minors
	} else {
		board.Paths = map[i18n.Lang]string{}
		for _, lang := range site.Languages {
			segment := cmp.Or(strings.Trim(paths[lang], "/"), b.ID)
			if !slug.MatchString(segment) && segment != b.ID {
				f.Fault(f.Line(at+".path"), "fault.board-path", "path", segment)
			}
			address := "/" + segment
			if lang != site.Languages[0] {
				address = "/" + string(lang.Base()) + address
			}
			if other, ok := taken[string(lang)+address]; isTwice { // has its fault
			} else if ok {
				f.Fault(line, "fault.address-taken", "address", address, "other", other)
			} else if routes.IsTaken(segment, site.Languages) {
				f.Fault(line, "fault.address-own", "address", address)
			}
			taken[string(lang)+address], board.Paths[lang] = b.ID, "/"+segment
		}
	}
	if board.Creative {
		board.Job = "profile.job.creative"
	}
	return board, true
}
