package compcard

import (
	"bytes"
	"context"
	"image/jpeg"
	"path"
	"strings"

	"zedcard/internal/picture"
)

// printSide is the longer side of a print in pixels: a page of A5 at 300 dpi has 2480.
const printSide = 2480

// encodePrints encodes each picture again as an upright JPEG without metadata, such as where it was taken. An
// unreadable one is left out.
func encodePrints(ctx context.Context, worker *picture.Worker, pictures []namedPicture) ([]File, error) {
	var files []File
	for _, p := range pictures {
		_, made, err := printTask.Run(ctx, worker, limits([]Picture{p.Picture}), struct{}{}, bytes.NewReader(p.Data))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil {
			name := strings.TrimSuffix(p.name, path.Ext(p.name)) + ".jpg"
			files = append(files, File{Name: name, Data: made[0]})
		}
	}
	return files, nil
}

var printTask = picture.NewTask("print", func(_ struct{}, files [][]byte) (_ struct{}, made [][]byte, err error) {
	original, err := picture.Probe(bytes.NewReader(files[0]))
	if err != nil {
		return struct{}{}, nil, err
	}
	w, h := original.Fit(printSide, printSide)
	print, err := original.Decode(original.Bounds(), w, h)
	if err != nil {
		return struct{}{}, nil, err
	}
	var data bytes.Buffer
	err = jpeg.Encode(&data, print, &jpeg.Options{Quality: webQuality})
	return struct{}{}, [][]byte{data.Bytes()}, err
})
