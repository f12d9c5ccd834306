package i18n_test

import (
	"bufio"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"zedcard/i18n"
)

// The sources that French touches. Only the first two are required; without the others, French pages have English
// addresses and content.
const (
	languagesFile = "i18n/languages.go"
	textsFile     = "i18n/fr.json"
	routesFile    = "internal/routes/routes.go"
	boardsFile    = "internal/agency/boards.go"
	aboutFile     = "internal/backend/embedded/demo/pages/about.fr.md"
	countriesFile = "internal/backend/embedded/demo/options.yaml"
)

// row is French in the table of languages.
const row = `	{
		Code: "fr", Name: "Français", Locale: "fr_FR",
		Months: [12]string{
			"janvier", "février", "mars", "avril", "mai", "juin",
			"juillet", "août", "septembre", "octobre", "novembre", "décembre",
		},
		Date: "{day} {month} {year}", Decimal: ",", Thousands: "\u202f", GroupFrom: 4, ZeroIsOne: true,
	},
}

// Langs`

// mark begins every French text of this test.
const mark = "[fr] "

// forgotten is the key of the text that is not translated.
const forgotten = "offline.text"

// TestAddingALanguageOrABoardTakesAFewFiles builds the program with French and a board of voices in its tables, and
// reads the French site. CONTRIBUTING.md names the files that each touches.
func TestAddingALanguageOrABoardTakesAFewFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("too slow with the race detector; see test-go in the Makefile")
	}
	files := changes{}
	addBoard(t, files)
	assert.Len(t, files, 1+len(i18n.Langs), "files changed to add a board: its row and its name in each language")
	before := maps.Clone(files)
	addFrench(t, files)
	french := 0
	for file, data := range files {
		if string(before[file]) != string(data) {
			french++
		}
	}
	assert.Equal(t, 6, french, "files changed to add a language")
	binary := build(t, files)

	t.Run("the check names a missing text", func(t *testing.T) {
		said, err := run(t, binary, "check").CombinedOutput()
		require.Error(t, err)
		faults := strings.TrimSpace(string(said))
		assert.Regexp(t, `^i18n/en\.json:\d+: `+regexp.QuoteMeta(forgotten)+`: is missing in fr\.json$`, faults)
	})

	site, log := serve(t, binary)
	assert.Regexp(t, `level=WARN msg="a text .*`+regexp.QuoteMeta(forgotten)+`: is missing in fr\.json`, log)
	pages := crawl(t, site)
	require.Greater(t, len(pages), 50)
	read := func(path string) string {
		if page, seen := pages[path]; seen {
			return page.body
		}
		return fetch(t, site, path).body
	}

	t.Run("every page is in French and every text comes from the table", func(t *testing.T) {
		keyOf := map[string]string{}
		for _, key := range i18n.Keys(i18n.EN) {
			keyOf[key], keyOf[i18n.EN.T(key)] = key, key
		}
		for _, sent := range words(t) { // by the back end, which has no French ones
			delete(keyOf, sent)
		}
		for path, page := range pages {
			assert.Equal(t, http.StatusOK, page.status, path)
			assert.Contains(t, page.body, `<html lang="fr"`, path)
			assert.Contains(t, page.body, `property="og:locale" content="fr_FR"`, path)
			for _, text := range page.texts {
				assert.Empty(t, keyOf[text], "%s shows the English text or the key %q", path, text)
			}
		}
	})
	t.Run("addresses are in French", func(t *testing.T) {
		for _, path := range []string{"/fr", "/fr/femmes", "/fr/models/men", "/fr/a-propos", "/fr/blog"} {
			assert.Contains(t, pages, path, "a page links to it")
		}
		assert.Contains(t, read("/fr/about"), `rel="canonical" href="`+base+`/fr/a-propos"`)
		assert.Contains(t, read("/fr/nowhere/at/all"), mark, "the error page is in French")
		assert.Contains(t, read("/fr/offline"), i18n.EN.T(forgotten), "a missing text is shown in English")
		for _, path := range []string{"/about", "/pt/sobre-nos", "/es/sobre-nosotros", "/fr/a-propos"} {
			assert.Contains(t, read(path), `hreflang="fr" href="`+base+`/fr/a-propos"`, path)
			assert.Contains(t, read(path), "Français", "the language switch of "+path)
		}
	})
	t.Run("the new board has localized addresses and is linked", func(t *testing.T) {
		assert.Contains(t, pages, "/fr/voix", "the menu or filters link to the new board")
		assert.Contains(t, read("/fr/voix"), mark+"Voices")
		assert.Contains(t, read("/models/voices"), "<title>Voices")
	})
	t.Run("dates, numbers and place names are in French", func(t *testing.T) {
		assert.Regexp(t, `>\d+ (mai|juin|juillet) 20\d\d<`, read("/fr/blog"))
		sizes := func(page page) bool { return slices.Contains(page.texts, "38,5") }
		assert.True(t, slices.ContainsFunc(slices.Collect(maps.Values(pages)), sizes), "sizes have a decimal comma")
		assert.Contains(t, read("/fr/be-a-model"), mark+"Germany")
	})
	t.Run("content, feed, sitemap, offline page and copy desk are in French", func(t *testing.T) {
		assert.Contains(t, read("/fr/a-propos"), "Une agence.")
		assert.Regexp(t, `<feed[^>]* xml:lang="fr"`, read("/fr/feed.xml"))
		assert.Contains(t, read("/sitemap-pages.xml"), `hreflang="fr" href="`+base+`/fr/a-propos"`)
		assert.Contains(t, read("/sw.js"), "/fr/offline")
		texts := read("/_copy?token=editor")
		assert.Contains(t, texts, mark)
		assert.Contains(t, texts, "Français")
	})
}

