package testkit

import (
	"strconv"
	"strings"
	"time"

	"zedcard/internal/agency"
)

// hostileNames are names that markup, headers, file names and layouts must survive.
var hostileNames = []string{
	`<script>alert(1)</script>`,
	`"><img src=x onerror=alert(1)>`,
	"Ana\r\nSet-Cookie: a=b",
	`O'Neill "Ziggy" & Söhne`,
	"\u202eevitsoh\u202c Ana",
	"../../etc/passwd",
	"A\u0301gata Zoë Łukasz", // with a combining accent
	"🦄 Uma",
	"{{.}} ${name} %s%n",
	strings.Repeat("Ana Maria ", 1000),
}

var (
	firstNames = []string{
		"Ágata", "Beatriz", "Camila", "Débora", "Élodie", "Fernanda",
		"Gisele", "Helena", "Íris", "João", "Kauã", "Luís",
		"Mário", "Noé", "Ônix", "Pedro", "Raí", "Sérgio", "Tomás", "Valentín",
	}
	lastNames = []string{"Araújo", "Brandão", "Conceição", "D'Ávila", "Estevão", "Falcão", "Guimarães"}
	hairs     = []string{"Black", "Brown", "Blonde", "Auburn", ""}
	eyes      = []string{"Blue", "Green", "Hazel", "Amber", ""}
	models    = []agency.Category{
		{ID: 1911, Name: "curve"}, {ID: 1910, Name: "fit"}, {ID: 1912, Name: "life"},
		{ID: 1918, Name: "petite"}, {ID: 1921, Name: "big and tall"}, {ID: agency.FluidID, Name: "fluid"},
		{ID: agency.KidsID, Name: "kids"}, {ID: 1930, Name: "influencers"}, {ID: 1931, Name: "new faces"},
	}
	creatives = []agency.Category{
		{ID: 1923, Name: "photographer"}, {ID: 1924, Name: "make and hair"}, {ID: 1925, Name: "stylist"},
	}
)

// Talents makes a roster of n talents with the ids 1 to n, always the same for an n: of every board, category and
// gender or none; one in ten without a name, one in twenty-five with one of hostileNames, some without measures, cover,
// birth date or galleries.
func Talents(n int) []agency.Talent {
	talents := make([]agency.Talent, n)
	for i := range talents {
		talents[i] = talent(i)
	}
	return talents
}

func talent(i int) agency.Talent {
	t := agency.Talent{
		ID:   strconv.Itoa(i + 1),
		Name: firstNames[i*7%len(firstNames)] + " " + lastNames[i*3%len(lastNames)],
	}
	folder := "talents/" + t.ID + "/"
	switch {
	case i%10 == 9:
		t.Name = ""
	case i%25 == 7:
		t.Name = hostileNames[i/25%len(hostileNames)]
	}
	if i%8 == 5 {
		t.Categories = []agency.Category{{ID: agency.CreativeID, Name: "creative"}, creatives[i/8%len(creatives)]}
	} else {
		t.Categories = []agency.Category{{ID: agency.ModelsID, Name: "models"}, models[i/2%len(models)]}
	}
	t.Gender = []agency.Gender{agency.Woman, agency.Man, agency.Woman, agency.Man, ""}[i%5]
	t.Protected = t.Has(agency.KidsID) // as a client reads it
	if i%12 != 11 {
		t.Cover.File = folder + "cover.jpg"
	}
	if i%6 != 4 {
		year := 1990 + i%12
		if t.Has(agency.KidsID) {
			year = 2014 + i%6
		}
		t.Birthdate = time.Date(year, time.Month(1+i%12), 1+i%28, 0, 0, 0, 0, time.UTC)
	}
	if i%7 != 3 {
		t.Measures = agency.Measures{
			Height: strconv.Itoa(160 + i%35), Bust: strconv.Itoa(80 + i%20),
			Waist: strconv.Itoa(58 + i%20), Hips: strconv.Itoa(85 + i%15),
			Shoes: strconv.Itoa(36 + i%10), Suit: strconv.Itoa(34 + i%14),
			Hair: hairs[i%len(hairs)], Eyes: eyes[i/2%len(eyes)],
		}
	}
	if i%3 == 0 {
		t.Book = []agency.Picture{
			{ID: t.ID + "1", File: folder + "book-1.jpg", Width: 720, Height: 1080},
			{ID: t.ID + "2", File: folder + "book-2.jpg", Width: 1080, Height: 720},
		}
		t.Snap = []agency.Picture{{ID: t.ID + "3", File: folder + "snap-1.jpg", Width: 640, Height: 800}}
	}
	if i%9 == 0 {
		t.Video = []agency.Video{
			{Provider: "youtube", File: "vid" + t.ID},
			{Provider: "vimeo", File: "100" + t.ID + "/abc", Preview: folder + "video.jpg"},
		}
	}
	return t
}

