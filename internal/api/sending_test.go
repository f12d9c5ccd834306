package api_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/folder"
	"zedcard/internal/testkit"
)

type talent = agency.Talent

// memoryInbox is an inbox in memory.
type memoryInbox struct {
	kept []agency.Submission
	full error
}

func (s *memoryInbox) Receive(_ context.Context, submission agency.Submission) error {
	if s.full != nil {
		return s.full
	}
	s.kept = append(s.kept, submission)
	return nil
}

func (s *memoryInbox) in(c *folder.Config) { c.Inbox = s }

func TestWrongFieldsAreNamed(t *testing.T) {
	inbox := &memoryInbox{}
	s := testkit.Open(t, testkit.SmallContent(t), inbox.in)
	contact := []string{"name", "A", "email", "a@b.example", "message", "x"}
	application := []string{"realname", "A", "birthdate", "2001-01-01", "email", "a@b.example"}
	photo := string(testkit.JPEG(t, 1, 1))
	for i, test := range []struct {
		fields              []string
		name, value, faulty string // one more field, which takes the place of an earlier one
	}{
		{contact, "name", " ", "only spaces"},
		{contact, "email", "Ana <a@b.example>", "no bare address"},
		{application, "realname", "", "missing"},
		{application, "image_1", "@<svg>", "a text as a photo"},
		{application, "cv", "@" + photo, "a file elsewhere"},
	} {
		pairs := slices.Clone(test.fields)
		if at := slices.Index(pairs, test.name); at >= 0 {
			pairs[at+1] = test.value
		} else {
			pairs = append(pairs, test.name, test.value)
		}
		entry := map[bool]string{true: "contact", false: "getScouted"}[i < 2]
		body, kind := testkit.Form(t, pairs...)
		response := s.Call(http.MethodPost, "/api/entry/"+entry+"/send", body, "Content-Type", kind)
		require.Equal(t, http.StatusUnprocessableEntity, response.StatusCode, test.faulty)
		var answer struct{ Errors map[string][]string }
		require.NoError(t, json.NewDecoder(response.Body).Decode(&answer))
		assert.Len(t, answer.Errors, 1, test.faulty)
		assert.NotEmpty(t, answer.Errors[test.name], test.faulty)
	}
	assert.Empty(t, inbox.kept)
	assert.NotContains(t, s.Log.String(), "b.example", "the log holds no personal data")
}

func TestABodyThatIsNotAFormIsRefused(t *testing.T) {
	s := testkit.Open(t, testkit.SmallContent(t))
	large, kind := testkit.Form(t, "message", strings.Repeat("x", 33<<20))
	for _, test := range []struct {
		path, body, kind string
		want             int
	}{
		{"contact", "{}", "application/json", http.StatusUnsupportedMediaType},
		{"contact", "", "multipart/form-data", http.StatusUnsupportedMediaType},
		{"contact", "--x\r\ncut", "multipart/form-data; boundary=x", http.StatusBadRequest},
		{"contact", large, kind, http.StatusRequestEntityTooLarge},
		{"other", "", kind, http.StatusNotFound},
	} {
		path := "/api/entry/" + test.path + "/send"
		assert.Equal(t, test.want, s.Status(http.MethodPost, path, test.body, "Content-Type", test.kind), test)
	}
}

func TestASubmissionThatCannotBeStoredIsNotTaken(t *testing.T) {
	inbox := &memoryInbox{full: errors.New("disk full")}
	s := testkit.Open(t, testkit.SmallContent(t), inbox.in)
	body, kind := testkit.Form(t, "name", "Ana", "email", "ana@example.com", "message", "Olá")
	send := func() int {
		return s.Status(http.MethodPost, "/api/entry/contact/send", body, "Content-Type", kind)
	}
	assert.Equal(t, http.StatusServiceUnavailable, send())
	inbox.full = nil
	assert.Equal(t, http.StatusCreated, send())
	assert.Equal(t, http.StatusCreated, send(), "without a key each counts as new")
	require.Len(t, inbox.kept, 2)
	assert.NotEqual(t, inbox.kept[0].ID, inbox.kept[1].ID)
}

// unzip returns the contents of a zip by name.
func unzip(t *testing.T, s *testkit.Site, path, body string) map[string]string {
	response := s.Call(http.MethodPost, path, body)
	data, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode, string(data))
	assert.Equal(t, "application/zip", response.Header.Get("Content-Type"))
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	files := map[string]string{}
	for _, file := range archive.File {
		r, err := file.Open()
		require.NoError(t, err)
		content, err := io.ReadAll(r)
		require.NoError(t, err)
		files[file.Name] = string(content)
	}
	return files
}

