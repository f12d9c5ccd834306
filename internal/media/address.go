package media

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"image"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Prefix is where Handler expects to stand.
const Prefix = "/media/"

// Crop is the part of an original that is shown.
type Crop uint8

// The crops. What is cut is decided by the picture's focal point, see focus.
const (
	Whole Crop = iota
	Card       // 3:4
	Share      // 1200:630, what social networks show; one width
	crops
)

// Widths of the pictures in pixels; an original that is narrower is served in its own width.
var (
	Widths        = []int{160, 240, 360, 540, 720, 1080, 1600, 2160}
	CardWidths    = []int{360, 540, 720, 1080}
	GalleryWidths = []int{360, 720, 1080, 1600, 2160}
	shareWidths   = []int{1200}
)

const letters = "ucs" // of the crops, in addresses and file names

func (c Crop) widths() []int {
	if c == Share {
		return shareWidths
	}
	return Widths
}

// ratio is width and height of the crop, 0 for the whole original.
func (c Crop) ratio() (w, h int) {
	switch c {
	case Card:
		return 3, 4
	case Share:
		return 1200, 630
	default:
		return 0, 0
	}
}

// focus is the point of an original that a crop keeps in its middle as far as it can, in percent from the left and the
// top. The zero focus is none: the middle of the upper third, where faces are.
type focus struct{ x, y int }

// orFaces are the shares of width and height.
func (f focus) orFaces() (x, y float64) {
	if f == (focus{}) {
		return 0.5, 1.0 / 3
	}
	return float64(f.x) / 100, float64(f.y) / 100
}

// named finds the focal point at a file's end, as agency.Talent's Framed writes it.
var named = regexp.MustCompile(`^(.+)#focus=([0-9]{1,3}),([0-9]{1,3})$`)

// cutFocus takes a file's focal point off; one that is not within the picture is none.
func cutFocus(file string) (string, focus) {
	parts := named.FindStringSubmatch(file)
	if parts == nil {
		return file, focus{}
	}
	x, _ := strconv.Atoi(parts[2]) // digits, see named
	y, _ := strconv.Atoi(parts[3])
	if x < 1 || x > 100 || y < 1 || y > 100 {
		return parts[1], focus{}
	}
	return parts[1], focus{x, y}
}

// rect is the part of an original of w by h pixels that the crop shows.
func (c Crop) rect(w, h int, at focus) image.Rectangle {
	rw, rh := c.ratio()
	if rw == 0 {
		return image.Rect(0, 0, w, h)
	}
	fx, fy := at.orFaces()
	if w*rh > h*rw {
		cw := max(1, h*rw/rh)
		x := min(max(int(fx*float64(w))-cw/2, 0), w-cw)
		return image.Rect(x, 0, x+cw, h)
	}
	ch := max(1, w*rh/rw)
	y := min(max(int(fy*float64(h))-ch/2, 0), h-ch)
	return image.Rect(0, y, w, y+ch)
}

// shape is a crop in a width of pixels.
type shape struct {
	crop  Crop
	width int
}

func (s shape) String() string { return letters[s.crop:s.crop+1] + strconv.Itoa(s.width) }

func parseShape(text string) (shape, bool) {
	if len(text) < 2 {
		return shape{}, false
	}
	crop := strings.IndexByte(letters, text[0])
	width, err := strconv.Atoi(text[1:])
	if crop < 0 || err != nil {
		return shape{}, false
	}
	s := shape{Crop(crop), width}
	return s, slices.Contains(s.crop.widths(), width) && s.String() == text
}

// picture names an original: the name of its root and its path below it, unescaped, a query included, and where it is
// cut, its focal point. That makes it another picture with addresses and files of its own.
type picture struct {
	root, path string
	focus      focus
}

// String writes a focal point behind a tab, which no path has (see safe).
func (p picture) String() string {
	if p.focus == (focus{}) {
		return p.root + ":" + p.path
	}
	return p.root + ":" + p.path + "\t" + strconv.Itoa(p.focus.x) + "," + strconv.Itoa(p.focus.y)
}

// parsePicture reads what String wrote.
func parsePicture(text string) (picture, bool) {
	root, path, found := strings.Cut(text, ":")
	p := picture{root: root}
	var at string
	if p.path, at, _ = strings.Cut(path, "\t"); at != "" {
		_, p.focus = cutFocus("x#focus=" + at)
	}
	return p, found && p.String() == text
}

// id is the picture's part of a file name. It is a hash, so that nothing of an address reaches the disk.
func (p picture) id() string {
	sum := sha256.Sum256([]byte(p.String()))
	return hex.EncodeToString(sum[:12])
}

// address is what an address says: /media/SIGNATURE/PICTURE/VERSION/SHAPE.FORMAT. The signature covers
// picture and minor; shapes and formats are few, and a version only decides how long a browser may keep
// the answer. What is the same for all sizes of a picture stands first, so that pages compress well.
type address struct {
	picture picture
	minor   bool
	version string
	shape   shape
	format  string
}

const (
	noVersion     = "0" // of an original that was not read yet
	signatureSize = 12  // characters: 72 bits
	minorMark     = "n" // stands before the signature
	jpegFormat    = "jpg"
	avifFormat    = "avif"
)

// base is an address up to its version, with a slash at the end.
func (s *Store) base(p picture, minor bool) string {
	mark := ""
	if minor {
		mark = minorMark
	}
	return Prefix + mark + signature(s.config.Keys[0], p, mark) + "/" + base64.RawURLEncoding.EncodeToString([]byte(p.String())) + "/"
}

// signed reports whether one of the keys signed this picture's addresses so.
func (s *Store) signed(p picture, mark, signed string) bool {
	return slices.ContainsFunc(s.config.Keys, func(key []byte) bool {
		return hmac.Equal([]byte(signed), []byte(mark+signature(key, p, mark)))
	})
}

func signature(key []byte, p picture, mark string) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(mark + "\x00" + p.String()))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))[:signatureSize]
}

// parse reads an address, as it stands in the request line. Only what base and shape write is an address:
// any escape, empty segment or other spelling is not.
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
	a.picture, found = parsePicture(string(raw))
	if !found || !s.signed(a.picture, mark, parts[0]) {
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