// words are those of the demo's options and links, which are shown as the back end sends them.
func words(t *testing.T) []string {
	t.Helper()
	options, err := os.ReadFile(filepath.Join("..", countriesFile))
	require.NoError(t, err)
	all := []string{"Instagram"}
	for _, value := range regexp.MustCompile(`value: ([^,}]+)`).FindAllSubmatch(options, -1) {
		all = append(all, string(value[1]))
	}
	return all
}

// changes are the changed files, by their path in the repository.
type changes map[string][]byte

// edit replaces a text that a file has exactly once.
func (c changes) edit(t *testing.T, file, old, new string) {
	t.Helper()
	source, changed := c[file]
	if !changed {
		var err error
		source, err = os.ReadFile(filepath.Join("..", file))
		require.NoError(t, err)
	}
	require.Equal(t, 1, strings.Count(string(source), old), "%s: %s", file, old)
	c[file] = []byte(strings.Replace(string(source), old, new, 1))
}

// addBoard adds a part of the models' board.
func addBoard(t *testing.T, files changes) {
	t.Helper()
	kids := "Paths: paths{i18n.EN: \"/models/kids\"},\n\t},\n"
	files.edit(t, boardsFile, kids, kids+`	{
		Filter: Filter{Board: Models, Category: "voices"}, Key: "filter.voices", ID: 1999, NoGender: true,
		Screen: "voices", Paths: paths{i18n.EN: "/models/voices", "fr": "/voix"},
	},
`)
	for _, lang := range i18n.Langs {
		files.edit(t, "i18n/"+string(lang)+".json", "{\n", "{\n  \"filter.voices\": \"Voices\",\n")
	}
}

// addFrench adds French with its own addresses, a page of content, and the names of countries.
func addFrench(t *testing.T, files changes) {
	t.Helper()
	files.edit(t, languagesFile, "}\n\n// Langs", row)
	texts := map[string]string{}
	require.NoError(t, json.Unmarshal(files["i18n/en.json"], &texts))
	for key, text := range texts {
		texts[key] = mark + text
	}
	require.Contains(t, texts, forgotten)
	delete(texts, forgotten)
	written, err := json.MarshalIndent(texts, "", "  ")
	require.NoError(t, err)
	files[textsFile] = written

	files.edit(t, routesFile, `i18n.EN: "/about", `, `i18n.EN: "/about", "fr": "/a-propos", `)
	files.edit(t, boardsFile, `i18n.EN: "/models/women", `, `i18n.EN: "/models/women", "fr": "/femmes", `)
	files[aboutFile] = []byte("---\ntitle: À propos\n---\nUne agence.\n")
	options, err := os.ReadFile(filepath.Join("..", countriesFile))
	require.NoError(t, err)
	files[countriesFile] = regexp.MustCompile(`value: ([^,{}]+), pt: `).
		ReplaceAll(options, []byte(`value: $1, fr: "`+mark+`$1", pt: `))
}

