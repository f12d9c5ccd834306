//go:build !unix

package picture

// lowerPriority does nothing on systems without process priorities.
func lowerPriority() {}
