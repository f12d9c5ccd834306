package intake

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"zedcard/internal/agency"
)

// Export writes all submissions to a folder, readable by its owner only:
//
//	submissions.csv    a line each: id, kind, state, time, then every field that occurs and, where there are minors,
//	                   whether a guardian has confirmed, then the photos
//	photos/ID/…        the photos, named after their inputs
//	policies/…         the versions of the privacy policy that somebody agreed to
//
// Submissions that were delivered to an external panel are left out: their content is gone. Of minors there is only as
// much as may be seen.
func (in *Intake) Export(ctx context.Context, dir string) (err error) {
	entries, err := in.listEntries(ctx)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir) // names come from outside
	if err != nil {
		return err
	}
	defer root.Close()
	var columns []string // of the table, beside id, kind, state, time and photos
	all := []exported{}
	for _, e := range entries {
		s, err := in.read(ctx, &e, true)
		if err != nil {
			return fmt.Errorf("%s: %w", e.ID, err)
		}
		if e.emptied {
			continue
		}
		photos, err := writePhotos(root, s)
		if err != nil {
			return err
		}
		if err := in.writePolicies(ctx, root, s); err != nil {
			return err
		}
		fields := map[string]string{}
		for _, field := range s.Fields {
			fields[field.Name] = field.Value
			if !slices.Contains(columns, field.Name) {
				columns = append(columns, field.Name)
			}
		}
		all = append(all, exported{e, fields, photos})
	}
	var table bytes.Buffer
	if err := writeCSV(&table, columns, all); err != nil {
		return err
	}
	return root.WriteFile("submissions.csv", table.Bytes(), 0o600)
}

// exported is a submission in submissions.csv.
type exported struct {
	Entry
	Fields map[string]string
	Photos []string // files below the folder
}

// writePolicies writes the versions of the policy that a submission speaks of.
func (in *Intake) writePolicies(ctx context.Context, root *os.Root, s agency.Submission) error {
	agreed, err := in.Agreed(ctx, agency.Consents(s.Fields))
	for i := 0; err == nil && i < len(agreed); i++ {
		policy := agreed[i].Policy
		if policy.HTML == "" {
			continue
		}
		if err = root.MkdirAll("policies", 0o700); err == nil {
			err = root.WriteFile("policies/"+policy.Hash+".html",
				[]byte("<!DOCTYPE html>\n<meta charset=\"utf-8\">\n"+policy.HTML+"\n"), 0o600)
		}
	}
	return err
}

func writePhotos(root *os.Root, s agency.Submission) ([]string, error) {
	names := []string{}
	folder := filepath.Join("photos", safeName(s.ID))
	for i, file := range s.Files {
		if err := root.MkdirAll(folder, 0o700); err != nil {
			return nil, err
		}
		extension := map[string]string{"image/jpeg": ".jpg", "image/png": ".png", "image/gif": ".gif"}[file.Type]
		name := filepath.Join(folder, safeName(file.Field)+extension)
		if slices.Contains(names, name) {
			name = filepath.Join(folder, fmt.Sprintf("%s-%d%s", safeName(file.Field), i+1, extension))
		}
		if err := root.WriteFile(name, file.Data, 0o600); err != nil {
			return nil, err
		}
		names = append(names, filepath.ToSlash(name))
	}
	return names, nil
}

var safeFileName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// safeName is text if it is a safe file name, otherwise its hash: ids and names of fields come from outside.
func safeName(text string) string {
	if safeFileName.MatchString(text) {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

func writeCSV(w io.Writer, columns []string, all []exported) error {
	minors := slices.ContainsFunc(all, func(e exported) bool { return e.Guardian != "" })
	if minors {
		columns = append(columns, "guardian")
	}
	lines := [][]string{slices.Concat(
		[]string{"id", "kind", "state", "time"}, columns, []string{"photo 1", "photo 2", "photo 3"})}
	for _, e := range all {
		line := []string{e.ID, string(e.Kind), string(e.State), e.Time.Format(time.RFC3339)}
		for _, name := range columns {
			line = append(line, e.Fields[name])
		}
		if minors {
			line[len(line)-1] = e.Guardian
		}
		line = append(line, e.Photos...)
		for len(line) < len(lines[0]) {
			line = append(line, "")
		}
		escapeFormulas(line)
		lines = append(lines, line)
	}
	// Without the mark a spreadsheet takes UTF-8 for another encoding.
	if _, err := io.WriteString(w, "\ufeff"); err != nil {
		return err
	}
	return csv.NewWriter(w).WriteAll(lines)
}

var (
	formula     = regexp.MustCompile(`^[=+\-@\t\r]`)
	phoneNumber = regexp.MustCompile(`^\+?[0-9 ()-]+$`)
)

// escapeFormulas escapes cells that a spreadsheet would run as a formula.
func escapeFormulas(row []string) {
	for i, cell := range row {
		if formula.MatchString(cell) && !phoneNumber.MatchString(cell) {
			row[i] = "'" + cell
		}
	}
}
