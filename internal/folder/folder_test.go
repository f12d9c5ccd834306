package folder_test

import (
	"context"
	"io/fs"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/folder"
	owner "zedcard/internal/site"
	"zedcard/internal/testkit"
)

func ids(t *testing.T, b *folder.Folder) (all []string) {
	talents, err := b.Content(t.Context()).Talents(t.Context())
	require.NoError(t, err)
	for _, talent := range talents {
		all = append(all, talent.ID)
	}
	return all
}

func TestDraftsAreForEditorsAlone(t *testing.T) {
	dir := testkit.SmallContent(t)
	testkit.Edit(t, dir, "talents/020-bo/talent.yaml", "snap: []", "draft: true")
	testkit.Edit(t, dir, "posts/news/primeiro.md", "title:", "draft: true\ntitle:")
	testkit.Edit(t, dir, "posts/news/segundo.md", "title:", "publish: 2026-11-23\ntitle:")
	testkit.Put(dir, "pages/termos.md", "---\ntitle: Termos\nmenu: footer\ndraft: true\n---\nWords.\n")
	s := testkit.Open(t, dir)
	assert.Empty(t, faults(dir))
	for ctx, want := range map[context.Context]struct {
		talents int
		posts   int
		pages   int
	}{t.Context(): {1, 0, 0}, agency.WithDrafts(t.Context()): {2, 2, 1}} {
		talents, err := s.Content(ctx).Talents(ctx)
		require.NoError(t, err)
		assert.Len(t, talents, want.talents)
		posts, err := s.Content(ctx).Posts(ctx, "news", 10, 1)
		require.NoError(t, err)
		assert.Len(t, posts.Posts, want.posts)
		assert.Len(t, s.Own(ctx).Pages, want.pages)
		talent, err := s.Content(ctx).Profile(ctx, "102")
		assert.Equal(t, want.pages == 1, err == nil)
		assert.Equal(t, want.pages == 1, talent.Draft)
	}
	assert.True(t, s.IsDraft("talents/020-bo/snap-1.jpg"))
	assert.False(t, s.IsDraft("talents/010-agata/book-1.jpg"))
	s.Now = s.Now.AddDate(0, 0, 2)
	posts, err := s.Content(t.Context()).Posts(t.Context(), "news", 10, 1)
	require.NoError(t, err)
	require.Len(t, posts.Posts, 1, "the day has come")
	assert.False(t, posts.Posts[0].Draft)
}

func TestTheFolderGivesAddresses(t *testing.T) {
	dir := testkit.SmallContent(t)
	testkit.Edit(t, dir, "talents/010-agata/talent.yaml", "height:", "was: [/models/agata.html]\nheight:")
	testkit.Put(dir, "pages/termos.md", "---\ntitle: Terms\nmenu: footer\n---\nWords.\n")
	testkit.Put(dir, "pages/termos.pt.md", "---\ntitle: Termos\n---\nPalavras.\n")
	testkit.Put(dir, "redirects.txt",
		"# the old site\n/team.html   /about\n/rui.html talent:102\n/wp-content/*  410\n"+
			"/blog-old/* /blog/news\n/modelos/ /models/women\n")
	testkit.Put(dir, "public/google1.html", "google1")
	testkit.Put(dir, "public/.well-known/security.txt", "Contact: x")
	own := testkit.Open(t, dir).Own(t.Context())
	assert.Empty(t, faults(dir))
	for path, want := range map[string]string{
		"/team.html": "/about", "/rui.html": "talent:102", "/wp-content/a/b.png": "410",
		"/blog-old/luz": "/blog/news", "/models/agata.html": "talent:101", "/modelos": "/models/women", "/x": "",
	} {
		to, _ := own.Redirects.Find(path)
		assert.Equal(t, want, to, path)
	}
	assert.Equal(t, map[string]string{"en": "Terms", "pt": "Termos"}, own.Pages["termos"].Titles)
	assert.True(t, own.Pages["termos"].Footer)
	assert.Equal(t, map[string]string{
		"/google1.html": "public/google1.html", "/.well-known/security.txt": "public/.well-known/security.txt",
	}, own.Files)

	testkit.Put(dir, "redirects.txt",
		"/team.html\n/about /contact\n/a.html /a.html\n/b.html talent:9\n/b.html /x\nc /x\n"+
			"/blog/* 410\n/sitemap-x* /x\n/terms /about\n/?gone=1 410\n/favorites/* /x\n/loop/* /loop/a/*\n")
	testkit.Put(dir, "public/robots.txt", "Disallow: /")
	testkit.Put(dir, "public/sitemap-pages.xml", "<x/>")
	testkit.Put(dir, "public/termos", "x")
	testkit.Put(dir, "public/favicon.ico", "x")
	testkit.Put(dir, "public/large.pdf", strings.Repeat("x", 1<<20+1))
	testkit.Put(dir, "pages/blog.md", "---\ntitle: A\n---\nWords.\n")
	var places []string
	for _, fault := range faults(dir) {
		places = append(places, fault.Place())
	}
	assert.Equal(t, []string{
		"pages/blog.md", "public/favicon.ico", "public/large.pdf", "public/robots.txt", "public/sitemap-pages.xml",
		"public/termos", "redirects.txt:1", "redirects.txt:2", "redirects.txt:3", "redirects.txt:4", "redirects.txt:5",
		"redirects.txt:6", "redirects.txt:7", "redirects.txt:8", "redirects.txt:10",
		"redirects.txt:11", "redirects.txt:12",
	}, places)
	own = testkit.Open(t, dir).Own(t.Context())
	to, _ := own.Redirects.Find("/terms")
	assert.Equal(t, "/about", to, "a fault in one line holds back that line alone")

	testkit.Put(dir, "redirects.txt", strings.Repeat("/a /b\n", 100_000))
	assert.True(t, slices.ContainsFunc(faults(dir), func(fault folder.Fault) bool {
		return fault.String() == "redirects.txt:20000: the file has too many lines; 20000 are the most"
	}))
}

