package brand

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/fyne-io/oksvg"
	"github.com/srwiley/rasterx"
)

// drawable are the elements of a logo or icon that browsers and the program draw alike, and those that draw nothing.
var drawable = strings.Fields("svg g defs symbol use path rect circle ellipse line polyline polygon clipPath " +
	"linearGradient radialGradient stop style title desc metadata")

var (
	outside  = regexp.MustCompile(`(?i)@import|url\(\s*['"]?[^#'"\s]|javascript:|<!ENTITY`)
	oneScale = regexp.MustCompile(`scale\(\s*([-.\d]+)\s*\)`)
)

// CheckSVG names what a logo or icon may not have, such as <script>, and its line; an empty text: nothing.
func CheckSVG(data []byte) (what string, line int) {
	decoder := xml.NewDecoder(bytes.NewReader(data))
	for {
		token, err := decoder.Token()
		line, _ = decoder.InputPos()
		switch token := token.(type) {
		case nil:
			if !errors.Is(err, io.EOF) {
				return err.Error(), line
			}
			if _, err := readSVG(data, "#000000"); err != nil {
				return err.Error(), 1
			}
			return "", 0
		case xml.StartElement:
			if strings.HasSuffix(token.Name.Space, "/svg") && !slices.Contains(drawable, token.Name.Local) ||
				strings.HasSuffix(token.Name.Space, "/xhtml") {
				return "<" + token.Name.Local + ">", line
			}
			for _, a := range token.Attr {
				leadsOut := a.Name.Local == "href" && !strings.HasPrefix(a.Value, "#")
				if leadsOut || strings.HasPrefix(a.Name.Local, "on") || outside.MatchString(a.Value) {
					return a.Name.Local + `="` + a.Value + `"`, line
				}
			}
		case xml.CharData:
			if found := outside.Find(token); found != nil {
				return string(found), line
			}
		case xml.Directive:
			if outside.Match(append([]byte("<!"), token...)) {
				return "<!ENTITY>", line
			}
		case xml.ProcInst:
			if token.Target != "xml" {
				return "<?" + token.Target + "?>", line
			}
		}
	}
}

// HasHoles reports whether an SVG is drawn by the even-odd rule, which icons and cards are not.
func HasHoles(data []byte) bool { return bytes.Contains(data, []byte("evenodd")) }

// inColour is an SVG whose currentColor is a colour: a picture on a page has none of its own.
func inColour(data []byte, colour string) []byte {
	return bytes.ReplaceAll(data, []byte("currentColor"), []byte(colour))
}

// recovered makes an error of a panic: the library takes some broken files for granted.
func recovered(err *error) {
	if problem := recover(); problem != nil {
		*err = fmt.Errorf("%v", problem)
	}
}

// readSVG reads an SVG for drawing.
func readSVG(data []byte, colour string) (icon *oksvg.SvgIcon, err error) {
	defer recovered(&err)
	data = oneScale.ReplaceAll(inColour(data, colour), []byte("scale($1 $1)")) // the library scales one way only
	icon, err = oksvg.ReadIconStream(bytes.NewReader(data))
	if err == nil && (icon.ViewBox.W <= 0 || icon.ViewBox.H <= 0) {
		err = errors.New("no viewBox")
	}
	return icon, err
}

// draw draws an SVG into the middle of a part of a picture, as large as it fits.
func draw(page *image.RGBA, icon *oksvg.SvgIcon, area image.Rectangle) (err error) {
	defer recovered(&err)
	scale := min(float64(area.Dx())/icon.ViewBox.W, float64(area.Dy())/icon.ViewBox.H)
	w, h := scale*icon.ViewBox.W, scale*icon.ViewBox.H
	transform := rasterx.Identity.
		Translate(float64(area.Min.X)+(float64(area.Dx())-w)/2, float64(area.Min.Y)+(float64(area.Dy())-h)/2).
		Scale(scale, scale).Translate(-icon.ViewBox.X, -icon.ViewBox.Y)
	var paths []oksvg.SvgPath
	for _, path := range icon.SVGPaths { // the library scales no strokes, and has other defaults than SVG
		path.LineWidth *= scale
		path.DashOffset *= scale
		path.Dash = slices.Clone(path.Dash)
		for i := range path.Dash {
			path.Dash[i] *= scale
		}
		if path.LineJoin == rasterx.Bevel {
			path.LineJoin = rasterx.Miter
		}
		paths = append(paths, path)
	}
	size := page.Bounds().Size()
	dasher := rasterx.NewDasher(size.X, size.Y, rasterx.NewScannerGV(size.X, size.Y, page, page.Bounds()))
	for _, path := range paths {
		path.DrawTransformed(dasher, 1, transform)
	}
	return nil
}
