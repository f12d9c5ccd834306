package media

// Recheck has the originals of these files looked at in the background, however lately that was done. What the
// storage no longer has is no longer served.
func (s *Store) Recheck(files ...string) {
	for _, file := range files {
		for _, o := range []Options{{Crop: Whole}, {Crop: Card}} {
			if p, ok := s.find(file, o); ok && s.records.get(p).known() {
				s.checks.push(p)
			}
		}
	}
}
