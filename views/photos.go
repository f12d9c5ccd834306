package views

import "zedcard/static"

// pickerProps are those of islands/photo-picker; {name} is replaced by a file's name.
type pickerProps struct {
	Name  string      `json:"name"` // of the input
	Title string      `json:"title"`
	Hint  string      `json:"hint"`
	Kept  *pickerKept `json:"kept,omitempty"` // the photo that the server keeps
	Fault string      `json:"fault,omitempty"`
	Icons string      `json:"icons"`
	Words pickerWords `json:"words"`
}

type pickerKept struct {
	ID   string `json:"id"`
	File string `json:"file"`
}

type pickerWords struct {
	Choose string `json:"choose"`
	Change string `json:"change"`
	Type   string `json:"type"`
	Large  string `json:"large"`
	HEIC   string `json:"heic"`

	// Messages about a photo; {n} is replaced by the pixels of its longer side.
	Good    string `json:"good"`
	Small   string `json:"small"`
	Blurred string `json:"blurred"`
	Dark    string `json:"dark"`
	Bright  string `json:"bright"`

	Sideways string `json:"sideways"` // of a body
	Another  string `json:"another"`
	Keep     string `json:"keep"`
}

func newPickerProps(p *Page, a Application, name, title, how string) pickerProps {
	props := pickerProps{
		Name: name, Title: title, Hint: how, Fault: a.errorOf(name), Icons: static.URL("icons.svg"),
		Words: pickerWords{
			Choose: p.T("apply.photo.choose"), Change: p.T("apply.photo.change"),
			Type: p.T("error.photo.type"), Large: p.T("error.photo.large"), HEIC: p.T("error.photo.heic"),
			Good: p.T("apply.photo.good", "n", "{n}"), Small: p.T("apply.photo.small", "n", "{n}"),
			Blurred: p.T("apply.photo.blurred"), Dark: p.T("apply.photo.dark"), Bright: p.T("apply.photo.bright"),
			Sideways: p.T("apply.photo.sideways"),
			Another:  p.T("apply.photo.another"), Keep: p.T("apply.photo.keep"),
		},
	}
	if kept, ok := a.KeptPhotos[name]; ok {
		props.Kept = &pickerKept{ID: kept.ID, File: kept.Name}
	}
	return props
}
