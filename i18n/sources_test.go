package i18n_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"zedcard/i18n"
)

// used are the keys that the sources use. Keys are written out literally, in calls of T and N
// or on their way there.
type used map[string]bool

// call is a use of a key, with the names of its values. At is its place in the source, as file:line.
type call struct {
	at, key string
	number  bool // N: key.one and key.other
	names   []string
}

// inScript is a text in quotes that may be a key, in TypeScript.
var inScript = regexp.MustCompile("[\"'`]([a-z][a-z0-9-]*(?:\\.[a-z0-9-]+)+)[\"'`]")

// folders are those of the sources that use texts.
var folders = []string{"i18n", "views", "handlers", "internal", "islands"}

// read reads the Go and TypeScript sources of a tree; tests don't count. Templates are read as the
// Go that they become, and named by their own name.
func read(sources fs.FS) (used, []call, error) {
	keys := used{}
	var calls []call
	visit := func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.Contains(name, "_test.go") || strings.Contains(name, ".test.ts") {
			return err
		}
		source, err := fs.ReadFile(sources, name)
		if err != nil {
			return err
		}
		switch path.Ext(name) {
		case ".go":
			file, written := name, source
			if stem, found := strings.CutSuffix(name, "_templ.go"); found {
				file = stem + ".templ"
				// Without the template its lines aren't known.
				written, _ = fs.ReadFile(sources, file)
			}
			found, err := readGo(file, source, keys)
			for i := range found {
				found[i].at = i18n.Place(file, written, found[i].key)
			}
			calls = append(calls, found...)
			return err
		case ".ts", ".tsx":
			for _, match := range inScript.FindAllSubmatch(source, -1) {
				keys.add(string(match[1]))
			}
		}
		return nil
	}
	for _, folder := range folders {
		if err := fs.WalkDir(sources, folder, visit); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
	}
	return keys, calls, nil
}

// add notes the use of a literal that may be a key.
func (u used) add(literal string) {
	for _, key := range keysOf(literal) {
		u[key] = true
	}
}

// keysOf are the keys that a literal of the sources stands for: itself, or both forms of a number of
// things. Most literals are no keys.
func keysOf(literal string) []string {
	if !strings.Contains(literal, ".") {
		return nil
	}
	var keys []string
	for _, key := range []string{literal, literal + ".one", literal + ".other"} {
		if i18n.EN.Has(key) {
			keys = append(keys, key)
		}
	}
	return keys
}

func readGo(file string, source []byte, keys used) ([]call, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("i18n: %w", err)
	}
	var calls []call
	ast.Inspect(parsed, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.BasicLit:
			if text, ok := literal(node); ok {
				keys.add(text)
			}
		case *ast.CallExpr:
			if c, ok := readCall(node); ok {
				calls = append(calls, c)
			}
		}
		return true
	})
	return calls, nil
}

func literal(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}

// readCall understands x.T("key", "name", value, …) and x.N("key", number, "name", value, …).
func readCall(node *ast.CallExpr) (c call, ok bool) {
	method, isMethod := node.Fun.(*ast.SelectorExpr)
	if !isMethod || len(node.Args) == 0 || method.Sel.Name != "T" && method.Sel.Name != "N" || node.Ellipsis.IsValid() {
		return c, false
	}
	c.key, ok = literal(node.Args[0])
	pairs := node.Args[1:]
	if method.Sel.Name == "N" {
		if len(pairs) == 0 {
			return c, false
		}
		c.number, c.names, pairs = true, []string{"n"}, pairs[1:]
	}
	for i := 0; i < len(pairs); i += 2 {
		if name, literally := literal(pairs[i]); literally {
			c.names = append(c.names, name)
		}
	}
	return c, ok
}

// checkSources names what is wrong between the sources and the English texts, one line each: keys
// that don't exist, placeholders without a value, and texts that are not used.
func checkSources(sources fs.FS) ([]string, error) {
	keys, calls, err := read(sources)
	if err != nil {
		return nil, err
	}
	faults := checkCalls(calls)
	for _, key := range i18n.Keys(i18n.EN) {
		if !keys[key] {
			faults = append(faults, key+": is used nowhere")
		}
	}
	return faults, nil
}

// checkCalls checks the uses of keys. A placeholder counts as filled when one call of its key
// fills it: another may pass the text to a script unfilled.
func checkCalls(calls []call) []string {
	var faults []string
	filled, asks := map[string][]string{}, map[string]string{}
	for _, c := range calls {
		keys := []string{c.key}
		if c.number {
			keys = []string{c.key + ".one", c.key + ".other"}
		}
		for _, key := range keys {
			if !i18n.EN.Has(key) {
				faults = append(faults, fmt.Sprintf("%s: asks for %s, which is no text", c.at, key))
			}
			filled[key], asks[key] = append(filled[key], c.names...), c.at
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
