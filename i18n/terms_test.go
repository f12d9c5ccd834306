package i18n_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/i18n"
)

// synonyms are the words that each language's texts avoid, because the site has one name for each thing.
var synonyms = map[i18n.Lang][]struct{ avoid, use string }{
	i18n.EN: {
		{`e-mail`, "email"}, {`favorite`, "favourite"}, {`inquir`, "enquiry"}, {`works once`, "is valid until"},
		{`comp card|composite card|zed card`, "composite"}, {`polaroid`, "snaps, or digitals"},
		{`wish ?list`, "shortlist"}, {`on-line`, "online"},
	},
	i18n.PT: {
		{`\bemails?\b`, "e-mail"}, {`\blistas?\b`, "seleção, or board"}, {`\bscouts?\b`, "scouter"},
		{`\bvestidos?\b`, "manequim"}, {`com marca`, "marcados"}, {`on-line`, "online"}, {`polaroid`, "snaps"},
		{`composites? cards?`, "composite"}, {`\bbookings\b`, "booking"}, {`candidatura`, "inscrição"},
		{`funciona uma vez`, "vale até"}, {`\b(?:tu|vós|contacto|utilizador)\b`, "você, contato (Brazilian)"},
	},
	"fr": {
		{`courriel|(?:^|[^-\w])e?mails?\b`, "e-mail"}, {`\bwish ?list`, "sélection"}, {`polaroid`, "snaps"},
		{`composites? cards?|zed card`, "composite"}, {`on-line|en-ligne`, "en ligne"}, {`“|”`, "« »"},
		{`(?:^|[\s’(])(?:tu|toi|ton|ta|tes)(?:[\s,.!?]|$)`, "vous"},
		{`[\pL\d}][;!?](?:\s|$)`, "a no-break space before it"},
		{` [;!?»]|\pL : |« |«[^\x{a0}]`, "a no-break space"}, {`\bscouts?\b`, "recruteurs"},
		{`votre parent\b`, "votre responsable légal"}, {`\b(?:retiré|désigné)s? `, "a sentence that fits everybody"},
	},
	"pt-PT": {
		{`\bemails?\b`, "e-mail"}, {`\bvocês?\b`, "the verb alone"}, {`\barquivos?\b`, "ficheiro"},
		{`\bsalv(?:e|o|a|ar|os|as)\b`, "guardar"}, {`\bcelular|\btela\b|\busuári`, "telemóvel, ecrã, utilizador"},
		{`\bem (?:um|dois|duas) (?:minuto|dia|semana)`, "daqui a, no prazo de"}, {`on-line`, "online"},
		{`\bligação para (?:confirmar|este)`, "link"}, {`candidatura`, "inscrição"}, {`\bscouts?\b`, "scouter"},
		{`\bcontato|\bregistr|\bequipe\b|\bônibus|\bmídia`, "contacto, registo, equipa"}, {`polaroid`, "snaps"},
		{`composites? cards?`, "composite"}, {`\bem \{(?:date|came|until)\}`, "a {date}"},
	},
	i18n.ES: {
		{`\be-?mails?\b`, "correo"}, {`\blistas?\b`, "selección, or board"}, {`\bscouts?\b`, "scouter"},
		{`\bpelo\b`, "cabello"}, {`portafolio`, "portfolio"}, {`con marca`, "marcados"}, {`vídeo`, "video"},
		{`\bcelular\b|\bmóvil\b`, "teléfono"}, {`polaroid`, "snaps"}, {`candidatura`, "solicitud"}, {`«|»`, "“ ”"},
		{` – .* – `, "—inciso—"}, {`\ben (?:un día|dos semanas|15 días)\b`, "en un plazo de"},
		{`funciona una (?:sola )?vez`, "es válido hasta"},
		{`\b(?:vosotros|vuestr[oa]s?|ustedes|usted|vos)\b`, "tú"},
	},
}

// verbatim are addresses and the names of placeholders, which are no words of a language.
var verbatim = regexp.MustCompile(`\{\w+\}|\S+@\S+`)

// listed are the keys of texts that name a list in a form, or the list that a profile was opened from.
var listed = []string{"error.option", "fault.type-list", "walk.label"}

func TestEachThingHasOneName(t *testing.T) {
	for _, lang := range i18n.Provided() {
		texts := map[string]string{}
		for _, key := range i18n.Of(lang).Keys() {
			if !slices.Contains(listed, key) {
				texts[key] = verbatim.ReplaceAllString(i18n.Of(lang).T(key), "x")
			}
		}
		suffix := "." + string(lang) + ".md"
		if lang == i18n.EN {
			suffix = ".md"
		}
		for _, name := range []string{"about", "future-face", "privacy", "safety"} {
			if !slices.Contains([]i18n.Lang{i18n.EN, i18n.PT, i18n.ES}, lang) {
				break // the demo has no pages in it
			}
			page, err := os.ReadFile(filepath.Join("../internal/folder/demo/pages", name+suffix))
			require.NoError(t, err)
			words := strings.Join(strings.Fields(string(page)), " ")
			texts[name+suffix] = verbatim.ReplaceAllString(words, "")
		}
		for _, term := range synonyms[lang] {
			avoid := regexp.MustCompile("(?i)" + term.avoid)
			for place, text := range texts {
				assert.Empty(t, avoid.FindString(text), "%s, %s: write %s", lang, place, term.use)
			}
		}
	}
}
