package inbox_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/database"
	"zedcard/internal/database/databasetest"
	"zedcard/internal/inbox"
	"zedcard/internal/outbox"
)

var came = time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)

type deliver func(context.Context, agency.Submission) error

func (d deliver) Send(ctx context.Context, s agency.Submission) error { return d(ctx, s) }

func open(t *testing.T, url string) (*inbox.Inbox, *outbox.Outbox) {
	t.Helper()
	db, err := database.Open(context.Background(), url, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, db.Close()) })
	now := func() time.Time { return came }
	var b *inbox.Inbox
	out := outbox.New(db, db.Keys("secret"), deliver(func(ctx context.Context, s agency.Submission) error {
		if s.ID == "refused" {
			return agency.ErrRejected
		}
		return b.Put(ctx, s)
	}), outbox.Options{Now: now, Log: slog.New(slog.DiscardHandler)})
	b = inbox.New(db, db.Keys("secret"), out, inbox.Options{Now: now})
	return b, out
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

// filled is an inbox with one that came through the outbox, one that was refused, one that waits and
// one that was posted to the back end itself.
func filled(t *testing.T, url string) *inbox.Inbox {
	t.Helper()
	b, out := open(t, url)
	for _, s := range []agency.Submission{ana("delivered"), eve("refused")} {
		require.NoError(t, out.Put(t.Context(), s))
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); out.Run(ctx) }()
	require.Eventually(t, func() bool {
		stats, err := out.Stats(t.Context())
		return err == nil && stats.Count[outbox.Delivered] == 1 && stats.Count[outbox.Refused] == 1
	}, 10*time.Second, 10*time.Millisecond)
	cancel()
	<-done
	require.NoError(t, out.Put(t.Context(), eve("queued")))
	for range 2 { // posted twice under one key
		require.NoError(t, b.Put(t.Context(), ana("../../posted")))
	}
	return b
}

func TestListHasALineForEach(t *testing.T) {
	for name, url := range map[string]func(t *testing.T) string{
		"sqlite":   func(t *testing.T) string { return "sqlite:" + filepath.Join(t.TempDir(), "zedcard.db") },
		"postgres": func(t *testing.T) string { return databasetest.Postgres(t).URL() },
	} {
		t.Run(name, func(t *testing.T) {
			b := filled(t, url(t))
			var text, data bytes.Buffer
			require.NoError(t, b.List(t.Context(), &text, false))
			lines := map[string]bool{}
			for line := range strings.Lines(text.String()) {
				lines[strings.Join(strings.Fields(line), " ")] = true
			}
			assert.Equal(t, map[string]bool{
				"delivered getScouted delivered 2026-11-21T09:30:00Z Ana �[31mSouza ana@example.com":   true,
				"refused contact refused 2026-11-21T09:30:00Z Eve eve@example.com":                     true,
				"queued contact queued 2026-11-21T09:30:00Z Eve eve@example.com":                       true,
				"../../posted getScouted received 2026-11-21T09:30:00Z Ana �[31mSouza ana@example.com": true,
			}, lines)

			require.NoError(t, b.List(t.Context(), &data, true))
			var entries []map[string]string
			require.NoError(t, json.Unmarshal(data.Bytes(), &entries))
			require.Len(t, entries, 4)
			assert.Equal(t, 6, strings.Count(data.String(), "\n"), "each entry is on a line of its own")
		})
	}
}

func TestShowHasEveryField(t *testing.T) {
	b := filled(t, "sqlite:"+filepath.Join(t.TempDir(), "zedcard.db"))
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
	b := filled(t, "sqlite:"+filepath.Join(t.TempDir(), "zedcard.db"))
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

func TestTheInboxIsSealedAndEmptiedAfterHalfAYear(t *testing.T) {
	folder := t.TempDir()
	db, err := database.Open(t.Context(), "sqlite:"+filepath.Join(folder, "zedcard.db"), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	defer db.Close()
	now := came
	clock := func() time.Time { return now }
	out := outbox.New(db, db.Keys("secret"), nil, outbox.Options{Now: clock})
	b := inbox.New(db, db.Keys("secret"), out, inbox.Options{Now: clock})
	require.NoError(t, b.Put(t.Context(), ana("old")))
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	require.NoError(t, err)
	for _, file := range files {
		stored, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, canary := range []string{"Souza", "ana@example.com", "photo 1"} {
			assert.NotContains(t, string(stored), canary)
		}
	}

	now = came.Add(agency.Retention - time.Hour)
	entries, err := b.Entries(t.Context())
	require.NoError(t, err)
	assert.Len(t, entries, 1)
	now = came.Add(agency.Retention + time.Hour)
	entries, err = b.Entries(t.Context())
	require.NoError(t, err)
	assert.Empty(t, entries)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); b.Run(ctx) }()
	defer func() { stop(); <-done }()
	assert.Eventually(t, func() bool {
		var parts int
		return db.QueryRow("SELECT count(*) FROM inbox_part").Scan(&parts) == nil && parts == 0
	}, 10*time.Second, 10*time.Millisecond, "the submission and its photos are deleted without a new one arriving")
}

func TestAFullInboxRefusesPhotosBeforeTextAndDropsNothing(t *testing.T) {
	for name, url := range map[string]func(t *testing.T) string{
		"sqlite":   func(*testing.T) string { return "sqlite:" + filepath.Join(t.TempDir(), "zedcard.db") },
		"postgres": func(t *testing.T) string { return databasetest.Postgres(t).URL() },
	} {
		t.Run(name, func(t *testing.T) {
			silent := slog.New(slog.DiscardHandler)
			db, err := database.Open(t.Context(), url(t), silent)
			require.NoError(t, err)
			defer db.Close()
			out := outbox.New(db, db.Keys("secret"), nil, outbox.Options{Log: silent, MaxBytes: 1_000_000})
			b := inbox.New(db, db.Keys("secret"), out, inbox.Options{Log: silent, MaxBytes: 1_000_000})
			large := func(id string) agency.Submission {
				s := ana(id)
				s.Files[0].Data = bytes.Repeat([]byte{7}, 300_000)
				return s
			}
			for _, id := range []string{"a", "b", "c"} {
				require.NoError(t, b.Put(t.Context(), large(id)))
			}
			require.ErrorIs(t, b.Put(t.Context(), large("d")), agency.ErrUnavailable)
			require.NoError(t, b.Put(t.Context(), large("a")), "repeating a stored submission succeeds")
			require.ErrorIs(t, out.Put(t.Context(), large("d")), agency.ErrUnavailable, "the form says so at once")
			require.NoError(t, out.Put(t.Context(), eve("e")))
			require.NoError(t, b.Put(t.Context(), eve("e")))
			_, s, err := b.Find(t.Context(), "a")
			require.NoError(t, err)
			assert.Equal(t, large("a"), s)
		})
	}
}
