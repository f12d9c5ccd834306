package app_test

import (
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/testkit"
	"zedcard/internal/testkit/htmltest"
)

// newFolder is a folder to begin with, and a run of commands on it.
func newFolder(t *testing.T) func(code int, args ...string) string {
	t.Chdir(t.TempDir())
	do := func(code int, args ...string) string {
		t.Helper()
		env := map[string]string{"CONTENT_DIR": "lumen", "DATA_DIR": "data", "DATABASE_URL": "sqlite:data/z.db"}
		got, out, errs := run(t, env, args...)
		require.Equal(t, code, got, out+errs)
		return out + errs
	}
	assert.Contains(t, do(0, "init", "lumen"), "zedcard serve --content-dir lumen")
	return do
}

func TestInitWritesAFolderWithoutFaultsAndNeverOverwrites(t *testing.T) {
	do := newFolder(t)
	out := do(0, "check")
	assert.Contains(t, out, "no faults")
	for _, file := range []string{
		"README.md", "agency.yaml", "boards.yaml", "slides.yaml", "options.yaml", "redirects.txt",
		"brand/icon.svg", "brand/icon.png",
	} {
		assert.FileExists(t, "lumen/"+file)
	}
	pages, err := filepath.Glob("lumen/pages/*.md")
	require.NoError(t, err)
	for _, page := range pages {
		assert.NotRegexp(t, `Helena|Harmonia|Lisbo|São Paulo|00\.000|ANPD|LGPD|alvará|190|2026|Best`,
			read(t, page), page)
	}
	env := map[string]string{"CONTENT_DIR": "lumen", "DATA_DIR": "data", "BASE_URL": "https://lumen.pt"}
	code, out, _ := run(t, env, "check")
	assert.Equal(t, 1, code, "what is to be written is a fault where visitors read it")
	for _, line := range []string{
		`agency.yaml:2: "Your Agency" stands`, `agency.yaml:6: "Your street 1" stands`,
		`privacy.md:\d+: \[registered name`, `privacy.pt.md:\d+: \[nome, e-mail ou telefone\] is`,
		`privacy.es.md:\d+: \[la fecha\] is`, `safety.md:\d+: \[police\] is`,
		`talents/010-maria-example/talent.yaml:3: "Maria Example" stands`,
	} {
		assert.Regexp(t, line, out)
	}
	assert.NotContains(t, out, "your name", "that the form asks for it is no placeholder")
	write(t, "lumen/agency.yaml", "name: Mine\n")
	assert.Contains(t, do(1, "init", "lumen"), "never overwrites")
	kept := read(t, "lumen/agency.yaml")
	assert.Equal(t, "name: Mine\n", kept)
}

func TestInitWritesTheDemo(t *testing.T) {
	do := newFolder(t)
	do(0, "init", "--demo", "best")
	for _, file := range []string{"README.md", "agency.yaml", "talents/006-benedita-nascimento/cover.jpg"} {
		assert.FileExists(t, "best/"+file)
	}
}

func TestNewTalentIsADraftWithTheNextID(t *testing.T) {
	do := newFolder(t)
	assert.Equal(t, "lumen/talents/030-ana-silva/talent.yaml, id 3, a draft\n", do(0, "new", "talent", "Ana Silva"))
	assert.Contains(t, do(0, "new", "talent", "Ana: \"A\""), "040-ana-a/talent.yaml, id 4")
	assert.Contains(t, do(0, "check"), "no faults")
	do(2, "new", "talent")
}

