package intake_test

import (
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/database"
	"zedcard/internal/forms"
	"zedcard/internal/intake"
	"zedcard/internal/picture"
)

// desk is an intake with a clock that only the test moves, which takes forms as a page posts them.
type desk struct {
	*site
	t   *testing.T
	now time.Time
	db  *database.DB
}

func openDesk(t *testing.T, options intake.Options) *desk {
	t.Helper()
	d := &desk{t: t, now: came}
	options.Log, options.Now = silent, func() time.Time { return d.now }
	var err error
	d.db, err = database.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "zedcard.db"), silent)
	require.NoError(t, err)
	t.Cleanup(func() { _ = d.db.Close() }) // a test closes it before
	d.site = newSite(d.db, d.db.Keys("secret"), nil, options)
	return d
}

// token is one of a page that was shown for as long as a person needs.
func (d *desk) token(form string) string {
	token := d.Token(d.t.Context(), form)
	d.now = d.now.Add(3 * time.Second)
	return token
}

// message is a posted contact form, with more fields by name and value.
func (d *desk) message(token string, more ...string) intake.Form {
	values := url.Values{
		forms.TokenInput: {token}, "name": {"Eve"}, "email": {"eve@example.com"}, "phone": {"+351 912 345 678"},
		"message": {"Two days."},
	}
	for i := 0; i < len(more); i += 2 {
		values.Set(more[i], more[i+1])
	}
	return intake.Form{Name: "contact", Values: values, Content: forms.ParseContact(values)}
}

// application is a posted application whose fields but for the photos are empty.
func (d *desk) application(values url.Values, photos intake.Photos) intake.Form {
	return intake.Form{
		Name: "apply", Client: "203.0.113.1", Values: values, Photos: photos,
		Content: forms.ParseApplication(values, agency.Options{}, forms.MaskPhones, d.now),
	}
}

func (d *desk) states() (states []intake.State) {
	entries, err := d.Entries(d.t.Context())
	require.NoError(d.t, err)
	for _, e := range entries {
		states = append(states, e.State)
	}
	return states
}

func TestAFormIsSentOnceHoweverOftenItIsPosted(t *testing.T) {
	d := openDesk(t, intake.Options{})
	token := d.token("contact")
	first := d.Submit(t.Context(), d.message(token))
	assert.Equal(t, intake.Sent, first.Outcome)
	assert.Equal(t, first, d.Submit(t.Context(), d.message(token)), "a reload")
	assert.Equal(t, []intake.State{intake.Queued}, d.states())
	other := d.Submit(t.Context(), d.message(token, "message", "Three days."))
	assert.Equal(t, intake.Sent, other.Outcome)
	assert.NotEqual(t, first.Reference, other.Reference, "another text is another message")
	caught := d.Submit(t.Context(), d.message(token, forms.HoneypotInput, "filled in"))
	assert.Equal(t, intake.Sent, caught.Outcome, "a program learns nothing")
	assert.ElementsMatch(t, []intake.State{intake.Queued, intake.Queued, intake.Suspected}, d.states())
}

func TestAFormIsBusyOnlyIfTooManyPhotosAreBeingCleaned(t *testing.T) {
	d := openDesk(t, intake.Options{})
	post := func(err error) intake.Result {
		photos := intake.Photos{}
		photos.Add(forms.Photo{Field: "image_1", Name: "me.png"}, intake.Photo{Data: []byte("a photo")}, nil)
		photos.Add(forms.Photo{Field: "image_2", Name: "me.png"}, intake.Photo{}, err)
		return d.Submit(t.Context(), d.application(url.Values{forms.TokenInput: {d.token("apply")}}, photos))
	}
	result := post(picture.ErrBusy)
	assert.Equal(t, intake.Busy, result.Outcome)
	assert.Contains(t, result.Errors, forms.Error{Field: "image_2", Key: "error.photo.busy"})
	assert.Equal(t, "me.png", result.Photos["image_1"].Name, "the other photo waits")
	assert.NotContains(t, result.Photos, "image_2")
	result = post(picture.ErrFormat)
	assert.Equal(t, intake.Invalid, result.Outcome)
	assert.Contains(t, result.Errors, forms.Error{Field: "image_2", Key: "error.photo.type"})
}

func TestWithoutTheDatabaseAFormIsDown(t *testing.T) {
	d := openDesk(t, intake.Options{})
	token := d.token("contact")
	require.NoError(t, d.db.Close())
	result := d.Submit(t.Context(), d.message(token))
	assert.Equal(t, intake.Down, result.Outcome)
	assert.Equal(t, "error.form.down", result.Problem)
}
