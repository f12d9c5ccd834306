package media

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// spool holds an original while it is read: in a temporary file, or in memory if the disk is full.
type spool struct {
	file    *os.File // nil: in memory
	memory  bytes.Buffer
	diskErr error // of the disk
}

// maxInMemory is the largest original that is spooled in memory, in bytes. Up to maxFetches of them are read at once.
const maxInMemory = 16 << 20

func newSpool(dir string) *spool {
	file, err := newFile(dir, "original-*")
	return &spool{file: file, diskErr: err}
}

// Write fails with the disk's error if the disk is full and the original too large for memory.
func (s *spool) Write(data []byte) (int, error) {
	if s.file != nil {
		n, err := s.file.Write(data)
		if err == nil {
			return n, nil
		}
		s.diskErr = err
		if err := s.moveToMemory(int64(n)); err != nil {
			return n, err
		}
	}
	if s.memory.Len()+len(data) > maxInMemory {
		return 0, s.diskErr
	}
	return s.memory.Write(data)
}

// moveToMemory copies the file to memory after a Write that failed, of which the first partial bytes were written.
func (s *spool) moveToMemory(partial int64) error {
	end, err := s.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	written := end - partial
	if written > maxInMemory {
		return s.diskErr
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if _, err := io.CopyN(&s.memory, s.file, written); err != nil {
		return err
	}
	s.discard()
	s.file = nil
	return nil
}

// reader reads from the beginning.
func (s *spool) reader() (io.ReadSeeker, error) {
	if s.file == nil {
		return bytes.NewReader(s.memory.Bytes()), nil
	}
	_, err := s.file.Seek(0, io.SeekStart)
	return s.file, err
}

// content is the path of the file, or its bytes.
func (s *spool) content() (string, []byte) {
	if s.file == nil {
		return "", s.memory.Bytes()
	}
	return s.file.Name(), nil
}

func (s *spool) discard() {
	if s.file != nil {
		_ = errors.Join(s.file.Close(), os.Remove(s.file.Name())) // leftovers are removed at the start
	}
}
