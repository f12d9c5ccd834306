package media

import (
	"context"
	"errors"
	"sync"

	"golang.org/x/sync/errgroup"
)

// PictureSpec is a picture that Warm makes in its widths: a Card in CardWidths, Share in its one, else GalleryWidths.
type PictureSpec struct {
	File    string
	Options Options
}

// warmed is how many pictures Warm makes at once: while one becomes AVIF, the next becomes JPEG.
const warmed = 2

// Warm makes all sizes of these pictures in every format, and calls progress (if not nil) after each. Unusable files
// don't stop it; the error joins a *FileError for each.
func (s *Store) Warm(ctx context.Context, wanted []PictureSpec, progress func(done, total int)) error {
	var (
		mu     sync.Mutex
		done   int
		failed []error
		group  errgroup.Group
	)
	group.SetLimit(warmed)
	for _, w := range wanted {
		group.Go(func() error {
			err := s.warm(ctx, w, func(ctx context.Context) error { return ctx.Err() })
			mu.Lock()
			defer mu.Unlock()
			if err != nil && ctx.Err() == nil {
				failed = append(failed, &FileError{w.File, err})
			}
			done++
			if progress != nil {
				progress(done, len(wanted))
			}
			return nil
		})
	}
	_ = group.Wait() // errors are in failed
	return errors.Join(append(failed, ctx.Err())...)
}

// FileError is the error of a file.
type FileError struct {
	File string
	Err  error
}

func (e *FileError) Error() string { return "media: " + e.File + ": " + e.Err.Error() }
func (e *FileError) Unwrap() error { return e.Err }

// warm makes the sizes of a picture. Before each conversion it calls before, whose error ends it.
func (s *Store) warm(ctx context.Context, w PictureSpec, before func(context.Context) error) error {
	p, ok := s.find(w.File, w.Options)
	if !ok {
		return errRefused
	}
	for _, width := range w.Options.Crop.mask(nil).list(w.Options.Crop) {
		if err := before(ctx); err != nil {
			return err
		}
		v := variant{p, shape{w.Options.Crop, width}}
		select {
		case err := <-s.make(v):
			if err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
		if !s.config.AVIF || v.shape.crop == Share || !s.records.get(p).encoded(v.shape) {
			continue
		}
		if err := before(ctx); err != nil {
			return err
		}
		if err := s.makeSize(ctx, v, avifFormat); err != nil {
			return err
		}
	}
	return nil
}
