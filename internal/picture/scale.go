package picture

import (
	"image"
	"image/color"
	"image/draw"
	"math"
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
	stretch := max(ratio, 1)
	for i := range out {
		centre := (float64(i)+0.5)*ratio - 0.5
		lo := max(int(math.Ceil(centre-2*stretch)), 0)
		hi := min(int(math.Floor(centre+2*stretch)), n-1)
		exact := make([]float64, hi-lo+1)
		var sum float64
		for j := range exact {
			exact[j] = catmullRom((float64(lo+j) - centre) / stretch)
			sum += exact[j]
		}
		out[i] = tap{lo, make([]int32, len(exact))}
		rest := int32(1 << tapBits)
		for j, e := range exact {
			out[i].weights[j] = int32(math.Round(e / sum * (1 << tapBits)))
			rest -= out[i].weights[j]
		}
		out[i].weights[len(exact)/2] += rest // so that a uniform area keeps its exact colour
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

// rowReader reads row y of an area as RGB bytes, on white if the picture is transparent. Rows are read from top to
// bottom.
type rowReader func(y int, to []uint8) error

// imageRows reads an area of a picture that is in memory.
func imageRows(m image.Image, area image.Rectangle) rowReader {
	switch m := m.(type) {
	case *image.YCbCr:
		return func(y int, to []uint8) error {
			for i, x := 0, area.Min.X; x < area.Max.X; i, x = i+3, x+1 {
				c := m.COffset(x, y)
				to[i], to[i+1], to[i+2] = color.YCbCrToRGB(m.Y[m.YOffset(x, y)], m.Cb[c], m.Cr[c])
			}
			return nil
		}
	case *image.Gray:
		return func(y int, to []uint8) error {
			for x, v := range m.Pix[m.PixOffset(area.Min.X, y):][:area.Dx()] {
				to[3*x], to[3*x+1], to[3*x+2] = v, v, v
			}
			return nil
		}
	case *image.CMYK:
		return func(y int, to []uint8) error {
			row := m.Pix[m.PixOffset(area.Min.X, y):]
			for x := range area.Dx() {
				to[3*x], to[3*x+1], to[3*x+2] = color.CMYKToRGB(row[4*x], row[4*x+1], row[4*x+2], row[4*x+3])
			}
			return nil
		}
	}
	line := image.NewRGBA(image.Rect(0, 0, area.Dx(), 1))
	return func(y int, to []uint8) error {
		draw.Draw(line, line.Rect, image.White, image.Point{}, draw.Src)
		draw.Draw(line, line.Rect, m, image.Pt(area.Min.X, y), draw.Over)
		for x := range area.Dx() {
			copy(to[3*x:3*x+3], line.Pix[4*x:])
		}
		return nil
	}
}

// Scale scales an area of a picture to w by h pixels.
func Scale(m image.Image, area image.Rectangle, w, h int) *image.RGBA {
	if whole, ok := m.(*image.RGBA); ok && area == whole.Rect && area.Size() == image.Pt(w, h) {
		return whole
	}
	out, err := scale(imageRows(m, area), area, w, h, 1)
	if err != nil {
		panic(err) // a picture in memory has all its rows
	}
	return out
}

// scale scales an area to w by h pixels and turns it upright. It reads the source row by row and keeps only the few
// rows that the filter needs: golang.org/x/image/draw keeps all of them as floats, 140 MB for 12 megapixels.
func scale(read rowReader, area image.Rectangle, w, h int, turn orientation) (*image.RGBA, error) {
	upW, upH := turn.size(w, h)
	out := image.NewRGBA(image.Rect(0, 0, upW, upH))
	first, right, down := turn.steps(w, h, out.Stride)
	across, along := taps(area.Dx(), w), taps(area.Dy(), h)
	depth := 1
	for _, t := range along {
		depth = max(depth, len(t.weights))
	}
	source := make([]uint8, 3*area.Dx())
	ring := make([][]int32, depth)
	for i := range ring {
		ring[i] = make([]int32, 3*w)
	}
	sums := make([]int32, 3*w)
	next := 0 // the line of the source to be read next
	for y, t := range along {
		for ; next < t.first+len(t.weights); next++ {
			if err := read(area.Min.Y+next, source); err != nil {
				return nil, err
			}
			narrow(source, across, ring[next%depth])
		}
		clear(sums)
		for j, weight := range t.weights {
			for i, v := range ring[(t.first+j)%depth] {
				sums[i] += weight * v
			}
		}
		for x, to := 0, first+y*down; x < w; x, to = x+1, to+right {
			pixel := out.Pix[to : to+4 : to+4]
			pixel[0], pixel[1], pixel[2] = round(sums[3*x]), round(sums[3*x+1]), round(sums[3*x+2])
			pixel[3] = 0xff
		}
	}
	return out, nil
}

// narrow filters one line of RGB bytes.
func narrow(source []uint8, across []tap, to []int32) {
	const half = 1 << (tapBits - lineBits - 1)
	for x, t := range across {
		var r, g, b int32 = half, half, half
		pixels := source[3*t.first : 3*(t.first+len(t.weights))]
		for j, weight := range t.weights {
			p := pixels[3*j : 3*j+3 : 3*j+3]
			r += weight * int32(p[0])
			g += weight * int32(p[1])
			b += weight * int32(p[2])
		}
		to[3*x], to[3*x+1], to[3*x+2] = r>>(tapBits-lineBits), g>>(tapBits-lineBits), b>>(tapBits-lineBits)
	}
}

func round(sum int32) uint8 {
	return uint8(min(max((sum+1<<(tapBits+lineBits-1))>>(tapBits+lineBits), 0), 255))
}
