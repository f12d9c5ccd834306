package photo

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image/color"
)

// facts are what the decoder does not tell.
type facts struct {
	orientation orientation
	planes      bool // a JPEG, which is decoded into planes first
	progressive bool // one in many scans
	interlaced  bool // a PNG in passes
}

const (
	// maxProgressive is how many pixels the standard library's decoder may read of a progressive JPEG; a larger one
	// is read at half its size.
	maxProgressive = 16_000_000
	// maxScans: each scan, however short, goes over the whole picture, so that a file of many can keep a core busy
	// for hours. Encoders make 10, 20 for print.
	maxScans = 100
)

// bytesPerPixel is what the decoders take, at most, as read in their sources. Measured with 50 megapixels, the whole
// process took 219 MB for a progressive JPEG without subsampling, 239 MB for one of four colours and for a plain
// one, 474 MB for a PNG of 16 bits and 481 MB for a plain JPEG of four colours.
func (f facts) bytesPerPixel(model color.Model, half bool) int64 {
	var samples, result int64 = 3, 3
	switch model {
	case color.GrayModel:
		samples, result = 1, 1
	case color.RGBAModel, color.NRGBAModel:
		if result = 4; f.planes {
			result = 7
		}
	case color.CMYKModel:
		samples, result = 4, 8
	case color.Gray16Model:
		result = 2
	case color.RGBA64Model, color.NRGBA64Model:
		result = 8
	}
	if _, indexed := model.(color.Palette); indexed {
		result = 2 // an interlaced GIF is put in order in a second one
	}
	switch {
	case half: // see block; then a byte a sample, and RGBA, of a quarter of the pixels
		return samples + 1
	case f.progressive:
		return result + 4*samples
	case f.interlaced:
		return 2 * result
	}
	return result
}

// jpegFacts reads the segments: the orientation in Exif, and how many scans there are.
func jpegFacts(data []byte) (facts, error) {
	found := facts{orientation: 1, planes: true}
	scans := 0
	for rest := data[2:]; ; {
		marker, body, after, ok := nextSegment(rest)
		if !ok || marker == 0xd9 {
			return found, nil
		}
		rest = after
		switch marker {
		case 0xe1:
			if exif, ok := bytes.CutPrefix(body, []byte("Exif\x00\x00")); ok {
				found.orientation = exifOrientation(exif)
			}
		case 0xc2:
			found.progressive = true
		case 0xda:
			if scans++; scans > maxScans {
				return found, fmt.Errorf("%w: more than %d scans", ErrBroken, maxScans)
			}
		}
	}
}

// pngFacts reads the orientation in the eXIf chunk, and the head.
func pngFacts(data []byte) (facts, error) {
	found := facts{orientation: 1, interlaced: data[28] != 0} // DecodeConfig has read the head
	for rest := data[8:]; len(rest) >= 12; {
		size := int(binary.BigEndian.Uint32(rest))
		if size > len(rest)-12 || string(rest[4:8]) == "IEND" {
			break
		}
		if string(rest[4:8]) == "eXIf" {
			found.orientation = exifOrientation(rest[8 : 8+size])
			break
		}
		rest = rest[12+size:]
	}
	return found, nil
}
