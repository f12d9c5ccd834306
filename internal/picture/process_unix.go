//go:build unix

package picture

import (
	"syscall"
	"time"
)

// LowerPriority lowers the priority of this process, if that is allowed.
func LowerPriority() { _ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, 10) }

// processorTime is how long this process has computed.
func processorTime() time.Duration {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used) // fails only for a wrong argument
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
