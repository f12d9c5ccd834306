package folder_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/author"
	"zedcard/internal/folder"
	"zedcard/internal/testkit"
)

// Of each, a parser would need far more memory or time than of what people write: without bounds the test does not end.
func TestFilesThatAreDeepOrWideAreFaultsByName(t *testing.T) {
	const talent, about, page = "talents/010-agata/talent.yaml", "pages/about.md", "---\ntitle: A\n---\n"
	var keys, flow strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&keys, "k%d: v\n", i)
		fmt.Fprintf(&flow, "k%d: v,", i)
		if i%100 == 0 {
			flow.WriteString("\n ")
		}
	}
	for name, file := range map[string]struct{ name, text, want string }{
		"brackets": {
			talent, strings.Repeat("[", 300_000),
			":1: the line is too long",
		},
		"bracket lines": {
			talent, strings.Repeat("[\n", 150_000),
			"too large; 256 KB",
		},
		"fewer brackets": {
			talent, strings.Repeat("[", 3000),
			":1: too many levels stand",
		},
		"braces": {
			"boards.yaml", "- " + strings.Repeat("{a: ", 4000),
			":1: too many levels stand",
		},
		"bulleted": {
			"options.yaml", strings.Repeat("- ", 5000) + "a",
			":1: too many levels stand",
		},
		"keys": {
			talent, keys.String(),
			":10002: the file has too many entries",
		},
		"keys in braces": {
			talent, "a: {" + flow.String() + "}",
			": the file has too many entries",
		},
		"front matter": {
			about, "---\ntitle: " + strings.Repeat("[", 3000) + "\n---\nA\n",
			"too many levels",
		},
		"long line": {
			about, page + strings.Repeat("word ", 5000),
			":4: the line is too long; break it",
		},
		"columns": {
			about, page + strings.Repeat("|a", 5000) + "|\n",
			":4: the table has too many columns",
		},
		"quotes": {
			about, page + strings.Repeat(">", 5000) + "a",
			":4: too many levels stand",
		},
		"lists": {
			about, page + strings.Repeat("- ", 5000) + "a",
			":4: too many levels stand",
		},
		"nested emphasis": {
			about, page + strings.Repeat(strings.Repeat("*a **b ", 500)+"\n", 100),
			"",
		},
		"open links": {
			about, page + strings.Repeat(strings.Repeat("[", 9000)+"\n", 50),
			":4: too many levels stand",
		},
		"open pictures": {
			about, page + strings.Repeat(strings.Repeat("![a](", 3000)+"\n", 30),
			"",
		},
		"many lines": {
			"redirects.txt", strings.Repeat("x\n", 30_000),
			":20000: the file has too many lines",
		},
		"large": {
			"redirects.txt", strings.Repeat("/a /b\n", 500_000),
			": the file is too large; 2048 KB",
		},
	} {
		dir := testkit.SmallContent(t)
		testkit.Put(dir, file.name, file.text)
		var found []string
		for _, fault := range faults(dir) {
			if fault.File == file.name {
				found = append(found, fault.String())
			}
		}
		if file.want != "" && assert.Len(t, found, 1, name) {
			assert.Contains(t, found[0], file.want, name)
		}
	}
}

