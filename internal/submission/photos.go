package submission

import (
	"context"
	"errors"
	"path"
	"strings"
	"unicode"

	"zedcard/internal/agency"
	"zedcard/internal/forms"
	"zedcard/internal/photo"
	"zedcard/internal/picture"
)

// Photos are the photos of a posted form, by input: cleaned, or with the error.
type Photos map[string]postedPhoto

type postedPhoto struct {
	file    agency.File
	preview []byte
	err     error
}

// Add adds a posted photo after it was cleaned, or with the error of that.
func (photos Photos) Add(posted forms.Photo, cleaned photo.Photo, err error) {
	photos[posted.Field] = postedPhoto{
		file:    agency.File{Field: posted.Field, Name: fileName(posted.Name), Type: cleaned.Type, Data: cleaned.Data},
		preview: cleaned.Preview, err: err,
	}
}

// busy reports whether a photo was refused only because too many others were being cleaned.
func (photos Photos) busy() bool {
	for _, posted := range photos {
		if errors.Is(posted.err, picture.ErrBusy) {
			return true
		}
	}
	return false
}

// KeptPhoto is a photo that the server keeps while its form has an error.
type KeptPhoto struct {
	ID   string // for the input forms.KeptPhotoInput, and for Preview
	Name string // of the visitor's file
}

// Preview is a small JPEG of the kept photo with this id; agency.ErrNotFound if there is none.
func (s *Service) Preview(ctx context.Context, id string) ([]byte, error) {
	preview, err := s.Photos.Preview(ctx, id)
	if errors.Is(err, photo.ErrGone) {
		return nil, agency.ErrNotFound
	}
	return preview, err
}

// keptPhotos are the kept photos that a form refers to.
type keptPhotos struct {
	found   map[string]KeptPhoto // by input
	expired map[string]string    // hashes of those that are no longer kept, by input
	err     error                // the error of reading them
}

// attachPhotos attaches an application's photos: the posted ones, otherwise the kept ones.
func (s *Service) attachPhotos(ctx context.Context, form Form) keptPhotos {
	kept := keptPhotos{found: map[string]KeptPhoto{}, expired: map[string]string{}}
	application, ok := form.Content.(*forms.Application)
	if !ok {
		return kept
	}
	for _, input := range forms.PhotoInputs {
		if posted, ok := form.Photos[input]; ok {
			if posted.err != nil {
				application.Refuse(input, photo.MessageKey(posted.err))
			} else {
				application.Attach(asJPEG(posted.file))
			}
			continue
		}
		id := form.Values.Get(forms.KeptPhotoInput(input))
		if id == "" {
			continue
		}
		file, err := s.Photos.Get(ctx, id)
		if errors.Is(err, agency.ErrUnavailable) { // nothing can be stored either; the photo is still kept
			kept.err = err
			kept.found[input] = KeptPhoto{ID: id}
			continue
		}
		if err != nil {
			application.Refuse(input, photo.MessageKey(err))
			kept.expired[input] = photo.HashOfID(id)
			continue
		}
		file.Field = input
		application.Attach(asJPEG(file))
		kept.found[input] = KeptPhoto{ID: id, Name: file.Name}
	}
	return kept
}

// keepPhotos keeps the photos of a form that is returned to the visitor, in addition to those that are kept already.
func (s *Service) keepPhotos(ctx context.Context, form Form, kept map[string]KeptPhoto) map[string]KeptPhoto {
	for input, posted := range form.Photos {
		if posted.err != nil {
			continue
		}
		id, err := s.Photos.Keep(ctx, form.Client, posted.file, posted.preview)
		if err != nil {
			s.Log.Error("form: a photo was not kept and has to be chosen again", "error", err)
			continue
		}
		kept[input] = KeptPhoto{ID: id, Name: posted.file.Name}
	}
	return kept
}

// maxFileName bounds a photo's name, in characters.
const maxFileName = 100

// fileName is a visitor's file name without folders and unprintable characters.
func fileName(name string) string {
	name = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, path.Base(strings.ReplaceAll(name, `\`, "/")))
	if runes := []rune(name); len(runes) > maxFileName {
		name = string(runes[len(runes)-maxFileName:])
	}
	return name
}

// asJPEG changes a cleaned photo's name and type to JPEG.
func asJPEG(file agency.File) agency.File {
	file.Name = strings.TrimSuffix(file.Name, path.Ext(file.Name)) + ".jpg"
	return file
}
