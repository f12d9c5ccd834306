// Package disk checks whether a folder can be written, before it is needed and after it failed, and makes temporary
// files.
package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// Writable reports why no files can be created in a folder. A missing folder is writable if its nearest existing parent
// is. Permissions don't suffice to tell (a disk may be mounted read-only, and /proc refuses everybody), so a file is
// created and removed.
func Writable(path string) error {
	existing := filepath.Clean(path)
	for existing != filepath.Dir(existing) {
		if _, err := os.Lstat(existing); err == nil { // also a link that leads nowhere
			break
		}
		existing = filepath.Dir(existing)
	}
	probe, err := os.CreateTemp(existing, ".zedcard-check-*")
	if err == nil {
		err = errors.Join(probe.Close(), os.Remove(probe.Name()))
	}
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok { // its path is the probe's
		err = pathErr.Err
	}
	if err != nil {
		return fmt.Errorf("nothing can be made in %s: %w", existing, err)
	}
	return nil
}

// TempFile makes an empty file without a name in a folder: its room on the disk is free again once it is closed or the
// program ends, however it ends. A missing folder is made; "" is the system's for temporary files.
func TempFile(path string) (*os.File, error) {
	if path != "" {
		if err := os.MkdirAll(path, 0o700); err != nil {
			return nil, err
		}
	}
	file, err := os.CreateTemp(path, "temporary-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(file.Name()); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// Replace writes a new file, readable by its owner only, and renames it over the old one, so that a crash leaves one of
// the two. A missing folder is made.
func Replace(name string, write func(io.Writer) error) (err error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o750); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*") // mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	if err := errors.Join(write(file), file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), name)
}

// MayPass reports whether a file could not be written for a reason that goes away without another setting: a disk that
// is full, read-only or broken.
func MayPass(err error) bool {
	return slices.ContainsFunc([]error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EIO},
		func(reason error) bool { return errors.Is(err, reason) })
}
