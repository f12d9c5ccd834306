// Command encoder is the worker's process alone, for tests.
package main

import (
	_ "zedcard/internal/media" // its tasks
	"zedcard/internal/picture"
)

func main() { picture.RunWorker() }
