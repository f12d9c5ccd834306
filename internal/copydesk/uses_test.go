package copydesk_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/i18n"
	"zedcard/internal/copydesk"
	"zedcard/internal/routes"
)

var update = flag.Bool("update", false, "write uses.json anew")

// Keys are written out in the sources, so that missing and unused ones can be found.
func TestEveryTextExistsAndIsUsed(t *testing.T) {
	sources, err := readSources(os.DirFS("../.."))
	require.NoError(t, err)
	assert.Empty(t, sources.faults())
	used := map[string]bool{}
	for _, d := range sources.declared {
		for key := range d.keys {
			used[key] = true
		}
	}
	for _, key := range i18n.Keys(i18n.EN) {
		assert.True(t, used[key], "%s is used nowhere", key)
	}
}

// Editors see where a text is used without the program having its sources.
func TestUsesMatchTheSources(t *testing.T) {
	if testing.Short() {
		t.Skip("too slow with the race detector; see test-go in the Makefile")
	}
	sources, err := readSources(os.DirFS("../.."))
	require.NoError(t, err)
	uses := sources.uses()
	assert.Contains(t, uses["filter.woman"].Screens, "women")
	lines := make([]string, 0, len(uses))
	for _, key := range slices.Sorted(maps.Keys(uses)) {
		assert.NotEmpty(t, uses[key].Screens, "%s: no screen; was a function of frames renamed?", key)
		line, err := json.Marshal(uses[key])
		require.NoError(t, err)
		lines = append(lines, strconv.Quote(key)+": "+string(line))
	}
	written := "{\n" + strings.Join(lines, ",\n") + "\n}\n"
	if *update {
		require.NoError(t, os.WriteFile("uses.json", []byte(written), 0o600))
		return
	}
	kept, err := os.ReadFile("uses.json")
	require.NoError(t, err)
	assert.Equal(t, written, string(kept), "uses.json is out of date: run go generate ./internal/copydesk")
}

// frames are functions that wrap or replace every screen. They are not followed from a screen.
var frames = map[name]string{
	{"views", "Layout"}:                           copydesk.EveryPage,
	{"handlers", "fail"}:                          copydesk.ErrorPage,
	{"handlers", "failure"}:                       copydesk.ErrorPage,
	{"handlers", "showCopy"}:                      copydesk.EditorsView,
	{"handlers", "withKeys"}:                      copydesk.EditorsView,
	{"handlers", "showFaults"}:                    copydesk.EditorsView,
	{"internal/backend/embedded", "load"}:         copydesk.EditorsView,
	{"internal/backend/embedded", "Check"}:        copydesk.EditorsView,
	{"internal/backend/embedded", "readHeadings"}: copydesk.EditorsView,
	{"internal/backend/embedded", "take"}:         copydesk.EditorsView,
	{"internal/backend/embedded", "HeldFault"}:    copydesk.EditorsView,
	{"internal/backend/embedded", "LeftOfDemo"}:   copydesk.EditorsView,
	{"internal/intake", "askGuardian"}:            copydesk.Mail,

	{"views", "Inbox"}:       copydesk.Inbox,
	{"views", "InboxPage"}:   copydesk.Inbox,
	{"views", "InboxDead"}:   copydesk.Inbox,
	{"views", "InboxErased"}: copydesk.Inbox,
}

// anyList is the screen whose handler all lists of talents have, which handlers/routes.go puts on its map in a loop.
const anyList = "AllTalents"

// common are methods that so many types have that following them would lead everywhere.
var common = []string{"Error", "Get"}

// name is a declaration: the folder of its package and its own name, without the type that a
// method belongs to.
type name struct{ folder, own string }

// declaration is a function or a variable: the keys that it names and the declarations it uses.
type declaration struct {
	keys map[string]string // key → file
	uses []name
}

// program is what the sources declare, and the handler functions of each screen.
type program struct {
	declared map[name]*declaration
	screens  map[string][]name
	values   map[string]string   // the screens' names by their constants in internal/routes
	imports  map[string][]string // folder of a package → folders of ours that it imports
	calls    []call
}

