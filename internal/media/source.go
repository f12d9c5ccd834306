package media

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"zedcard/internal/agency"
	"zedcard/internal/picture"
)

// Source is a picture as a <picture> element needs it.
type Source struct {
	Src  string // a JPEG of middle size, for img src
	JPEG string // srcset of JPEGs
	// AVIF is a srcset for browsers that know AVIF, empty where none are made. Sizes that are too large for our
	// encoder stand in it as JPEG: a browser takes what it is sent, and a large screen must not get a small picture
	// only because that is an AVIF.
	AVIF string
	// Width and Height are the pixels of the largest size, 0 until the original was read once.
	Width, Height int
}

// Options say how a picture is shown.
type Options struct {
	Crop Crop
	// Focus is what a cut keeps in its middle as far as it can; one beyond the picture is none.
	Focus agency.Focus
	// Minor marks the file X-Robots-Tag: noimageindex.
	Minor bool
	// Root is the name of the root that a path without a host belongs to; empty: the first.
	Root string
}

// Source gives the addresses of the whole picture in the given widths (none: GalleryWidths). File is a
// storage path or an absolute address below a root; anything else gets the default picture. It does no
// I/O. Addresses change when the original's bytes do: they carry the hash that its last reading gave.
func (s *Store) Source(file string, widths ...int) Source {
	return s.Picture(file, Options{}, widths...)
}

// Picture is Source with options. Without widths a Card gets CardWidths. A width that is not one of
// Widths stands for the next larger one.
func (s *Store) Picture(file string, o Options, widths ...int) Source {
	key := sourceKey{file, o, o.Crop.mask(widths)}
	p, ok := s.sources.original(key)
	if !ok {
		if p, ok = s.find(file, o); !ok || o.Crop >= crops {
			s.refuseForeign(file)
			return Source{Src: MissingAddress(o.Crop)}
		}
	}
	rec := s.records.get(p)
	s.checkIfDue(p, rec)
	if kept, ok := s.sources.get(key, rec.Version); ok {
		return kept
	}
	made := s.write(p, o, key.widths.list(o.Crop), rec)
	s.sources.put(key, p, rec.Version, made)
	return made
}

func (s *Store) write(p original, o Options, widths []int, rec record) Source {
	var out Source
	if rec.known() {
		widths = upTo(widths, o.Crop.rect(rec.Width, rec.Height, agency.Focus{}).Dx())
		out.Width, out.Height = rec.size(shape{o.Crop, widths[len(widths)-1]})
	}
	link := s.ownLink(p, o, rec)
	if s.config.Template != "" && !o.Minor {
		link = s.templateLink(p, o)
	}
	srcset := func(format func(shape) string) string {
		var list strings.Builder
		for i, w := range widths {
			if i > 0 {
				list.WriteString(", ")
			}
			// The last size of a small original is narrower than it is called.
			sh, real := shape{o.Crop, w}, w
			if rec.known() {
				real, _ = rec.size(sh)
			}
			list.WriteString(link(sh, format(sh)) + " " + strconv.Itoa(real) + "w")
		}
		return list.String()
	}
	out.JPEG = srcset(func(shape) string { return jpegFormat })
	switch {
	case s.config.Template != "" && !o.Minor:
		out.AVIF = srcset(func(shape) string { return avifFormat })
	case s.encoder != nil && o.Crop != Share: // social networks want JPEG
		out.AVIF = srcset(rec.best)
	}
	out.Src = link(shape{o.Crop, widths[len(widths)/2]}, jpegFormat)
	return out
}

func (s *Store) ownLink(p original, o Options, rec record) func(shape, string) string {
	version := noVersion
	if rec.known() {
		version = rec.Version
	}
	base := s.base(p, o.Minor) + version + "/"
	return func(sh shape, format string) string { return base + sh.String() + "." + format }
}

// upTo leaves out the widths beyond the first that shows the whole of an original of own pixels.
func upTo(widths []int, own int) []int {
	for i, w := range widths {
		if w >= own {
			return widths[:i+1]
		}
	}
	return widths
}