func TestATalentIsOnTheBoardsThatItNames(t *testing.T) {
	dir := testkit.SmallContent(t)
	testkit.Put(dir, "boards.yaml", "- {id: mulheres, names: {en: Women}, gender: woman}\n"+
		"- {id: classicos, names: {en: Clássicos 50+}}\n- {id: curve, names: {en: Curve}, part_of: mulheres}\n")
	testkit.Edit(t, dir, "talents/010-agata/talent.yaml", "categories:\n  - models\n  - women",
		"boards:\n  - CURVE\n  - Cla\u0301ssicos 50+")
	testkit.Edit(t, dir, "talents/020-bo/talent.yaml", "categories: [creative]", "boards: [mulhere]")
	var found []string
	for _, fault := range faults(dir) {
		found = append(found, fault.String())
	}
	assert.Equal(t, []string{
		`talents/020-bo/talent.yaml:3: "mulhere" is no board; did you mean mulheres?`,
	}, found)
	backend := testkit.Open(t, dir)
	talent, err := backend.Content(t.Context()).Profile(t.Context(), "101")
	require.NoError(t, err)
	assert.Equal(t, "mulheres", string(backend.Site().Boards.BookingList(&talent).Board))
}

// crowd is content with six talents.
func crowd(t *testing.T) fstest.MapFS {
	dir := testkit.SmallContent(t)
	for _, name := range []string{"3", "4", "5", "6"} {
		testkit.Put(dir, "talents/0"+name+"0-x/talent.yaml", "id: "+name+"\nname: X\nboards: [models]\n")
	}
	return dir
}

func without(dir fstest.MapFS, prefixes ...string) fstest.MapFS {
	rest := maps.Clone(dir)
	for name := range dir {
		for _, prefix := range prefixes {
			if strings.HasPrefix(name, prefix) {
				delete(rest, name)
			}
		}
	}
	return rest
}

func TestTalentsDoNotVanishByAccident(t *testing.T) {
	whole, mails := crowd(t), 0
	dir := maps.Clone(whole)
	s := testkit.Open(t, dir, func(c *folder.Config) {
		c.Alert = func(*owner.Site, string, string) { mails++ }
	})
	become := func(next fstest.MapFS) {
		clear(dir)
		maps.Copy(dir, next)
		s.Later()
	}
	become(without(whole, "talents/030", "talents/040"))
	assert.Len(t, ids(t, s.Folder), 4, "two of six may leave")
	become(whole)
	assert.Len(t, ids(t, s.Folder), 6)

	become(without(whole, "talents/030", "talents/040", "talents/050"))
	assert.Len(t, ids(t, s.Folder), 6, "half of them are held")
	assert.Contains(t, s.Log.String(), "level=ERROR")
	assert.Contains(t, s.Faults()[0].String(), "talents: 3 of 6 talents are gone")
	assert.Equal(t, 1, mails)
	become(without(whole, "talents/"))
	s.Now = s.Now.Add(24 * time.Hour)
	assert.Len(t, ids(t, s.Folder), 6, "never by itself")
	assert.Equal(t, 1, mails)

	become(without(whole, "talents/030"))
	assert.Len(t, ids(t, s.Folder), 5, "the folder is right again")
}

