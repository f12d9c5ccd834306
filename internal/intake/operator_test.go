package intake_test

import (
	"bytes"
	"database/sql"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/database"
	"zedcard/internal/intake"
)

// embed makes the panel the embedded back end, which takes everything whose id doesn't begin with refused.
func (o *office) embed() {
	o.panel.answers(func(s agency.Submission) error {
		if strings.HasPrefix(s.ID, "refused") {
			return agency.ErrRejected
		}
		return o.Receive(o.t.Context(), s)
	})
}

// fill adds one that the embedded back end has, one that was refused, one that waits and one that was posted to the
// back end itself.
func (o *office) fill() {
	o.embed()
	o.put(ana("delivered"), eve("refused"))
	stop := o.run()
	o.await(intake.Delivered, 1)
	o.await(intake.Refused, 1)
	stop()
	o.put(eve("queued"))
	for range 2 { // posted twice under one key
		require.NoError(o.t, o.Receive(o.t.Context(), ana("../../posted")))
	}
}

func TestListHasALineForEach(t *testing.T) {
	o := onSQLite(t, nil)
	o.fill()
	var text bytes.Buffer
	require.NoError(t, o.List(t.Context(), &text))
	lines := map[string]bool{}
	for line := range strings.Lines(text.String()) {
		lines[strings.Join(strings.Fields(line), " ")] = true
	}
	const at = "2026-11-22T10:00:00Z"
	assert.Equal(t, map[string]bool{
		"delivered getScouted delivered " + at + " Ana �[31mSouza ana@example.com":   true,
		"refused contact refused " + at + " Eve eve@example.com":                     true,
		"queued contact queued " + at + " Eve eve@example.com":                       true,
		"../../posted getScouted received " + at + " Ana �[31mSouza ana@example.com": true,
	}, lines)
}

func TestShowHasEveryField(t *testing.T) {
	o := onSQLite(t, nil)
	o.fill()
	var text bytes.Buffer
	require.NoError(t, o.Show(t.Context(), &text, "delivered"))
	assert.Contains(t, text.String(), "phone      +55 (11) 98765-4321\n")
	assert.Contains(t, text.String(), "image_1    eu.jpg (image/jpeg, 1 KB)\n")
	text.Reset()
	require.NoError(t, o.Show(t.Context(), &text, "refused"))
	assert.Contains(t, text.String(), "fault    rejected\n")
	assert.Contains(t, text.String(), "line two\n")
	require.ErrorIs(t, o.Show(t.Context(), &text, "none"), agency.ErrNotFound)
}

func TestExportIsCompleteAndHarmless(t *testing.T) {
	o := onSQLite(t, nil)
	o.fill()
	files := o.exported()
	lines, err := csv.NewReader(strings.NewReader(files["submissions.csv"])).ReadAll()
	require.NoError(t, err)
	require.Len(t, lines, 5)
	assert.Equal(t, "\ufeffid", lines[0][0], "Excel reads UTF-8 by its mark")
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

	assert.True(t, string(ana("").Files[0].Data) == files["photos/delivered/image_1.jpg"])
	photos := 0
	for name := range files {
		if strings.HasPrefix(name, "photos/") {
			photos++
		}
	}
	assert.Equal(t, 4, photos)
}