func TestCheckSaysWhatTheSiteWouldDo(t *testing.T) {
	do := newFolder(t)
	text := read(t, "lumen/talents/010-maria-example/talent.yaml")
	cover := read(t, "lumen/talents/010-maria-example/cover.jpg")
	replace := func(old, replacement string) func(string) {
		return func(folder string) {
			file := folder + "/talent.yaml"
			written := read(t, file)
			require.Contains(t, written, old)
			write(t, file, strings.Replace(written, old, replacement, 1))
		}
	}
	put := func(name, data string) func(string) {
		return func(folder string) { write(t, folder+"/"+name, data) }
	}
	rows := []struct {
		change func(folder string)
		want   string // after the folder; empty: it is accepted
	}{
		{
			replace("bust:", "  bust:"),
			`/talent.yaml:8: "bust" begins with spaces; remove them so that it stands under "height"`,
		},
		{replace("bust:", "\tbust:"), `/talent.yaml:8: a tab; use spaces`},
		{replace("Maria Example", "Ana: Silva"), `/talent.yaml:3: put the value in quotes: name: "Ana: Silva"`},
		{replace("shoes:", "sapatos:"), `/talent.yaml:12: unknown field "sapatos"; did you mean shoes?`},
		{
			replace("shoes:", "instagram: ana silva\nshoes:"),
			`/talent.yaml:12: "ana silva" is no handle of Instagram; write it as ana.silva`,
		},
		{replace("shoes:", "instagram: https://instagram.com/ana.silva\nshoes:"), ""},
		{replace("cover: cover.jpg", "cover: Cover.JPG"), `there is cover.jpg: capitals count`},
		{put("cover.jpg", strings.Repeat("x", 41<<20)), `cover.jpg has 41 MB; 40 MB is the most`},
		{put("cover.jpg", cover[:len(cover)/2]), `cover.jpg is incomplete; copy it again`},
		{replace("cover: cover.jpg", "cover: a.heic"), `HEIC (iPhone): save as JPEG`},
		{put("book-9.heic", "x"), `book-9.heic is not shown: save as JPEG`},
		{
			replace("2001-04-17", "31/02/2004"),
			`/talent.yaml:5: birthdate must be a day that exists, yyyy-mm-dd, such as 1999-03-02 for 2 March 1999`,
		},
		{
			replace("height: 178", "height: 1.76"),
			`/talent.yaml:7: height 1.76 is outside 30 to 200 (options.yaml); did you mean 176?`,
		},
		{replace("eyes:", "cover: cover.jpg\neyes:"), `/talent.yaml:16: the field "cover" is there twice`},
		{
			replace("[women, curve]", "[]"),
			`/talent.yaml:3: on no board, so in no menu and no selection; name the boards: women, curve`,
		},
		{replace("Maria", "Jo\xe3o"), `/talent.yaml:3: save as UTF-8`},
		{func(folder string) {
			require.NoError(t, os.Rename(folder+"/talent.yaml", folder+"/talent.yaml.txt"))
		}, `/talent.yaml: the file is missing; found talent.yaml.txt`},
		{replace("id: 1", "id: 2 #"), `the next free id is `},
		{put("talent (1).yaml", "id: 9\n"), `/talent (1).yaml: this file is ignored`},
		{replace("61,5", "61,5 cm"), ""},
		{replace("hair: Dark Brown", "hair: castanho escuro"), ""},
		{replace("[women, curve]", "[WOMEN, Curve]"), ""},
		{replace("\n", "\r\n"), ""},
		{func(folder string) {
			require.NoError(t, os.Rename(folder+"/cover.jpg", folder+"/prac\u0327a.jpg"))
			replace("cover: cover.jpg", "cover: praça.jpg")(folder)
		}, ""},
		{func(folder string) {
			data := []byte{0xfe, 0xff}
			for _, unit := range utf16.Encode([]rune(text)) {
				data = append(data, byte(unit>>8), byte(unit))
			}
			put("talent.yaml", strings.Replace(string(data), "\x001\x00 \x00#", "\x001\x009\x000\x00 \x00#", 1))(folder)
		}, ""},
	}
	for i, row := range rows {
		folder := "lumen/talents/" + strconv.Itoa(100+i) + "-x"
		require.NoError(t, os.CopyFS(folder, os.DirFS("lumen/talents/010-maria-example")))
		if row.want != `the next free id is ` {
			replace("id: 1 ", "id: "+strconv.Itoa(100+i)+" ")(folder)
		}
		row.change(folder)
	}
	out := do(1, "check")
	for i, row := range rows {
		var lines []string
		for line := range strings.SplitSeq(out, "\n") {
			if strings.HasPrefix(line, "lumen/talents/"+strconv.Itoa(100+i)+"-x/") {
				lines = append(lines, line)
			}
		}
		if row.want == "" {
			assert.Empty(t, lines)
		} else if assert.Len(t, lines, 1, row.want) {
			assert.Contains(t, lines[0], row.want)
		}
	}
}