// MinorDates are birth dates, as JSON, that make a talent a minor in November 2026: dates of minors, and unreadable
// ones.
var MinorDates = []string{
	`"31.12.2012"`, `"12/31/2012"`, `"2012"`, `2012`, `1356912000000`, `"1356912000000"`, `-86400`,
	`{"year": 2012}`, `{}`, `[]`, `["1990-01-01"]`,
	`true`, `false`, `0`, `"0"`, `"soon"`, `"31 de dezembro de 2012"`, `"2012-13-45"`, `"12-31-2012"`,
	`"Dec 31, 2012"`, `"2012-12"`, `"\u0000"`,
	`{"date": "2012-12-31 00:00:00.000000", "timezone_type": 3}`, `{"value": null}`, `{"value": "31.12.2012"}`,
	`1e300`, `"1890-01-01"`, `"2090-01-01"`,
	`"2012-12-31"`, `"2012-12-31T00:00:00Z"`, `"20121231"`, `"31/12/2012"`, `1356912000`,
	`{"value": "2012-12-31"}`,
	`"12/10/2008"`, // December 10th or October 12th: not yet 18 in one reading
}

// AdultDates are birth dates of an adult, or none.
var AdultDates = []string{
	`null`, `""`, `" "`, `"0000-00-00"`, `"1990-05-01"`, `"1990-05-01 00:00:00"`, `"01/05/1990"`, `641520000`,
	`{"value": "1990-05-01"}`,
}

// MinorCategories are categories that make a talent a minor: the kids board by id or name, names of categories of
// minors, and unreadable values.
var MinorCategories = []string{
	`[{"id": 1909, "name": "kids"}]`, `[{"id": "1909"}]`, `[1909]`, `["1909"]`, `["Kids"]`,
	`[{"id": 7, "name": "Girls"}]`, `[{"id": 7, "name": " BOYS "}]`,
	`[{"id": 7, "name": "Teens 13-17"}]`, `[{"id": 7, "name": "Kids & Teens"}]`, `[{"name": "teenagers"}]`,
	`[{"id": 7, "name": {"value": "Kids"}}]`,
	`[{"id": 7, "name": {"en": "Kids"}}]`, `[{"id": 7, "title": "Kids", "name": "x"}]`,
	`[{"id": 7, "name": "Crianças"}]`, `[{"id": 7, "name": "niñas"}]`,
	`[{"id": 7, "name": "\u004bids"}]`, `[{"id": 7, "name": "new", "parent": {"id": 1909}}]`,
	`{"0": {"id": 1909}}`, `"kids"`, `"models,kids"`, `7`, `true`,
	`[{"id": {"value": 1909}}]`, `[{}]`, `[null]`, `[[1909]]`, `[[]]`, `[true]`, `[{"id": "kids"}]`,
	`{"data": []}`,
}

// AdultCategories are categories of an adult, or none.
var AdultCategories = []string{
	`null`, `[]`, `""`, `[{"id": 1, "name": "models"}]`, `[{"id": "1911", "name": "curve"}]`,
	`[{"id": 1, "name": null}]`, `[1]`, `["models"]`,
}
