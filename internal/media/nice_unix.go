//go:build unix

package media

import "syscall"

// beNice lowers the priority of this process, if that is allowed.
func beNice() { _ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, 10) }
