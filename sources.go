package main

import "embed"

// sources are those that ask for texts, so that the program can tell where each is used.
//
//go:embed views/*.go views/*.templ views/ui/*.go views/ui/*.templ handlers/*.go
//go:embed internal/forms/*.go internal/measures/*.go internal/compcard/*.go internal/photo/*.go internal/routes/*.go
//go:embed internal/submission/*.go
//go:embed islands
var sources embed.FS
