//go:build !unix

package media

// beNice does nothing where processes have no niceness.
func beNice() {}
