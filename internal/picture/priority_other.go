//go:build !unix

package picture

// LowerPriority does nothing on systems without process priorities.
func LowerPriority() {}
