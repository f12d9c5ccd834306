//go:build unix

package picture

import "syscall"

// LowerPriority lowers the priority of this process, if that is allowed.
func LowerPriority() { _ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, 10) }
