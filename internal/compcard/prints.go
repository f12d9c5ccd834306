package compcard

import (
	"bytes"
	"context"
	"fmt"
	"image/jpeg"
	"path"
	"strings"
)

// printSide is the longer side of a print in pixels: a page of A5 at 300 dpi has 2480.
const printSide = 2480

// encodePrints encodes each picture again as an upright JPEG without metadata, such as where it was taken. An
// unreadable one is left out.
func encodePrints(ctx context.Context, pictures []namedPicture) ([]File, error) {
	var files []File
	for _, p := range pictures {
		usable := inspect(ctx, Card{Pictures: []Picture{p.Picture}})
		if len(usable) == 0 {
			continue
		}
		w, h := usable[0].Fit(printSide, printSide)
		print, err := usable[0].decode(ctx, usable[0].Bounds(), w, h)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue
		}
		var data bytes.Buffer
		if err := jpeg.Encode(&data, print, &jpeg.Options{Quality: webQuality}); err != nil {
			return nil, fmt.Errorf("compcard: %w", err)
		}
		name := strings.TrimSuffix(p.name, path.Ext(p.name)) + ".jpg"
		files = append(files, File{Name: name, Data: data.Bytes()})
	}
	return files, nil
}
