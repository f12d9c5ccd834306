package media

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"image"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"zedcard/internal/agency"
	"zedcard/internal/picture"
	"zedcard/internal/routes"
)

// Prefix is the path that Handler is mounted at.
const Prefix = routes.Pictures

// crops are what each crop is served as. A narrower original is served in its own width.
var crops = [...]struct {
	letter  string  // in addresses and file names
	ratio   float64 // width by height; 0: the whole original
	served  []int   // widths in pixels
	offered []int   // those that pages have addresses of
}{
	agency.Whole:     {"u", 0, widths, []int{360, 540, 720, 1080, 1600, 2160}},
	agency.CardCrop:  {"c", 3.0 / 4, widths, []int{160, 360, 540, 720, 1080}},
	agency.ShareCrop: {"s", 1200.0 / 630, []int{1200}, []int{1200}},
}

var widths = []int{160, 240, 360, 540, 720, 1080, 1600, 2160}

// cropped is the area of an original of w by h pixels that a crop shows.
func cropped(c agency.Crop, w, h int, focus agency.Focus) image.Rectangle {
	if crops[c].ratio == 0 {
		return image.Rect(0, 0, w, h)
	}
	return picture.Crop(image.Pt(w, h), crops[c].ratio, focus)
}

// shape is a crop with a width in pixels.
type shape struct {
	crop  agency.Crop
	width int
}

func (s shape) String() string { return crops[s.crop].letter + strconv.Itoa(s.width) }

// shapes are all shapes by their names.
var shapes = func() map[string]shape {
	shapes := map[string]shape{}
	for c, crop := range crops {
		for _, width := range crop.served {
			sh := shape{agency.Crop(c), width}
			shapes[sh.String()] = sh
		}
	}
	return shapes
}()

// original identifies an original: its root, and its path below it (unescaped, with the query).
type original struct{ root, path string }

func (p original) String() string { return p.root + ":" + p.path }

// id is the original's part of a file name. It is a hash, so that no part of an address becomes a path on the disk.
func (p original) id() string {
	sum := sha256.Sum256([]byte(p.String()))
	return hex.EncodeToString(sum[:12])
}

// shown is a picture as pages show it.
type shown struct {
	original
	focus agency.Focus // where crops are placed
	minor bool
}

// in is the picture in a shape.
func (p shown) in(sh shape) variant {
	if sh.crop == agency.Whole {
		p.focus = agency.Focus{}
	}
	return variant{p.original, sh, p.focus}
}

// version is the part of an address that changes with the bytes of the answer.
func (p shown) version(rec record, c agency.Crop) string {
	if !rec.known() {
		return noVersion
	}
	content, _ := strconv.ParseInt(rec.Version, 16, 64) // see isVersion
	focus := p.in(shape{crop: c}).focus
	return fmt.Sprintf("%0*x", versionSize, (content+int64(101*focus.X+focus.Y))&(1<<(4*versionSize)-1))
}

// text appends the focal point after a tab, which no path contains (see safe).
func (p shown) text() string {
	if p.focus == (agency.Focus{}) {
		return p.String()
	}
	return p.String() + "\t" + strconv.Itoa(p.focus.X) + "," + strconv.Itoa(p.focus.Y)
}

// parseText reads what text wrote.
func parseText(text string) (p shown, ok bool) {
	var path, focus string
	p.root, path, ok = strings.Cut(text, ":")
	p.path, focus, _ = strings.Cut(path, "\t")
	if x, y, found := strings.Cut(focus, ","); found {
		p.focus.X, _ = strconv.Atoi(x) // 0 for text that was not written
		p.focus.Y, _ = strconv.Atoi(y)
	}
	return p, ok && p.text() == text && p.focus == validFocus(p.focus)
}

// validFocus is a valid focal point, or the zero one.
func validFocus(focus agency.Focus) agency.Focus {
	if focus.X < 1 || focus.X > 100 || focus.Y < 1 || focus.Y > 100 {
		return agency.Focus{}
	}
	return focus
}

// address is a parsed address: /media/SIGNATURE/PICTURE/VERSION/SHAPE.FORMAT. The picture (shown.text, in base64) is
// signed, so that nothing needs to be looked up, and what the site has not given out is nothing. Shapes and formats are
// few, and a version only decides how long a browser may cache the answer. The parts that all sizes of a picture share
// come first, so that pages compress well. A minor's address begins with routes.MinorMark, which the signature covers.
type address struct {
	shown
	version string
	shape   shape
	format  string
}

const (
	noVersion     = "0" // of an original that has not been read yet
	signatureSize = 12  // characters, of six bits
	jpegFormat    = "jpg"
	avifFormat    = "avif"
)

// base is an address up to its version, with a slash at the end.
func (p shown) base(key []byte) string {
	mark := ""
	if p.minor {
		mark = routes.MinorMark
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(mark + "\x00" + p.text()))
	signature := base64.RawURLEncoding.EncodeToString(mac.Sum(nil))[:signatureSize]
	return Prefix + mark + signature + "/" + base64.RawURLEncoding.EncodeToString([]byte(p.text())) + "/"
}

// parse parses the address in a request line. It accepts only what this package writes: no escapes, empty segments or
// other spellings.
func (s *Store) parse(path string) (a address, ok bool) {
	parts := strings.Split(strings.TrimPrefix(path, Prefix), "/")
	if !strings.HasPrefix(path, Prefix) || len(parts) != 4 || len(path) > 4096 {
		return a, false
	}
	if a.version = parts[2]; a.version != noVersion && !isVersion(a.version) {
		return a, false
	}
	name, format, _ := strings.Cut(parts[3], ".")
	if a.format = format; format != jpegFormat && format != avifFormat {
		return a, false
	}
	if a.shape, ok = shapes[name]; !ok {
		return a, false
	}
	text, err := base64.RawURLEncoding.Strict().DecodeString(parts[1])
	if err != nil {
		return a, false
	}
	a.shown, ok = parseText(string(text))
	a.minor = len(parts[0]) == len(routes.MinorMark)+signatureSize
	return a, ok && slices.ContainsFunc(s.config.Keys, func(key []byte) bool {
		return hmac.Equal([]byte(Prefix+parts[0]+"/"+parts[1]+"/"), []byte(a.base(key)))
	})
}

const versionSize = 6

var version = regexp.MustCompile(`^[0-9a-f]{6}$`)

func isVersion(text string) bool { return version.MatchString(text) }