// call asks for a text: x.T("key", "name", value, …), or x.N("key", number, "name", value, …) for both of its forms.
type call struct {
	file, key string
	number    bool
	names     []string // of its values
}

// readSources reads the Go sources of the site (templates as the Go that they become; tests don't
// count) and says where each key is used. A screen uses what its handlers in handlers/routes.go
// come to, by name: a method counts as every method of that name in the packages at hand, so
// that a screen may be named too often, but never too seldom.
func readSources(sources fs.FS) (*program, error) {
	p := &program{
		declared: map[name]*declaration{}, screens: map[string][]name{}, values: map[string]string{},
		imports: map[string][]string{},
	}
	err := fs.WalkDir(sources, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return err
		}
		source, err := fs.ReadFile(sources, file)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, source, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		p.read(file, parsed)
		return nil
	})
	// Groups returns what UseBoards has stored, by default these.
	p.declare(name{"internal/agency", "Groups"}, "", ast.NewIdent("defaultGroups"), nil)
	return p, err
}

func (p *program) read(file string, parsed *ast.File) {
	folder := path.Dir(file)
	imported := map[string]string{} // by the name that the file calls it
	for _, spec := range parsed.Imports {
		if of, ours := strings.CutPrefix(text(spec.Path), "zedcard/"); ours {
			imported[path.Base(of)] = of
			p.imports[folder] = append(p.imports[folder], of)
		}
	}
	if stem, found := strings.CutSuffix(file, "_templ.go"); found {
		file = stem + ".templ"
	}
	for _, declared := range parsed.Decls {
		switch declared := declared.(type) {
		case *ast.FuncDecl:
			p.declare(name{folder, declared.Name.Name}, file, declared, imported)
		case *ast.GenDecl:
			for _, spec := range declared.Specs {
				if values, ok := spec.(*ast.ValueSpec); ok {
					p.declareValues(folder, file, values, imported)
				}
			}
		}
	}
}

func (p *program) declareValues(folder, file string, spec *ast.ValueSpec, imported map[string]string) {
	for i, own := range spec.Names {
		p.declare(name{folder, own.Name}, file, spec, imported)
		if folder == "internal/routes" && i < len(spec.Values) {
			p.values[own.Name] = text(spec.Values[i])
		}
	}
}

// declare notes what a declaration names. Methods of the same name are one declaration.
func (p *program) declare(n name, file string, node ast.Node, imported map[string]string) {
	d := p.declared[n]
	if d == nil {
		d = &declaration{keys: map[string]string{}}
		p.declared[n] = d
	}
	var visit func(ast.Node) bool
	visit = func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.BasicLit:
			for _, key := range keysOf(text(node)) {
				d.keys[key] = file
			}
		case *ast.SelectorExpr:
			if of, ok := node.X.(*ast.Ident); ok && imported[of.Name] != "" {
				d.uses = append(d.uses, name{imported[of.Name], node.Sel.Name})
				return false
			}
			if !slices.Contains(common, node.Sel.Name) {
				d.uses = append(d.uses, name{"", node.Sel.Name})
			}
			ast.Inspect(node.X, visit)
			return false
		case *ast.CallExpr:
			if c, ok := readCall(node); ok {
				c.file = file
				p.calls = append(p.calls, c)
			}
		case *ast.Ident:
			d.uses = append(d.uses, name{n.folder, node.Name})
		case *ast.KeyValueExpr:
			screen, handler := constantOf(node.Key, "routes"), methodOf(node.Value)
			if screen != "" && handler != "" {
				p.screens[screen] = append(p.screens[screen], name{n.folder, handler})
				return false // the map of the site uses all of them
			}
		}
		return true
	}
	ast.Inspect(node, visit)
}

// uses follows the declarations from each screen's handlers.
func (p *program) uses() map[string]copydesk.Use {
	all := map[string]copydesk.Use{}
	for _, d := range p.declared {
		for key, file := range d.keys {
			all[key] = copydesk.Use{Files: insert(all[key].Files, file)}
		}
	}
	reach := func(screen string, from []name) {
		for key := range p.reached(from) {
			use := all[key]
			use.Screens = insert(use.Screens, screen)
			all[key] = use
		}
	}
	for constant, handlers := range p.screens {
		reach(p.values[constant], handlers)
		if constant == anyList {
			for _, list := range routes.Lists() {
				reach(string(list), handlers)
			}
		}
	}
	for frame, screen := range frames {
		reach(screen, []name{frame})
	}
	return all
}

