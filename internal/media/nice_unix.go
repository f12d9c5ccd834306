//go:build unix

package media

import "syscall"

// beNice puts this process behind the others. Where that is not allowed it just isn't.
func beNice() { _ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, 10) }
