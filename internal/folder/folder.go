// Package folder checks whether a folder can be written, before it is needed.
package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

const probe = ".zedcard-check-*"

// Writable reports why no files can be created in a folder. A missing folder is writable if its nearest existing parent
// is. Permissions don't suffice to tell (a disk may be mounted read-only, and /proc refuses everybody), so a file is
// created and removed.
func Writable(path string) error {
	path = filepath.Clean(path)
	there, err := nearest(path)
	if err != nil {
		return err
	}
	made := ""
	if there == path {
		var file *os.File
		if file, err = os.CreateTemp(there, probe); err == nil {
			made, err = file.Name(), file.Close()
		}
	} else {
		made, err = os.MkdirTemp(there, probe)
	}
	if made != "" {
		err = errors.Join(err, os.Remove(made))
	}
	var fault *fs.PathError
	if errors.As(err, &fault) { // its path is the probe's
		err = fault.Err
	}
	if err != nil {
		return fmt.Errorf("nothing can be made in %s: %w", there, err)
	}
	return nil
}

// nearest is the folder, or its nearest parent that exists.
func nearest(path string) (string, error) {
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.IsDir():
		return "", fmt.Errorf("%s: %w", path, syscall.ENOTDIR)
	case err == nil:
		return path, nil
	case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR):
		return "", err
	}
	if _, err := os.Lstat(path); err == nil {
		return "", fmt.Errorf("%s: a link that leads nowhere", path)
	}
	if above := filepath.Dir(path); above != path {
		return nearest(above)
	}
	return "", err
}
