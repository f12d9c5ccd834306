package database

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"zedcard/internal/agency"
)

// Parts is a table with the sealed contents of submissions: part 0 is the fields, each following part one photo. Its
// columns are id, part and sealed.
type Parts struct {
	table  string
	sealer *Sealer
}

// NewParts is the table of this name.
func NewParts(table string, sealer *Sealer) Parts { return Parts{table: table, sealer: sealer} }

// Sealed is a submission that is encrypted and ready to be stored.
type Sealed struct {
	id    string
	parts [][]byte
}

// Bytes is the submission's size in the database.
func (s Sealed) Bytes() (sum int64) {
	for _, part := range s.parts {
		sum += int64(len(part))
	}
	return sum
}

// fileHeader precedes a photo's bytes, as one line of JSON.
type fileHeader struct {
	Field string `json:"field"`
	Name  string `json:"name"`
	Type  string `json:"type"`
}

// Seal encrypts a submission, which is slow and so done outside of transactions.
func (p Parts) Seal(ctx context.Context, s agency.Submission) (Sealed, error) {
	pairs := make([][2]string, len(s.Fields))
	for i, field := range s.Fields {
		pairs[i] = [2]string{field.Name, field.Value}
	}
	fields, err := json.Marshal(pairs)
	if err != nil {
		return Sealed{}, err
	}
	sealed := Sealed{id: s.ID, parts: [][]byte{fields}}
	for _, file := range s.Files {
		header, err := json.Marshal(fileHeader{file.Field, file.Name, file.Type})
		if err != nil {
			return Sealed{}, err
		}
		sealed.parts = append(sealed.parts, bytes.Join([][]byte{header, file.Data}, []byte("\n")))
	}
	for i, plaintext := range sealed.parts {
		if sealed.parts[i], err = p.sealer.Seal(ctx, plaintext, partID(s.ID, i)); err != nil {
			return Sealed{}, err
		}
	}
	return sealed, nil
}

// partID identifies a part for Seal, so that parts can't be swapped.
func partID(id string, part int) string { return fmt.Sprintf("%s/%d", id, part) }

// Insert stores the parts of a submission.
func (p Parts) Insert(ctx context.Context, tx *sql.Tx, sealed Sealed) error {
	for i, part := range sealed.parts {
		// #nosec G202 -- the table is one of the source
		_, err := tx.ExecContext(ctx,
			"INSERT INTO "+p.table+" (id, part, sealed) VALUES ($1, $2, $3)", sealed.id, i, part)
		if err != nil {
			return err
		}
	}
	return nil
}

// Fields are the text fields of a submission; its photos are not read. An unknown id is agency.ErrNotFound.
func (p Parts) Fields(ctx context.Context, db *DB, id string) ([]agency.Field, error) {
	var sealed []byte
	err := db.QueryRowContext(ctx, "SELECT sealed FROM "+p.table+" WHERE id = $1 AND part = 0", id).Scan(&sealed)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("database: %s %s: %w", p.table, id, agency.ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	return p.fields(ctx, id, sealed)
}

func (p Parts) fields(ctx context.Context, id string, sealed []byte) ([]agency.Field, error) {
	plaintext, err := p.sealer.Open(ctx, sealed, partID(id, 0))
	if err != nil {
		return nil, err
	}
	var pairs [][2]string
	if err := json.Unmarshal(plaintext, &pairs); err != nil {
		return nil, err
	}
	fields := make([]agency.Field, len(pairs))
	for i, pair := range pairs {
		fields[i] = agency.Field{Name: pair[0], Value: pair[1]}
	}
	return fields, nil
}

// Load reads a submission with its photos. An unknown id is agency.ErrNotFound.
func (p Parts) Load(ctx context.Context, db *DB, kind agency.Kind, id string) (agency.Submission, error) {
	s := agency.Submission{ID: id, Kind: kind}
	parts, err := p.read(ctx, db, id)
	if err != nil {
		return s, err
	}
	if len(parts) == 0 {
		return s, fmt.Errorf("database: %s %s: %w", p.table, id, agency.ErrNotFound)
	}
	if s.Fields, err = p.fields(ctx, id, parts[0]); err != nil {
		return s, err
	}
	for i, sealed := range parts[1:] {
		file, err := p.file(ctx, partID(id, i+1), sealed)
		if err != nil {
			return s, err
		}
		s.Files = append(s.Files, file)
	}
	return s, nil
}

func (p Parts) read(ctx context.Context, db *DB, id string) ([][]byte, error) {
	rows, err := db.QueryContext(ctx, "SELECT sealed FROM "+p.table+" WHERE id = $1 ORDER BY part", id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var parts [][]byte
	for rows.Next() {
		var sealed []byte
		if err := rows.Scan(&sealed); err != nil {
			return nil, err
		}
		parts = append(parts, sealed)
	}
	return parts, rows.Err()
}

func (p Parts) file(ctx context.Context, id string, sealed []byte) (agency.File, error) {
	plaintext, err := p.sealer.Open(ctx, sealed, id)
	if err != nil {
		return agency.File{}, err
	}
	line, data, _ := bytes.Cut(plaintext, []byte("\n"))
	var header fileHeader
	if err := json.Unmarshal(line, &header); err != nil {
		return agency.File{}, err
	}
	return agency.File{Field: header.Field, Name: header.Name, Type: header.Type, Data: data}, nil
}

// NormalizeAddress is a mail address trimmed and in lower case, as MailAddresses returns it.
func NormalizeAddress(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

// MailAddresses are the mail addresses in a submission's fields, in lower case: the sender's and, of a minor, the
// responsible adult's.
func MailAddresses(fields []agency.Field) []string {
	var addresses []string
	for _, field := range fields {
		texts := []string{field.Value}
		switch field.Name {
		case "email":
		case "responsible":
			texts = strings.Split(field.Value, agency.ResponsibleSeparator)[1:]
		default:
			continue
		}
		for _, text := range texts {
			if strings.Contains(text, "@") {
				addresses = append(addresses, NormalizeAddress(text))
			}
		}
	}
	return addresses
}

// HasGuardian reports whether a submission names a parent or guardian, which only that of an applicant under 18 does.
func HasGuardian(fields []agency.Field) bool {
	return slices.ContainsFunc(fields, func(field agency.Field) bool { return field.Name == "responsible" })
}

// ContactOf is the name and the e-mail address in a submission's fields.
func ContactOf(fields []agency.Field) (name, email string) {
	for _, field := range fields {
		switch field.Name {
		case "name", "realname":
			name = field.Value
		case "email":
			email = field.Value
		}
	}
	return name, email
}
