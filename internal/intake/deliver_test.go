package intake_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/database"
	"zedcard/internal/database/databasetest"
	"zedcard/internal/intake"
)

var silent = slog.New(slog.DiscardHandler)

func open(t *testing.T, url string) *database.DB {
	t.Helper()
	db, err := database.Open(context.Background(), url, silent)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, db.Close()) })
	return db
}

// openFile opens a SQLite database of the test's own.
func openFile(t *testing.T) *database.DB {
	t.Helper()
	return open(t, "sqlite:"+filepath.Join(t.TempDir(), "zedcard.db"))
}

// onEach runs a test on both databases.
func onEach(t *testing.T, test func(t *testing.T, db *database.DB)) {
	t.Run("sqlite", func(t *testing.T) { test(t, openFile(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, open(t, databasetest.Postgres(t).URL())) })
}

// panel is a fake of the panel: it gives the answers that a test sets and records what it received and when.
type panel struct {
	mu     sync.Mutex
	answer func(agency.Submission) error
	got    []agency.Submission
	at     []time.Time
}

func (p *panel) Send(_ context.Context, s agency.Submission) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.got = append(p.got, s)
	p.at = append(p.at, time.Now())
	if p.answer == nil {
		return nil
	}
	return p.answer(s)
}

func (p *panel) received() []agency.Submission {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]agency.Submission(nil), p.got...)
}

func application(id string) agency.Submission {
	return agency.Submission{
		ID: id, Kind: agency.GetScouted,
		Fields: []agency.Field{
			{Name: "realname", Value: "Canária Souza"}, {Name: "birthdate", Value: "1999-04-30"},
			{Name: "email", Value: "canary@example.com"},
		},
		Files: []agency.File{
			{Field: "image_1", Name: "perfil.jpg", Type: "image/jpeg", Data: []byte("\xff\xd8 CANARY PHOTO\n{}")},
			{Field: "image_2", Name: "corpo.jpg", Type: "image/jpeg", Data: bytes.Repeat([]byte{7}, 200_000)},
		},
	}
}

// site is an intake with its panel.
type site struct {
	*intake.Intake
	panel intake.Sender
}

func newSite(db *database.DB, keys database.Keys, panel intake.Sender, options intake.Options) *site {
	return &site{intake.New(db, keys, options), panel}
}

// start runs a site until the test, or stop, ends it.
func start(t *testing.T, o *site) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); o.Run(ctx, o.panel) }()
	stop = func() { cancel(); <-done }
	t.Cleanup(stop)
	return stop
}

func counts(t *testing.T, o *site) map[intake.State]int {
	t.Helper()
	stats, err := o.Stats(context.Background())
	require.NoError(t, err)
	return stats.Count
}

func eventually(t *testing.T, what func() bool) {
	t.Helper()
	require.Eventually(t, what, 15*time.Second, 20*time.Millisecond)
}

func TestASubmissionIsDeliveredOnceAndThenEmptied(t *testing.T) {
	onEach(t, func(t *testing.T, db *database.DB) {
		panel := &panel{}
		o := newSite(db, db.Keys("secret"), panel, intake.Options{Log: silent})
		has := func() bool {
			has, err := o.Has(t.Context(), "a1")
			require.NoError(t, err)
			return has
		}
		assert.False(t, has())
		for range 3 { // a double click and a resend
			require.NoError(t, o.Put(t.Context(), application("a1")))
			assert.True(t, has())
		}
		assert.Equal(t,
			map[intake.State]int{
				intake.Waiting: 0, intake.Queued: 1, intake.Delivered: 0, intake.Refused: 0, intake.Suspected: 0,
			},
			counts(t, o))

		stop := start(t, o)
		eventually(t, func() bool { return counts(t, o)[intake.Delivered] == 1 })
		require.NoError(t, o.Put(t.Context(), application("a1")), "repeated after its delivery")
		assert.True(t, has())
		stop()

		assert.Equal(t, []agency.Submission{application("a1")}, panel.received())
		entry, rest, err := o.Find(t.Context(), "a1")
		require.NoError(t, err)
		assert.Equal(t, intake.Delivered, entry.State)
		assert.Empty(t, entry.Name+entry.Email)
		assert.Empty(t, rest.Fields)
		assert.Empty(t, rest.Files)
	})
}