func TestTheLastGoodContentOutlivesARestart(t *testing.T) {
	keep := func(c *folder.Config) { c.KeepDir = t.Name() }
	t.Chdir(t.TempDir())
	dir := crowd(t)
	testkit.Open(t, dir, keep)
	for file, old := range map[string]string{
		"talents/010-agata/talent.yaml": "name:", "options.yaml": "hair:", "pages/about.md": "title:",
		"slides.yaml": "mobile",
		"agency.yaml": "name:", "posts/news/primeiro.md": "title:",
	} {
		testkit.Edit(t, dir, file, old, "? [")
	}
	s := testkit.Open(t, dir, keep)
	assert.Contains(t, s.Get("/api/talent/profile?id=101"), "Ágata")
	assert.Contains(t, s.Get("/api/talents/attributes"), "South Africa")
	assert.Contains(t, s.Get("/api/entities/about"), "About us")
	assert.Contains(t, s.Get("/api/posts/news/pt/primeiro"), "Primeiro")
	assert.Contains(t, s.Get("/api/slides/home"), "slides/m.jpg")
	assert.Equal(t, "Best", s.Site().Name)

	emptied := without(crowd(t), "talents/")
	s = testkit.Open(t, emptied, keep)
	assert.Len(t, ids(t, s.Folder), 6)
	gone, err := folder.Accept(emptied, folder.Config{KeepDir: t.Name()})
	require.NoError(t, err)
	assert.Len(t, gone, 1)
	s.Later()
	assert.Empty(t, ids(t, s.Folder))
	assert.Equal(t, http.StatusNotFound, s.Status(http.MethodGet, "/api/talent/profile?id=101", ""))
	gone, err = folder.Accept(emptied, folder.Config{KeepDir: t.Name()})
	require.NoError(t, err)
	assert.Empty(t, gone)
}

// A folder is never half another agency's: what it needs and had is back, or was accepted, before it is taken.
func TestWhatASiteNeedsIsNotLostByAccident(t *testing.T) {
	t.Chdir(t.TempDir())
	whole := crowd(t)
	testkit.Put(whole, "agency.yaml", "name: Lumen\nlanguages: [en, pl]\nbrand: {logo: brand/logo.svg}\n")
	testkit.Put(whole, "boards.yaml", "- {id: women, names: {en: Women}}\n- {id: men, names: {en: Men}}\n")
	testkit.Put(whole, "texts/pl.yaml", "nav.about: O nas\n")
	testkit.Put(whole, "brand/logo.svg", `<svg viewBox="0 0 9 9"/>`)
	for _, name := range []string{"3", "4", "5", "6"} {
		testkit.Edit(t, whole, "talents/0"+name+"0-x/talent.yaml", "boards: [models]", "boards: [women]")
	}
	for gone, other := range map[string]string{
		"agency.yaml": "agency.yaml.txt", "boards.yaml": "Boards.yml", "options.yaml": "options (1).yaml",
		"texts/pl.yaml": "texts/pl.yaml.txt", "pages": "pages_old", "brand": "Brand", "talents": "",
	} {
		keep := func(c *folder.Config) { c.KeepDir = strings.ReplaceAll("kept/"+gone, ".yaml", "") }
		dir := maps.Clone(whole)
		s := testkit.Open(t, dir, keep)
		holds := func(says string) {
			t.Helper()
			assert.Equal(t, "Lumen", s.Site().Name, gone)
			assert.Len(t, s.Site().Boards.Groups(), 3, gone)
			assert.Len(t, ids(t, s.Folder), 6, gone)
			assert.Contains(t, s.Faults()[0].String(), says)
			assert.Contains(t, s.Log.String(), "level=ERROR", gone)
		}
		lost := without(whole, gone)
		clear(dir)
		maps.Copy(dir, lost)
		s.Later()
		holds("gone")
		s.Now = s.Now.Add(24 * time.Hour)
		holds("gone")
		s = testkit.Open(t, dir, keep)
		holds("gone")
		if other != "" {
			file := other
			if !strings.Contains(other, ".") {
				file += "/x.yaml"
			}
			testkit.Put(dir, file, "name: x")
			s.Later()
			holds(other + " is there: rename it")
		}
		why, err := folder.Accept(dir, folder.Config{KeepDir: "kept/" + strings.ReplaceAll(gone, ".yaml", "")})
		require.NoError(t, err)
		assert.Len(t, why, 1, gone)
		s.Later()
		_ = s.Faults()
		assert.Zero(t, s.Held(), gone)
	}
}

func TestAFolderThatIsNotThereIsServedFromItsLastGoodContent(t *testing.T) {
	t.Chdir(t.TempDir())
	keep := func(c *folder.Config) { c.KeepDir = "kept" }
	testkit.Open(t, crowd(t), keep)
	s := testkit.Open(t, missing{}, keep)
	assert.Len(t, ids(t, s.Folder), 6)
	assert.Contains(t, s.Get("/api/talent/profile?id=101"),
		`"file":"talents/010-agata/book-1.jpg","width":72,"height":108`, "whose sizes may be made already")
	assert.Contains(t, s.Log.String(), "level=ERROR")
	assert.Contains(t, s.Faults()[0].String(), "the content folder can’t be read")
	_, err := folder.Open(missing{}, folder.Config{})
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// missing is the folder of a disk that is not mounted.
type missing struct{}

func (missing) Open(string) (fs.File, error) { return nil, fs.ErrNotExist }
