package media

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"path/filepath"

	"zedcard/internal/disk"
)

// recordFile keeps what is known of other storages' originals over a restart, a line of JSON each; the last one of an
// original counts. What is lost costs one more read of the original.
type recordFile struct{ path string }

type recordLine struct {
	Root, Path string
	record
}

// add appends a line, as another process may, too.
func (f recordFile) add(p original, rec record) {
	line, err := json.Marshal(recordLine{p.root, p.path, rec})
	if err != nil {
		return
	}
	file, err := os.OpenFile(f.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer file.Close()
	_, _ = file.Write(append(line, '\n'))
}

// readRecords reads the file, and writes it anew with one line for each original.
func (s *Store) readRecords() {
	s.recordFile.path = filepath.Join(s.config.Dir, "records.jsonl")
	file, err := os.Open(s.recordFile.path)
	if err != nil {
		return
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var line recordLine
		if json.Unmarshal(lines.Bytes(), &line) == nil && isVersion(line.Version) && line.Width > 0 && line.Height > 0 {
			s.records.Set(original{line.Root, line.Path}, line.record)
		} else {
			s.records.Remove(original{line.Root, line.Path})
		}
	}
	_ = disk.Replace(s.recordFile.path, func(to io.Writer) error {
		for p, rec := range s.records.All() {
			line, err := json.Marshal(recordLine{p.root, p.path, rec})
			if err == nil {
				_, err = to.Write(append(line, '\n'))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}