func TestErasureLeavesNothingInTheDatabase(t *testing.T) {
	onEach(t, nil, func(t *testing.T, o *office) {
		o.put(ana("delivered"))
		stop := o.run()
		o.await(intake.Delivered, 1)
		o.panel.answers(refuse)
		o.put(eve("refused"))
		o.await(intake.Refused, 1)
		stop()
		o.put(ana("queued"), child("c41dc4"), child("c41dc5"))
		o.SendMails(t.Context())
		require.NoError(t, o.Hold(t.Context(), eve("held")))
		require.NoError(t, o.Receive(t.Context(), ana("9f3c07a1b2c3d4e5f60718293a4b5c6d")))
		canaries := [][]byte{[]byte("Souza"), []byte("ana@example.com"), []byte("CANARY PHOTO")}
		rows, err := o.db.Query("SELECT sealed FROM submission_part")
		require.NoError(t, err)
		for rows.Next() { // as they lie in the database
			var sealed []byte
			require.NoError(t, rows.Scan(&sealed))
			canaries = append(canaries, sealed)
		}
		require.NoError(t, rows.Err())

		var said bytes.Buffer
		require.NoError(t, o.EraseAddress(t.Context(), &said, " ANA@example.com "))
		// A claim that Run gave up at its end may reach PostgreSQL late, and count as a try.
		assert.Regexp(t, "^9f3c07a1b2c3d4e5f60718293a4b5c6d erased\n"+
			"delivered erased\n"+
			"  the panel has it since 2026-11-22T10:00:00Z \\(getScouted\\): erase it there, its key is delivered\n"+
			"queued erased\n(  the panel may have it .*\n)?$", said.String())
		said.Reset()
		require.NoError(t, o.Erase(t.Context(), &said, "refused"))
		assert.Equal(t, "refused erased\n  the panel may have it (contact): look for the key refused there\n",
			said.String())
		require.NoError(t, o.Erase(t.Context(), &said, "G-261122-C41DC4"), "by the reference of its receipt")
		require.NoError(t, o.EraseAddress(t.Context(), &said, "orla@example.com"), "by the guardian's address")
		require.NoError(t, o.EraseHeld(t.Context(), &said))

		for _, table := range []string{"submission", "submission_part", "submission_address", "mail"} {
			assert.Zero(t, o.number("SELECT count(*) FROM "+table), table)
		}
		for _, letter := range o.post.toGuardians() {
			_, err := o.Confirm(t.Context(), tokenOf(t, letter), nil)
			require.ErrorIs(t, err, agency.ErrNotFound)
		}
		require.ErrorIs(t, o.Erase(t.Context(), &said, "refused"), agency.ErrNotFound)
		require.ErrorIs(t, o.EraseAddress(t.Context(), &said, "ana@example.com"), agency.ErrNotFound)
		assert.NotContains(t, o.log.String(), "Souza")
		assert.NotContains(t, o.log.String(), "example.com")
		files, err := filepath.Glob(strings.TrimPrefix(o.url, "sqlite:") + "*") // none of PostgreSQL
		require.NoError(t, err)
		for _, file := range files {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, canary := range canaries {
				assert.False(t, bytes.Contains(data, canary), "%s still has %q", filepath.Base(file), canary[:5])
			}
		}
	})
}

// TestEachSubmissionIsKeptAsLongAsItsReceiptSays: 180 days, or 15 if nobody confirmed a minor's, from the day on which
// it came, however late it goes on.
func TestEachSubmissionIsKeptAsLongAsItsReceiptSays(t *testing.T) {
	onEach(t, nil, func(t *testing.T, o *office) {
		o.embed()
		settle := func() {
			stop := o.run()
			o.await(intake.Queued, 0)
			stop()
		}
		o.put(ana("adult"), child("minor"), child("confirmed"), ana("refused adult"), child("refused minor"))
		require.NoError(t, o.Hold(t.Context(), ana("held")))
		o.confirm("confirmed")
		settle()
		adults := []string{"adult", "confirmed", "refused adult", "held"}
		assert.ElementsMatch(t, append([]string{"minor", "refused minor"}, adults...), o.keptOn(14))
		assert.ElementsMatch(t, adults, o.keptOn(16))
		o.now = came.AddDate(0, 0, 100)
		require.NoError(t, o.Requeue(t.Context(), "held"))
		settle()
		assert.ElementsMatch(t, adults, o.keptOn(179))
		assert.Empty(t, o.keptOn(181))
		assert.Zero(t, o.number("SELECT count(*) FROM submission_part"))
	})
}

func TestErasingWhileAnotherProcessReadsTheFile(t *testing.T) {
	o := onSQLite(t, nil)
	o.put(ana("one"), eve("two"))
	other, err := database.Open(t.Context(), o.url, silent)
	require.NoError(t, err)
	t.Cleanup(func() { _ = other.Close() })
	reading, err := other.BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true})
	require.NoError(t, err)
	var count int
	require.NoError(t, reading.QueryRow("SELECT count(*) FROM submission").Scan(&count))

	var said bytes.Buffer
	err = o.Erase(t.Context(), &said, "one")
	require.ErrorIs(t, err, intake.ErrNotScrubbed, "it is erased, and the error says what is not yet so")
	assert.Contains(t, err.Error(), "another process reads the database's file")
	assert.Equal(t, "one erased\n", said.String())
	log, err := os.Stat(strings.TrimPrefix(o.url, "sqlite:") + "-wal")
	require.NoError(t, err)
	assert.NotZero(t, log.Size())
	require.ErrorIs(t, o.Erase(t.Context(), &said, "one"), agency.ErrNotFound)

	require.NoError(t, reading.Rollback())
	o.Expire(t.Context())
	log, err = os.Stat(strings.TrimPrefix(o.url, "sqlite:") + "-wal")
	require.NoError(t, err)
	assert.Less(t, log.Size(), int64(20_000), "only what was written since")
	require.NoError(t, o.Erase(t.Context(), &said, "two"))
}