// reached are the keys that these declarations come to.
func (p *program) reached(from []name) map[string]bool {
	keys, seen := map[string]bool{}, map[name]bool{}
	for frame := range frames {
		seen[frame] = !slices.Contains(from, frame)
	}
	for waiting := slices.Clone(from); len(waiting) > 0; {
		n := waiting[0]
		waiting = waiting[1:]
		if seen[n] {
			continue
		}
		seen[n] = true
		d := p.declared[n]
		if d == nil {
			continue
		}
		for key := range d.keys {
			keys[key] = true
		}
		for _, used := range d.uses {
			if used.folder != "" {
				waiting = append(waiting, used)
				continue
			}
			waiting = append(waiting, name{n.folder, used.own})
			if !ast.IsExported(used.own) {
				continue
			}
			for _, folder := range p.imports[n.folder] {
				waiting = append(waiting, name{folder, used.own})
			}
		}
	}
	return keys
}

func readCall(node *ast.CallExpr) (c call, ok bool) {
	method, isMethod := node.Fun.(*ast.SelectorExpr)
	if !isMethod || len(node.Args) == 0 || method.Sel.Name != "T" && method.Sel.Name != "N" || node.Ellipsis.IsValid() {
		return c, false
	}
	c.key, c.number = text(node.Args[0]), method.Sel.Name == "N"
	pairs := node.Args[1:]
	if c.number {
		c.names, pairs = []string{"n"}, pairs[min(1, len(pairs)):]
	}
	for i := 0; i < len(pairs); i += 2 {
		c.names = append(c.names, text(pairs[i]))
	}
	return c, c.key != ""
}

// faults are calls for a key that is no text, and keys with a placeholder that no call fills. One call that does is
// enough: another may pass the text to a script unfilled.
func (p *program) faults() (faults []string) {
	filled, asks := map[string][]string{}, map[string]string{}
	for _, c := range p.calls {
		keys := []string{c.key}
		if c.number {
			keys = []string{c.key + ".one", c.key + ".other"}
		}
		for _, key := range keys {
			if !i18n.EN.Has(key) {
				faults = append(faults, fmt.Sprintf("%s asks for %s, which is no text", c.file, key))
			}
			filled[key], asks[key] = append(filled[key], c.names...), c.file
		}
	}
	for _, key := range slices.Sorted(maps.Keys(asks)) {
		for _, name := range i18n.Placeholders(i18n.EN.T(key)) {
			if !slices.Contains(filled[key], name) {
				faults = append(faults, fmt.Sprintf("%s: %s has {%s}, which is not filled", asks[key], key, name))
			}
		}
	}
	return faults
}

// text is a text in quotes, empty for every other expression.
func text(e ast.Expr) string {
	if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
		if unquoted, err := strconv.Unquote(lit.Value); err == nil {
			return unquoted
		}
	}
	return ""
}

// constantOf is the name of a constant of a package, empty where the expression is none.
func constantOf(e ast.Expr, of string) string {
	if s, ok := e.(*ast.SelectorExpr); ok {
		if x, ok := s.X.(*ast.Ident); ok && x.Name == of {
			return s.Sel.Name
		}
	}
	return ""
}

// methodOf is the name of a method value such as s.showHome.
func methodOf(e ast.Expr) string {
	if s, ok := e.(*ast.SelectorExpr); ok {
		return s.Sel.Name
	}
	return ""
}

func insert(list []string, one string) []string {
	if at, found := slices.BinarySearch(list, one); !found {
		list = slices.Insert(list, at, one)
	}
	return list
}

// keysOf are the keys that a literal stands for: itself, or both forms of a number of things.
func keysOf(literal string) []string {
	if !strings.Contains(literal, ".") {
		return nil
	}
	return slices.DeleteFunc([]string{literal, literal + ".one", literal + ".other"}, func(key string) bool {
		return !i18n.EN.Has(key)
	})
}
