package wire

import "zedcard/internal/agency"

// Picture is the shape of a gallery's item and of an entity's image.
type Picture struct {
	ID      Text   `json:"id,omitempty"`
	File    Text   `json:"file"`
	Width   Number `json:"width"`
	Height  Number `json:"height"`
	Caption Text   `json:"caption,omitempty"`
}

// Pictures turns the shapes into pictures, without those that have no file.
func Pictures(shapes []Picture) []agency.Picture {
	var pictures []agency.Picture
	for _, shape := range shapes {
		if shape.File != "" {
			pictures = append(pictures, agency.Picture{
				ID:      string(shape.ID),
				File:    string(shape.File),
				Width:   max(int(shape.Width), 0),
				Height:  max(int(shape.Height), 0),
				Caption: string(shape.Caption),
			})
		}
	}
	return pictures
}

// PictureOf is a picture's shape.
func PictureOf(p agency.Picture) Picture {
	return Picture{Text(p.ID), Text(p.File), Number(p.Width), Number(p.Height), Text(p.Caption)}
}
