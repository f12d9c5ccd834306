package intake_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/database"
	"zedcard/internal/intake"
)

var came = time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)

type deliverer func(context.Context, agency.Submission) error

func (d deliverer) Send(ctx context.Context, s agency.Submission) error { return d(ctx, s) }

// openInbox is a site whose panel is its embedded back end, which takes everything whose id doesn't begin with refused.
func openInbox(db *database.DB, options intake.Options) *site {
	options.Log = silent
	if options.Now == nil {
		options.Now = func() time.Time { return came }
	}
	o := newSite(db, db.Keys("secret"), nil, options)
	o.panel = deliverer(func(ctx context.Context, s agency.Submission) error {
		if strings.HasPrefix(s.ID, "refused") {
			return agency.ErrRejected
		}
		return o.Receive(ctx, s)
	})
	return o
}

func ana(id string) agency.Submission {
	return agency.Submission{
		ID: id, Kind: agency.GetScouted,
		Fields: []agency.Field{
			{Name: "realname", Value: "Ana \x1b[31mSouza"},
			{Name: "email", Value: "ana@example.com"},
			{Name: "phone", Value: "+55 (11) 98765-4321"},
		},
		Files: []agency.File{
			{Field: "image_1", Name: "eu.jpg", Type: "image/jpeg", Data: []byte("photo 1")},
			{Field: "../x", Name: "../x", Type: "text/html", Data: []byte("photo 2")},
		},
	}
}

func eve(id string) agency.Submission {
	return agency.Submission{ID: id, Kind: agency.Contact, Fields: []agency.Field{
		{Name: "name", Value: "Eve"}, {Name: "email", Value: "eve@example.com"},
		{Name: "message", Value: "=HYPERLINK(\"x\")\nline two"},
	}}
}

// filled has one that the embedded back end has, one that was refused, one that waits and one that was posted to the
// back end itself.
func filled(t *testing.T, db *database.DB) *site {
	t.Helper()
	o := openInbox(db, intake.Options{})
	for _, s := range []agency.Submission{ana("delivered"), eve("refused")} {
		require.NoError(t, o.Put(t.Context(), s))
	}
	stop := start(t, o)
	eventually(t, func() bool {
		return counts(t, o)[intake.Delivered] == 1 && counts(t, o)[intake.Refused] == 1
	})
	stop()
	require.NoError(t, o.Put(t.Context(), eve("queued")))
	for range 2 { // posted twice under one key
		require.NoError(t, o.Receive(t.Context(), ana("../../posted")))
	}
	return o
}

func TestListHasALineForEach(t *testing.T) {
	onEach(t, func(t *testing.T, db *database.DB) {
		b := filled(t, db)
		var text, data bytes.Buffer
		require.NoError(t, b.List(t.Context(), &text, false))
		lines := map[string]bool{}
		for line := range strings.Lines(text.String()) {
			lines[strings.Join(strings.Fields(line), " ")] = true
		}
		const at = "2026-11-21T09:30:00Z"
		assert.Equal(t, map[string]bool{
			"delivered getScouted delivered " + at + " Ana �[31mSouza ana@example.com due 2026-12-05":   true,
			"refused contact refused " + at + " Eve eve@example.com due 2026-11-23":                     true,
			"queued contact queued " + at + " Eve eve@example.com":                                      true,
			"../../posted getScouted received " + at + " Ana �[31mSouza ana@example.com due 2026-12-05": true,
		}, lines)

		require.NoError(t, b.List(t.Context(), &data, true))
		var entries []map[string]string
		require.NoError(t, json.Unmarshal(data.Bytes(), &entries))
		require.Len(t, entries, 4)
		assert.Equal(t, 6, strings.Count(data.String(), "\n"), "each entry is on a line of its own")
	})
}

func TestShowHasEveryField(t *testing.T) {
	b := filled(t, openFile(t))
	var text bytes.Buffer
	require.NoError(t, b.Show(t.Context(), &text, "delivered"))
	assert.Contains(t, text.String(), "phone     +55 (11) 98765-4321\n")
	assert.Contains(t, text.String(), "image_1   eu.jpg (image/jpeg, 1 KB)\n")
	text.Reset()
	require.NoError(t, b.Show(t.Context(), &text, "refused"))
	assert.Contains(t, text.String(), "fault    rejected\n")
	assert.Contains(t, text.String(), "line two\n")
	require.ErrorIs(t, b.Show(t.Context(), &text, "none"), agency.ErrNotFound)
}

func TestExportIsCompleteAndHarmless(t *testing.T) {
	b := filled(t, openFile(t))
	dir := filepath.Join(t.TempDir(), "new", "export")
	require.NoError(t, b.Export(t.Context(), dir))

	file, err := os.Open(filepath.Join(dir, "submissions.csv"))
	require.NoError(t, err)
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	require.Len(t, lines, 5)
	byID := map[string]map[string]string{}
	for _, line := range lines[1:] {
		byID[line[0]] = map[string]string{}
		for i, cell := range line {
			byID[line[0]][lines[0][i]] = cell
		}
	}
	assert.Equal(t, "+55 (11) 98765-4321", byID["delivered"]["phone"])
	assert.Equal(t, "photos/delivered/image_1.jpg", byID["delivered"]["photo 1"])
	assert.Equal(t, "'=HYPERLINK(\"x\")\nline two", byID["refused"]["message"])

	data, err := os.ReadFile(filepath.Join(dir, "submissions.json"))
	require.NoError(t, err)
	var all []struct {
		ID     string
		State  string
		Fields map[string]string
		Photos []string
	}
	require.NoError(t, json.Unmarshal(data, &all))
	require.Len(t, all, 4)
	photos := 0
	for _, s := range all {
		for i, name := range s.Photos {
			require.True(t, filepath.IsLocal(name), name)
			stored, err := os.ReadFile(filepath.Join(dir, name))
			require.NoError(t, err)
			assert.Equal(t, string(ana("").Files[i].Data), string(stored))
			photos++
		}
	}
	assert.Equal(t, 4, photos)

	require.NoError(t, filepath.WalkDir(filepath.Dir(dir), func(path string, entry fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := entry.Info()
		require.NoError(t, err)
		assert.Zero(t, info.Mode().Perm()&0o077, path)
		return nil
	}))
}

func TestAFullInboxRefusesPhotosBeforeTextAndDropsNothing(t *testing.T) {
	onEach(t, func(t *testing.T, db *database.DB) {
		o := newSite(db, db.Keys("secret"), nil, intake.Options{Log: silent, MaxBytes: 1_000_000})
		large := func(id string) agency.Submission {
			s := ana(id)
			s.Files[0].Data = bytes.Repeat([]byte{7}, 300_000)
			return s
		}
		for _, id := range []string{"a", "b", "c"} {
			require.NoError(t, o.Receive(t.Context(), large(id)))
		}
		require.ErrorIs(t, o.Receive(t.Context(), large("d")), agency.ErrUnavailable)
		require.NoError(t, o.Receive(t.Context(), large("a")), "repeating a stored submission succeeds")
		require.ErrorIs(t, o.Put(t.Context(), large("d")), agency.ErrUnavailable, "the form says so at once")
		require.NoError(t, o.Put(t.Context(), eve("e")))
		require.NoError(t, o.Receive(t.Context(), eve("e")))
		_, s, err := o.Find(t.Context(), "a")
		require.NoError(t, err)
		assert.Equal(t, large("a"), s)
	})
}
