//go:build !unix

package media

// lowerPriority does nothing on systems without process priorities.
func lowerPriority() {}
