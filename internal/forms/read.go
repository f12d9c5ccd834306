package forms

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"unicode/utf8"

	"zedcard/internal/agency"
	"zedcard/internal/folder"
)

// How much of a form is read, in bytes. It is far more than is accepted, so that a visitor who sends too much gets the
// form back with the error at its field; only sizes that no visitor sends are refused as a whole. Photos above
// agency.MaxPhoto and texts above their limits are not kept in memory.
const (
	MaxContact     = 1 << 20
	MaxApplication = 3*40<<20 + maxURLEncoded

	maxURLEncoded = 512 << 10 // a form that is not multipart, with its percent-encoding
	maxTexts      = 128 << 10 // of all texts of a multipart form
	maxField      = 64 << 10  // of one text: 16,000 characters of any alphabet
	maxParts      = 40
	maxPartHeader = 16 << 10 // of one part; mime/multipart alone would hold 10 MB of it
)

// Errors of ReadContact and ReadApplication.
var (
	// ErrTooLarge: the form is larger than allowed (413).
	ErrTooLarge = errors.New("form too large")
	// ErrMalformed: the body is not a form (400).
	ErrMalformed = errors.New("malformed form")
	// ErrNoRoom: Memory refused; the texts and photos before that have been read, and the texts after a photo (503).
	ErrNoRoom = errors.New("no room for the rest of the form")
)

// Photo is a photo as it was sent: Name is the visitor's file name; of a photo above agency.MaxPhoto,
// File is the first MaxPhoto + 1 bytes, and of a file that is no photo its beginning.
type Photo struct {
	Field, Name string
	File        *io.SectionReader // until Take has returned
}

// Memory is asked before more bytes of a form are held in memory, or of its photos in temporary files, and told with a
// negative number of those that no longer are. Once it returns false no more is read.
type Memory func(bytes int64) bool

// Intake is what becomes of a form while it arrives.
type Intake struct {
	Memory Memory // of texts, and of a photo until Take has returned; nil: unlimited
	// Take gets each input's photo as soon as it is read. nil: photos are skipped.
	Take func(Photo)
	// TempDir is where a photo waits for Take, so that it is not in memory; empty: the system's.
	TempDir string
}

// ReadContact reads the values of a posted contact form. With an error, they are those read so far.
func ReadContact(w http.ResponseWriter, r *http.Request, memory Memory) (url.Values, error) {
	return read(w, r, MaxContact, Intake{Memory: memory})
}

// ReadApplication reads the values of a posted get-scouted form and hands its photos over. With an error, the values
// are those read so far.
func ReadApplication(w http.ResponseWriter, r *http.Request, intake Intake) (url.Values, error) {
	return read(w, r, MaxApplication, intake)
}

func read(w http.ResponseWriter, r *http.Request, limit int64, intake Intake) (url.Values, error) {
	if intake.Memory == nil {
		intake.Memory = func(int64) bool { return true }
	}
	body := &partReader{ReadCloser: http.MaxBytesReader(w, r.Body, limit)}
	r.Body = body
	parts, err := r.MultipartReader()
	if errors.Is(err, http.ErrNotMultipart) {
		return readURLEncoded(r, intake.Memory)
	}
	if err != nil {
		return url.Values{}, readError(err)
	}
	if !intake.Memory(maxTexts) {
		return url.Values{}, ErrNoRoom
	}
	form := multipartForm{values: url.Values{}, remainingText: maxTexts, intake: intake, seen: map[string]bool{}}
	for range maxParts + 1 {
		body.beginHeader()
		part, err := parts.NextPart()
		body.endHeader()
		if errors.Is(err, io.EOF) {
			return form.values, form.refused
		}
		if err == nil {
			err = form.read(part)
		}
		if err == nil {
			_, err = io.Copy(io.Discard, part) // so that what is read next is a header
		}
		if err != nil {
			return form.values, readError(err)
		}
	}
	return form.values, ErrTooLarge
}

// partReader is a multipart body in which the header of a part is bounded.
type partReader struct {
	io.ReadCloser
	inHeader bool
	read     int // since the header began
}

func (b *partReader) beginHeader() { b.inHeader, b.read = true, 0 }
func (b *partReader) endHeader()   { b.inHeader = false }

func (b *partReader) Read(p []byte) (int, error) {
	if b.inHeader && b.read > maxPartHeader {
		return 0, ErrTooLarge
	}
	n, err := b.ReadCloser.Read(p)
	b.read += n
	return n, err
}

