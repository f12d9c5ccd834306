package embedded

import (
	"embed"
	"io/fs"
	"regexp"
	"sync"
)

//go:embed all:demo
var demo embed.FS

// Demo is the content folder of the demo agency, built into the program.
var Demo = sync.OnceValue(func() fs.FS {
	folder, err := fs.Sub(demo, "demo")
	if err != nil {
		panic(err) // only for an invalid name
	}
	return folder
})

// ownWords is a text in brackets of the demo: what an agency must write there, and the demo agency's own words. Only
// the demo's site shows these without brackets; in a copy of the folder they are still to be written.
var ownWords = regexp.MustCompile(`\[[^\[\]:]+:\s([^\[\]]+)\]`)
