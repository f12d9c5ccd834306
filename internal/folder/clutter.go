package folder

import (
	"regexp"
	"strings"
)

// Folders are shared: by Syncthing, Nextcloud, Dropbox and git, and among Windows, Macs and Linux. What they leave
// beside the content is neither shown nor a fault.

// clutter are the names of what systems, editors and synchronisation leave behind, in lower case: lists of thumbnails,
// recycle bins, locks, backups and files that are not finished. Names that begin with a dot are such, too.
var clutter = regexp.MustCompile(`^(?:\..*|~\$.*|~syncthing~.*|~wr.*\.tmp|#.*#|.*~|4913|` +
	`thumbs\.db|ehthumbs.*\.db|desktop\.ini|icon\r|__macosx|lost\+found|\$recycle\.bin|` +
	`system volume information|@eadir|#recycle|#snapshot|` +
	`.*\.(?:swp|swo|swx|tmp|temp|part|partial|crdownload|download|filepart|bak|orig|rej|lock|` +
	`sb-[0-9a-f]{8}-\w+)|.*_(?:backup|base|local|remote)_[0-9]+\.\w+)$`)

// IsClutter reports whether nobody's content has this name.
func IsClutter(name string) bool { return clutter.MatchString(strings.ToLower(name)) }

// conflict is what synchronisation adds to the name of a second version: Syncthing, ownCloud, Nextcloud and Dropbox, in
// the language of the computer.
var conflict = regexp.MustCompile(`(?i)\.sync-conflict-\d{8}-\d{6}(?:-\w+)?|_conflict-\d{8}-\d{6}|` +
	` ?\([^()]*(?:conflict|konflikt|conflit)[^()]*(?:\([^()]*\)[^()]*)?\)`)

// copyOf is the name of the file that another is a second version of, empty if it is none.
func copyOf(name string) string {
	if !conflict.MatchString(name) {
		return ""
	}
	return conflict.ReplaceAllString(name, "")
}
