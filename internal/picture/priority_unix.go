//go:build unix

package picture

import "syscall"

// lowerPriority lowers the priority of this process, if that is allowed.
func lowerPriority() { _ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, 10) }