func TestARefusedSubmissionIsKeptAndRequeuedOnRequest(t *testing.T) {
	onEach(t, func(t *testing.T, db *database.DB) {
		refuse := func(agency.Submission) error {
			return fmt.Errorf("panel: 422: email canary@example.com is known: %w", agency.ErrRejected)
		}
		panel := &panel{answer: refuse}
		o := newSite(db, db.Keys("secret"), panel, intake.Options{Log: silent})
		require.NoError(t, o.Put(t.Context(), application("a1")))
		start(t, o)
		eventually(t, func() bool { return counts(t, o)[intake.Refused] == 1 })

		entry, kept, err := o.Find(t.Context(), "a1")
		require.NoError(t, err)
		assert.Equal(t, application("a1"), kept)
		assert.Equal(t, "Canária Souza canary@example.com", entry.Name+" "+entry.Email)
		assert.Contains(t, entry.LastError, "422: email")

		panel.mu.Lock()
		panel.answer = nil
		panel.mu.Unlock()
		require.NoError(t, o.Requeue(t.Context(), "a1"))
		eventually(t, func() bool { return counts(t, o)[intake.Delivered] == 1 })
		require.ErrorIs(t, o.Requeue(t.Context(), "a1"), agency.ErrNotFound)
		_, _, err = o.Find(t.Context(), "none")
		require.ErrorIs(t, err, agency.ErrNotFound)
	})
}

func TestAHeldSubmissionWaitsForTheOperator(t *testing.T) {
	onEach(t, func(t *testing.T, db *database.DB) {
		panel := &panel{}
		o := newSite(db, db.Keys("secret"), panel, intake.Options{Log: silent, MaxQueued: 1})
		require.NoError(t, o.Hold(t.Context(), application("held")))
		require.ErrorIs(t, o.Hold(t.Context(), application("one too many")), agency.ErrUnavailable)
		start(t, o)
		require.NoError(t, o.Put(t.Context(), application("put")), "held submissions don't count towards the limit")
		eventually(t, func() bool { return counts(t, o)[intake.Delivered] == 1 })
		assert.Equal(t, 1, counts(t, o)[intake.Suspected])

		entry, held, err := o.Find(t.Context(), "held")
		require.NoError(t, err)
		assert.Equal(t, "Canária Souza", entry.Name)
		assert.Equal(t, application("held"), held)
		require.NoError(t, o.Requeue(t.Context(), "held"))
		eventually(t, func() bool { return counts(t, o)[intake.Delivered] == 2 })
		assert.Equal(t, []agency.Submission{application("put"), application("held")}, panel.received())
	})
}

func TestTwoProgramsNeverDeliverTheSameSubmission(t *testing.T) {
	onEach(t, func(t *testing.T, db *database.DB) {
		panel := &panel{}
		for range 2 {
			o := newSite(db, db.Keys(), panel, intake.Options{Log: silent})
			start(t, o)
			t.Cleanup(func() { assert.Zero(t, counts(t, o)[intake.Refused]) })
		}
		o := newSite(db, db.Keys(), panel, intake.Options{Log: silent})
		for i := range 60 {
			require.NoError(t, o.Put(t.Context(), application(fmt.Sprint("a", i))))
		}
		eventually(t, func() bool { return counts(t, o)[intake.Delivered] == 60 })
		assert.Equal(t, 60, len(panel.received()), "deliveries") // Len would print them all
	})
}

func TestADatabaseThatIsDownIsUnavailable(t *testing.T) {
	cluster := databasetest.Postgres(t)
	cluster.Crash()
	db := open(t, cluster.URL())
	o := newSite(db, db.Keys("secret"), &panel{}, intake.Options{Log: silent})
	require.ErrorIs(t, o.Put(t.Context(), application("a1")), agency.ErrUnavailable)
	_, err := o.Has(t.Context(), "a1")
	require.ErrorIs(t, err, agency.ErrUnavailable)
	start(t, o)

	cluster.Start()
	eventually(t, func() bool { return o.Put(t.Context(), application("a1")) == nil })
	eventually(t, func() bool { return counts(t, o)[intake.Delivered] == 1 })
}