func TestTextsWritesWhatALanguageLacks(t *testing.T) {
	do := newFolder(t)
	own := "home.line: Jedes Gesicht hat einen Namen.\n"
	write(t, "lumen/texts/de.yaml", own)
	assert.Contains(t, do(0, "texts", "de"), "lumen/texts/de.yaml: ")
	written := read(t, "lumen/texts/de.yaml")
	assert.Contains(t, written, "home.line: Jedes Gesicht")
	assert.Equal(t, 1, strings.Count(written, "home.line: "))
	assert.Contains(t, written, "nav.menu: Menu\n")
	assert.Contains(t, do(0, "texts", "de"), ": 0 sentences added")
	assert.Contains(t, do(2, "texts", "not a tag"), "no tag of a language")
}

func TestALanguageOfOnesOwnHasItsPluralsAndItsWordsForChildren(t *testing.T) {
	do := newFolder(t)
	do(0, "texts", "pl")
	written := read(t, "lumen/texts/pl.yaml")
	for _, line := range []string{
		"\nlist.count.few: \"{n} profiles\"\nlist.count.many: \"{n} profiles\"\nlist.count.one: \"{n} profile\"\n",
		"\n# inbox.title: ", "\n# language.name: ", "\nminors.words: # the words for children",
	} {
		assert.Contains(t, written, line)
	}
	agency := read(t, "lumen/agency.yaml")
	write(t, "lumen/agency.yaml", strings.Replace(agency, "languages: [", "languages: [pl, ", 1))
	out := do(1, "check")
	assert.Equal(t, 1, strings.Count(out, "texts/pl.yaml:"), "only what nobody else can know: "+out)
	assert.Contains(t, out, ": minors.words is missing: the words for children")

	write(t, "lumen/texts/pl.yaml", strings.Replace(written, "# letters.alphabet: A B C", "letters.alphabet: A, B", 1))
	assert.Contains(t, do(1, "check"), ": letters.alphabet must be letters with blanks between them")

	written = strings.Replace(written, "minors.words:", "minors.words: dziecko|dzieci|bobas", 1)
	write(t, "lumen/texts/pl.yaml", strings.Replace(written, "\nlist.count.few: ", "\n# ", 1))
	write(t, "lumen/boards.yaml", read(t, "lumen/boards.yaml")+
		"- {id: dzieci, names: {pl: Dzieci, en: Small, pt: P, es: P}}\n")
	out = do(1, "check")
	assert.Contains(t, out, "list.count.few is missing: in pl a text with a number has the forms few, many, one")
	assert.Equal(t, 1, strings.Count(out, "texts/pl.yaml:"), out)
}

