package intake_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/intake"
)

// shown is what an operator reads of a submission.
func (o *office) shown(id string) string {
	o.t.Helper()
	var text bytes.Buffer
	require.NoError(o.t, o.Show(o.t.Context(), &text, id))
	return text.String()
}

// exported are the texts of an export's files, by their paths; nobody else may read them.
func (o *office) exported() map[string]string {
	o.t.Helper()
	dir, texts := filepath.Join(o.t.TempDir(), "new", "export"), map[string]string{}
	require.NoError(o.t, o.Export(o.t.Context(), dir))
	require.NoError(o.t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		require.NoError(o.t, err)
		info, err := entry.Info()
		require.NoError(o.t, err)
		assert.Zero(o.t, info.Mode().Perm()&0o077, path)
		if entry.IsDir() {
			return nil
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		texts[filepath.ToSlash(name)] = string(data)
		return err
	}))
	return texts
}

func TestWhatWasAgreedToIsShownMonthsLater(t *testing.T) {
	o := onSQLite(t, nil)
	policy := intake.NewPolicy("en", "<h1>Privacy</h1><p>We keep it for 180&nbsp;days.</p><ul><li>One</li></ul>")
	for range 2 { // by two processes, of which the first was the first to show it
		require.NoError(t, o.KeepPolicy(t.Context(), policy))
		o.now = o.now.Add(time.Hour)
	}
	ticked := func(box, policy string) agency.Consent {
		return agency.Consent{Box: box, Text: "I agree to " + box + ".", Lang: "en", Time: o.now, Policy: policy}
	}
	adult, linked, phoned := ana("a0a001"), child("c0c002"), child("c0c003")
	adult.Fields = agency.AddConsents(adult.Fields, ticked("privacy", policy.Hash))
	for _, minor := range []*agency.Submission{&linked, &phoned} {
		minor.Fields = agency.AddConsents(minor.Fields, ticked("privacy", policy.Hash))
	}
	lost := ana("a0a004")
	lost.Fields = agency.AddConsents(lost.Fields,
		ticked("privacy", strings.Repeat("5e", 32)), ticked("x", "' OR 1"))
	for _, s := range []agency.Submission{adult, linked, phoned, lost} {
		require.NoError(t, o.Receive(t.Context(), s))
	}
	require.ErrorIs(t, o.ConfirmByHand(t.Context(), "c0c003", " "), intake.ErrNobody)
	for _, by := range []string{"Helena Brandt", "Somebody"} { // the first counts
		require.NoError(t, o.ConfirmByHand(t.Context(), "c0c003", by))
	}
	for _, id := range []string{"a0a001", "none"} { // an adult's waits for nobody
		require.ErrorIs(t, o.ConfirmByHand(t.Context(), id, "Helena Brandt"), agency.ErrNotFound)
	}

	o.now = o.now.AddDate(0, 0, 120)
	short := policy.Hash[:12]
	const at = "2026-11-22T12:00:00Z"
	assert.Contains(t, o.shown("a0a001"),
		"privacy: “I agree to privacy.” (en, "+at+", policy "+short+" of 2026-11-22)\n")
	assert.Contains(t, o.shown("c0c003"), "data: “I agree to the use of the photos and data as described in the "+
		"privacy policy.” (by telephone, noted by Helena Brandt, en, "+at+", policy "+short+" of 2026-11-22)\n")
	assert.Contains(t, o.shown("a0a004"), "policy 5e5e5e5e5e5e)\n", "its text is not here")
	files := o.exported()
	assert.Contains(t, files["policies/"+policy.Hash+".html"], "<h1>Privacy</h1>")
	assert.Contains(t, files["submissions.csv"], "Helena Brandt")
}

func TestWhatAMinorSentIsWithheldUntilTheGuardianHasConfirmed(t *testing.T) {
	o := onSQLite(t, nil)
	s := child("c0c003")
	s.Files = ana("").Files[:1]
	o.put(s)
	seen := func() (places []string) {
		var list, files bytes.Buffer
		require.NoError(t, o.List(t.Context(), &list))
		for name, text := range o.exported() {
			files.WriteString(name + "\n" + text)
		}
		return []string{list.String(), files.String(), o.shown("c0c003")}
	}
	for _, place := range seen() {
		assert.Contains(t, place, "Orla Daly", "whom to ask")
		for _, private := range []string{"Saoirse", "saoirse@", "2012", "image_1"} {
			assert.NotContains(t, place, private)
		}
	}
	require.NoError(t, o.EraseAddress(t.Context(), &bytes.Buffer{}, "saoirse@example.com"), "it is found")
	o.put(s)
	o.confirm("c0c003")
	for _, place := range seen() {
		assert.Contains(t, place, "Saoirse Daly")
	}
	assert.Contains(t, o.shown("c0c003"), "image_1")
}
