// Command encoder is media's encoder process alone, for tests.
package main

import (
	"fmt"
	"os"

	"zedcard/internal/media"
)

func main() {
	if err := media.EncodeAVIF(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
