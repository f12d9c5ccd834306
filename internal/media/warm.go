package media

import (
	"context"
	"errors"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Warm makes all sizes that pages ask for (CardWidths as Card, GalleryWidths whole) of these files, in every
// format, and calls progress after each file. Files that can't be shown don't stop it; they are what the
// error, if any, names.
func (s *Store) Warm(ctx context.Context, files []string, progress func(done, total int)) error {
	var (
		mu     sync.Mutex
		done   int
		failed []error
		work   errgroup.Group
	)
	work.SetLimit(int(conversions()))
	for _, file := range files {
		work.Go(func() error {
			err := s.warm(ctx, file)
			mu.Lock()
			defer mu.Unlock()
			if err != nil && ctx.Err() == nil {
				failed = append(failed, &FileError{file, err})
			}
			done++
			if progress != nil {
				progress(done, len(files))
			}
			return nil
		})
	}
	_ = work.Wait() // errors are in failed
	return errors.Join(append(failed, ctx.Err())...)
}

// FileError says which file could not be shown.
type FileError struct {
	File string
	Err  error
}

func (e *FileError) Error() string { return "media: " + e.File + ": " + e.Err.Error() }
func (e *FileError) Unwrap() error { return e.Err }

func (s *Store) warm(ctx context.Context, file string) error {
	p, ok := s.resolve(file, "")
	if !ok {
		return errRefused
	}
	for crop, widths := range map[Crop][]int{Card: CardWidths, Whole: GalleryWidths} {
		for _, width := range widths {
			if err := ctx.Err(); err != nil {
				return err
			}
			m := made{p, shape{crop, width}}
			if err := <-s.want(m); err != nil {
				return err
			}
			if s.encoder == nil || !s.records.get(p).encoded(m.shape) {
				continue
			}
			if err := s.makeAVIF(ctx, m); err != nil {
				return err
			}
		}
	}
	return nil
}
