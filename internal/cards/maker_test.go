package cards

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/jpeg"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/picture"
	"zedcard/internal/site"
)

func newMaker(t *testing.T, full bool) *Maker {
	t.Helper()
	worker := picture.NewWorker(os.Args[0])
	t.Cleanup(func() { assert.NoError(t, worker.Close()) })
	return NewMaker(Config{
		Site: func() *site.Site {
			return site.New(agency.Site{
				Name: "Best Management", Phone: "+351 210 000 000", Bookings: "bookings@best.example",
			})
		},
		FullMeasures: full,
		Now:          func() time.Time { return time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC) },
		Worker:       worker, Log: slog.New(slog.DiscardHandler),
	})
}

func someone() agency.Talent {
	return agency.Talent{
		ID: "7", Name: "Ágata Moreira", Gender: agency.Woman, Cover: agency.Picture{File: "7/cover.jpg"},
		Birthdate:  time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC),
		Categories: []agency.Category{{ID: agency.ModelsID}},
		Measures:   agency.Measures{Height: "178", Bust: "84", Waist: "62", Shoes: "39", Hair: "Black", Eyes: "Brown"},
		Book: []agency.Picture{
			{File: "7/1.jpg"}, {File: "7/2.jpg"}, {File: "7/3.jpg"}, {File: "7/4.jpg"}, {File: "7/5.jpg"},
		},
	}
}

// folder opens pictures out of a map, in which one is a grey of its own.
func folder(t *testing.T, files map[string]uint8) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		grey, ok := files[name]
		if !ok {
			return nil, fs.ErrNotExist
		}
		m := image.NewGray(image.Rect(0, 0, 30, 40))
		for i := range m.Pix {
			m.Pix[i] = color.Gray{grey}.Y
		}
		var out bytes.Buffer
		require.NoError(t, jpeg.Encode(&out, m, nil))
		return out.Bytes(), nil
	}
}

var whole = map[string]uint8{
	"7/cover.jpg": 10, "7/1.jpg": 20, "7/2.jpg": 30, "7/3.jpg": 40, "7/4.jpg": 50, "7/5.jpg": 60,
}

func labels(card Card) []string {
	var labels []string
	for _, row := range card.Rows {
		labels = append(labels, row.Label+" "+row.Metric+" "+row.Imperial)
	}
	return labels
}

func TestACardHasBothUnitsInEnglish(t *testing.T) {
	card := newMaker(t, false).card(i18n.EN, someone(), nil)
	assert.Equal(t,
		[]string{
			"Height 178\u00a0cm 5′10″", "Bust 84\u00a0cm 33″",
			"Waist 62\u00a0cm 24½″", "Shoes 39 ", "Hair Black ", "Eyes Brown ",
		},
		labels(card))
	assert.Equal(t, "Women", card.Board)
	assert.False(t, card.Minor)
}

func TestACardSaysWhenItsMeasuresWereTaken(t *testing.T) {
	m, talent := newMaker(t, false), someone()
	assert.Empty(t, m.card(i18n.EN, talent, nil).Measured)
	talent.Measured = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	assert.Equal(t, "Measured November 2026", m.card(i18n.EN, talent, nil).Measured)
	assert.Equal(t, "Medidas de novembro de 2026", m.card(i18n.PT, talent, nil).Measured)
	talent.Measures = agency.Measures{}
	assert.Empty(t, m.card(i18n.EN, talent, nil).Measured)
}

func TestACardIsInItsLanguageAndNamesOneCreative(t *testing.T) {
	m := newMaker(t, false)
	m.config.Options = func() agency.Options {
		return agency.Options{Hair: []agency.Option{{Value: "Black", Label: "Negro", Value2: "Preto"}}}
	}
	photographer := agency.Talent{Gender: agency.Man, Categories: []agency.Category{
		{ID: agency.CreativeID, Name: "creative"}, {ID: 1923, Name: "photographer"},
	}, Measures: agency.Measures{Height: "170"}}
	assert.Empty(t, m.card(i18n.EN, photographer, nil).Rows, "nobody books a creative by measures")
	for lang, want := range map[i18n.Lang][4]string{
		i18n.EN: {"Women", "Height 178\u00a0cm 5′10″", "Hair Black ", "Photographer"},
		i18n.PT: {"Mulheres", "Altura 178\u00a0cm 5′10″", "Cabelo Preto ", "Fotografia"},
		i18n.ES: {"Mujeres", "Altura 178\u00a0cm 5′10″", "Cabello Negro ", "Fotografía"},
	} {
		card := m.card(lang, someone(), nil)
		rows := labels(card)
		assert.Equal(t, want, [4]string{card.Board, rows[0], rows[4], m.card(lang, photographer, nil).Board}, lang)
	}
}

