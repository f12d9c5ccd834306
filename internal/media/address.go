package media

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"image"
	"slices"
	"strconv"
	"strings"

	"zedcard/internal/agency"
	"zedcard/internal/picture"
	"zedcard/internal/routes"
)

// Prefix is the path that Handler is mounted at.
const Prefix = routes.Pictures

// Crop is the part of an original that is shown.
type Crop uint8

// The crops, which are placed by the picture's focal point.
const (
	Whole Crop = iota
	Card       // 3:4
	Share      // 1200:630, for social networks; one width
	crops
)

// Widths of the pictures in pixels; a narrower original is served in its own width.
var (
	Widths        = []int{160, 240, 360, 540, 720, 1080, 1600, 2160}
	CardWidths    = []int{360, 540, 720, 1080}
	GalleryWidths = []int{360, 720, 1080, 1600, 2160}
	shareWidths   = []int{1200}
)

const cropLetters = "ucs" // of the crops, in addresses and file names

func (c Crop) widths() []int {
	if c == Share {
		return shareWidths
	}
	return Widths
}

// ratio is the crop's width by its height, 0 for the whole original.
func (c Crop) ratio() float64 {
	switch c {
	case Card:
		return 3.0 / 4
	case Share:
		return 1200.0 / 630
	default:
		return 0
	}
}

// rect is the area of an original of w by h pixels that the crop shows.
func (c Crop) rect(w, h int, focus agency.Focus) image.Rectangle {
	if c.ratio() == 0 {
		return image.Rect(0, 0, w, h)
	}
	return picture.Crop(image.Pt(w, h), c.ratio(), focus)
}

// shape is a crop with a width in pixels.
type shape struct {
	crop  Crop
	width int
}

func (s shape) String() string { return cropLetters[s.crop:s.crop+1] + strconv.Itoa(s.width) }

func parseShape(text string) (shape, bool) {
	if len(text) < 2 {
		return shape{}, false
	}
	crop := strings.IndexByte(cropLetters, text[0])
	width, err := strconv.Atoi(text[1:])
	if crop < 0 || err != nil {
		return shape{}, false
	}
	s := shape{Crop(crop), width} // #nosec G115 -- an index of few names
	return s, slices.Contains(s.crop.widths(), width) && s.String() == text
}

// original identifies an original: its root, its path below it (unescaped, with the query), and the focal point if it
// is cropped. With another focal point it is another picture, with its own addresses and files.
type original struct {
	root, path string
	focus      agency.Focus
}

// String appends the focal point after a tab, which no path contains (see safe).
func (p original) String() string {
	if p.focus == (agency.Focus{}) {
		return p.root + ":" + p.path
	}
	return p.root + ":" + p.path + "\t" + strconv.Itoa(p.focus.X) + "," + strconv.Itoa(p.focus.Y)
}

// parseOriginal reads what String wrote.
func parseOriginal(text string) (p original, ok bool) {
	var path, focus string
	p.root, path, ok = strings.Cut(text, ":")
	p.path, focus, _ = strings.Cut(path, "\t")
	if x, y, found := strings.Cut(focus, ","); found {
		p.focus.X, _ = strconv.Atoi(x) // 0 for text that String did not write
		p.focus.Y, _ = strconv.Atoi(y)
	}
	return p, ok && p.String() == text && p.focus == validFocus(p.focus)
}

// validFocus is a valid focal point, or the zero one.
func validFocus(focus agency.Focus) agency.Focus {
	if focus.X < 1 || focus.X > 100 || focus.Y < 1 || focus.Y > 100 {
		return agency.Focus{}
	}
	return focus
}

// id is the picture's part of a file name. It is a hash, so that no part of an address becomes a path on the disk.
func (p original) id() string {
	sum := sha256.Sum256([]byte(p.String()))
	return hex.EncodeToString(sum[:12])
}

// address is a parsed address: /media/SIGNATURE/PICTURE/VERSION/SHAPE.FORMAT. The signature covers picture and minor.
// The others need none: shapes and formats are few, and a version only decides how long a browser may cache the answer.
// The parts that all sizes of a picture share come first, so that pages compress well.
type address struct {
	original original
	minor    bool
	version  string
	shape    shape
	format   string
}

const (
	noVersion     = "0"              // of an original that has not been read yet
	signatureSize = 12               // characters: 72 bits
	minorMark     = routes.MinorMark // prefix of the signature
	jpegFormat    = "jpg"
	avifFormat    = "avif"
)

// base is an address up to its version, with a slash at the end.
func (s *Store) base(p original, minor bool) string {
	mark := ""
	if minor {
		mark = minorMark
	}
	return Prefix + mark + signature(s.config.Keys[0], p, mark) + "/" +
		base64.RawURLEncoding.EncodeToString([]byte(p.String())) + "/"
}

// signed reports whether proof, a mark with its signature, is valid for one of the keys.
func (s *Store) signed(p original, mark, proof string) bool {
	return slices.ContainsFunc(s.config.Keys, func(key []byte) bool {
		return hmac.Equal([]byte(proof), []byte(mark+signature(key, p, mark)))
	})
}

func signature(key []byte, p original, mark string) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(mark + "\x00" + p.String()))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))[:signatureSize]
}

// parse parses the address in a request line. It accepts only what base and shape write: no escapes, empty segments or
// other spellings.
func (s *Store) parse(path string) (address, bool) {
	rest, found := strings.CutPrefix(path, Prefix)
	parts := strings.Split(rest, "/")
	if !found || len(parts) != 4 || len(path) > 4096 {
		return address{}, false
	}
	var a address
	mark := ""
	if len(parts[0]) == signatureSize+len(minorMark) && strings.HasPrefix(parts[0], minorMark) {
		mark, a.minor = minorMark, true
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(parts[1])
	if err != nil {
		return address{}, false
	}
	a.original, found = parseOriginal(string(raw))
	if !found || !s.signed(a.original, mark, parts[0]) {
		return address{}, false
	}
	if a.version = parts[2]; a.version != noVersion && !isVersion(a.version) {
		return address{}, false
	}
	name, format, _ := strings.Cut(parts[3], ".")
	if format != jpegFormat && format != avifFormat {
		return address{}, false
	}
	a.format = format
	a.shape, found = parseShape(name)
	return a, found
}

const versionSize = 8

func isVersion(text string) bool {
	return len(text) == versionSize && strings.Trim(text, "0123456789abcdef") == ""
}
