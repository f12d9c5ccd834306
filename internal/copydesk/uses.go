package copydesk

import (
	_ "embed"
	"encoding/json"
	"sync"
)

// EveryPage is the screen of the texts that the frame of every page has, ErrorPage that of the
// error pages, Desk that of what editors alone see and Mail that of mails; the other screens are
// those of the routes table.
const (
	EveryPage = "every-page"
	ErrorPage = "error"
	Desk      = "copy"
	Mail      = "mail"
)

// Use is where a text is used: source files, and the screens that come to them.
type Use struct {
	Files   []string `json:"files"`
	Screens []string `json:"screens"`
}

// usesFile is written from the sources by go generate, and compared with them by a test.
//
//go:generate go test . -run TestUsesAreThoseOfTheSources -update
//go:embed uses.json
var usesFile []byte

// Uses says of each key where its text is used. It is only to be read.
var Uses = sync.OnceValue(func() map[string]Use {
	var uses map[string]Use
	if err := json.Unmarshal(usesFile, &uses); err != nil {
		panic(err) // embedded above
	}
	return uses
})
