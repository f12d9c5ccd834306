package folder_test

import (
	"bytes"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/folder"
	"zedcard/internal/testkit"
)

func faults(dir fs.FS) []folder.Fault {
	all, _ := folder.Check(dir, false)
	return slices.DeleteFunc(all, func(f folder.Fault) bool { return f.Remark })
}

// TestEachPictureIsDecodedByCheck: what the site could not show is a fault, what every browser shows is none.
func TestEachPictureIsDecodedByCheck(t *testing.T) {
	const file = "talents/010-agata/book-1.jpg"
	good := testkit.JPEG(t, 72, 108)
	sof := bytes.Index(good, []byte{0xff, 0xc0})
	rare, inside := bytes.Clone(good), bytes.Clone(good)
	rare[sof+11] = 0x31
	copy(inside[len(inside)-60:], bytes.Repeat([]byte{0xff, 0xd3}, 20)) // markers where there are none
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"without end marker": {good[:len(good)-2], ""},
		"a rare sampling":    {rare, "is a kind of JPEG that is not read; save it again as a JPEG"},
		"damaged inside":     {inside, "is incomplete; copy it again"},
		"cut":                {good[:len(good)*2/3], "is incomplete; copy it again"},
	} {
		dir := testkit.SmallContent(t)
		dir[file] = &fstest.MapFile{Data: c.data}
		var said []string
		for _, fault := range faults(dir) {
			said = append(said, fault.String())
		}
		if c.want == "" {
			assert.Empty(t, said, name)
		} else {
			assert.Contains(t, strings.Join(said, "\n"), c.want, name)
		}
	}
	dir := testkit.SmallContent(t)
	inks, err := os.ReadFile("../media/testdata/cmyk.jpg")
	require.NoError(t, err)
	dir[file] = &fstest.MapFile{Data: inks}
	all, _ := folder.Check(dir, false)
	assert.True(t, slices.ContainsFunc(all, func(f folder.Fault) bool {
		return f.Remark && strings.Contains(f.String(), "(CMYK), which look different on screens; save it as sRGB")
	}), all)
}

