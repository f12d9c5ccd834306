package picture

import (
	"image"
	"image/draw"
	"math"

	"zedcard/internal/agency"
)

// tap has the weights of the source pixels in one pixel of the result, in 1/16384.
type tap struct {
	first   int
	weights []int32
}

const (
	tapBits  = 14
	lineBits = 6 // fractional bits of a line's pixels, against rounding twice
)

// taps is the Catmull-Rom filter from n pixels to m: as sharp as possible without halos.
func taps(n, m int) []tap {
	out := make([]tap, m)
	if n == m {
		for i := range out {
			out[i] = tap{i, []int32{1 << tapBits}}
		}
		return out
	}
	ratio := float64(n) / float64(m)
	support := max(ratio, 1)
	for i := range out {
		centre := (float64(i)+0.5)*ratio - 0.5
		lo := max(int(math.Ceil(centre-2*support)), 0)
		hi := min(int(math.Floor(centre+2*support)), n-1)
		exact := make([]float64, hi-lo+1)
		var sum float64
		for j := range exact {
			exact[j] = catmullRom((float64(lo+j) - centre) / support)
			sum += exact[j]
		}
		out[i] = tap{lo, make([]int32, len(exact))}
		remainder := int32(1 << tapBits)
		for j, e := range exact {
			out[i].weights[j] = int32(math.Round(e / sum * (1 << tapBits)))
			remainder -= out[i].weights[j]
		}
		out[i].weights[len(exact)/2] += remainder // so that a uniform area keeps its exact colour
	}
	return out
}

func catmullRom(x float64) float64 {
	x = math.Abs(x)
	switch {
	case x < 1:
		return (1.5*x-2.5)*x*x + 1
	case x < 2:
		return ((-0.5*x+2.5)*x-4)*x + 2
	default:
		return 0
	}
}

// Scale scales an area of a picture to w by h pixels.
func Scale(m image.Image, area image.Rectangle, w, h int) *image.RGBA { return scale(m, area, w, h, 1) }

// scale scales an area to w by h pixels on white, and turns it upright. It reads the source row by row and keeps only
// the few rows that the filter needs: golang.org/x/image/draw keeps all of them as floats, 140 MB for 12 megapixels.
func scale(m image.Image, area image.Rectangle, w, h int, o orientation) *image.RGBA {
	upW, upH := o.size(w, h)
	out := image.NewRGBA(image.Rect(0, 0, upW, upH))
	first, right, down := o.steps(w, h, out.Stride)
	if area.Dx() == w && area.Dy() == h && first == 0 && right == 4 && down == out.Stride { // nothing to filter
		draw.Draw(out, out.Rect, image.White, image.Point{}, draw.Src)
		draw.Draw(out, out.Rect, m, area.Min, draw.Over)
		return out
	}
	horizontal, vertical := taps(area.Dx(), w), taps(area.Dy(), h)
	depth := 1
	for _, t := range vertical {
		depth = max(depth, len(t.weights))
	}
	line := image.NewRGBA(image.Rect(0, 0, area.Dx(), 1))
	ring := make([][]int32, depth)
	for i := range ring {
		ring[i] = make([]int32, 3*w)
	}
	sums := make([]int32, 3*w)
	next := 0 // the line of the source to be read next
	for y, t := range vertical {
		for ; next < t.first+len(t.weights); next++ {
			draw.Draw(line, line.Rect, image.White, image.Point{}, draw.Src)
			draw.Draw(line, line.Rect, m, area.Min.Add(image.Pt(0, next)), draw.Over)
			filterRow(line.Pix, horizontal, ring[next%depth])
		}
		clear(sums)
		for j, weight := range t.weights {
			for i, v := range ring[(t.first+j)%depth] {
				sums[i] += weight * v
			}
		}
		for x, offset := 0, first+y*down; x < w; x, offset = x+1, offset+right {
			pixel := out.Pix[offset : offset+4 : offset+4]
			pixel[0], pixel[1], pixel[2] = round(sums[3*x]), round(sums[3*x+1]), round(sums[3*x+2])
			pixel[3] = 0xff
		}
	}
	return out
}

// filterRow filters one line of opaque RGBA bytes.
func filterRow(source []uint8, horizontal []tap, dst []int32) {
	const half = 1 << (tapBits - lineBits - 1)
	for x, t := range horizontal {
		var r, g, b int32 = half, half, half
		pixels := source[4*t.first : 4*(t.first+len(t.weights))]
		for j, weight := range t.weights {
			p := pixels[4*j : 4*j+3 : 4*j+3]
			r += weight * int32(p[0])
			g += weight * int32(p[1])
			b += weight * int32(p[2])
		}
		dst[3*x], dst[3*x+1], dst[3*x+2] = r>>(tapBits-lineBits), g>>(tapBits-lineBits), b>>(tapBits-lineBits)
	}
}

func round(sum int32) uint8 {
	return uint8(min(max((sum+1<<(tapBits+lineBits-1))>>(tapBits+lineBits), 0), 255))
}

// FocalPoint is a focal point in fractions of width and height; the zero one is the middle of the upper third, where
// faces are.
func FocalPoint(focus agency.Focus) (x, y float64) {
	if focus == (agency.Focus{}) {
		return 0.5, 1.0 / 3
	}
	return float64(focus.X) / 100, float64(focus.Y) / 100
}

// Crop is the largest part of a picture of this size (pixels) that is ratio times as wide as high. The focal point is
// as near to its middle as can be.
func Crop(size image.Point, ratio float64, focus agency.Focus) image.Rectangle {
	x, y := FocalPoint(focus)
	w, h := size.X, size.Y
	if float64(w) > float64(h)*ratio {
		w = max(1, int(math.Round(float64(h)*ratio)))
	} else {
		h = min(max(1, int(math.Round(float64(w)/ratio))), h)
	}
	left := min(max(int(x*float64(size.X))-w/2, 0), size.X-w)
	top := min(max(int(y*float64(size.Y))-h/2, 0), size.Y-h)
	return image.Rect(left, top, left+w, top+h)
}
