package embedded

import (
	"embed"
	"io/fs"
)

//go:embed all:demo
var demo embed.FS

// Demo is the content folder of the demo agency, built into the program.
func Demo() fs.FS {
	folder, err := fs.Sub(demo, "demo")
	if err != nil {
		panic(err) // only for an invalid name
	}
	return folder
}
