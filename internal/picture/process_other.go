//go:build !unix

package picture

import "time"

// LowerPriority does nothing on systems without process priorities.
func LowerPriority() {}

var started = time.Now()

// processorTime is at most how long this process has computed.
func processorTime() time.Duration { return time.Since(started) }
