//go:build !race

package media

import "os"

func encoderCommand() []string { return []string{os.Args[0], "encode-avif"} }

func removeEncoder() {}