// readURLEncoded reads a form that is not multipart.
func readURLEncoded(r *http.Request, memory Memory) (url.Values, error) {
	withValues := func(bytes int64) bool { return memory(2 * bytes) }
	body, err := readHeld(r.Body, maxURLEncoded+1, withValues)
	if len(body) > maxURLEncoded {
		err = ErrTooLarge
		body = body[:maxURLEncoded]
		if escape := bytes.LastIndexByte(body, '%'); escape > maxURLEncoded-3 {
			body = body[:escape]
		}
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	if parseErr := r.ParseForm(); err == nil {
		err = parseErr
	}
	for _, values := range r.PostForm {
		for i, value := range values {
			values[i] = truncate(value, maxField)
		}
	}
	if len(r.PostForm) > maxParts {
		err = ErrTooLarge
	}
	return r.PostForm, readError(err)
}

// multipartForm is a multipart form that is being read.
type multipartForm struct {
	values        url.Values
	remainingText int // bytes of texts that may still come
	intake        Intake
	seen          map[string]bool // inputs whose photo was read
	refused       error           // ErrNoRoom, once Memory has refused
}

// read reads one part: a field or a photo. Other files, and a second photo for the same input, are skipped. A file
// input without a file has no name and is an empty field.
func (form *multipartForm) read(part *multipart.Part) error {
	field := part.FormName()
	if part.FileName() == "" {
		limit := min(maxField, form.remainingText)
		value, err := io.ReadAll(io.LimitReader(part, int64(limit)+1))
		text := truncate(string(value), limit)
		form.remainingText -= len(text)
		form.values.Add(field, text)
		return err
	}
	unwanted := form.intake.Take == nil || form.refused != nil || form.seen[field]
	if unwanted || !slices.Contains(agency.PhotoFields, field) {
		return nil
	}
	file := bufio.NewReaderSize(part, sniffLen)
	head, _ := file.Peek(sniffLen) // its error comes back below
	limit := len(head)
	if slices.Contains([]string{"image/jpeg", "image/png", "image/gif"}, http.DetectContentType(head)) {
		limit = agency.MaxPhoto + 1
	}
	spool, err := folder.TempFile(form.intake.TempDir)
	if err != nil { // a full disk
		form.refused = ErrNoRoom
		return nil
	}
	defer spool.Close()
	var held int64
	defer func() { form.intake.Memory(-held) }()
	size, err := spoolHeld(spool, file, limit, func(bytes int64) bool {
		if !form.intake.Memory(bytes) {
			return false
		}
		held += bytes
		return true
	})
	if errors.Is(err, ErrNoRoom) {
		form.refused = err
		return nil
	}
	if err == nil && size > 0 {
		form.seen[field] = true
		form.intake.Take(Photo{Field: field, Name: part.FileName(), File: io.NewSectionReader(spool, 0, size)})
	}
	return err
}

// sniffLen is how many bytes of a file tell whether it is a photo.
const sniffLen = 512

// holdStep is how many bytes are asked for at a time, so that a sender who stalls holds little.
const holdStep = 64 << 10

// readHeld reads at most limit bytes. With an error, the bytes are those read before.
func readHeld(from io.Reader, limit int, memory Memory) ([]byte, error) {
	var data bytes.Buffer
	_, err := spoolHeld(&data, from, limit, memory)
	return data.Bytes(), err
}

// spoolHeld copies at most limit bytes, in pieces, so that no more is held than was asked for.
func spoolHeld(to io.Writer, from io.Reader, limit int, memory Memory) (size int64, err error) {
	for remaining := int64(limit); remaining > 0; {
		if !memory(holdStep) {
			return size, ErrNoRoom
		}
		step := min(holdStep, remaining)
		n, err := io.CopyN(to, from, step)
		size += n
		if errors.Is(err, io.EOF) {
			return size, nil
		}
		if err != nil {
			return size, err
		}
		remaining -= step
	}
	return size, nil
}

// truncate is the beginning of a text, at most limit bytes.
func truncate(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}

// readError is err wrapped in ErrTooLarge or ErrMalformed.
func readError(err error) error {
	var tooLarge *http.MaxBytesError
	switch {
	case err == nil || errors.Is(err, ErrTooLarge) || errors.Is(err, ErrNoRoom):
		return err
	case errors.As(err, &tooLarge):
		return ErrTooLarge
	}
	return fmt.Errorf("%w: %w", ErrMalformed, err)
}