// A pipe waits for its writer, a socket is no file, a link may lead nowhere.
func TestWhatIsNoPlainFileIsAFaultAndTheRestGoesOn(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.CopyFS(root, testkit.SmallContent(t)))
	for _, pipe := range []string{
		"pages/more.md", "talents/020-bo/talent.yaml", "talents/010-agata/more.jpg", "queue",
	} {
		file := filepath.Join(root, pipe)
		require.NoError(t, os.RemoveAll(file))
		require.NoError(t, syscall.Mkfifo(file, 0o600))
	}
	require.NoError(t, os.Symlink("nowhere", filepath.Join(root, "public")))
	require.NoError(t, os.Mkdir(filepath.Join(root, "lost+found"), 0o700))
	found, _ := folder.Check(os.DirFS(root), false)
	var named []string
	for _, fault := range found {
		if !fault.Remark {
			named = append(named, fault.String())
		}
	}
	const why = ": this is no plain file and is not read; move it elsewhere"
	assert.Equal(t, []string{
		"pages/more.md" + why, "public" + why, "queue" + why, "talents/010-agata/more.jpg" + why,
		"talents/020-bo/talent.yaml" + why,
	}, named)
	b := testkit.Open(t, os.DirFS(root))
	assert.Equal(t, []string{"101"}, ids(t, b.Folder))
	_, _, err := author.NewTalent(root, "Ana Silva")
	require.NoError(t, err)
	assert.NotPanics(t, func() { folder.LeftOfDemo(os.DirFS(root)) })
}

// A typeface as after a bad copy: golang.org/x/image panics while it reads it.
func TestADamagedTypefaceIsAFaultByName(t *testing.T) {
	ttf, err := os.ReadFile("../cards/newsreader-display.ttf")
	require.NoError(t, err)
	dir := testkit.SmallContent(t)
	testkit.Edit(t, dir, "agency.yaml", "name: Best", "name: Best\nbrand: {display: brand/display}")
	testkit.Put(dir, "brand/display.woff2", "wOF2")
	dir["brand/display.ttf"] = &fstest.MapFile{Data: ttf}
	s := testkit.Open(t, dir)
	damaged := slices.Clone(ttf)
	for at, b := range map[int]byte{32: 0, 40: 0, 278: 250, 15821: 208, 19312: 49, 48863: 0} {
		damaged[at] = b
	}
	dir["brand/display.ttf"] = &fstest.MapFile{Data: damaged}
	testkit.Edit(t, dir, "agency.yaml", "name: Best", "name: Lumen")
	s.Later()
	assert.Equal(t, "Lumen", s.Site().Name, "edits go on")
	assert.Equal(t, ttf, s.Site().Brand.Display.TTF, "the last good one stays")
	assert.Equal(t, "brand/display.ttf", faults(dir)[0].File)
}

// Whatever goes wrong while a folder is read is a reading that is not taken, now and at a start.
func TestAPanicKeepsTheLastGoodContent(t *testing.T) {
	t.Chdir(t.TempDir())
	keep := func(c *folder.Config) { c.KeepDir = "kept" }
	dir := panics{testkit.SmallContent(t), ""}
	s := testkit.Open(t, &dir, keep)
	dir.at = "talents/020-bo/talent.yaml"
	testkit.Edit(t, dir.MapFS, dir.at, "name: Bo", "name: Bob")
	for range 3 {
		s.Later()
		assert.Len(t, ids(t, s.Folder), 2)
	}
	assert.Equal(t, 1, strings.Count(s.Log.String(), "level=ERROR"), "it is logged once")
	assert.Equal(t, dir.at, s.Faults()[0].File)
	assert.Equal(t, dir.at, faults(&dir)[0].File)
	s = testkit.Open(t, &dir, keep)
	assert.Len(t, ids(t, s.Folder), 2)
	_, err := folder.Open(&dir, folder.Config{})
	require.ErrorContains(t, err, "out of range")
	dir.at = ""
	testkit.Edit(t, dir.MapFS, "talents/020-bo/talent.yaml", "name: Bob", "name: Robert")
	s.Later()
	assert.Contains(t, s.Get("/api/talent/profile?id=102"), "Robert")
}

// panics is a folder with a file that the program, or a library, fails at.
type panics struct {
	fstest.MapFS
	at string
}

func (p panics) Open(name string) (fs.File, error) {
	if name == p.at {
		panic("index out of range")
	}
	return p.MapFS.Open(name)
}

// closedFS can't open one of its folders, as a folder of another user.
type closedFS struct {
	fstest.MapFS
	closed string
}

