package intake_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/database"
	"zedcard/internal/intake"
)

func message(id string) agency.Submission {
	return agency.Submission{ID: id, Kind: agency.Contact, Fields: []agency.Field{{Name: "name", Value: "Eve"}}}
}

// lineChannel receives the lines of a log.
type lineChannel chan string

func (c lineChannel) Write(line []byte) (int, error) {
	c <- string(line)
	return len(line), nil
}

func bytesOf(t *testing.T, o *site) int64 {
	t.Helper()
	stats, err := o.Stats(t.Context())
	require.NoError(t, err)
	return stats.Bytes
}

// photosOf is how many photos a stored submission has; its text must be whole.
func photosOf(t *testing.T, o *site, id string) int {
	t.Helper()
	_, s, err := o.Find(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, application(id).Fields, s.Fields, id)
	return len(s.Files)
}

func TestHeldSubmissionsNeverTakeTheRoomOfHonestOnes(t *testing.T) {
	onEach(t, func(t *testing.T, db *database.DB) {
		clock := time.Now()
		o := newSite(db, db.Keys("secret"), &panel{}, intake.Options{
			Log: silent, MaxBytes: 10_000_000, Now: func() time.Time { clock = clock.Add(time.Second); return clock },
		})
		for i := range 60 { // 12 MB, more than there is room for
			require.NoError(t, o.Hold(t.Context(), application(fmt.Sprint("held", i))), "a program learns nothing")
		}
		assert.Less(t, bytesOf(t, o), int64(500_000), "a twentieth")
		require.NoError(t, o.Put(t.Context(), application("honest")))
		assert.Equal(t, 2, photosOf(t, o, "held59"), "the newest keeps its photos")
		assert.Equal(t, 0, photosOf(t, o, "held0"), "the oldest keeps its text")

		large := application("large")
		large.Files[1].Data = bytes.Repeat([]byte{7}, 600_000)
		require.NoError(t, o.Hold(t.Context(), large), "more than a twentieth by itself")
		assert.Equal(t, 0, photosOf(t, o, "large"))
		assert.Equal(t, 2, photosOf(t, o, "honest"))
	})
}

func TestRefusedSubmissionsMakeRoomForNewOnes(t *testing.T) {
	onEach(t, func(t *testing.T, db *database.DB) {
		panel := &panel{answer: func(agency.Submission) error { return agency.ErrRejected }}
		o := newSite(db, db.Keys("secret"), panel, intake.Options{Log: silent, MaxBytes: 1_000_000})
		for i := range 4 {
			require.NoError(t, o.Put(t.Context(), application(fmt.Sprint(i))))
		}
		stop := start(t, o)
		eventually(t, func() bool { return counts(t, o)[intake.Refused] == 4 })
		stop()
		for i := range 4 {
			assert.Equal(t, 2, photosOf(t, o, fmt.Sprint(i)), "nothing is removed while there is room")
		}
		for i := range 4 {
			require.NoError(t, o.Put(t.Context(), application(fmt.Sprint("new", i))))
		}
		for i := range 4 {
			assert.Equal(t, 0, photosOf(t, o, fmt.Sprint(i)))
			assert.Equal(t, 2, photosOf(t, o, fmt.Sprint("new", i)))
		}
		require.ErrorIs(t, o.Put(t.Context(), application("one too many")), agency.ErrUnavailable)
		assert.Equal(t, 2, photosOf(t, o, "new0"), "what was queued is never removed")
	})
}

func TestMessagesFindRoomWherePhotosDont(t *testing.T) {
	onEach(t, func(t *testing.T, db *database.DB) {
		lines := make(lineChannel, 1000)
		away := &panel{answer: func(agency.Submission) error { return agency.ErrUnavailable }}
		o := newSite(db, db.Keys("secret"), away, intake.Options{
			Log: slog.New(slog.NewTextHandler(lines, nil)), MaxBytes: 1_000_000,
		})
		for i := range 4 {
			require.NoError(t, o.Put(t.Context(), application(fmt.Sprint(i))))
		}
		require.ErrorIs(t, o.Put(t.Context(), application("full")), agency.ErrUnavailable)
		for i := range 50 {
			require.NoError(t, o.Put(t.Context(), message(fmt.Sprint("message", i))))
		}
		start(t, o)
		for line := range lines {
			if strings.Contains(line, "four fifths full") {
				break
			}
		}
	})
}

func TestOneClientCantTakeAllTheRoom(t *testing.T) {
	onEach(t, func(t *testing.T, db *database.DB) {
		clock := time.Now()
		o := newSite(db, db.Keys("secret"), &panel{}, intake.Options{
			Log: silent, MaxBytes: 100_000_000, Now: func() time.Time { return clock },
		})
		put := func(id, client string) error {
			s := application(id)
			s.Client = client
			s.Files[1].Data = make([]byte, 6_000_000)
			return o.Put(t.Context(), s)
		}
		require.NoError(t, put("a1", "203.0.113.1"))
		require.NoError(t, put("a2", "203.0.113.1"))
		require.ErrorIs(t, put("a3", "203.0.113.1"), agency.ErrUnavailable, "an eighth")
		require.NoError(t, put("a2", "203.0.113.1"), "a repeat")
		require.NoError(t, put("b1", "203.0.113.2"), "another client")
		require.NoError(t, o.Put(t.Context(), message("m")))
		clock = clock.Add(25 * time.Hour)
		require.NoError(t, put("a3", "203.0.113.1"), "the next day")

		start(t, o)
		eventually(t, func() bool {
			var clients int
			row := db.QueryRow("SELECT count(*) FROM submission WHERE client <> ''")
			return row.Scan(&clients) == nil && clients == 1
		})
	})
}
