package folder

import (
	"io"
	"io/fs"
	"strings"
)

// servable reports whether a path below the folder is a file that may be served: a picture, with no hidden
// part in its path.
func servable(name string) bool {
	return fs.ValidPath(name) && PictureType(name) != "" &&
		!strings.HasPrefix(name, ".") && !strings.Contains(name, "/.") && !strings.ContainsAny(name, "\\\x00")
}

// Pictures are the folder's pictures, as its content names them, each an [io.ReadSeeker]. Anything else is as if it
// were not there.
func (b *Folder) Pictures() fs.FS { return pictures{b.folder} }

// Picture is what the folder's content says of a picture that it names: its version, and its size in pixels.
func (b *Folder) Picture(file string) (version string, width, height int, ok bool) {
	size, ok := b.state.Load().sizes[file]
	return size.version, size.width, size.height, ok && size.fault == ""
}

type pictures struct{ folder fs.FS }

// Open opens a picture.
func (p pictures) Open(name string) (fs.File, error) {
	missing := &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	if !servable(name) {
		return nil, missing
	}
	file, err := p.folder.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if _, seekable := file.(io.ReadSeeker); err != nil || !info.Mode().IsRegular() || !seekable {
		_ = file.Close() // nothing was written
		return nil, missing
	}
	return file, nil
}