func (c closedFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == c.closed {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return c.MapFS.ReadDir(name)
}

func (c closedFS) Open(name string) (fs.File, error) {
	if name == c.closed || strings.HasPrefix(name, c.closed+"/") {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return c.MapFS.Open(name)
}

func TestAFolderThatCanNotBeOpenedKeepsItsTalentAndTheRestGoesOn(t *testing.T) {
	dir := closedFS{testkit.SmallContent(t), "elsewhere"}
	testkit.Put(dir.MapFS, "elsewhere/a.txt", "x")
	site := testkit.Open(t, &dir)
	require.Equal(t, []string{"101", "102"}, ids(t, site.Folder), "at the start")
	dir.closed = "talents/010-agata"
	testkit.Edit(t, dir.MapFS, "talents/020-bo/talent.yaml", "name: Bo", "name: Bob")
	site.Now = site.Now.Add(2 * time.Second)
	talents, err := site.Content(t.Context()).Talents(t.Context())
	require.NoError(t, err)
	require.Len(t, talents, 2, "the last good version stays")
	assert.Contains(t, talents[1].Name, "Bob", "the next edit is shown")
	found := faults(&dir)
	assert.Equal(t, "talents/010-agata: the folder can’t be opened by the site; give it the rights of the others",
		found[len(found)-1].String())
}

func TestWhatSharingAFolderLeavesBehindIsNeitherShownNorAFault(t *testing.T) {
	dir := testkit.SmallContent(t)
	talent := string(dir["talents/010-agata/talent.yaml"].Data)
	before := dir["talents/010-agata/talent.yaml"]
	remarks, _ := folder.Check(dir, false)
	for _, name := range []string{
		".~lock.talent.yaml#", "~$talent.yaml", "talent.yaml~", ".talent.yaml.swp", "4913",
		".syncthing.talent.yaml.tmp", "~syncthing~talent.yaml.tmp", ".talent.yaml.abc123", "book-9.jpg.part",
		"._talent.yaml", ".DS_Store", "Thumbs.db",
		"desktop.ini", "#talent.yaml#",
		"talent.yaml.sb-1a2b3c4d-Xy12Za", "talent_BACKUP_1234.yaml", "talent.yaml.orig",
		".owncloudsync.log", "~WRL0003.tmp", "Icon\r",
	} {
		testkit.Put(dir, "talents/010-agata/"+name, talent)
		testkit.Put(dir, "pages/"+name, "x")
	}
	testkit.Put(dir, "lost+found/talent.yaml", "x")
	testkit.Put(dir, "talents/.stversions/010-agata/talent.yaml", talent)
	testkit.Put(dir, "talents/__MACOSX/talent.yaml", "x")
	found, _ := folder.Check(dir, false)
	assert.Equal(t, remarks, found)

	for name, of := range map[string]string{
		"talent.sync-conflict-20261125-101010-ABCDEFG.yaml": "talent.yaml",
		"talent (conflicted copy 2026-11-25 101010).yaml":   "talent.yaml",
		"book-1 (Anna's conflicted copy 2026-11-25).jpg":    "book-1.jpg",
		"talent (kopia powodująca konflikt).yaml":           "talent.yaml",
		"talent_conflict-20261125-101010.yaml":              "talent.yaml",
	} {
		file := "talents/010-agata/" + name
		dir[file] = before
		found, _ := folder.Check(dir, false)
		found = slices.DeleteFunc(found, func(f folder.Fault) bool { return f.Key == "fault.page-language" })
		if assert.Len(t, found, 1, name) {
			assert.True(t, found[0].Remark)
			assert.Equal(t, file+": this is a copy that the synchronisation made beside talents/010-agata/"+of+
				" and is not read: compare the two, then delete it", found[0].String())
		}
		delete(dir, file)
	}
	testkit.Put(dir, "talents/010-agata/talent.yaml", "<<<<<<< HEAD\n"+talent+"=======\n>>>>>>> theirs\n")
	assert.Contains(t, faults(dir)[0].String(), "talents/010-agata/talent.yaml:1: git left two versions here")
}
