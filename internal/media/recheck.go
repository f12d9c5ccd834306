package media

// Recheck has the originals of these files looked at in the background, however lately that was done, whatever focal
// point they were shown with. What the storage no longer has is no longer served.
func (s *Store) Recheck(files ...string) {
	for _, file := range files {
		if p, ok := s.resolve(file, ""); ok {
			for _, known := range s.records.of(p) {
				s.checks.push(known)
			}
		}
	}
}
