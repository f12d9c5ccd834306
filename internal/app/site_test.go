package app_test

import (
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lumen is the folder of an agency, with these files beside its pages.
func lumen(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for _, page := range []string{"about", "privacy", "future-face"} {
		put(t, folder, "pages/"+page+".md", "---\ntitle: "+page+"\n---\n\nUm texto.\n")
	}
	for file, text := range files {
		put(t, folder, file, text)
	}
	return folder
}

func put(t *testing.T, folder, file, text string) {
	t.Helper()
	write(t, filepath.Join(folder, filepath.FromSlash(file)), text)
}

// write writes a file, and the folder that it is in.
func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

// startLumen runs a site of a folder.
func startLumen(t *testing.T, folder string, variables map[string]string) started {
	t.Helper()
	env := map[string]string{"CONTENT_DIR": folder, "DATABASE_URL": "sqlite:" + filepath.Join(t.TempDir(), "z.db")}
	maps.Copy(env, variables)
	return start(t, env)
}

// eventually waits until a page says something; changes of the folder show within 3 seconds.
func eventually(t *testing.T, url string, says func(status int, page string) bool) {
	t.Helper()
	assert.Eventually(t, func() bool { return says(get(t, url)) }, time.Minute, 50*time.Millisecond)
}

func TestTheFolderSaysWhoseSiteItIs(t *testing.T) {
	folder := lumen(t, map[string]string{"agency.yaml": `
name: Studio Lumen
phone: +351 222 000 111
mail: {bookings: bookings@studiolumen.example}
address: Rua de Cedofeita 100, 4050-174 Porto, Portugal
social: [{name: Instagram, url: https://instagram.com/studiolumen}]
apply: {minimum_age: 16, phones: international}
blog: {language: en, types: {studio: {en: From the studio}}}
official: [studiolumen.example]
ai: no-training
`})
	site := startLumen(t, folder, nil)
	_, page := get(t, site.site+"/contact")
	for _, own := range []string{
		"Studio Lumen", "+351 222 000 111", "bookings@studiolumen.example", "Rua de Cedofeita 100",
		"https://instagram.com/studiolumen",
	} {
		assert.Contains(t, page, own)
	}
	for _, others := range []string{"Best Management", "best.example", "zedcard.example", "Accounting", "tiktok"} {
		assert.NotContains(t, page, others, "what agency.yaml leaves out is not shown")
	}
	_, apply := get(t, site.site+"/be-a-model")
	assert.Contains(t, apply, "You can apply from the age of 16.")
	assert.Contains(t, apply, "+351 912 345 678", "an example of an international number")
	_, blog := get(t, site.site+"/blog")
	assert.Contains(t, blog, "From the studio")
	assert.NotContains(t, blog, "Portuguese")

	for _, path := range []string{"/about", "/about", "/media/x", "/robots.txt"} { // the second time out of the cache
		answer, err := http.Get(site.site + path)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		assert.Equal(t, "train-ai=n", answer.Header.Get("Content-Usage"), path)
	}

	text := read(t, filepath.Join(folder, "agency.yaml"))
	put(t, folder, "agency.yaml", strings.Replace(text, "Studio Lumen", "Studio Aurora", 1))
	eventually(t, site.site+"/contact", func(_ int, page string) bool {
		return strings.Contains(page, "Studio Aurora")
	})
	put(t, folder, "agency.yaml", "name: Studio Broken\nphon: 1\n")
	_, page = get(t, site.site+"/contact")
	assert.Contains(t, page, "Studio Aurora", "a file with a fault is not taken")
}

func TestLanguagesBoardsAndTextsComeFromTheFolder(t *testing.T) {
	folder := lumen(t, map[string]string{
		"agency.yaml": "name: Studio Lumen\nlanguages: [pt-PT, en, fr]\nhome: [mulheres]\n",
		"boards.yaml": `
- id: mulheres
  names: {pt-PT: Mulheres, en: Women, fr: Femmes}
  gender: woman
  booker: {name: Marta Lima, phone: +351 222 000 112, email: marta@lumen.example}
- {id: classicos, names: {pt-PT: Clássicos 50+, en: Classics 50+, fr: Classiques 50+}, path: {en: classics}}
- {id: curve, names: {pt-PT: Curve, en: Curve, fr: Curve}, part_of: mulheres}
- {id: petite, names: {pt-PT: Petite, en: Petite, fr: Petite}, part_of: mulheres}
- {id: homens, names: {pt-PT: Homens, en: Men, fr: Hommes}, gender: man}
- {id: criancas, names: {pt-PT: Crianças, en: Kids, fr: Enfants}, minors: true}
`,
		"texts/pt-PT.yaml":      "apply.submit: Candidatar-me já\napply.about: Sem nome\n",
		"talents/1/talent.yaml": "id: 1\nname: Ana Silva\ngender: woman\nboards: [mulheres, curve]\n",
		"talents/2/talent.yaml": "id: 2\nname: Rita Nunes\ngender: woman\nboards: [classicos]\n",
		"talents/3/talent.yaml": "id: 3\nname: Tom Reis\ngender: man\nboards: [criancas]\n",
	})
	site := startLumen(t, folder, map[string]string{"PREVIEW_TOKEN": "preview-0123456789"})
	status, home := get(t, site.site+"/")
	assert.Equal(t, 200, status)
	assert.Contains(t, home, `lang="pt-PT"`)
	for _, tag := range []string{"pt-PT", "en", "fr"} {
		assert.Contains(t, home, `hreflang="`+tag+`"`)
	}
	assert.NotContains(t, home, `hreflang="es"`)
	for _, other := range []string{"Fluid", "Kids", "Creative", "Criativos", "/creative"} {
		assert.NotContains(t, home, other)
	}
	for path, want := range map[string]int{
		"/mulheres": 200, "/en/classics": 200, "/fr/classicos": 200, "/models": 200, "/en": 200, "/fr/about": 200,
		"/sobre-nos": 200, "/qualquer": 404, "/fr/quelque": 404, "/es": 404, "/creative": 404, "/models/women": 404,
		"/en/classicos": 404,
	} {
		assert.Equal(t, want, statusOf(t, site.site+path), path)
	}
	for from, to := range map[string]string{"/pt": "/", "/pt/mulheres": "/mulheres", "/pt-PT/contact": "/contact"} {
		res, err := withoutRedirects.Get(site.site + from)
		require.NoError(t, err)
		_ = res.Body.Close()
		assert.Equal(t, 308, res.StatusCode, from)
		assert.Equal(t, to, res.Header.Get("Location"), from)
	}
	_, women := get(t, site.site+"/mulheres")
	assert.Contains(t, women, "Ana Silva")
	assert.NotContains(t, women, "Rita Nunes")
	_, men := get(t, site.site+"/homens")
	assert.Contains(t, men, "Ainda não há ninguém aqui.")
	for _, page := range []string{home, women} {
		assert.Contains(t, page, "Clássicos 50+")
		assert.NotContains(t, page, `href="/homens"`, "an empty board leaves menu and filters")
	}
	assert.Contains(t, women, `data-filter="subcategory:curve"`)
	assert.NotContains(t, women, `data-filter="subcategory:petite"`)
	_, ana := get(t, site.site+"/models/1/ana-silva")
	for _, line := range []string{"Marta Lima", `href="tel:+351222000112"`, `href="mailto:marta@lumen.example"`} {
		assert.Contains(t, ana, line)
	}
	_, rita := get(t, site.site+"/models/2/rita-nunes")
	assert.NotContains(t, rita, "Marta Lima", "another board's booker")
	_, all := get(t, site.site+"/models")
	assert.Contains(t, all, "Rita Nunes")
	assert.NotContains(t, all, "Tom Reis", "children are listed on their board only")
	_, curve := get(t, site.site+"/mulheres?subcategory=curve")
	assert.Contains(t, curve, "Ana Silva")
	_, sitemap := get(t, site.site+"/sitemap-pages.xml")
	assert.Contains(t, sitemap, "/en/classics")
	assert.NotContains(t, sitemap, "creative")

	_, apply := get(t, site.site+"/be-a-model")
	assert.Contains(t, apply, "Candidatar-me já")
	assert.NotContains(t, apply, "Sem nome", "a text that lost its placeholder is not taken")
	put(t, folder, "texts/pt-PT.yaml", "apply.submit: Quero candidatar-me\n")
	eventually(t, site.site+"/be-a-model", func(_ int, page string) bool {
		return strings.Contains(page, "Quero candidatar-me")
	})
	_, french := get(t, site.site+"/fr/contact")
	assert.Contains(t, french, "Envie de devenir mannequin")
}

func TestAPageOfTheLanguageIsOneOfItsRegion(t *testing.T) {
	folder := lumen(t, map[string]string{
		"agency.yaml":        "name: Studio Lumen\nlanguages: [pt-PT, en]\n",
		"pages/termos.md":    "---\ntitle: Terms\n---\nWords.\n",
		"pages/termos.pt.md": "---\ntitle: Termos\n---\nPalavras.\n",
		"pages/about.es.md":  "---\ntitle: Sobre\n---\nPalabras.\n",
	})
	_, out, _ := run(t, map[string]string{"CONTENT_DIR": folder, "DATA_DIR": t.TempDir()}, "check")
	assert.Equal(t, 1, strings.Count(out, "termos has no en"), out)
	assert.NotContains(t, out, "termos.pt has no")
	assert.Contains(t, out, "remark: "+folder+"/pages/about.es.md: is not shown: es is not one of the site’s languages")

	put(t, folder, "agency.yaml", "name: Studio Lumen\nlanguages: [en, pt-PT]\n")
	_, out, _ = run(t, map[string]string{"CONTENT_DIR": folder, "DATA_DIR": t.TempDir()}, "check")
	assert.NotContains(t, out, "termos has no", "the page in pt is that in pt-PT")
}

func TestWhatIsLeftOfTheDemoIsNamedByItsLine(t *testing.T) {
	folder := lumen(t, map[string]string{
		"agency.yaml":           "name: Studio Lumen\nphone: +55 (11) 91234-5678\nmail:\n  bookings: b@best.example\n",
		"talents/1/talent.yaml": "id: 1\nname: Benedita Nascimento\ngender: woman\ncategories: [Models, Women]\n",
		"pages/terms.md": "---\ntitle: Terms\n---\n\nWe are [your name], not [a link](/about).\n\n" +
			"We keep your name.\n",
	})
	env := map[string]string{
		"CONTENT_DIR": folder, "DATA_DIR": t.TempDir(), "BASE_URL": "https://lumen.pt",
	}
	code, out, _ := run(t, env, "check")
	assert.Equal(t, 1, code)
	for _, line := range []string{
		"agency.yaml:2: phone: +55 (11) 91234-5678 is the demo agency’s; write your own",
		"agency.yaml:4: bookings: b@best.example is the demo agency’s; write your own",
		"talents/1/talent.yaml:2: Benedita Nascimento is a person of the demo agency",
		"\n" + folder + "/pages/terms.md:5: [your name] is for you to fill in",
	} {
		assert.Contains(t, out, line)
	}
	assert.NotContains(t, out, "a link")
	assert.NotContains(t, out, "terms.md:7", "a policy speaks of your name")
	env["BASE_URL"] = "http://localhost:8080"
	_, out, _ = run(t, env, "check")
	assert.NotContains(t, out, "demo agency")

	site := startLumen(t, folder, map[string]string{"BASE_URL": "https://lumen.pt"})
	assert.Equal(t, 1, strings.Count(site.log, "has something of the demo agency"), "the log says so once")
}

func TestTwoSitesOfOneProcessEachShowTheirOwn(t *testing.T) {
	type page struct {
		path string
		says []string // none: there is no such page
	}
	english, spanish := []page{
		{"/", []string{`lang="en"`, "Studio Lumen", "Ladies", "#fffaf2"}},
		{"/ladies", []string{"Ladies", "Ana Silva"}},
		{"/models/1/ana-silva", []string{"Ask about Ana", "5′9″"}},
		{"/be-a-model", []string{"Let me in", "5′9″"}},
		{"/legal", []string{"Words of Lumen."}},
	}, []page{
		{"/", []string{`lang="es"`, "Estudio Aurora", "Mujeres", "#fff7fb"}},
		{"/fr/mujeres", []string{"Dames", "Eva Soler"}},
		{"/models/2/eva-soler", []string{`<dd class="col-span-2">175`}},
		{"/be-a-model", []string{"Quiero entrar", "desde los 16"}},
		{"/avisos", []string{"Palabras de Aurora."}},
	}
	lumen := branded(t)
	put(t, lumen, "agency.yaml", brandYAML+"languages: [en]\nunits: both\n")
	put(t, lumen, "boards.yaml", "- {id: ladies, names: {en: Ladies}, gender: woman}\n")
	put(t, lumen, "texts/en.yaml", "apply.submit: Let me in\n")
	put(t, lumen, "talents/1/talent.yaml",
		"id: 1\nname: Ana Silva\ngender: woman\nheight: 175\nboards: [ladies]\n")
	put(t, lumen, "pages/legal.md", "---\ntitle: Legal\n---\nWords of Lumen.\n")
	aurora := branded(t)
	put(t, aurora, "agency.yaml", `name: Estudio Aurora
languages: [es, fr]
units: metric
apply: {minimum_age: 16}
brand: {ink: "#3b0a2a", paper: "#fff7fb", icon: brand/icon.svg}
`)
	put(t, aurora, "brand/icon.svg", strings.Replace(lumenIcon, "<rect", "<rect x=\"1\"", 1))
	put(t, aurora, "boards.yaml", "- {id: mujeres, names: {es: Mujeres, fr: Dames}, gender: woman}\n")
	put(t, aurora, "texts/es.yaml", "apply.submit: Quiero entrar\n")
	put(t, aurora, "talents/1/talent.yaml",
		"id: 2\nname: Eva Soler\ngender: woman\nheight: 175\nboards: [mujeres]\n")
	put(t, aurora, "pages/avisos.md", "---\ntitle: Avisos\n---\nPalabras de Aurora.\n")

	sites := []started{startLumen(t, lumen, nil), startLumen(t, aurora, nil)}
	for range 2 { // made, and kept
		for i, pages := range [][]page{english, spanish} {
			others := [][]page{spanish, english}[i]
			for j, own := range pages {
				status, text := get(t, sites[i].site+own.path)
				assert.Equal(t, 200, status, own.path)
				for _, part := range own.says {
					assert.Contains(t, text, part, own.path)
				}
				for _, part := range others[j].says {
					assert.NotContains(t, text, part, own.path)
				}
			}
			for _, path := range []string{others[1].path, others[2].path, others[4].path} {
				assert.Equal(t, 404, statusOf(t, sites[i].site+path), path)
			}
		}
	}
	for i := range sites {
		own := pageAt(t, sites[i].site+"/").Attr("link[href*='/static/brand-']", "href")
		assert.Equal(t, 200, statusOf(t, sites[i].site+own))
		assert.Equal(t, 404, statusOf(t, sites[1-i].site+own))
	}
}