// build is the program with these files in the place of the repository's.
func build(t *testing.T, files changes) string {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	replace := map[string]string{}
	for name, data := range files {
		written := filepath.Join(dir, strings.ReplaceAll(name, "/", "-"))
		require.NoError(t, os.WriteFile(written, data, 0o600))
		replace[filepath.Join(root, name)] = written
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o600))
	binary := filepath.Join(dir, "zedcard")
	// Built as `make build` does, so that what it depends on is compiled once for both.
	command := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-ldflags", "-s -w",
		"-overlay", filepath.Join(dir, "overlay.json"), "-o", binary, ".")
	command.Dir, command.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	said, err := command.CombinedOutput()
	require.NoError(t, err, string(said))
	return binary
}

// run is a command of the program in a folder of its own.
func run(t *testing.T, binary, name string) *exec.Cmd {
	t.Helper()
	command := exec.CommandContext(t.Context(), binary, name)
	command.Dir = t.TempDir()
	command.Env = append(os.Environ(), "LISTEN_ADDR=127.0.0.1:0", "ADMIN_ADDR=off", "MEDIA_PREPARE=false",
		"PREVIEW_TOKEN=editor", "BASE_URL="+base)
	return command
}

// base is the address that the site says it has.
const base = "http://best.example"

var listening = regexp.MustCompile(`msg=listening setting=LISTEN_ADDR addr=(\S+)`)

// serve starts the program and returns its address, and the log of its start.
func serve(t *testing.T, binary string) (address, log string) {
	t.Helper()
	command := run(t, binary, "serve")
	output, err := command.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	t.Cleanup(func() { _ = command.Wait() }) // the test's context has ended it
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		if found := listening.FindStringSubmatch(lines.Text()); found != nil {
			go func() { _, _ = io.Copy(io.Discard, output) }()
			return "http://" + found[1], log
		}
		log += lines.Text() + "\n"
	}
	require.Fail(t, "the program ended before it listened", lines.Err())
	return "", ""
}

// page is what the test reads of a page: the texts of its elements and the addresses that it links to.
type page struct {
	status       int
	body         string
	texts, links []string
}

// crawl follows every link below /fr that has no query: the states of a list have the same texts.
func crawl(t *testing.T, site string) map[string]page {
	t.Helper()
	pages := map[string]page{}
	for waiting := []string{"/fr"}; len(waiting) > 0; waiting = waiting[1:] {
		path := waiting[0]
		if _, seen := pages[path]; seen {
			continue
		}
		pages[path] = fetch(t, site, path)
		for _, link := range pages[path].links {
			if !noPage.MatchString(link) {
				waiting = append(waiting, link)
			}
		}
	}
	return pages
}

// noPage matches the addresses that are not followed.
var noPage = regexp.MustCompile(`\?|/composites?$|/share/|/feed\.xml$`)

// client stores the cookie of the editors' view, as a browser does.
var client = func() *http.Client {
	jar, err := cookiejar.New(nil)
	if err != nil {
		panic(err)
	}
	return &http.Client{Jar: jar}
}()

func fetch(t *testing.T, site, path string) page {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, site+path, nil)
	require.NoError(t, err)
	answer, err := client.Do(request)
	require.NoError(t, err)
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	found := page{status: answer.StatusCode, body: string(body)}
	document, err := html.Parse(strings.NewReader(found.body))
	require.NoError(t, err)
	found.read(document)
	return found
}

// read reads an element with its children, except those in another language.
func (p *page) read(node *html.Node) {
	for _, attribute := range node.Attr {
		switch {
		case attribute.Key == "lang" && attribute.Val != "fr", attribute.Key == "hreflang" && attribute.Val != "fr":
			return
		case attribute.Key == "href" && (attribute.Val == "/fr" || strings.HasPrefix(attribute.Val, "/fr/")):
			link, _, _ := strings.Cut(attribute.Val, "#")
			p.links = append(p.links, link)
		case slices.Contains([]string{"aria-label", "alt", "placeholder", "title"}, attribute.Key):
			p.texts = append(p.texts, attribute.Val)
		}
	}
	if node.Type == html.TextNode && node.Parent.Data != "script" {
		p.texts = append(p.texts, strings.TrimSpace(node.Data))
	}
	for child := range node.ChildNodes() {
		p.read(child)
	}
}