// MissingAddress is the address of the default picture: a mist frame with crop marks.
func MissingAddress(c Crop) string {
	return Prefix + "missing/" + letters[min(c, crops-1):][:1] + ".png"
}

// templateLink writes addresses of the external image server.
func (s *Store) templateLink(p original, o Options) func(shape, string) string {
	original := s.root(p.root).address(p.path).String()
	escaped := strings.ReplaceAll(url.QueryEscape(original), "+", "%20")
	encoded := base64.RawURLEncoding.EncodeToString([]byte(original))
	return func(sh shape, format string) string {
		height := 0
		if ratio := o.Crop.ratio(); ratio > 0 {
			height = int(math.Round(float64(sh.width) / ratio))
		}
		x, y := picture.FocalPoint(p.focus)
		return strings.NewReplacer("{x}", strconv.FormatFloat(x, 'f', 2, 64), "{y}", strconv.FormatFloat(y, 'f', 2, 64),
			"{url}", escaped, "{url64}", encoded, "{width}", strconv.Itoa(sh.width),
			"{height}", strconv.Itoa(height), "{format}", format).Replace(s.config.Template)
	}
}

var placeholder = regexp.MustCompile(`\{[^}]*\}`)

// ErrTemplate begins what is wrong with the addresses of an image server.
var ErrTemplate = errors.New("media: the template")

func checkTemplate(template string, roots []Root) error {
	if template == "" {
		return nil
	}
	if !strings.Contains(template, "{url}") && !strings.Contains(template, "{url64}") ||
		!strings.Contains(template, "{width}") {
		return fmt.Errorf("%w needs {url} or {url64}, and {width}", ErrTemplate)
	}
	for _, name := range placeholder.FindAllString(template, -1) {
		if !slices.Contains([]string{"{url}", "{url64}", "{width}", "{height}", "{x}", "{y}", "{format}"}, name) {
			return fmt.Errorf("%w has an unknown %s", ErrTemplate, name)
		}
	}
	if strings.ContainsAny(template, " ,\"'<>") {
		return fmt.Errorf("%w has a character that can't stand in a srcset", ErrTemplate)
	}
	for _, r := range roots {
		if r.URL == nil {
			return fmt.Errorf("%w can't be used: storage %q has no address that another server could read",
				ErrTemplate, r.Name)
		}
	}
	return nil
}

// widthSet is a set of widths of a crop, bit by bit, so that a question for addresses can be a map's key.
type widthSet uint16

func (c Crop) mask(widths []int) widthSet {
	if len(widths) == 0 {
		widths = GalleryWidths
		if c == Card {
			widths = CardWidths
		}
	}
	var set widthSet
	all := c.widths()
	for _, w := range widths {
		i, _ := slices.BinarySearch(all, w)
		set |= 1 << min(i, len(all)-1)
	}
	return set
}

func (set widthSet) list(c Crop) []int {
	var widths []int
	for i, w := range c.widths() {
		if set&(1<<i) != 0 {
			widths = append(widths, w)
		}
	}
	return widths
}

type sourceKey struct {
	file   string
	o      Options
	widths widthSet
}

type keptSource struct {
	original original
	version  string
	source   Source
}

// sources keeps what Picture wrote: a list page asks for the same 20 to 60 pictures again and again.
type sources struct {
	mu   sync.RWMutex
	kept map[sourceKey]keptSource
}

// maxSources bounds what is kept, about 2 kB each.
const maxSources = 20_000

func (m *sources) original(key sourceKey) (original, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	k, ok := m.kept[key]
	return k.original, ok
}

func (m *sources) get(key sourceKey, version string) (Source, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	k, ok := m.kept[key]
	return k.source, ok && k.version == version
}

func (m *sources) put(key sourceKey, p original, version string, made Source) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept == nil || len(m.kept) >= maxSources {
		m.kept = make(map[sourceKey]keptSource)
	}
	m.kept[key] = keptSource{p, version, made}
}