// idCard is a card that says whose it is.
func idCard(c *folder.Config) {
	c.Card = func(_ context.Context, talent talent, open func(string) ([]byte, error)) ([]agency.File, error) {
		if _, err := open("talents/010-agata/talent.yaml"); err == nil {
			return nil, errors.New("a card can open pictures only")
		}
		cover, err := open("talents/010-agata/cover.jpg")
		return []agency.File{{Name: "card.txt", Data: []byte(talent.ID)}, {Name: "cover.jpg", Data: cover}}, err
	}
}

func TestDownloadsOfCards(t *testing.T) {
	dir := testkit.SmallContent(t)
	testkit.Edit(t, dir, "talents/020-bo/talent.yaml", "name: Bo", "name: Bo/../Bo")
	testkit.Put(dir, "talents/030-agata/talent.yaml", "id: 103\nname: Ágata Moreira\ncategories: [models]\n")
	s := testkit.Open(t, dir, idCard)
	cover := string(dir["talents/010-agata/cover.jpg"].Data)
	assert.Equal(t, map[string]string{"card.txt": "101", "cover.jpg": cover},
		unzip(t, s, "/api/download/gallery", `{"talent":"{\"id\":101,\"name\":\"whatever\"}","gallery":"compo"}`))
	assert.Equal(t, map[string]string{
		"Ágata Moreira 101/card.txt": "101", "Ágata Moreira 101/cover.jpg": cover,
		"Ágata Moreira 103/card.txt": "103", "Ágata Moreira 103/cover.jpg": cover,
		"Bo-..-Bo/card.txt": "102", "Bo-..-Bo/cover.jpg": cover,
	}, unzip(t, s, "/api/download/zip", `{"talents":[101,"103",102,101,999],"gallery":"compo"}`))
	for body, want := range map[string]int{
		`gallery {"talent":"{\"id\":\"999\"}","gallery":"compo"}`:                http.StatusNotFound,
		`gallery {"talent":"101x","gallery":"compo"}`:                            http.StatusUnprocessableEntity,
		`gallery {"talent":"{\"id\":101}","gallery":"book"}`:                     http.StatusUnprocessableEntity,
		`gallery {"gallery":"compo"}`:                                            http.StatusUnprocessableEntity,
		`zip {"talents":[999],"gallery":"compo"}`:                                http.StatusNotFound,
		`zip {"talents":[],"gallery":"compo"}`:                                   http.StatusUnprocessableEntity,
		`zip {"talents":[101]}`:                                                  http.StatusUnprocessableEntity,
		`zip {"talents":[` + strings.Repeat("1,", 100) + `1],"gallery":"compo"}`: http.StatusUnprocessableEntity,
	} {
		call, body, _ := strings.Cut(body, " ")
		assert.Equal(t, want, s.Status(http.MethodPost, "/api/download/"+call, body), body)
	}
}

func TestADownloadHoldsOneCardAtATime(t *testing.T) {
	var made []weak.Pointer[[1 << 20]byte]
	dir := testkit.SmallContent(t)
	testkit.Put(dir, "talents/030-agata/talent.yaml", "id: 103\nname: Ágata Moreira\ncategories: [models]\n")
	s := testkit.Open(t, dir, func(c *folder.Config) {
		c.Card = func(context.Context, talent, func(string) ([]byte, error)) ([]agency.File, error) {
			runtime.GC()
			for i, earlier := range made {
				assert.Nil(t, earlier.Value(), "card %d is in the file, not in memory", i+1)
			}
			card := new([1 << 20]byte)
			made = append(made, weak.Make(card))
			return []agency.File{{Name: "card.pdf", Data: card[:]}}, nil
		}
	})
	assert.Len(t, unzip(t, s, "/api/download/zip", `{"talents":[101,102,103],"gallery":"compo"}`), 3)
}

func TestAFailedCardIsNotATruncatedZip(t *testing.T) {
	s := testkit.Open(t, testkit.SmallContent(t), func(c *folder.Config) {
		c.Card = func(_ context.Context, talent talent, _ func(string) ([]byte, error)) ([]agency.File, error) {
			if talent.ID == "102" {
				return nil, errors.New("no ink")
			}
			return []agency.File{{Name: "card.pdf"}}, nil
		}
	})
	assert.Equal(t, http.StatusInternalServerError,
		s.Status(http.MethodPost, "/api/download/zip", `{"talents":[101,102],"gallery":"compo"}`))
	assert.Contains(t, s.Log.String(), "no ink")
}
