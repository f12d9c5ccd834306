package media

// Recheck checks the originals of these files in the background, with every focal point, even if they were checked
// recently. Those that the storage no longer has are no longer served.
func (s *Store) Recheck(files ...string) {
	for _, file := range files {
		if p, ok := s.resolve(file, ""); ok {
			for _, known := range s.records.originalsOf(p) {
				s.checks.push(known)
			}
		}
	}
}