func TestARunningSiteHasWhatTheFolderAdds(t *testing.T) {
	do := newFolder(t)
	file := func(name, text string) {
		write(t, "lumen/"+name, text)
	}
	file("redirects.txt", "/team.html /about\n/tom.html talent:2\n/wp-content/* 410\n/priv.html /terms?from=old\n"+
		"/jo%C3%A3o /about\n")
	file("public/worker.js", "self.onfetch = () => {}")
	maria := read(t, "lumen/talents/010-maria-example/talent.yaml")
	file("talents/010-maria-example/talent.yaml", maria+"draft: true\n")
	do(0, "check")
	p := start(t, map[string]string{"CONTENT_DIR": "lumen", "PREVIEW_TOKEN": "sesame-sesame-sesame"})
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	editor := &http.Client{Jar: jar}
	visitor := withoutRedirects
	get := func(client *http.Client, path string) (status int, body string, header http.Header) {
		answer, err := client.Get(p.site + path)
		require.NoError(t, err)
		defer answer.Body.Close()
		data, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		return answer.StatusCode, string(data), answer.Header
	}
	for path, want := range map[string]string{
		"/terms": "200", "/pt/terms": "200", "/hello.txt": "200", "/team.html": "308 /about",
		"/priv.html?page=1": "308 /terms?from=old", "/jo%C3%A3o/": "308 /about", "/worker.js": "200",
		"/tom.html": "308 /models/2/tom-example", "/wp-content/a/b.png": "410", "/_content": "200",
		"/models/1/maria-example": "404",
	} {
		status, _, header := get(visitor, path)
		assert.Equal(t, want, strings.TrimSpace(strconv.Itoa(status)+" "+header.Get("Location")), path)
	}
	asked, err := http.NewRequest(http.MethodGet, p.site+"/worker.js", nil)
	require.NoError(t, err)
	asked.Header.Set("Service-Worker", "script") // as browsers do for one that is to be registered
	answer, err := visitor.Do(asked)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	assert.Equal(t, http.StatusNotFound, answer.StatusCode)
	_, women, _ := get(visitor, "/women")
	assert.NotContains(t, women, "Maria")
	assert.Contains(t, women, `href="/terms"`, "the footer leads to the page")
	_, sitemap, _ := get(visitor, "/sitemap-pages.xml")
	assert.Contains(t, sitemap, "/terms<")

	status, _, _ := get(editor, "/_content?token=sesame-sesame-sesame")
	require.Equal(t, http.StatusOK, status)
	status, profile, header := get(editor, "/models/1/maria-example")
	assert.Equal(t, http.StatusOK, status)
	assert.Contains(t, profile, "data-draft")
	assert.Contains(t, header.Get("Cache-Control"), "no-store")
	_, women, _ = get(editor, "/women")
	assert.Contains(t, women, "Maria")
	picture := htmltest.Read(t, profile).Attr("article img", "src")
	status, _, header = get(editor, picture)
	assert.Equal(t, http.StatusOK, status)
	assert.Contains(t, header.Get("Cache-Control"), "no-store")
	status, _, _ = get(visitor, picture)
	assert.Equal(t, http.StatusNotFound, status)

	eva := strings.NewReplacer("id: 1", "id: 4", "Maria Example", "Eva Example").Replace(maria)
	require.NoError(t, os.CopyFS("lumen/talents/040-eva", os.DirFS("lumen/talents/010-maria-example")))
	file("talents/040-eva/talent.yaml", eva+"draft: true\n")
	within3s := func(client *http.Client, want int) {
		t.Helper()
		assert.Eventually(t, func() bool {
			status, profile, _ = get(client, "/models/4/eva-example")
			return status == want
		}, 3*time.Second, 50*time.Millisecond)
	}
	within3s(editor, http.StatusOK)
	picture = htmltest.Read(t, profile).Attr("article img", "src")
	status, _, _ = get(visitor, picture)
	assert.Equal(t, http.StatusNotFound, status, "the picture of a draft that was added while the site runs")
	status, _, _ = get(editor, picture)
	assert.Equal(t, http.StatusOK, status)
	within3s(visitor, http.StatusNotFound)
	file("talents/040-eva/talent.yaml", eva)
	within3s(visitor, http.StatusOK)
	status, _, _ = get(visitor, picture)
	assert.Equal(t, http.StatusOK, status)
	file("talents/040-eva/talent.yaml", eva+"draft: true\n")
	within3s(visitor, http.StatusGone)
	file("talents/040-eva/talent.yaml", eva)
	within3s(visitor, http.StatusOK)
	require.NoError(t, os.Rename("lumen/talents/040-eva", "lumen/.eva"))
	within3s(visitor, http.StatusGone)
	require.NoError(t, os.Rename("lumen/.eva", "lumen/talents/040-eva"))
	within3s(visitor, http.StatusOK)

	file("talents/020-tom-example/talent.yaml", "id: 2\nname: Tom: Example\nsapatos: 39\n")
	assert.Eventually(t, func() bool {
		_, faults, _ := get(editor, "/_content?lang=pt")
		return strings.Contains(faults, "talents/020-tom-example/talent.yaml:2") &&
			strings.Contains(faults, "coloque o valor entre aspas")
	}, time.Minute, 100*time.Millisecond)
	status, _, _ = get(visitor, "/models/2/tom-example")
	assert.Equal(t, http.StatusOK, status, "the last good version stays")

	file("pages/terms.md", "---\ntitle: Terms\n---\n[Nowhere](/nowhere), [ours](/hello.txt), [your terms].\n")
	file("redirects.txt", "/team.html /terms\n/old.html /nothing\n")
	file("talents/040-eva/book-7.jpg", "no picture")
	_, faults, _ := get(editor, "/_content")
	said := html.UnescapeString(faults)
	for line := range strings.Lines(do(1, "check")) {
		if place, text, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "remark: "), ": "); ok &&
			strings.HasPrefix(place, "lumen/") {
			assert.Contains(t, said, strings.TrimPrefix(place, "lumen/"))
			assert.Contains(t, said, text, "what check says")
		}
	}
	assert.Contains(t, said, "/nowhere leads nowhere")
	assert.Contains(t, said, "the redirect to /nothing leads nowhere")
}

