package i18n_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/i18n"
)

// Keys are written out in the sources, so that missing and unused ones can be found. A text with placeholders is filled
// by at least one of the calls that ask for it: another may pass it to a script unfilled.
func TestEveryTextExistsIsUsedAndIsFilled(t *testing.T) {
	used, filled := map[string]bool{}, map[string][]string{}
	visit := func(node ast.Node) bool {
		if literal := text(node); strings.Contains(literal, ".") {
			for _, key := range []string{literal, literal + ".one", literal + ".other"} {
				used[key] = true
			}
		}
		call, ok := node.(*ast.CallExpr)
		if !ok || call.Ellipsis.IsValid() || len(call.Args) == 0 || text(call.Args[0]) == "" {
			return true
		}
		key, names := text(call.Args[0]), []string{}
		for _, argument := range call.Args[1:] {
			names = append(names, text(argument))
		}
		switch method, _ := call.Fun.(*ast.SelectorExpr); {
		case method == nil:
		case method.Sel.Name == "T":
			assert.True(t, i18n.Of(i18n.EN).Has(key), "%s is asked for, and no text", key)
			filled[key] = append(filled[key], names...)
		case method.Sel.Name == "N":
			for _, form := range []string{key + ".one", key + ".other"} {
				assert.True(t, i18n.Of(i18n.EN).Has(form), "%s is asked for, and no text", form)
				filled[form] = append(filled[form], append(names, "n")...)
			}
		}
		return true
	}
	require.NoError(t, filepath.WalkDir("..", func(file string, entry fs.DirEntry, err error) error {
		if entry.Name() == "node_modules" {
			return fs.SkipDir
		}
		if err != nil || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err == nil {
			ast.Inspect(parsed, visit)
		}
		return err
	}))
	for _, key := range i18n.Of(i18n.EN).Keys() {
		assert.True(t, used[key], "%s is used nowhere", key)
		for _, name := range i18n.Placeholders(i18n.Of(i18n.EN).T(key)) {
			if filled[key] != nil {
				assert.True(t, slices.Contains(filled[key], name), "{%s} of %s is not filled", name, key)
			}
		}
	}
}

// text is a text in quotes, empty for everything else.
func text(node ast.Node) string {
	literal, ok := node.(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return ""
	}
	unquoted, _ := strconv.Unquote(literal.Value)
	return unquoted
}
