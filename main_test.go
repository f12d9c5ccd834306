package main

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mayImport is the dependency rule: which packages of ours a package may import, beside its
// tests. A new package is put here first.
var mayImport = map[string]string{
	"i18n":      "",
	"e2e/bench": "",
	"e2e/fake":  "internal/api internal/folder internal/testkit",
	"static":    "",

	"internal/agency":    "i18n",
	"internal/brand":     "internal/agency static",
	"internal/cache":     "",
	"internal/config":    "internal/agency internal/mail",
	"views/feed":         "",
	"internal/disk":      "",
	"internal/web":       "internal/cache internal/requestid",
	"internal/requestid": "",
	"internal/richtext":  "internal/agency",
	"internal/routes":    "i18n internal/agency",

	"internal/remote": "i18n internal/agency internal/cache internal/disk internal/requestid internal/richtext " +
		"internal/site",
	"internal/folder": "i18n internal/agency internal/brand internal/disk " +
		"internal/picture internal/richtext internal/routes internal/site",
	"internal/api":     "i18n internal/agency internal/disk internal/remote internal/web",
	"internal/testkit": "internal/agency internal/api internal/folder internal/remote internal/testkit/htmltest",
	"internal/author": "i18n internal/agency internal/folder internal/routes " +
		"",
	"internal/site": "i18n internal/agency internal/brand internal/routes",

	"internal/catalog": "internal/agency internal/disk",
	"internal/picture": "internal/agency",
	"internal/cards": "i18n internal/agency internal/brand internal/cache internal/picture " +
		"internal/site",
	"internal/testkit/pdftest":      "",
	"internal/testkit/picturetest":  "",
	"internal/forms":                "internal/agency",
	"internal/media":                "internal/agency internal/cache internal/disk internal/picture internal/routes",
	"internal/database":             "internal/agency internal/disk",
	"internal/testkit/databasetest": "",
	"internal/intake": "i18n internal/agency internal/database internal/forms internal/mail internal/picture " +
		"internal/routes internal/site",
	"internal/mail": "",

	"internal/testkit/htmltest": "",
	"views/ui":                  "internal/agency static",

	"views": "i18n internal/agency internal/brand internal/richtext " +
		"internal/routes internal/site static views/feed views/ui",
	"handlers": "i18n internal/agency internal/brand internal/cache internal/cards " +
		"internal/catalog internal/disk internal/forms internal/intake " +
		"internal/web internal/picture internal/requestid " +
		"internal/richtext internal/routes static views views/feed views/ui",

	"internal/app": "handlers i18n internal/agency internal/author internal/api internal/folder " +
		"internal/remote internal/cards " +
		"internal/catalog internal/config internal/database internal/disk internal/forms internal/intake " +
		"internal/mail internal/media internal/web internal/picture " +
		"internal/requestid internal/routes internal/site static views",
	"zedcard": "internal/app internal/picture",
}

// io are packages for network, files or databases.
var io = []string{"net", "net/http", "os", "os/exec", "database/sql"}

// noIO are packages that must not do I/O.
var noIO = []string{"internal/agency", "internal/routes", "internal/richtext", "views", "views/ui"}

type goPackage struct {
	ImportPath string
	Imports    []string
}

func listPackages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	require.NoError(t, err)
	var all []goPackage
	for decoder := json.NewDecoder(strings.NewReader(string(out))); decoder.More(); {
		var p goPackage
		require.NoError(t, decoder.Decode(&p))
		all = append(all, p)
	}
	require.Greater(t, len(all), len(mayImport)/2, "go list lists the module's packages")
	return all
}

func TestPackagesImportWhatTheyMay(t *testing.T) {
	unseen := maps.Clone(mayImport)
	for _, p := range listPackages(t) {
		name := strings.TrimPrefix(p.ImportPath, "zedcard/")
		allowed, known := mayImport[name]
		if !assert.True(t, known, "%s is in the table of main_test.go", name) {
			continue
		}
		delete(unseen, name)
		var used []string
		for _, imported := range p.Imports {
			if ours, found := strings.CutPrefix(imported, "zedcard/"); found {
				used = append(used, ours)
			}
			if slices.Contains(noIO, name) {
				assert.NotContains(t, io, imported, "%s must do no I/O", name)
			}
		}
		// Unused permissions fail, too, so that the table shows the program as it is.
		assert.ElementsMatch(t, strings.Fields(allowed), used, "the imports of %s match the table", name)
	}
	assert.Empty(t, unseen, "every package in the table exists")
}

var namedTest = regexp.MustCompile(`\b(?:Test|Fuzz|Benchmark)[A-Z]\w+|e2e/\w+\.test\.ts`)

