package intake

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"zedcard/internal/agency"
)

// Export writes all submissions to a folder, readable by its owner only:
//
//	submissions.csv    a line each: id, kind, state, time, then every field that occurs and, where there are minors,
//	                   whether a guardian has confirmed, then the photos
//	submissions.json   the same as a JSON array
//	photos/ID/…        the photos, named after their inputs
//
// Submissions that were delivered to an external panel are left out: their content is gone.
func (in *Intake) Export(ctx context.Context, dir string) error {
	entries, err := in.Entries(ctx)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("intake: export: %w", err)
	}
	root, err := os.OpenRoot(dir) // names come from outside
	if err != nil {
		return fmt.Errorf("intake: export: %w", err)
	}
	defer root.Close()
	submissions := []exported{}
	for _, e := range entries {
		s, err := in.content(ctx, e)
		if err != nil {
			return fmt.Errorf("intake: export: %s: %w", e.ID, err)
		}
		if len(s.Fields) == 0 && len(s.Files) == 0 {
			continue
		}
		photos, err := writePhotos(root, s)
		if err != nil {
			return fmt.Errorf("intake: export: %w", err)
		}
		submissions = append(submissions, exported{Entry: e, Fields: s.Fields, Photos: photos})
	}
	var table, array bytes.Buffer
	writeCSV(&table, submissions)
	if err := errors.Join(writeJSON(&array, submissions),
		root.WriteFile("submissions.csv", table.Bytes(), 0o600),
		root.WriteFile("submissions.json", array.Bytes(), 0o600)); err != nil {
		return fmt.Errorf("intake: export: %w", err)
	}
	return nil
}

// exported is a submission in submissions.json.
type exported struct {
	Entry
	Fields orderedFields `json:"fields"`
	Photos []string      `json:"photos"` // files below the folder
}

// columns are its columns in the table beside id, kind, state, time and photos.
func (e exported) columns() []agency.Field {
	if e.Guardian == "" {
		return e.Fields
	}
	return append(slices.Clip(e.Fields), agency.Field{Name: "guardian", Value: e.Guardian})
}

// orderedFields is a JSON object in the order of the form.
type orderedFields []agency.Field

// MarshalJSON writes the fields as an object.
func (fields orderedFields) MarshalJSON() ([]byte, error) {
	pairs := make([]string, len(fields))
	for i, field := range fields {
		name, err := json.Marshal(field.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(field.Value)
		if err != nil {
			return nil, err
		}
		pairs[i] = string(name) + ":" + string(value)
	}
	return []byte("{" + strings.Join(pairs, ",") + "}"), nil
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

func writeCSV(w *bytes.Buffer, submissions []exported) {
	var columns []string
	for _, e := range submissions {
		for _, field := range e.columns() {
			if !slices.Contains(columns, field.Name) {
				columns = append(columns, field.Name)
			}
		}
	}
	header := append([]string{"id", "kind", "state", "time"}, columns...)
	lines := [][]string{append(header, "photo 1", "photo 2", "photo 3")}
	for _, e := range submissions {
		row := make([]string, len(header), len(header)+len(e.Photos))
		copy(row, []string{e.ID, string(e.Kind), string(e.State), e.Time.Format(time.RFC3339)})
		for _, field := range e.columns() {
			row[4+slices.Index(columns, field.Name)] = field.Value
		}
		row = append(row, e.Photos...)
		lines = append(lines, append(row, make([]string, max(0, 3-len(e.Photos)))...))
	}
	for _, line := range lines {
		escapeFormulas(line)
	}
	_ = csv.NewWriter(w).WriteAll(lines) // a buffer takes all
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