func TestCheckNamesEachFaultByFileAndLine(t *testing.T) {
	const (
		talent = "talents/010-agata/talent.yaml"
		post   = "posts/news/primeiro.md"
		second = "posts/news/segundo.md"
		all    = "" // the whole file, or a new one
	)
	png, cover := string(testkit.PNG(t, 2, 2)), "talents/010-agata/cover.jpg"
	const huge = "GIF89a\xff\xff\xff\xff\x00\x00\x00,\x00\x00\x00\x00\xff\xff\xff\xff\x00"
	for _, row := range []struct{ file, old, replacement, want string }{ // want begins with the file, or at its end
		{talent, "name: Ágata", "name: [Ágata", ":2: not valid YAML: "},
		{talent, "Ágata Moreira", "{first: Ágata,", ":2: not valid YAML: "},
		{talent, "Ágata Moreira", "@agata", `:2: put the value in quotes: name: "@agata"`},
		{talent, "Ágata Moreira", "*Ágata*", `:2: put the value in quotes: name: "*Ágata*"`},
		{talent, "Ágata Moreira", "!Ágata", `:2: put the value in quotes: name: "!Ágata"`},
		{talent, "Ágata Moreira", "> Ágata", `:2: put the value in quotes: name: "> Ágata"`},
		{talent, "Ágata Moreira", "[Ágata]", ":2: name must be a text, not a list"},
		{talent, "Ágata Moreira", "Ágata\u2028Moreira", ""}, // as from a layout program
		{talent, "Ágata Moreira", "Ágata\vMoreira", ""},
		{talent, "Ágata Moreira", "12", ":2: name must be a text, not a number"},
		{talent, "178", "5'10\"", `:8: height "5'10"" is not a number; did you mean 178?`},
		{talent, "178", "[178]", ":8: height must be a number, not a list"},
		{talent, "178", "-178", ":8: height must be more than 0"},
		{talent, "id: 101", "id: -101", ":1: id must be a whole number that is more than 0"},
		{talent, "id: 101", "id: one", ":1: id must be a whole number that is more than 0"},
		{talent, "gender:", "draft: perhaps\ngender:", ":3: draft must be true or false"},
		{talent, "gender:", "was: /a.html\ngender:", ":3: was must be a list: was: [/a.html]"},
		{talent, "gender:", "digitl: {file: a}\ngender:", `:3: unknown field "digitl"; did you mean digital?`},
		{talent, "2001-04-17", "2001-13-17", ":4: birthdate must be a day that exists"},
		{talent, "178", "tall", `:8: height must be a number, not "tall"`},
		{talent, all, "- id: 101\n", ":1: the file must be a group of fields, not a list"},
		{talent, all, "# later\n", ": the file is empty"},
		{talent, "woman", "female", `:3: gender must be one of woman, man, or be left out, not "female"`},
		{talent, "- women", "- ladies", `:7: category "ladies" is not one of categories.yaml`},
		{talent, "hair: Black", "hair: Blak", `:15: hair "Blak" is not one of options.yaml; did you mean Black?`},
		{talent, "2001-04-17", "2991-04-17", ":4: birthdate is in the future"},
		{talent, "2001-04-17", "1801-04-17", ":4: birthdate is more than 120 years ago"},
		{talent, "- women", "- kids", ":4: an adult is in kids"},
		{talent, "cover.jpg", "none.jpg", ":17: the picture talents/010-agata/none.jpg does not exist"},
		{talent, "cover.jpg", "../../../cover.jpg", `:17: "../cover.jpg" is no file name`},
		{talent, "cover.jpg\n", "cover.jpg\nbook:\n  - book-1.jpg\n  - book-3.jpg\n",
			":20: the picture talents/010-agata/book-3.jpg does not exist"},
		{talent, "cover.jpg\n", "cover.jpg\nsnap: [../020-bo/snap-1.jpg]\n",
			`:18: "../020-bo/snap-1.jpg" must be the name of a file beside talent.yaml`},
		{talent, "provider: youtube", "provider: dailymotion",
			`:19: provider must be one of youtube, vimeo, or be left out, not "dailymotion"`},
		{talent, "b3Nd1taN_sc", "https://instagram.com/reel/x", ":20: file must be the id or the address of a"},
		{talent, "b3Nd1taN_sc", "https://youtu.be/b3Nd1taN_sc?si=x", ""},
		{talent, "hair: Black\n", "hair: Black\nin_town: Porto\n", ":16: in_town needs a city"},
		{talent, "hair: Black\n", "hair: Black\nmeasured: 2026-11\n", ""},
		{talent, "hair: Black\n", "hair: Black\nmeasured: 2026-11-09\n", ""},
		{talent, "hair: Black\n", "hair: Black\nmeasured: 2026-13\n", ":16: measured must be a day that exists"},
		{talent, "[50, 20]", "[50]", ":22: focus must be two percentages from 1 to 100"},
		{talent, "crown: 0.11", "crown: 0.99", ":23: crown and ground must be fractions of the picture’s height"},
		{talent, "crown: 0.11, ", "", ""},
		{cover, all, png, talent + ":17: talents/010-agata/cover.jpg holds a png picture"},
		{"talents/010-agata/book-2.gif", all, huge, talent + ": talents/010-agata/book-2.gif has more than 50 million"},

		{"categories.yaml", "1909", "1908", ":4: the id of kids must be 1909"},
		{"options.yaml", "  bust: {from: 65, to: 200, step: 1, unit: cm}\n", "", ":8: bust is missing"},
		{"options.yaml", "from: 30,", "from: 300,", ":9: the range of height ends before it begins"},
		{"options.yaml", "step: 1,", "step: 0.001,", ":9: the range of height has more than 1000 steps"},
		{"options.yaml", "unit: kg", "unit: lb", ":13: unit must be one of cm, kg"},
		{"options.yaml", "Brazil, pt:", "Brazil, portuguese:", `"portuguese" is no tag of a language`},
		{"slides.yaml", "description: 2", "description: 2, talent: 199", ":3: there is no talent 199"},
		{"slides.yaml", `"1"`, `"3"`, ":2: description must be one of 1, 2"},
		{"agency.yaml", "https://", "www.", ""},
		{"agency.yaml", "https:", "javascript:", ":2: url must begin with https://"},
		{"agency.yaml", "name: Best\n", "name: Best\nai: no-training\n", ""},
		{"agency.yaml", "name: Best\n", "name: Best\nai: no\n",
			`:2: ai must be one of no-training, or be left out, not "no"`},
		{"agency.yaml", "name: Best\n", "name: Best\nsecurity: safe@best.example\n", ""},
		{"agency.yaml", "name: Best\n", "name: Best\nsecurity: https://best.example/report\n", ""},
		{"agency.yaml", "name: Best\n", "name: Best\nsecurity: +55 11 91234 5678\n",
			":2: security must be an email address such as security@example.com, or an address that begins with"},

		{post, all, "Um texto.\n", ":1: the file must begin with front matter"},
		{post, all, "---\n---\nUm texto.\n", ":1: the front matter is empty"},
		{post, all, "---\ntitle: A\ndate: [2026\n---\nUm texto.\n", ":3: not valid YAML"},
		{post, "Um **texto**.", "", ":4: there is no text"},
		{post, "Um **texto**.", "Um\n<b>texto</b>", ":7: HTML is left out"},
		{"posts/news/Olá_1.md", all, "---\ntitle: A\ndate: 2026-01-05\n---\nUm texto.\n",
			": the names of a post and its type may hold"},
		{second, "cover: slides/m.jpg", "cover: slides/x.jpg", ":6: the picture slides/x.jpg does not exist"},
		{second, "(slides/m.jpg)", "(slides/x.jpg)", ":9: the picture slides/x.jpg does not exist"},
		{"pages/about.md", "    caption: Marta — bookings\n", "", ":4: the picture slides/m.jpg has no caption"},
		{"pages/safety.pt.md", all, "---\ntitle: A\n---\nUm texto.\n", ": a translation needs the page safety.md"},
		{"pages/privacy.md", all, "", ": the file is missing"},
		{"slide.yaml", all, "[]", ": this file is ignored"},
	} {
		dir := testkit.SmallContent(t)
		switch {
		case row.old != all:
			testkit.Edit(t, dir, row.file, row.old, row.replacement)
		case row.replacement == "":
			delete(dir, row.file)
		default:
			testkit.Put(dir, row.file, row.replacement)
		}
		found := faults(dir)
		if row.want == "" {
			assert.Empty(t, found, row)
		} else if assert.Len(t, found, 1, row) {
			want := row.want
			if strings.HasPrefix(want, ":") {
				want = row.file + want
			}
			assert.Contains(t, found[0].String(), want)
		}
	}

	dir := testkit.SmallContent(t)
	testkit.Edit(t, dir, talent, "woman", "female")
	testkit.Edit(t, dir, talent, "61.5", "slim")
	found := faults(dir)
	require.Len(t, found, 2, "all faults of a file are named")
	assert.Contains(t, found[0].String(), talent+":3: gender")
	assert.Contains(t, found[1].String(), talent+":10: waist must be a number")
}

