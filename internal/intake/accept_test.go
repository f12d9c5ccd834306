package intake_test

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/forms"
	"zedcard/internal/intake"
	"zedcard/internal/picture"
)

// application is an application of a client whose fields but for the photos are empty.
func (o *office) application(client string, photos intake.Photos, kept ...string) intake.Form {
	values := url.Values{}
	for i := 0; i < len(kept); i += 2 {
		values.Set(forms.KeptPhotoInput(kept[i]), kept[i+1])
	}
	return intake.Form{
		Name: "apply", Client: client, Values: values, Photos: photos,
		Content: forms.ParseApplication(values, agency.Options{}, forms.MaskPhones, o.now),
	}
}

// photo is a posted photo of an input.
func photo(input, data string) intake.Photos {
	photos := intake.Photos{}
	photos.Add(forms.Photo{Field: input, Name: "eu.png"},
		intake.Photo{Data: []byte(data), Preview: []byte("CANARY PREVIEW")}, nil)
	return photos
}

func TestAFormIsBusyOnlyIfTooManyPhotosAreBeingCleaned(t *testing.T) {
	o := onSQLite(t, nil)
	post := func(err error) intake.Result {
		photos := photo("image_1", "a photo")
		photos.Add(forms.Photo{Field: "image_2", Name: "me.png"}, intake.Photo{}, err)
		return o.Submit(t.Context(), o.application("203.0.113.1", photos))
	}
	result := post(picture.ErrBusy)
	assert.Equal(t, intake.Busy, result.Outcome)
	assert.Contains(t, result.Errors, forms.Error{Field: "image_2", Key: "error.photo.busy"})
	assert.Equal(t, "eu.png", result.Photos["image_1"].Name, "the other photo waits")
	assert.NotContains(t, result.Photos, "image_2")
	result = post(picture.ErrFormat)
	assert.Equal(t, intake.Invalid, result.Outcome)
	assert.Contains(t, result.Errors, forms.Error{Field: "image_2", Key: "error.photo.type"})
}

// TestPhotosOfAReturnedFormWaitForAnHour, sealed, and for every process. Their ids come back from the visitor's form,
// and from the addresses of previews.
func TestPhotosOfAReturnedFormWaitForAnHour(t *testing.T) {
	onEach(t, nil, func(t *testing.T, o *office) {
		first := o.Submit(t.Context(), o.application("192.0.2.7", photo("image_2", "CANARY PHOTO\nof two lines")))
		assert.Equal(t, intake.Invalid, first.Outcome)
		id := first.Photos["image_2"].ID
		assert.Regexp(t, "^[A-Z2-7]{26}[0-9a-f]{32}$", id)
		another := o.process()
		again := another.Submit(t.Context(), o.application("192.0.2.7", nil, "image_2", id))
		assert.Equal(t, intake.WaitingPhoto{ID: id, Name: "eu.png"}, again.Photos["image_2"])
		preview, err := another.Preview(t.Context(), id)
		require.NoError(t, err)
		assert.Equal(t, "CANARY PREVIEW", string(preview))

		for _, wrong := range []string{
			".", "../secret", "short", "\x00", "\xff", "' OR ''='", strings.Repeat("A", 58), id[:57] + "x",
		} {
			_, err := another.Preview(t.Context(), wrong)
			require.ErrorIs(t, err, agency.ErrNotFound, "%q", wrong)
			result := another.Submit(t.Context(), o.application("192.0.2.7", nil, "image_2", wrong))
			assert.Contains(t, result.Errors, forms.Error{Field: "image_2", Key: "error.photo.gone"}, "%q", wrong)
		}
		files, err := filepath.Glob(strings.TrimPrefix(o.url, "sqlite:") + "*") // none of PostgreSQL
		require.NoError(t, err)
		for _, file := range files {
			stored, err := os.ReadFile(file)
			require.NoError(t, err)
			assert.NotContains(t, string(stored), "CANARY")
			assert.NotContains(t, string(stored), "192.0.2.7", "the client's address is not stored")
		}
		o.now = o.now.Add(time.Hour)
		_, err = o.Preview(t.Context(), id)
		require.ErrorIs(t, err, agency.ErrNotFound)
	})
}

func TestOneClientsPhotosDontEvictAnothers(t *testing.T) {
	o := onSQLite(t, func(o *intake.Options) { o.MaxBytes = 16 * 24_000 }) // 24 photos, three of one client
	keep := func(client string) string {
		o.now = o.now.Add(time.Second)
		form := o.application(client, photo("image_1", strings.Repeat("x", 700)))
		return o.Redisplay(t.Context(), form, "").Photos["image_1"].ID
	}
	waits := func(id string) bool {
		_, err := o.Preview(t.Context(), id)
		return err == nil
	}
	mine, first, last := keep("me"), keep("flood"), ""
	for range 20 {
		last = keep("flood")
	}
	assert.True(t, waits(mine))
	assert.False(t, waits(first), "the client's own oldest photo was removed")
	assert.True(t, waits(last))
	for i := range 30 {
		last = keep(fmt.Sprint("client ", i))
	}
	assert.Empty(t, last, "a photo is not kept when all of the space is used")
	assert.True(t, waits(mine))
}
