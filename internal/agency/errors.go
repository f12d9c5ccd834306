package agency

import (
	"errors"
	"fmt"
)

// What can go wrong between the site and a back end. Clients wrap these, so that a page can tell
// them apart with errors.Is.
var (
	// ErrNotFound: the back end answered that it does not exist.
	ErrNotFound = errors.New("not found")
	// ErrGone: it does not exist any more; it is an ErrNotFound too.
	ErrGone = fmt.Errorf("gone: %w", ErrNotFound)
	// ErrUnavailable: the back end did not answer, or not with what it should have.
	ErrUnavailable = errors.New("unavailable")
	// ErrRejected: the back end refused what was sent, for good.
	ErrRejected = errors.New("rejected")
)
