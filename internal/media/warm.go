package media

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// PictureSpec is a picture that pages show.
type PictureSpec struct {
	File    string
	Options Options
}

// waitingPollInterval is how often Warm checks whether visitors still wait.
const waitingPollInterval = 100 * time.Millisecond

// Warm makes all sizes of these pictures in every format, and calls progress (if not nil) after each. It yields to
// visitors: while one waits for a picture it begins no other. Unusable files are logged and don't stop it; the error
// joins one for each.
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
			none := !s.config.AVIF || v.shape.crop == Share || !s.record(p.original).encoded(v.shape)
			if format == avifFormat && none {
				continue
			}
			for s.waiting.Load() > 0 && ctx.Err() == nil {
				select {
				case <-ctx.Done():
				case <-time.After(waitingPollInterval):
				}
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err := await(ctx, s.make(v, format)); err != nil {
				return err
			}
		}
	}
	return nil
}

// renderedWidth is the width of what JPEG returns. A share picture shows a card 630 pixels high, so 473 wide.
const renderedWidth = 540

// JPEG returns a picture for drawing, and waits until it is made. Errors are those of its original, or ctx's.
func (s *Store) JPEG(ctx context.Context, file string, o Options) ([]byte, error) {
	p, ok := s.find(file, o)
	if !ok {
		return nil, fmt.Errorf("media: not below a storage: %w", errRefused)
	}
	v := p.in(shape{o.Crop, renderedWidth})
	if err := await(ctx, s.make(v, jpegFormat)); err != nil {
		return nil, err
	}
	return s.files.read(v.fileName(s.record(p.original), jpegFormat))
}
