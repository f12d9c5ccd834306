package copydesk

import (
	_ "embed"
	"encoding/json"
	"sync"
)

// Pseudo-screens for texts without a screen in the routes table: EveryPage for the layout of every page, ErrorPage for
// error pages, EditorsView for the editors' view, Inbox for what the agency reads in a browser, Mail for mails.
const (
	EveryPage   = "every-page"
	ErrorPage   = "error"
	EditorsView = "copy"
	Inbox       = "inbox"
	Mail        = "mail"
)

// Use is where a text is used: the source files, and the screens that render them.
type Use struct {
	Files   []string `json:"files"`
	Screens []string `json:"screens"`
}

// usesFile is written from the sources by go generate, and compared with them by a test.
//
//go:generate go test . -run TestUsesMatchTheSources -update
//go:embed uses.json
var usesFile []byte

// Uses is where each key's text is used. The map must not be changed.
var Uses = sync.OnceValue(func() map[string]Use {
	var uses map[string]Use
	if err := json.Unmarshal(usesFile, &uses); err != nil {
		panic(err) // embedded above
	}
	return uses
})
