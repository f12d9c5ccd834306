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

// Prints makes each picture anew as an upright JPEG without what its file knows beside the pixels, such as where it
// was taken. One that can't be read is left out.
func Prints(ctx context.Context, pictures []File) ([]File, error) {
	var prints []File
	for _, picture := range pictures {
		usable := inspect(ctx, Card{Pictures: []Picture{{Data: picture.Data}}})
		if len(usable) == 0 {
			continue
		}
		n := usable[0]
		mm := 25.4 / printDPI * min(1, printSide/float64(max(n.width, n.height)))
		print, err := n.develop(ctx, float64(n.width)*mm, float64(n.height)*mm)
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
		name := strings.TrimSuffix(picture.Name, path.Ext(picture.Name)) + ".jpg"
		prints = append(prints, File{Name: name, Data: data.Bytes()})
	}
	return prints, nil
}
