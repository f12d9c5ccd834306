package views

import (
	"encoding/json"

	"zedcard/static"
)

// pickerProps are those of islands/photo-picker; {name} is replaced by a file's name.
type pickerProps struct {
	Name  string     `json:"name"` // of the input
	Title string     `json:"title"`
	Hint  string     `json:"hint"`
	Kept  *KeptPhoto `json:"kept,omitempty"` // the photo that the server keeps
	Fault string     `json:"fault,omitempty"`
	Icons string     `json:"icons"`

	Words json.RawMessage `json:"words"` // in messages {n} is replaced by the pixels of a photo's longer side
}

func newPickerProps(a Application, name, title, hint string, words json.RawMessage) pickerProps {
	props := pickerProps{
		Name: name, Title: title, Hint: hint, Fault: a.errorOf(name), Icons: static.URL("icons.svg"), Words: words,
	}
	if kept, ok := a.KeptPhotos[name]; ok {
		props.Kept = &kept
	}
	return props
}

// pickerWords are the words of all pickers of a page.
func pickerWords(p *Page) json.RawMessage {
	words, _ := json.Marshal(map[string]string{ // of strings: no error
		"choose": p.T("apply.photo.choose"), "change": p.T("apply.photo.change"),
		"unreadable": p.T("error.photo.unreadable"), "gone": p.T("error.photo.gone"),
		"type": p.T("error.photo.type"), "large": p.T("error.photo.large"), "heic": p.T("error.photo.heic"),
		"good": p.T("apply.photo.good", "n", "{n}"), "small": p.T("apply.photo.small", "n", "{n}"),
		"blurred": p.T("apply.photo.blurred"), "dark": p.T("apply.photo.dark"), "bright": p.T("apply.photo.bright"),
		"sideways": p.T("apply.photo.sideways"), // of a body
		"keep":     p.T("apply.photo.keep"),
	})
	return words
}