func TestStoredSubmissionsAreSealed(t *testing.T) {
	folder := t.TempDir()
	db := open(t, "sqlite:"+filepath.Join(folder, "zedcard.db"))
	refuse := func(agency.Submission) error {
		return fmt.Errorf("canary@example.com: %w", agency.ErrRejected)
	}
	var log bytes.Buffer
	o := newSite(db, db.Keys("secret"), &panel{answer: refuse},
		intake.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	require.NoError(t, o.Put(t.Context(), application("a1")))
	stop := start(t, o)
	eventually(t, func() bool { return counts(t, o)[intake.Refused] == 1 })
	stop()

	files, err := filepath.Glob(filepath.Join(folder, "*"))
	require.NoError(t, err)
	require.Len(t, files, 3, "database, -wal and -shm")
	for _, file := range files {
		stored, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, canary := range []string{
			"Canária", "canary@example.com", "CANARY PHOTO", "1999-04-30", "perfil.jpg", "secret",
		} {
			assert.NotContains(t, string(stored), canary, filepath.Base(file))
		}
	}
	assert.Contains(t, log.String(), "refused by the panel")
	assert.NotContains(t, log.String(), "canary")
}

func TestAfterAKeyIsLostTheOthersAreStillDelivered(t *testing.T) {
	db := openFile(t)
	require.NoError(t,
		newSite(db, db.Keys("lost"), nil, intake.Options{Log: silent}).Put(t.Context(), application("a1")))

	panel := &panel{}
	o := newSite(db, db.Keys("new"), panel, intake.Options{Log: silent})
	require.NoError(t, o.Put(t.Context(), application("a2")))
	start(t, o)
	eventually(t, func() bool { return counts(t, o)[intake.Delivered] == 1 })
	eventually(t, func() bool {
		var tries int
		return db.QueryRow("SELECT attempts FROM submission WHERE id = 'a1'").Scan(&tries) == nil && tries > 0
	})
	list, err := o.Entries(t.Context())
	require.NoError(t, err)
	assert.Equal(t, intake.Queued, list[0].State, "kept until the key is configured again")
	assert.Contains(t, list[0].LastError, "not among the keys")
}

// inBubble runs a test in which time passes only when everybody waits.
func inBubble(t *testing.T, test func(t *testing.T, db *database.DB)) {
	path := filepath.Join(t.TempDir(), "zedcard.db")
	synctest.Test(t, func(t *testing.T) {
		test(t, open(t, "sqlite:"+path))
	})
}

func TestTheOperatorIsNotifiedOnceOfHeldAndRefusedSubmissions(t *testing.T) {
	onEach(t, func(t *testing.T, db *database.DB) {
		var post post
		o := newSite(db, db.Keys("secret"), &panel{answer: func(agency.Submission) error { return agency.ErrRejected }},
			intake.Options{Log: silent, Mail: &post, Agency: func() string { return "Best" }})
		require.NoError(t, o.Hold(t.Context(), application("held")))
		require.NoError(t, o.Put(t.Context(), application("refused")))
		stop := start(t, o)
		eventually(t, func() bool { return len(post.ids()) == 2 })
		stop()
		assert.ElementsMatch(t, []string{"held-suspected", "refused-refused"}, post.ids())
		for _, m := range post.mails {
			assert.Empty(t, m.To, "to the agency")
			assert.Regexp(t, "^Best: (held back|refused), a new application$", m.Subject)
			assert.Contains(t, m.Text, "zedcard inbox deliver ")
			assert.Regexp(t, "^Reference A-[0-9]{6}-[A-Z]+, received at ", m.Text, "what the visitor quotes")
			assert.NotContains(t, m.Text, "Souza")
		}
		stats, err := o.Stats(t.Context())
		require.NoError(t, err)
		assert.Positive(t, stats.Unseen, "the metric counts submissions the operator hasn't seen")
	})
}
