package backendtest

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