func TestCheckSaysWhoIsToBeMeasuredAgainWhereDatesAreKept(t *testing.T) {
	const talent = "talents/010-agata/talent.yaml"
	remarks := func(measured string) (all []string) {
		dir := testkit.SmallContent(t)
		testkit.Edit(t, dir, talent, "hair: Black\n", "hair: Black\n"+measured)
		found, _ := folder.Check(dir, false)
		for _, fault := range found {
			if fault.Key == "fault.measured" {
				assert.True(t, fault.Remark)
				all = append(all, fault.String())
			}
		}
		return all
	}
	assert.Empty(t, remarks(""))
	assert.Equal(t, []string{"talents: measures without a date (measured: 2026-11), or older than 180 days " +
		"(90 for minors): Ágata Moreira"}, remarks("measured: 2020-11\n"))
	assert.Empty(t, remarks("measured: "+time.Now().Format(time.DateOnly)+"\n"))
}

func TestACreativeIsShownByTheirFirstWorkWithItsCredit(t *testing.T) {
	for cover, want := range map[string]string{"": "snap-1.jpg", "cover: other.jpg\n": "other.jpg"} {
		dir := testkit.SmallContent(t)
		dir["talents/020-bo/other.jpg"] = &fstest.MapFile{Data: testkit.JPEG(t, 60, 80)}
		dir["talents/020-bo/talent.yaml"] = &fstest.MapFile{Data: []byte(
			"id: 102\nname: Bo\ncategories: [creative]\n" +
				"book: [{file: snap-1.jpg, caption: Perfis, model: Ágata Moreira}, {file: other.jpg, client: Lume}]\n" +
				cover)}
		b, err := folder.Open(dir, folder.Config{})
		require.NoError(t, err)
		talents, err := b.Content(t.Context()).Talents(t.Context())
		require.NoError(t, err)
		assert.Equal(t, "talents/020-bo/"+want, talents[1].Cover.File)
		assert.Equal(t, want == "snap-1.jpg", talents[1].Cover.Caption == "Perfis")
		assert.Equal(t, want == "snap-1.jpg", talents[1].Cover.Credit.Model == "Ágata Moreira")
		assert.Equal(t, want == "other.jpg", talents[1].Cover.Credit.Client == "Lume")
	}
}