func TestAMinorsCardShowsWhatThePageShows(t *testing.T) {
	talent := someone()
	talent.Birthdate = time.Date(2012, 1, 1, 0, 0, 0, 0, time.UTC)
	card := newMaker(t, false).card(i18n.EN, talent, nil)
	assert.Equal(t, []string{"Height 178\u00a0cm 5′10″", "Shoes 39 ", "Hair Black ", "Eyes Brown "},
		labels(card))
	assert.True(t, card.Minor)

	card = newMaker(t, true).card(i18n.EN, talent, nil)
	assert.Len(t, card.Rows, 6)
	assert.True(t, card.Minor, "the files forbid data mining even with all measures shown")
}

func TestPicturesAreTheCoverTheBookAndAFace(t *testing.T) {
	m := newMaker(t, false)
	shown := func(talent agency.Talent, files map[string]uint8) (greys []uint8) {
		for _, p := range m.pictures(t.Context(), talent, folder(t, files)) {
			m, err := jpeg.Decode(bytes.NewReader(p.Data))
			require.NoError(t, err)
			greys = append(greys, m.(*image.Gray).GrayAt(9, 9).Y)
		}
		return greys
	}
	talent := someone()
	assert.Equal(t, []uint8{10, 20, 30, 40, 50}, shown(talent, whole))
	again := someone()
	again.Book = append([]agency.Picture{again.Cover}, again.Book...)
	assert.Equal(t, shown(talent, whole), shown(again, whole), "a cover in the book is not shown twice")
	assert.Equal(t, []uint8{1, 2, 4, 5}, shown(talent, map[string]uint8{
		"7/cover.jpg": 1, "7/2.jpg": 2, "7/4.jpg": 4, "7/5.jpg": 5,
	}), "missing pictures are left out")
	files := maps.Clone(whole)
	maps.Copy(files, map[string]uint8{"7/full.jpg": 70, "7/face.jpg": 80})
	talent.Snap = []agency.Picture{
		{File: "7/full.jpg", Width: 640, Height: 800}, {File: "7/face.jpg", Width: 720, Height: 720},
	}
	assert.Equal(t, []uint8{10, 20, 30, 40, 80}, shown(talent, files), "the last is a snap with a face")
	talent.Book = nil
	assert.Equal(t, []uint8{10, 80}, shown(talent, files))
	talent = someone()
	talent.Cover = agency.Picture{}
	assert.Equal(t, []uint8{20, 30, 40, 50, 60}, shown(talent, whole))
}

func TestACardIsMadeOnceUntilSomethingOnItChanges(t *testing.T) {
	m := newMaker(t, false)
	make := func(talent agency.Talent, files map[string]uint8) *byte {
		card, err := m.Card(t.Context(), talent, folder(t, files))
		require.NoError(t, err)
		require.Len(t, card, 3)
		return &card[0].Data[0]
	}
	first := make(someone(), whole)
	assert.Same(t, first, make(someone(), whole))

	taller := someone()
	taller.Measures.Height = "179"
	assert.NotSame(t, first, make(taller, whole))
	assert.NotSame(t, first, make(someone(), map[string]uint8{"7/cover.jpg": 11}))
	assert.Same(t, first, make(someone(), whole))
}

func TestANameThatTheFontsCantWriteGetsItsPictures(t *testing.T) {
	talent := someone()
	talent.Name = "高橋蓮"
	open := folder(t, whole)
	files, err := newMaker(t, false).Card(t.Context(), talent, func(name string) ([]byte, error) {
		data, err := open(name)
		comment := append([]byte{0xff, 0xfe, 0, 2 + 6}, "CANARY"...) // as a camera writes where it was
		return append(append(bytes.Clone(data[:2]), comment...), data[2:]...), err
	})
	require.NoError(t, err)
	require.Len(t, files, 5)
	assert.Equal(t, "1.jpg", files[0].Name)
	for _, file := range files {
		_, err := jpeg.Decode(bytes.NewReader(file.Data))
		require.NoError(t, err)
		assert.NotContains(t, string(file.Data), "CANARY")
	}
}

func TestACardStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := newMaker(t, false).Card(ctx, someone(), folder(t, whole))
	assert.ErrorIs(t, err, context.Canceled)
}

func TestOnlyAnAddressThatOthersCanOpenIsPrinted(t *testing.T) {
	assert.Equal(t, "best.example", Website("https://best.example"))
	assert.Empty(t, Website("http://localhost:8080"))
	assert.Empty(t, Website("http://127.0.0.1:8080"))
}
