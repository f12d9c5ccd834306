package handlers

import (
	"context"
	"errors"
	"io"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/forms"
	"zedcard/internal/middleware"
	"zedcard/internal/photo"
	"zedcard/views"
)

const (
	// readAtMost is what is read of an application before the connection is cut, in bytes. It is a photo more than what
	// is looked at, so that a browser which sends too much still hears why.
	readAtMost = forms.MaxApplication + 40<<20
	// uploadTime is what three photos take on a slow line.
	uploadTime = 5 * time.Minute
)

// options are what the form offers in a language, with the cities of a country that is among them.
func (s *site) options(ctx context.Context, lang i18n.Lang, country string) (agency.Options, error) {
	options, err := s.Catalog.Options(ctx, string(lang), "")
	if err != nil || !slices.ContainsFunc(options.Countries, func(c agency.Place) bool { return c.ID == country }) {
		return options, err
	}
	if with, err := s.Catalog.Options(ctx, string(lang), country); err == nil {
		return with, nil
	}
	return options, nil // a city is optional
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
	application := views.Application{Options: options, Form: views.Form{Values: map[string]string{"country": country}}}
	if r.Header.Get("HX-Request-Type") == "partial" {
		return s.drawForm(w, r, http.StatusOK, views.City(page, application))
	}
	application.Token, application.Sent = s.token(r, posted{}), query.Has(sentMark)
	return s.drawApply(w, r, http.StatusOK, page, application)
}

func (s *site) drawApply(w http.ResponseWriter, r *http.Request, status int, page views.Page, application views.Application) error {
	page.Title = views.FormTitle(page, page.T("nav.apply"), application.Form)
	page.About = page.T("apply.about", "agency", s.Site.Agency)
	page.NoIndex = r.URL.RawQuery != ""
	return s.drawForm(w, r, status, views.Apply(page, application))
}

// submitApply takes the get-scouted form.
func (s *site) submitApply(w http.ResponseWriter, r *http.Request) error {
	limited := s.applyLimits.over(w, r, s.Client(r))
	if err := middleware.AllowBody(w, r, readAtMost, uploadTime); err != nil {
		return err
	}
	whole := r.Body
	photos := sentPhotos{}
	take := func(sent forms.Photo) { photos.clean(r.Context(), sent) }
	busy := false
	if limited {
		take = nil // what will not be taken is not read into memory
	} else if leave, ok := s.uploads.enter(r.Context(), s.Client(r)); ok {
		defer leave()
	} else {
		take, busy = nil, true
	}
	values, read := forms.ReadApplication(w, r, take)
	if read != nil {
		_, _ = io.Copy(io.Discard, whole) // a browser that is still sending hears no answer
	}
	p := s.receive(r, values, read, limited)
	if busy && read == nil {
		p.status, p.problem = http.StatusServiceUnavailable, "error.form.busy"
	}
	options, err := s.options(r.Context(), routeOf(r).Lang, values.Get("country"))
	if err != nil {
		s.Log.Warn("form: no options", "error", err)
		p.status, p.problem = http.StatusServiceUnavailable, "error.form.down"
	}
	application := forms.ParseApplication(values, options, s.Now())
	kept, gone := s.attach(application, photos, p)

	if p.status == 0 && len(gone) > 0 {
		again, err := s.again(r, p, application.Submission(""), gone)
		if again {
			return sent(w, r)
		}
		if err != nil {
			p = s.notKept(r, p, err)
		}
	}
	var faults []forms.Error
	switch {
	case values.Has("cities"): // the button for browsers without a script
		p.status, p.problem = http.StatusOK, ""
	case p.status == 0 || p.status == http.StatusUnprocessableEntity:
		if faults = application.Validate(); len(faults) > 0 {
			p.status, p.problem = http.StatusUnprocessableEntity, ""
			if photos.busy() {
				p.status = http.StatusServiceUnavailable
			}
		}
	}
	if p.status == 0 {
		p = s.put(r, p, application.Submission(""))
	}
	if p.status == 0 {
		for _, waiting := range kept {
			s.Photos.Drop(waiting.ID)
		}
		return sent(w, r)
	}
	page := s.page(r)
	form := s.back(r, page, p, faults)
	form.Values["birthdate"] = application.Shown()
	return s.drawApply(w, r, p.status, page, views.Application{
		Form: form, Options: options, Kept: s.keep(photos, kept), Age: age(application),
	})
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

// sentPhotos are the photos that came with a form, by input: clean ones, or why not.
type sentPhotos map[string]sentPhoto

type sentPhoto struct {
	file agency.File
	err  error
}

func (photos sentPhotos) clean(ctx context.Context, sent forms.Photo) {
	clean, err := photo.Clean(ctx, sent.Data)
	photos[sent.Field] = sentPhoto{
		file: agency.File{Field: sent.Field, Name: fileName(sent.Name), Type: clean.Type, Data: clean.Data}, err: err,
	}
}

// busy reports whether a photo was refused only because many others came at the same time.
func (photos sentPhotos) busy() bool {
	for _, sent := range photos {
		if errors.Is(sent.err, photo.ErrBusy) {
			return true
		}
	}
	return false
}

// again reports whether a form was taken before: a double click, a reload. The photos that waited for it are gone since,
// so that they can't be asked for again.
func (s *site) again(r *http.Request, p posted, submission agency.Submission, gone map[string]string) (bool, error) {
	within, cancel := context.WithTimeout(r.Context(), keepTime)
	defer cancel()
	return s.Outbox.Has(within, p.submissionID(submission, gone))
}

// attach gives the application its photos: those that came with it, else those that wait, which it
// returns by input, and the sums of those that don't any more.
func (s *site) attach(application *forms.Application, photos sentPhotos, p posted) (kept map[string]views.KeptPhoto, gone map[string]string) {
	kept, gone = map[string]views.KeptPhoto{}, map[string]string{}
	for _, name := range forms.Photos {
		if sent, came := photos[name]; came {
			if sent.err != nil {
				application.Refuse(name, photo.Key(sent.err))
			} else {
				application.Attach(asJPEG(sent.file))
			}
			continue
		}
		id := p.values.Get(forms.Kept(name))
		if id == "" {
			continue
		}
		file, err := s.Photos.Get(id)
		if err != nil {
			application.Refuse(name, photo.Key(err))
			gone[name] = photo.SumOf(id)
			continue
		}
		file.Field = name
		application.Attach(asJPEG(file))
		kept[name] = views.KeptPhoto{ID: id, Name: file.Name}
	}
	return kept, gone
}

// keep lets the photos wait that came with a form which goes back.
func (s *site) keep(photos sentPhotos, kept map[string]views.KeptPhoto) map[string]views.KeptPhoto {
	for name, sent := range photos {
		if sent.err != nil {
			continue
		}
		id, err := s.Photos.Keep(sent.file)
		if err != nil {
			s.Log.Error("form: a photo has to be chosen again", "error", err)
			continue
		}
		kept[name] = views.KeptPhoto{ID: id, Name: sent.file.Name}
	}
	return kept
}

// maxFileName bounds a photo's name, in characters.
const maxFileName = 100

// fileName is a visitor's file name without folders and what can't be shown.
func fileName(name string) string {
	name = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, path.Base(strings.ReplaceAll(name, `\`, "/")))
	if letters := []rune(name); len(letters) > maxFileName {
		name = string(letters[len(letters)-maxFileName:])
	}
	return name
}

// asJPEG names a cleaned photo after what it has become.
func asJPEG(file agency.File) agency.File {
	file.Name = strings.TrimSuffix(file.Name, path.Ext(file.Name)) + ".jpg"
	return file
}
