package handlers

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/forms"
	"zedcard/internal/middleware"
	"zedcard/internal/submission"
	"zedcard/views"
)

const (
	// readAtMost is what is read of an application before the connection is cut, in bytes. It is a photo more than what
	// is looked at, so that a browser which sends too much still hears why.
	readAtMost = forms.MaxApplication + 40<<20

	// What applications may hold in memory while their photos are read and cleaned, in bytes: some twenty of ordinary
	// size at once, and one client half of it. A connection that sends slowly holds only what it has sent.
	uploadMemory   = 256 << 20
	uploadWait     = 10 * time.Second // for memory that others hold
	memoryOfClient = 2                // a client's part is one in so many
)

// options are what the form offers in a language, with the cities of a country that is among them.
func (s *site) options(ctx context.Context, lang i18n.Lang, country string) (agency.Options, error) {
	options, err := s.Catalog.Options(ctx, string(lang), "")
	if err == nil && slices.ContainsFunc(options.Countries, func(c agency.Place) bool { return c.ID == country }) {
		if with, err := s.Catalog.Options(ctx, string(lang), country); err == nil { // a city is optional
			options = with
		}
	}
	if !s.AskSkinColor {
		options.SkinColor = nil
	}
	return options, err
}

// showApply shows the get-scouted form. With ?country= it has the cities of that country; a script
// that asks gets only them.
func (s *site) showApply(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	country := query.Get("country")
	options, err := s.options(r.Context(), routeOf(r).Lang, country)
	if err != nil {
		return err
	}
	page := s.page(r)
	application := views.Application{Options: options, Form: views.Form{Values: map[string]string{
		"country": country, "hair_kind": query.Get("hair_kind"), "hair_size": query.Get("hair_size"),
	}}}
	if r.Header.Get("HX-Request-Type") == "partial" {
		return s.drawForm(w, r, http.StatusOK, views.ByCountry(page, application))
	}
	application.Token = s.token(r)
	application.Receipt = s.receipt(r, agency.OfApplication, agency.OfMinorApplication)
	return s.drawApply(w, r, http.StatusOK, page, application)
}

func (s *site) drawApply(
	w http.ResponseWriter, r *http.Request, status int, page views.Page, application views.Application,
) error {
	page.Title = views.FormTitle(page, page.T("nav.apply"), application.Form)
	page.About = page.T("apply.about", "agency", s.Site.Agency)
	page.NoIndex = r.URL.RawQuery != ""
	application.International, application.MinimumAge = s.Phones == forms.InternationalPhones, s.MinimumAge
	application.GuardianAsked = s.AskGuardians
	return s.drawForm(w, r, status, views.Apply(page, application))
}

// checkOnly is the input by which the script has the fields checked before the photos that it names go up the line.
// Nothing is sent by it: the form comes back with what is wrong, and the script puts the photos back.
const checkOnly = "check"

// submitApply takes the get-scouted form.
func (s *site) submitApply(w http.ResponseWriter, r *http.Request) error {
	values, photos, refused, err := s.readApplication(w, r)
	if err != nil {
		return err
	}
	r = outlivingBody(r)
	options, err := s.options(r.Context(), routeOf(r).Lang, values.Get("country"))
	if err != nil {
		s.Log.Warn("form: no options", "error", err)
		refused = refusal{http.StatusServiceUnavailable, "error.form.down"}
	}
	if values.Has("cities") { // the button for browsers without a script: nothing is sent and nothing is wrong
		refused = refusal{http.StatusOK, ""}
	}
	application := forms.ParseApplication(values, options, s.Phones, s.Now())
	application.MinimumAge, application.Lang = s.MinimumAge, string(routeOf(r).Lang)
	withheld := strings.Fields(values.Get(checkOnly))
	if len(withheld) > 0 && refused.status == 0 {
		refused = refusal{http.StatusUnprocessableEntity, ""}
		for _, photo := range withheld {
			values.Del(forms.Kept(photo)) // another was chosen
		}
	}
	form := submission.Form{
		Name: string(routeOf(r).Screen), Client: s.Client(r), Values: values, Content: application, Photos: photos,
	}
	result, status := s.submit(r.Context(), form, refused)
	if len(withheld) > 0 && result.Problem == "" {
		result.Faults = slices.DeleteFunc(application.Validate(), func(e forms.Error) bool {
			return slices.Contains(withheld, e.Field)
		})
	}
	if result.Outcome == submission.Sent {
		return redirectToSent(w, r, result.Reference)
	}
	page := s.page(r)
	back := s.refill(page, values, result)
	back.Values["birthdate"], back.Values["phone"] = application.Shown(), application.Phone
	kept := make(map[string]views.KeptPhoto, len(result.Kept))
	for input, photo := range result.Kept {
		kept[input] = views.KeptPhoto(photo)
	}
	return s.drawApply(w, r, status, page,
		views.Application{Form: back, Options: options, Kept: kept, Age: age(application)})
}

// readApplication reads a posted application and cleans its photos as they come.
func (s *site) readApplication(
	w http.ResponseWriter, r *http.Request,
) (values url.Values, photos submission.Photos, refused refusal, err error) {
	limited := s.applyLimits.exceeded(w, r, s.Client(r))
	if err := middleware.AllowBody(w, r, readAtMost); err != nil {
		return nil, nil, refusal{}, err
	}
	body := r.Body
	photos = submission.Photos{}
	var intake forms.Intake
	if !limited { // what will not be taken is not read into memory
		memory := s.uploads.open(s.Client(r))
		defer memory.release()
		intake.Take = func(sent forms.Photo) { photos.Clean(r.Context(), s.cleaner, sent) }
		intake.Reserve = func(bytes int64) bool { return memory.take(r.Context(), bytes) }
	}
	values, read := forms.ReadApplication(w, r, intake)
	if read != nil {
		_, _ = io.Copy(io.Discard, body) // a browser that is still sending hears no answer
	}
	return values, photos, readRefusal(read, limited, "error.form.photos"), nil
}

func age(application *forms.Application) views.Age {
	if _, known := application.Born(); !known {
		return views.AnyAge
	}
	if application.Minor() {
		return views.Minor
	}
	return views.Adult
}
