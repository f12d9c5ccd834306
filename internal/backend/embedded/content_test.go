package embedded_test

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/backend/embedded"
	"zedcard/internal/content"
)

// smallContent is a folder without faults: two talents, three posts, four pages.
func smallContent(t testing.TB) fstest.MapFS {
	files := map[string]string{
		"categories.yaml": `
- {id: 1, name: models}
- {id: 1881, name: creative}
- {id: 1909, name: kids}
- {id: 7, name: women}
`,
		"options.yaml": `
hair: [{value: Black, label: Negro, value2: Preto}, {value: Red, label: Pelirrojo, value2: Ruivo}]
eyes: [{value: Hazel, label: Avellana, value2: Avelã}]
gender: [{value: woman, label: Woman}, {value: man, label: Man}]
hair_kind: [{value: Curly, label: Rizado, value2: Cacheado}]
hair_size: [{value: Long, label: Largo, value2: Longo}]
skin_color: [{value: Tan, label: Morena, value2: Morena}]
ranges:
  height: {from: 30, to: 200, step: 1, unit: cm}
  bust: {from: 65, to: 200, step: 1, unit: cm}
  waist: {from: 20, to: 200, step: 1, unit: cm}
  hips: {from: 20, to: 200, step: 1, unit: cm}
  weight: {from: 3, to: 200, step: 1, unit: kg}
  shoes: {from: 1, to: 60, step: 0.5}
  suit: {from: 1, to: 60, step: 0.5}
countries:
  - {id: ZA, value: South Africa, pt: África do Sul, es: Sudáfrica}
  - {id: BR, value: Brazil, pt: Brasil, es: Brasil, cities: [São Paulo, Recife]}
  - {id: DE, value: Germany, pt: Alemanha, es: Alemania, cities: [Nuremberg, {value: Munich, pt: Munique, es: Múnich}]}
`,
		"slides.yaml": `
- {mobile: slides/m.jpg, desktop: slides/d.png, description: "1", talent: 101}
- {mobile: slides/m.jpg, desktop: slides/d.png, description: 2}
`,
		"agency.yaml": "name: Best\nsocial: [{name: Instagram, url: https://instagram.example/agency}]\n",
		"talents/010-agata/talent.yaml": `id: 101
name: Ágata Moreira
gender: woman
birthdate: 2001-04-17
categories:
  - models
  - women
height: 178
bust: 83
waist: 61.5
suit: 36
hips: 89
shoes: 39
jeans: 36
hair: Black
eyes: Hazel
cover: cover.jpg
video:
  - provider: youtube
    file: b3Nd1taN_sc
  - {provider: vimeo, file: 948120376, preview: book-1.jpg}
focus: [50, 20]
digital: {file: snap-1.jpg, crown: 0.11, ground: 0.95}
`,
		"talents/020-bo/talent.yaml": "id: 102\nname: Bo\ncategories: [creative]\nsnap: []\n",
		"posts/news/primeiro.md":     "---\ntitle: Primeiro\ndate: 2026-01-05\n---\n\nUm **texto**.\n",
		"posts/news/segundo.md": "---\ntitle: Segundo\ndate: 2026-02-05\nexcerpt: Curto\nauthor: Ana\n" +
			"cover: slides/m.jpg\n---\n\n![Duas pessoas](slides/m.jpg)\n",
		"posts/editorial/luz.md": "---\ntitle: Luz\ndate: 2026-02-05\n---\nLuz.\n",
		"pages/about.md": "---\ntitle: About us\nimages:\n  - file: slides/m.jpg\n    caption: Marta " +
			"— bookings\n---\n\nAn agency.\n",
		"pages/about.pt.md":    "---\ntitle: Sobre nós\n---\n\nUma agência.\n",
		"pages/privacy.md":     "---\ntitle: Privacy\n---\n\nWords.\n",
		"pages/future-face.md": "---\ntitle: Future face\n---\n\nWords.\n",
		"README.md":            "For editors.",
	}
	folder := fstest.MapFS{
		"slides/m.jpg": {Data: jpegOf(t, 65, 100)}, "slides/d.png": {Data: pngOf(t, 192, 108)},
		"talents/010-agata/cover.jpg":   {Data: jpegOf(t, 90, 120)},
		"talents/010-agata/book-10.jpg": {Data: jpegOf(t, 100, 50)},
		"talents/010-agata/book-2.jpg":  {Data: jpegOf(t, 20, 30)},
		"talents/010-agata/book-1.jpg":  {Data: jpegOf(t, 72, 108)},
		"talents/010-agata/snap-1.jpg":  {Data: jpegOf(t, 64, 80)},
		"talents/020-bo/snap-1.jpg":     {Data: jpegOf(t, 64, 80)},
		".git/config.yaml":              {Data: []byte("nobody's business")},
	}
	for name, text := range files {
		folder[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return folder
}

func jpegOf(t testing.TB, width, height int) []byte {
	var data bytes.Buffer
	require.NoError(t, jpeg.Encode(&data, image.NewGray(image.Rect(0, 0, width, height)), nil))
	return data.Bytes()
}

func pngOf(t testing.TB, width, height int) []byte {
	var data bytes.Buffer
	require.NoError(t, png.Encode(&data, image.NewGray(image.Rect(0, 0, width, height))))
	return data.Bytes()
}

// edit replaces one text of a file.
func edit(t testing.TB, folder fstest.MapFS, file, old, replacement string) {
	text := string(folder[file].Data)
	require.Contains(t, text, old, file)
	folder[file] = &fstest.MapFile{Data: []byte(strings.Replace(text, old, replacement, 1))}
}

// faults are those that count.
func faults(folder fs.FS) []content.Fault {
	all, _ := embedded.Check(folder, false)
	return slices.DeleteFunc(all, func(f content.Fault) bool { return f.Remark })
}

func TestContentWithoutFaults(t *testing.T) {
	assert.Empty(t, faults(smallContent(t)))
}

func TestContentMayHaveWindowsLineEndsAndAByteOrderMark(t *testing.T) {
	folder := smallContent(t)
	for name, file := range maps.All(folder) {
		if strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".md") {
			folder[name] = &fstest.MapFile{Data: append([]byte("\ufeff"),
				bytes.ReplaceAll(file.Data, []byte("\n"), []byte("\r\n"))...)}
		}
	}
	assert.Empty(t, faults(folder))
}

func TestCheckNamesEachFaultByFileAndLine(t *testing.T) {
	const talent = "talents/010-agata/talent.yaml"
	replace := func(file, old, replacement string) func(*testing.T, fstest.MapFS) {
		return func(t *testing.T, folder fstest.MapFS) { edit(t, folder, file, old, replacement) }
	}
	put := func(file, text string) func(*testing.T, fstest.MapFS) {
		return func(_ *testing.T, folder fstest.MapFS) { folder[file] = &fstest.MapFile{Data: []byte(text)} }
	}
	remove := func(file string) func(*testing.T, fstest.MapFS) {
		return func(_ *testing.T, folder fstest.MapFS) { delete(folder, file) }
	}
	tests := map[string]struct {
		change func(*testing.T, fstest.MapFS)
		want   []string // in the order of file and line, each the beginning of a fault
	}{
		"not YAML": {
			replace(talent, "name: Ágata", "name: [Ágata"), []string{talent + ":3: not valid YAML: "},
		},
		"number for a text": {
			replace(talent, "Ágata Moreira", "12"), []string{talent + ":2: name must be a text, not a number"},
		},
		"text for a number": {
			replace(talent, "178", "tall"), []string{talent + ":8: height must be a number, not a text"},
		},
		"list for fields": {
			put(talent, "- id: 101\n"), []string{talent + ":1: the file must be a group of fields, not a list"},
		},
		"empty file": {put(talent, "# later\n"), []string{talent + ": the file is empty"}},
		"unknown gender": {replace(talent, "woman", "female"), []string{
			talent + `:3: gender must be one of woman, man, or be left out, not "female"`,
		}},
		"unknown category": {replace(talent, "- women", "- ladies"), []string{
			talent + `:7: category "ladies" is not one of categories.yaml`,
		}},
		"unknown hair": {replace(talent, "hair: Black", "hair: Blak"), []string{
			talent + `:15: hair "Blak" is not one of options.yaml; did you mean Black?`,
		}},
		"born in the future": {
			replace(talent, "2001-04-17", "2991-04-17"), []string{talent + ":4: birthdate is in the future"},
		},
		"born too long ago": {
			replace(talent, "2001-04-17", "1801-04-17"), []string{talent + ":4: birthdate is more than 120 years ago"},
		},
		"adult in kids": {
			replace(talent, "- women", "- kids"), []string{talent + ":4: an adult is in kids"},
		},
		"cover missing": {remove("talents/010-agata/cover.jpg"), []string{
			talent + ":17: the picture talents/010-agata/cover.jpg does not exist",
		}},
		"cover out of the folder": {replace(talent, "cover.jpg", "../../../cover.jpg"), []string{
			talent + `:17: "../cover.jpg" is no file name`,
		}},
		"unsupported picture format": {put("talents/010-agata/cover.jpg", string(pngOf(t, 2, 2))), []string{
			talent + ":17: talents/010-agata/cover.jpg holds a png picture",
		}},
		"picture too large": {
			put("talents/010-agata/book-2.gif",
				"GIF89a\xff\xff\xff\xff\x00\x00\x00,\x00\x00\x00\x00\xff\xff\xff\xff\x00"),
			[]string{talent + ": talents/010-agata/book-2.gif has more than 50 million pixels"},
		},
		"listed picture missing": {
			replace(talent, "video:", "book:\n  - book-1.jpg\n  - book-3.jpg\nvideo:"),
			[]string{talent + ":20: the picture talents/010-agata/book-3.jpg does not exist"},
		},
		"another talent's picture": {replace(talent, "video:", "snap: [../020-bo/snap-1.jpg]\nvideo:"), []string{
			talent + `:18: "../020-bo/snap-1.jpg" must be the name of a file beside talent.yaml`,
		}},
		"unknown provider": {replace(talent, "provider: youtube", "provider: dailymotion"), []string{
			talent + `:19: provider must be one of youtube, vimeo, or be left out, not "dailymotion"`,
		}},
		"address for a video's id": {replace(talent, "b3Nd1taN_sc", "https://youtu.be/x"), []string{
			talent + ":20: file must be the id of a youtube video",
		}},

		"category's id wrong": {
			replace("categories.yaml", "1909", "1908"), []string{"categories.yaml:4: the id of kids must be 1909"},
		},
		"category's id twice": {
			replace("categories.yaml", "id: 7", "id: 1"), []string{"categories.yaml:5: id 1 is taken by models"},
		},
		"range missing": {
			replace("options.yaml", "  bust: {from: 65, to: 200, step: 1, unit: cm}\n", ""),
			[]string{"options.yaml:8: bust is missing"},
		},
		"range ends before it begins": {replace("options.yaml", "from: 30, to: 200", "from: 300, to: 200"), []string{
			"options.yaml:9: the range of height ends before it begins",
		}},
		"range too long": {replace("options.yaml", "step: 1,", "step: 0.001,"), []string{
			"options.yaml:9: the range of height has more than 1000 steps",
		}},
		"unknown unit": {
			replace("options.yaml", "unit: kg", "unit: lb"), []string{"options.yaml:13: unit must be one of cm, kg"},
		},
		"living cover that is a picture": {
			replace("talents/010-agata/talent.yaml", "cover: cover.jpg\n", "cover: cover.jpg\nliving: book-1.jpg\n"),
			[]string{"talents/010-agata/talent.yaml:18: a living cover must be an MP4 or WebM video"},
		},
		"living cover that is too large": {func(t *testing.T, folder fstest.MapFS) {
			edit(t, folder, "talents/010-agata/talent.yaml", "cover: cover.jpg\n", "cover: cover.jpg\nliving: c.mp4\n")
			folder["talents/010-agata/c.mp4"] = &fstest.MapFile{Data: make([]byte, 2<<20+1)}
		}, []string{"talents/010-agata/talent.yaml:18: a living cover has 2048 KB, 2048 are the most"}},
		"stay without an end": {
			replace("talents/010-agata/talent.yaml", "hair: Black\n", "hair: Black\nin_town: Porto\n"),
			[]string{"talents/010-agata/talent.yaml:16: in_town needs a city"},
		},
		"slide of nobody": {replace("slides.yaml", "description: 2", "description: 2, talent: 199"), []string{
			"slides.yaml:3: there is no talent 199",
		}},
		"slide without a carousel": {
			replace("slides.yaml", `"1"`, `"3"`), []string{`slides.yaml:2: description must be one of 1, 2`},
		},
		"social link without https": {
			replace("agency.yaml", "https:", "javascript:"), []string{"agency.yaml:2: url must begin with https://"},
		},

		"post without front matter": {put("posts/news/primeiro.md", "Um texto.\n"), []string{
			"posts/news/primeiro.md:1: the file must begin with front matter",
		}},
		"front matter empty": {put("posts/news/primeiro.md", "---\n---\nUm texto.\n"), []string{
			"posts/news/primeiro.md:1: the front matter is empty",
		}},
		"front matter not YAML": {
			put("posts/news/primeiro.md", "---\ntitle: A\ndate: [2026\n---\nUm texto.\n"),
			[]string{"posts/news/primeiro.md:3: not valid YAML"},
		},
		"post's file name invalid": {
			put("posts/news/Olá_1.md", "---\ntitle: A\ndate: 2026-01-05\n---\nUm texto.\n"),
			[]string{"posts/news/Olá_1.md: the names of a post and its type may hold"},
		},
		"post without text": {replace("posts/news/primeiro.md", "Um **texto**.", ""), []string{
			"posts/news/primeiro.md:4: there is no text",
		}},
		"focus with one number": {replace("talents/010-agata/talent.yaml", "[50, 20]", "[50]"), []string{
			"talents/010-agata/talent.yaml:22: focus must be two percentages from 1 to 100",
		}},
		"focus without a cover": {replace("talents/010-agata/talent.yaml", "cover: cover.jpg\n", ""), []string{
			"talents/010-agata/talent.yaml:21: focus without a cover",
		}},
		"digital upside down": {replace("talents/010-agata/talent.yaml", "crown: 0.11", "crown: 0.99"), []string{
			"talents/010-agata/talent.yaml:23: crown and ground must be fractions of the picture’s height",
		}},
		"digital without crown": {replace("talents/010-agata/talent.yaml", "crown: 0.11, ", ""), nil},
		"post's cover missing": {
			replace("posts/news/segundo.md", "cover: slides/m.jpg", "cover: slides/x.jpg"),
			[]string{"posts/news/segundo.md:6: the picture slides/x.jpg does not exist"},
		},
		"picture in text missing": {replace("posts/news/segundo.md", "(slides/m.jpg)", "(slides/x.jpg)"), []string{
			"posts/news/segundo.md:9: the picture slides/x.jpg does not exist",
		}},
		"HTML in text": {replace("posts/news/primeiro.md", "Um **texto**.", "Um\n<b>texto</b>"), []string{
			"posts/news/primeiro.md:7: HTML is left out",
		}},
		"image without caption": {replace("pages/about.md", "    caption: Marta — bookings\n", ""), []string{
			"pages/about.md:4: the picture slides/m.jpg has no caption",
		}},
		"translation without a page": {put("pages/safety.pt.md", "---\ntitle: A\n---\nUm texto.\n"), []string{
			"pages/safety.pt.md: a translation needs the page safety.md",
		}},
		"page missing": {remove("pages/privacy.md"), []string{"pages/privacy.md: the file is missing"}},
		"ignored file": {put("slide.yaml", "[]"), []string{"slide.yaml: this file is ignored"}},
		"two faults, two lines": {func(t *testing.T, folder fstest.MapFS) {
			edit(t, folder, talent, "woman", "female")
			edit(t, folder, talent, "61.5", "slim")
		}, []string{talent + ":3: gender", talent + ":10: waist must be a number"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			folder := smallContent(t)
			test.change(t, folder)
			var found []string
			for _, fault := range faults(folder) {
				found = append(found, fault.String())
			}
			for i, fault := range found {
				assert.True(t, i < len(test.want) && strings.HasPrefix(fault, test.want[i]),
					"unexpected fault: %s", fault)
			}
			assert.Len(t, found, len(test.want))
		})
	}
}

func TestACreativeIsShownByTheirFirstWorkWithItsCredit(t *testing.T) {
	for cover, want := range map[string]string{"": "snap-1.jpg", "cover: other.jpg\n": "other.jpg"} {
		folder := smallContent(t)
		folder["talents/020-bo/other.jpg"] = &fstest.MapFile{Data: jpegOf(t, 60, 80)}
		folder["talents/020-bo/talent.yaml"] = &fstest.MapFile{Data: []byte(
			"id: 102\nname: Bo\ncategories: [creative]\n" +
				"book: [{file: snap-1.jpg, model: Ágata Moreira}, {file: other.jpg, client: Lume}]\n" + cover)}
		b, err := embedded.Open(folder, embedded.Config{})
		require.NoError(t, err)
		talents, err := b.Talents(t.Context())
		require.NoError(t, err)
		assert.Equal(t, "talents/020-bo/"+want, talents[1].Cover.File)
		assert.Equal(t, want == "snap-1.jpg", talents[1].Cover.Credit.Model == "Ágata Moreira")
		assert.Equal(t, want == "other.jpg", talents[1].Cover.Credit.Client == "Lume")
	}
}