func TestAnEmptiedFolderIsTakenOnlyWhenAccepted(t *testing.T) {
	do := newFolder(t)
	env := map[string]string{"CONTENT_DIR": "lumen", "DATA_DIR": "data", "DATABASE_URL": "sqlite:data/z.db"}
	assert.Contains(t, do(0, "accept"), "nothing is held back")
	start(t, env).stop()
	require.NoError(t, os.Rename("lumen/talents", "elsewhere"))
	assert.Contains(t, do(1, "check"), "2 of 2 talents are gone; the site keeps its last content")
	p := start(t, env)
	assert.Equal(t, http.StatusOK, statusOf(t, p.site+"/models/2/tom-example"))
	assert.Contains(t, do(0, "accept"), "2 of 2 talents are gone")
	assert.Eventually(t, func() bool {
		return statusOf(t, p.site+"/models/2/tom-example") != http.StatusOK
	}, time.Minute, 100*time.Millisecond)

	require.NoError(t, os.Rename("lumen/agency.yaml", "lumen/agency.yaml.txt"))
	assert.Contains(t, do(1, "check"), "lumen/agency.yaml: is gone; agency.yaml.txt is there: rename it")
	for range 2 { // and over a restart
		assert.Never(t, func() bool {
			_, home := get(t, p.site+"/contact")
			return strings.Contains(home, "Best Management") || strings.Contains(home, "91234-5678")
		}, 1500*time.Millisecond, 200*time.Millisecond)
		p.stop()
		p = start(t, env)
	}
}

func TestWithExternalBackEndsTheFolderStillGivesAddresses(t *testing.T) {
	do := newFolder(t)
	require.NoError(t, os.RemoveAll("lumen/talents"))
	require.NoError(t, os.RemoveAll("lumen/pages"))
	write(t, "lumen/redirects.txt", "/wp-content/* 410\n")
	env := testkit.NewFake(t).Settings()
	env["CONTENT_DIR"] = "lumen"
	_, out, _ := run(t, env, "check")
	assert.NotContains(t, out, "the file is missing")
	p := start(t, env)
	assert.Equal(t, http.StatusGone, statusOf(t, p.site+"/wp-content/a.png"))
	assert.Equal(t, http.StatusOK, statusOf(t, p.site+"/hello.txt"))
	do(1, "init", "lumen")
}
