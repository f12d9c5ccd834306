package media

import (
	"strconv"
	"strings"

	"zedcard/internal/agency"
)

// Options are how a picture is shown.
type Options struct {
	Crop agency.Crop
	// Focus is the point that a crop keeps as near to its centre as possible; an invalid one is ignored.
	Focus agency.Focus
	// Minor serves the picture with X-Robots-Tag: noimageindex.
	Minor bool
	// Root is the name of the root that a path without a host belongs to; empty: the first.
	Root string
}

// Picture gives the addresses of a picture in the widths of its crop. File is a storage path or an absolute address
// below a root; anything else gets the default picture. It does no I/O once the picture is known. Addresses change with
// the original: they contain the hash of its bytes when it was last read.
func (s *Store) Picture(file string, o Options) agency.Sources {
	key := PictureSpec{file, o}
	cached, ok := s.sources.Get(key)
	if !ok {
		if cached.shown, ok = s.find(file, o); !ok {
			s.refuseForeign(file)
			return agency.Sources{Src: DefaultPictureAddress(o.Crop)}
		}
	}
	rec := s.record(cached.original)
	s.checkIfDue(cached.original)
	if cached.version != rec.Version || cached.Src == "" {
		cached.version, cached.Sources = rec.Version, s.makeSource(cached.shown, o, crops[o.Crop].offered, rec)
		s.sources.Set(key, cached)
	}
	return cached.Sources
}

// makeSource names JPEGs in the srcset for browsers with AVIF, too, where a size is too large for the encoder: browsers
// accept that, and a large screen must not get a small picture only because it is an AVIF. Src is of middle size.
func (s *Store) makeSource(p shown, o Options, widths []int, rec record) agency.Sources {
	var source agency.Sources
	if rec.known() {
		widths = upTo(widths, cropped(o.Crop, rec.Width, rec.Height, agency.Focus{}).Dx())
		source.Width, source.Height = rec.size(shape{o.Crop, widths[len(widths)-1]})
	}
	base := p.base(s.config.Keys[0]) + p.version(rec, o.Crop) + "/"
	link := func(sh shape, format string) string { return base + sh.String() + "." + format }
	srcset := func(widths []int, format func(shape) string) string {
		var list strings.Builder
		for i, w := range widths {
			if i > 0 {
				list.WriteString(", ")
			}
			// The last size of a small original is narrower than its name.
			sh, actual := shape{o.Crop, w}, w
			if rec.known() {
				actual, _ = rec.size(sh)
			}
			list.WriteString(link(sh, format(sh)) + " " + strconv.Itoa(actual) + "w")
		}
		return list.String()
	}
	jpegWidths := widths
	if s.config.AVIF && o.Crop != agency.ShareCrop { // social networks need JPEG
		source.AVIF = srcset(widths, rec.bestFormat)
		jpegWidths = everyOther(widths) // the few browsers without AVIF need no address for each width
	}
	source.Srcset = srcset(jpegWidths, func(shape) string { return jpegFormat })
	source.Src = link(shape{o.Crop, jpegWidths[(len(jpegWidths)-1)/2]}, jpegFormat)
	return source
}

// everyOther leaves out every second width below the last.
func everyOther(widths []int) (half []int) {
	for i, w := range widths {
		if (len(widths)-i)%2 == 1 {
			half = append(half, w)
		}
	}
	return half
}

// upTo leaves out the widths beyond the first one that is not below an original's own width.
func upTo(widths []int, available int) []int {
	for i, w := range widths {
		if w >= available {
			return widths[:i+1]
		}
	}
	return widths
}

// DefaultPictureAddress is the address of the default picture.
func DefaultPictureAddress(c agency.Crop) string { return Prefix + missingName(c) }

// cachedSource is a result of Picture: each view of a list has the same 20 to 60 pictures.
type cachedSource struct {
	shown
	version string // of the record that it was made from
	agency.Sources
}
