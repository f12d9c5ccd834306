package media

import (
	"context"
	"errors"
	"fmt"

	"zedcard/internal/agency"
)

// PictureSpec is a picture that pages show.
type PictureSpec struct {
	File    string
	Options Options
}

// Warm makes all sizes of these pictures in every format, and calls progress (if not nil) after each, in the
// background. Unusable files are logged and don't stop it; the error joins one for each.
func (s *Store) Warm(ctx context.Context, wanted []PictureSpec, progress func(done, total int)) error {
	var failed []error
	for i, w := range wanted {
		err := s.warm(ctx, w)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("media: %s: %w", w.File, err))
		}
		if progress != nil {
			progress(i+1, len(wanted))
		}
	}
	return errors.Join(failed...)
}

// warm makes the sizes of a picture.
func (s *Store) warm(ctx context.Context, w PictureSpec) error {
	p, ok := s.find(w.File, w.Options)
	if !ok {
		return errRefused
	}
	for _, width := range crops[w.Options.Crop].offered {
		v := p.in(shape{w.Options.Crop, width})
		for _, format := range []string{jpegFormat, avifFormat} {
			none := !s.config.AVIF || v.shape.crop == agency.ShareCrop || !s.record(p.original).encoded(v.shape)
			if format == avifFormat && none {
				continue
			}
			if err := await(ctx, s.begin(v, format, true)); err != nil {
				return err
			}
		}
	}
	return nil
}

// What Print returns of a picture: one of at most so many pixels and bytes as it is, or of a larger one this width.
const (
	maxPrinted      = 3_000_000
	maxPrintedBytes = 500 << 10
	printedWidth    = 1080
)

// Print returns a picture for drawing on paper, in the format of its original, and waits until it is read, in the
// background. Errors are those of its original, or ctx's.
func (s *Store) Print(ctx context.Context, file string, o Options) ([]byte, error) {
	p, ok := s.find(file, o)
	if !ok {
		return nil, fmt.Errorf("media: not below a storage: %w", errRefused)
	}
	read := make(chan error, 1)
	s.background.Go(func() {
		master, _, err := s.master(p.original, true)
		if err == nil {
			err = master.Close()
		}
		read <- err
	})
	if err := await(ctx, read); err != nil {
		return nil, err
	}
	if rec := s.record(p.original); rec.Width*rec.Height <= maxPrinted {
		master, err := s.files.read(masterName(p.original, rec))
		if err != nil || len(master) <= maxPrintedBytes {
			return master, err
		}
	}
	v := p.in(shape{agency.Whole, printedWidth})
	if err := await(ctx, s.begin(v, jpegFormat, true)); err != nil {
		return nil, err
	}
	return s.files.read(v.fileName(s.record(v.original), jpegFormat))
}
