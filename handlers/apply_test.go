package handlers_test

import (
	"bytes"
	"context"
	"html"
	"image/jpeg"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/handlers"
	"zedcard/internal/agency"
	"zedcard/internal/testkit"
	"zedcard/internal/testkit/htmltest"
)

func TestAnApplicationIsStoredFieldByField(t *testing.T) {
	for path, note := range map[string]string{
		"/be-a-model": "Brazil", "/pt/become-a-model": "Brasil", "/es/become-a-model": "Brasil",
	} {
		t.Run(path, func(t *testing.T) {
			o := open(t)
			values := with(applicant, "form_token", o.token(path), "note", "BR", "nickname", "Aninha", "country",
				"BR", "city", "São Paulo", "hair_kind", "Curly", "responsible", "not asked")
			answer := o.upload(path, values, photosOf(t))
			require.Equal(t, http.StatusSeeOther, answer.Code)
			require.Len(t, o.storedSubmissions(), 1)
			kept := o.storedSubmissions()[0]
			assert.Equal(t, agency.GetScouted, kept.Kind)
			assert.Equal(t, []agency.Field{
				{Name: "realname", Value: "Ana Souza"},
				{Name: "birthdate", Value: "1999-04-30"}, {Name: "gender", Value: "woman"},
				{Name: "phone", Value: "+55 (11) 98765-4321"}, {Name: "email", Value: "ana@example.com"},
				{Name: "nationality", Value: `{"value":"BR","label":"` + note + `"}`}, {Name: "note", Value: note},
				{Name: "height", Value: "178"}, {Name: "bust", Value: "86"},
				{Name: "waist", Value: "61"}, {Name: "hips", Value: "90"},
				{Name: "shoes", Value: "38"}, {Name: "dress", Value: "36"},
				{Name: "eyes", Value: "Green"}, {Name: "hair", Value: "Blonde"},
				{Name: "nickname", Value: "Aninha"}, {Name: "country", Value: "BR"},
				{Name: "city", Value: "São Paulo"}, {Name: "hair_kind", Value: "Curly"},
			}, kept.Fields[:len(kept.Fields)-1])
			consents := agency.Consents(kept.Fields)
			require.Len(t, consents, 1, "the last field is what was agreed to")
			assert.Equal(t, "privacy", consents[0].Box)
			assert.Len(t, consents[0].Policy, 64)
			require.Len(t, kept.Files, 3)
			for i, name := range []string{"image_1", "image_2", "image_3"} {
				assert.Equal(t, name, kept.Files[i].Field)
				assert.Equal(t, name+".jpg", kept.Files[i].Name, "a converted photo is named .jpg")
				assert.Equal(t, "image/jpeg", kept.Files[i].Type)
				_, err := jpeg.Decode(bytes.NewReader(kept.Files[i].Data))
				require.NoError(t, err)
			}
			shown := get(o, answer.Header().Get("Location")).Body.String()
			has(t, shown, `data-state="sent"`, `role="status"`)
		})
	}
}

func TestAnInvalidApplicationKeepsItsPhotos(t *testing.T) {
	o := open(t)
	token := o.token("/be-a-model")
	answer := o.upload("/be-a-model", with(applicant, "form_token", token, "email", "ana@"),
		map[string][]byte{"image_1": photoOf(t, 10), "image_2": []byte("%PDF-1.7 no picture")})
	require.Equal(t, http.StatusUnprocessableEntity, answer.Code)
	body := answer.Body.String()
	has(t, body, "Three things need your attention", "image_1.png – change")
	assert.Equal(t, "This is not a PNG, GIF or JPEG. Choose another photo.", faultOf(t, answer, "image_2"))
	assert.Equal(t, "Add a photo of your face.", faultOf(t, answer, "image_3"))
	assert.Equal(t, "178", valueOf(t, body, "height"))

	id := valueOf(t, body, "image_1_kept")
	address := htmltest.Read(t, body).Attr("img[src^='/be-a-model/photo?id=']", "src")
	shown := get(o, address)
	assert.Equal(t, http.StatusOK, shown.Code)
	assert.Equal(t, "image/jpeg", shown.Header().Get("Content-Type"))
	assert.Equal(t, "no-store", shown.Header().Get("Cache-Control"))
	assert.Equal(t, http.StatusNotFound, get(o, "/be-a-model/photo?id=00000000000000000000000000000000").Code)

	// The second time without the first photo; the other two are new.
	again := o.upload("/be-a-model", with(applicant, "form_token", token, "image_1_kept", id),
		map[string][]byte{"image_2": photoOf(t, 20), "image_3": photoOf(t, 30)})
	require.Equal(t, http.StatusSeeOther, again.Code)
	require.Len(t, o.storedSubmissions(), 1)
	require.Len(t, o.storedSubmissions()[0].Files, 3)
	assert.Equal(t, http.StatusNotFound, get(o, address).Code, "a stored photo is deleted once the application is sent")

	gone := o.upload("/be-a-model", with(applicant, "form_token", token, "image_1_kept", id), nil)
	assert.Equal(t, http.StatusUnprocessableEntity, gone.Code)
	assert.Equal(t, "We no longer have this photo. Please choose it again.", faultOf(t, gone, "image_1"))
}

