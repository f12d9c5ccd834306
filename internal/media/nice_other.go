//go:build !unix

package media

// beNice does nothing on systems without process priorities.
func beNice() {}
