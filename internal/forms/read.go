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
	"zedcard/internal/disk"
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

	sniffLen = 512      // how many bytes of a file tell whether it is a photo
	holdStep = 64 << 10 // how many bytes are asked for at a time, so that a sender who stalls holds little
)

// Errors of Read.
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
	Memory Memory // of texts, and of a photo until Take has returned
	// Take gets each input's photo as soon as it is read. nil: photos are skipped.
	Take func(Photo)
	// TempDir is where a photo waits for Take, so that it is not in memory; empty: the system's.
	TempDir string
}

// Read reads the values of a posted form of at most limit bytes and hands its photos over. With an error, the values
// are those read so far.
func Read(w http.ResponseWriter, r *http.Request, limit int64, intake Intake) (values url.Values, err error) {
	body := &headerLimit{ReadCloser: http.MaxBytesReader(w, r.Body, limit)}
	r.Body = body
	parts, err := r.MultipartReader()
	switch {
	case err == nil:
		form := multipartForm{values: url.Values{}, remainingText: maxTexts, intake: intake, seen: map[string]bool{}}
		values, err = form.values, form.readParts(parts, body)
	case errors.Is(err, http.ErrNotMultipart):
		values, err = readURLEncoded(r, intake.Memory)
	}
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		err = ErrTooLarge
	case err != nil && !errors.Is(err, ErrTooLarge) && !errors.Is(err, ErrNoRoom):
		err = fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return values, err
}

// headerLimit is a multipart body in which the header of a part is bounded.
type headerLimit struct {
	io.ReadCloser
	inHeader bool
	read     int // since the header began
}

func (b *headerLimit) Read(p []byte) (int, error) {
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
	body, err := io.ReadAll(io.LimitReader(&heldReader{Reader: r.Body, memory: withValues}, maxURLEncoded+1))
	if len(body) > maxURLEncoded {
		err = ErrTooLarge
		body = body[:maxURLEncoded]
		if escape := bytes.LastIndexByte(body, '%'); escape > maxURLEncoded-3 { // cut off, it would cost the whole text
			body = body[:escape]
		}
	}
	values, malformed := url.ParseQuery(string(body))
	for _, texts := range values {
		for i, text := range texts {
			texts[i] = truncate(text, maxField)
		}
	}
	if len(values) > maxParts {
		err = ErrTooLarge
	}
	return values, errors.Join(err, malformed)
}

// multipartForm is a multipart form that is being read.
type multipartForm struct {
	values        url.Values
	remainingText int // bytes of texts that may still come
	intake        Intake
	seen          map[string]bool // inputs whose photo was read
	refused       error           // ErrNoRoom, once Memory has refused
}

func (form *multipartForm) readParts(parts *multipart.Reader, body *headerLimit) error {
	if !form.intake.Memory(maxTexts) {
		return ErrNoRoom
	}
	for range maxParts + 1 {
		body.inHeader, body.read = true, 0
		part, err := parts.NextPart()
		body.inHeader = false
		if errors.Is(err, io.EOF) {
			return form.refused
		}
		if err == nil {
			err = form.readPart(part)
		}
		if err == nil {
			_, err = io.Copy(io.Discard, part) // so that what is read next is a header
		}
		if err != nil {
			return err
		}
	}
	return ErrTooLarge
}

// readPart reads a field or a photo. Other files, and a second photo for the same input, are skipped. A file input
// without a file has no name and is an empty field.
func (form *multipartForm) readPart(part *multipart.Part) error {
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
	spool, err := disk.TempFile(form.intake.TempDir)
	if err != nil { // a full disk
		form.refused = ErrNoRoom
		return nil
	}
	defer spool.Close()
	held := &heldReader{Reader: file, memory: form.intake.Memory}
	defer func() { form.intake.Memory(-held.held) }()
	size, err := io.Copy(spool, io.LimitReader(held, int64(limit)))
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

// heldReader asks for memory before it reads, and reads no more than it asked for.
type heldReader struct {
	io.Reader
	memory     Memory
	held, read int64
}

func (h *heldReader) Read(p []byte) (int, error) {
	if h.read == h.held {
		if !h.memory(holdStep) {
			return 0, ErrNoRoom
		}
		h.held += holdStep
	}
	n, err := h.Reader.Read(p[:min(int64(len(p)), h.held-h.read)])
	h.read += int64(n)
	return n, err
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
