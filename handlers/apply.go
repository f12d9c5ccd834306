package handlers

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strings"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/forms"
	"zedcard/internal/intake"
	"zedcard/internal/picture"
	"zedcard/views"
)

// options are the lists of the form in a language, with the cities of the given country if the form offers it; shown
// are they as a page has them, which is written once for each state of the catalogue, except with cities.
func (s *server) options(
	ctx context.Context, lang *i18n.Language, country string,
) (options agency.Options, shown views.Options, err error) {
	version := s.Catalog.Version()
	options, err = s.Catalog.Options(ctx, string(lang.Lang), "")
	kept := err == nil
	if err == nil && slices.ContainsFunc(options.Countries, func(c agency.Place) bool { return c.ID == country }) {
		if withCities, err := s.Catalog.Options(ctx, string(lang.Lang), country); err == nil { // a city is optional
			options, kept = withCities, false
		}
	}
	if !s.AskSkinColor {
		options.SkinColor = nil
	}
	write := func() views.Options { return views.NewOptions(lang, options, s.Phones.Country()) }
	if kept {
		shown = s.formOptions.GetOrMake(optionsKey{lang.Lang, version}, write)
	} else {
		shown = write()
	}
	return options, shown, err
}

// optionsKey identifies the form's lists.
type optionsKey struct {
	lang    i18n.Lang
	catalog uint64 // its version
}

// showApply shows the get-scouted form. With ?country= it has the cities of that country; a script
// that asks gets only them.
func (s *server) showApply(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	country := query.Get("country")
	_, options, err := s.options(r.Context(), s.routeOf(r).Lang, country)
	if err != nil {
		return err
	}
	page := s.page(r)
	application := views.Application{Options: options, Form: views.Form{Values: map[string]string{
		"country": country, "hair_kind": query.Get("hair_kind"), "hair_size": query.Get("hair_size"),
	}}}
	if wantsPart(r) {
		return s.renderForm(w, r, http.StatusOK, views.CountryFields(page, application))
	}
	application.Token = forms.NewToken()
	application.Receipt = s.receipt(r, agency.ApplicationReference, agency.MinorReference)
	return s.renderApply(w, r, http.StatusOK, page, application)
}

func (s *server) renderApply(
	w http.ResponseWriter, r *http.Request, status int, page *views.Page, application views.Application,
) error {
	page.Title = views.FormTitle(page, page.T("nav.apply"), application.Form)
	page.Description = page.T("apply.about", "agency", s.Site.Name)
	page.NoIndex = r.URL.RawQuery != ""
	application.Metric = s.Site.Metric
	application.International, application.MinimumAge = s.Phones.Abroad(), s.Site.MinimumAge
	application.GuardianAsked, application.Policy = s.AskGuardians, s.policy(r.Context(), page.Lang)
	return s.renderForm(w, r, status, views.Apply(page, application))
}

// postedApplication is an application as it was posted, with the options that it was validated with.
type postedApplication struct {
	intake.Form
	application *forms.Application
	options     views.Options
}

// submitApply takes the get-scouted form: all of it, or before that the country's cities or a check are asked for.
func (s *server) submitApply(w http.ResponseWriter, r *http.Request) error {
	refused := ofLimits(s.Limits.applications.exceeded(w, r, s.Client(r)))
	values, sent, release, err := s.readForm(w, r, forms.MaxApplication)
	defer release()
	if err != nil {
		s.bodyFailed(w, r, err)
		return nil
	}
	photos := intake.Photos{}
	if refused.status == 0 {
		for _, photo := range sent {
			cleaned, err := s.clean(r, photo.File)
			photos.Add(photo, cleaned, err)
		}
	}
	r = detached(r)
	options, shown, err := s.options(r.Context(), s.routeOf(r).Lang, values.Get("country"))
	if err != nil {
		s.Log.WarnContext(r.Context(), "form: no options", "error", err)
		refused = refusal{http.StatusServiceUnavailable, "error.form.down"}
	}
	application := forms.ParseApplication(values, options, s.Phones, s.Now())
	application.MinimumAge, application.Lang = s.Site.MinimumAge, string(s.routeOf(r).Lang.Lang)
	posted := postedApplication{application: application, options: shown, Form: intake.Form{
		Name: string(s.routeOf(r).Screen), Client: s.Client(r), Values: values, Content: application, Photos: photos,
	}}
	switch {
	case values.Has("cities"):
		return s.showCities(w, r, posted)
	case values.Get("check") != "" && refused.status == 0:
		return s.checkApplication(w, r, posted)
	}
	return s.sendApplication(w, r, posted, refused)
}

// showCities returns an application with the cities of the chosen country, which a browser without a script asks for.
func (s *server) showCities(w http.ResponseWriter, r *http.Request, posted postedApplication) error {
	return s.returnApplication(w, r, http.StatusOK, posted, s.Intake.Redisplay(r.Context(), posted.Form, ""))
}

// checkApplication returns an application with its errors, before the script uploads the photos that the input check
// names: they have none. The script keeps them in the browser.
func (s *server) checkApplication(w http.ResponseWriter, r *http.Request, posted postedApplication) error {
	notUploaded := strings.Fields(posted.Values.Get("check"))
	for _, input := range notUploaded {
		posted.Values.Del(forms.KeptPhotoInput(input)) // another was chosen
	}
	result := s.Intake.Redisplay(r.Context(), posted.Form, "")
	result.Errors = slices.DeleteFunc(posted.application.Validate(), func(e forms.Error) bool {
		return slices.Contains(notUploaded, e.Field)
	})
	return s.returnApplication(w, r, http.StatusUnprocessableEntity, posted, result)
}

// sendApplication submits an application, and answers with its receipt or with its errors.
func (s *server) sendApplication(
	w http.ResponseWriter, r *http.Request, posted postedApplication, refused refusal,
) error {
	posted.Consents = s.consents(r.Context(), s.page(r), posted.Values, posted.application.Boxes...)
	result, status := s.submit(r.Context(), posted.Form, refused)
	if result.Outcome == intake.Sent {
		return redirectToReceipt(w, r, result.Reference)
	}
	return s.returnApplication(w, r, status, posted, result)
}

// returnApplication returns an application with everything that was typed, its errors and the photos that wait for it.
func (s *server) returnApplication(
	w http.ResponseWriter, r *http.Request, status int, posted postedApplication, result intake.Result,
) error {
	page := s.page(r)
	form := s.refill(page, posted.Values, result)
	form.Values["birthdate"], form.Values["phone"] = posted.application.DisplayBirthdate(), posted.application.Phone
	photos := make(map[string]views.KeptPhoto, len(result.Photos))
	for input, photo := range result.Photos {
		photos[input] = views.KeptPhoto(photo)
	}
	return s.renderApply(w, r, status, page, views.Application{
		Form: form, Options: posted.options, KeptPhotos: photos, Age: age(posted.application),
	})
}

// clean cleans a photo once there is room for it.
func (s *server) clean(r *http.Request, file *io.SectionReader) (intake.Photo, error) {
	if enter(r.Context(), s.Limits.photos, 1, photoWait) != nil {
		return intake.Photo{}, picture.ErrBusy
	}
	defer s.Limits.photos.Release(1)
	return intake.CleanPhoto(r.Context(), s.Worker, file)
}

func age(application *forms.Application) views.Age {
	if _, known := application.ParseBirthdate(); !known {
		return views.UnknownAge
	}
	if application.Minor() {
		return views.Minor
	}
	return views.Adult
}