// TestReliabilityNamesTestsThatExist looks up the tests that the page names for what it promises.
func TestReliabilityNamesTestsThatExist(t *testing.T) {
	page, err := os.ReadFile("docs/reliability.md")
	require.NoError(t, err)
	var tests strings.Builder
	for _, folder := range []string{"handlers", "i18n", "internal", "views"} {
		require.NoError(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			source, err := os.ReadFile(path)
			tests.Write(source)
			return err
		}))
	}
	named := namedTest.FindAllString(string(page), -1)
	assert.NotEmpty(t, named)
	for _, name := range named {
		if strings.HasPrefix(name, "e2e/") {
			assert.FileExists(t, name)
		} else {
			assert.Contains(t, tests.String(), "func "+name+"(")
		}
	}
}

var (
	walkStop  = regexp.MustCompile(`(?m)^\d+\. (.+(?:\n   .+)*)`)
	codeQuote = regexp.MustCompile("`([^`]+)`")
	isPath    = regexp.MustCompile(`/|^\w+\.(?:go|templ|md|mjs|json)$`)
	isName    = regexp.MustCompile(`^[A-Za-z]+$`)
)

// TestContributingNamesFilesAndFunctionsThatExist follows the walks of CONTRIBUTING.md. A stop begins with the files
// that it is about and their functions, before its colon; a file after another one is in the same folder. The rooms of
// the list must exist, and no package may be missing from it.
func TestContributingNamesFilesAndFunctionsThatExist(t *testing.T) {
	page, err := os.ReadFile("CONTRIBUTING.md")
	require.NoError(t, err)
	_, walks, _ := strings.Cut(string(page), "\n## One talent")
	walks, _, _ = strings.Cut(walks, "\n## Rules")
	stops := walkStop.FindAllStringSubmatch(walks, -1)
	assert.Greater(t, len(stops), 20)
	for _, stop := range stops {
		where, _, _ := strings.Cut(stop[1], ":")
		var folder string
		var sources strings.Builder
		for _, quoted := range codeQuote.FindAllStringSubmatch(where, -1) {
			name := quoted[1]
			switch {
			case isPath.MatchString(name):
				if !strings.Contains(name, "/") {
					name = filepath.Join(folder, name)
				}
				folder = filepath.Dir(name)
				if info, err := os.Stat(name); err == nil && info.IsDir() {
					folder = name
				}
				readSources(t, name, &sources)
			case isName.MatchString(name):
				function := regexp.MustCompile(`(?m)^func (?:\([^)]*\) )?` + name + `\(`)
				assert.True(t, function.MatchString(sources.String()), "%s: %s", name, stop[1])
			}
		}
		assert.NotZero(t, sources.Len(), "a stop names a file: %s", stop[1])
	}
}

// readSources adds the text of a file, or of a folder's Go files without tests.
func readSources(t *testing.T, path string, sources *strings.Builder) {
	t.Helper()
	files := []string{path}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		files, err = filepath.Glob(filepath.Join(path, "*.go"))
		require.NoError(t, err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		assert.NoError(t, err)
		sources.Write(source)
	}
}

var roomLine = regexp.MustCompile("(?m)^- (`[^:]+`): ")

// TestContributingsMapHasEveryPackage compares the list of rooms with the packages in the table of imports.
func TestContributingsMapHasEveryPackage(t *testing.T) {
	page, err := os.ReadFile("CONTRIBUTING.md")
	require.NoError(t, err)
	_, list, _ := strings.Cut(string(page), "\n## Rooms")
	list, _, _ = strings.Cut(list, "\n## One talent")
	rooms := map[string]bool{}
	for _, line := range roomLine.FindAllStringSubmatch(list, -1) {
		folder := ""
		for _, quoted := range codeQuote.FindAllStringSubmatch(line[1], -1) {
			room := strings.TrimSuffix(quoted[1], "/")
			if folder != "" && !strings.Contains(quoted[1], "/") {
				room = filepath.Join(folder, room)
			}
			if folder = filepath.Dir(room); folder == "." {
				folder = ""
			}
			_, err := os.Stat(room)
			assert.NoError(t, err, "CONTRIBUTING.md names %s", room)
			rooms[room] = true
		}
	}
	for name := range mayImport {
		if name == "zedcard" {
			name = "main.go"
		}
		top := strings.SplitN(name, "/", 3)
		room := strings.Join(top[:min(2, len(top))], "/")
		assert.True(t, rooms[room] || rooms[top[0]], "CONTRIBUTING.md says what %s is", name)
	}
}