func TestACorrectedFormSentTwiceIsOneSubmission(t *testing.T) {
	for name, trap := range map[string]string{"a person's": "", "held back": "filled in"} {
		t.Run(name, func(t *testing.T) {
			o := open(t)
			values := with(applicant, "form_token", o.token("/be-a-model"), "homepage", trap)
			back := o.upload("/be-a-model", with(values, "email", "ana@"), photosOf(t))
			require.Equal(t, http.StatusUnprocessableEntity, back.Code)
			for _, photo := range agency.PhotoFields {
				values[photo+"_kept"] = valueOf(t, back.Body.String(), photo+"_kept")
			}
			for range 3 { // a double click, a reload
				require.Equal(t, http.StatusSeeOther, o.upload("/be-a-model", values, nil).Code)
			}
			require.Len(t, o.storedSubmissions(), 1)

			// The photos can't be used for any other post, not even
			// one that differs in a single field or comes from another page.
			for _, other := range []map[string]string{
				with(values, "nickname", "Aninha"), with(values, "form_token", o.token("/be-a-model")),
			} {
				answer := o.upload("/be-a-model", other, nil)
				assert.Equal(t, http.StatusUnprocessableEntity, answer.Code)
				assert.Contains(t, faultOf(t, answer, "image_2"), "We no longer have this photo.")
			}
			assert.Len(t, o.storedSubmissions(), 1)
			require.NoError(t, o.db.Close())
			assert.Equal(t, http.StatusServiceUnavailable,
				o.upload("/be-a-model", values, nil).Code, "without the database a repeat can't be recognised")
		})
	}
}

// multipartForm is an application with one photo, and its content type.
func multipartForm(t *testing.T, values map[string]string) (body, contentType string) {
	t.Helper()
	return testkit.Form(t, append(pairsOf(values), "image_1", "@"+string(photoOf(t, 10)))...)
}

func TestSlowUploadsDontBlockTheFormForOthers(t *testing.T) {
	o := open(t)
	body, contentType := multipartForm(t, applicant)
	var sending sync.WaitGroup
	defer sending.Wait() // once all are closed
	for range 20 {       // in the middle of their photo, at one address
		read, write := io.Pipe()
		r := httptest.NewRequest(http.MethodPost, "/be-a-model", read)
		r.Header.Set("Content-Type", contentType)
		sending.Go(func() { answerTo(o, r) })
		_, err := io.WriteString(write, body[:len(body)-60])
		require.NoError(t, err) // it is being read
		defer write.Close()
	}
	values := with(applicant, "form_token", o.token("/be-a-model"))
	assert.Equal(t, http.StatusSeeOther, o.upload("/be-a-model", values, photosOf(t)).Code)
}

// stalledBody is a request body that stalls. Reading it ends as in net/http, which also cancels the request's context.
type stalledBody struct {
	io.Reader
	cancel context.CancelFunc
}

func (s stalledBody) Read(p []byte) (int, error) {
	if n, err := s.Reader.Read(p); err == nil {
		return n, nil
	}
	s.cancel()
	return 0, os.ErrDeadlineExceeded
}

func TestABodyThatStallsIsAnswered(t *testing.T) {
	o := open(t)
	application, multi := multipartForm(t, applicant)
	for path, body := range map[string]struct{ text, contentType string }{
		"/contact":    {"name=J%C3%BAlia+Prado&message=Two+da", formType},
		"/be-a-model": {application[:len(application)-60], multi},
		"/favorites":  {"save=10", formType},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		r := httptest.NewRequestWithContext(ctx, http.MethodPost,
			path, stalledBody{strings.NewReader(body.text), cancel})
		r.Header.Set("Content-Type", body.contentType)
		answer := answerTo(o, r)
		assert.Equal(t, http.StatusRequestTimeout, answer.Code, path)
		assert.Contains(t, answer.Body.String(), "stopped before everything had arrived", path)
		assert.Empty(t, o.storedSubmissions(), path)
	}
}

func TestWithoutOptionsTheFormIsUnavailable(t *testing.T) {
	o := open(t)
	site := siteOver(t, testkit.FixedAnswer(""), func(s *handlers.Services) {
		s.Now = func() time.Time { return o.now }
	})
	assert.Equal(t, http.StatusServiceUnavailable, get(site, "/be-a-model").Code)

	// A form that was filled in before is returned with everything that was typed.
	o.Handler = site
	answer := o.upload("/be-a-model", with(applicant, "form_token", "x"), nil)
	assert.Equal(t, http.StatusServiceUnavailable, answer.Code)
	assert.Equal(t, "Ana Souza", valueOf(t, answer.Body.String(), "realname"))
	assert.Equal(t, "178", valueOf(t, answer.Body.String(), "height"))
}

func TestTooLargePhotosAreReportedAtTheirFields(t *testing.T) {
	for _, sizes := range []map[string]int{
		{"image_1": 40 << 20}, {"image_1": 11 << 20, "image_2": 11 << 20, "image_3": 11 << 20},
	} {
		o := open(t)
		photos := photosOf(t)
		for field, size := range sizes {
			photos[field] = append([]byte("\xff\xd8\xff"), make([]byte, size)...)
		}
		answer := o.upload("/be-a-model", with(applicant, "form_token", o.token("/be-a-model")), photos)
		require.Equal(t, http.StatusUnprocessableEntity, answer.Code)
		body := answer.Body.String()
		for field := range photos {
			if sizes[field] == 0 {
				assert.NotEmpty(t, valueOf(t, body, field+"_kept"))
				continue
			}
			assert.Equal(t, "This photo is larger than 10 MB. Choose a smaller one.", faultOf(t, answer, field))
		}
		for field, value := range applicant {
			assert.True(t, strings.Contains(html.UnescapeString(body), `"`+value+`"`) || field == "privacy", field)
		}
	}
}
