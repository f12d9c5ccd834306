package brand

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// drawable are the elements of a logo or icon that every browser draws in an <img>, and those that draw nothing.
var drawable = strings.Fields("svg g defs symbol use path rect circle ellipse line polyline polygon clipPath mask " +
	"linearGradient radialGradient stop style title desc metadata")

var outside = regexp.MustCompile(`(?i)@import|url\(\s*['"]?[^#'"\s]|javascript:|<!ENTITY`)

// maxReused bounds the <use> elements, each of which may stand for all that others stand for.
const maxReused = 100

// CheckSVG names what a logo or icon may not have, such as <script>, and its line; an empty text: nothing.
func CheckSVG(data []byte) (what string, line int) {
	decoder := xml.NewDecoder(bytes.NewReader(data))
	for reused := 0; ; {
		token, err := decoder.Token()
		line, _ = decoder.InputPos()
		switch token := token.(type) {
		case nil:
			if !errors.Is(err, io.EOF) {
				return err.Error(), line
			}
			if Ratio(data) == 0 {
				return "no viewBox", 1
			}
			return "", 0
		case xml.StartElement:
			if token.Name.Local == "use" {
				reused++
			}
			if reused > maxReused || strings.HasSuffix(token.Name.Space, "/xhtml") ||
				strings.HasSuffix(token.Name.Space, "/svg") && !slices.Contains(drawable, token.Name.Local) {
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

// inColour is an SVG whose currentColor is a colour: a picture on a page has none of its own.
func inColour(data []byte, colour string) []byte {
	return bytes.ReplaceAll(data, []byte("currentColor"), []byte(colour))
}

// Ratio is an SVG's width divided by its height, by its viewBox; 0 if there is none that a page could show.
func Ratio(data []byte) float64 {
	decoder := xml.NewDecoder(bytes.NewReader(data))
	for {
		token, err := decoder.Token()
		if err != nil {
			return 0
		}
		root, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		for _, a := range root.Attr {
			numbers := strings.Fields(strings.ReplaceAll(a.Value, ",", " "))
			if a.Name.Local == "viewBox" && len(numbers) == 4 {
				w, _ := strconv.ParseFloat(numbers[2], 64)
				h, _ := strconv.ParseFloat(numbers[3], 64)
				if ratio := w / h; ratio > 1.0/maxRatio && ratio < maxRatio { // never for what is no number
					return ratio
				}
			}
		}
		return 0
	}
}

// maxRatio is how many times as wide as high a logo may be, or as high as wide.
const maxRatio = 50
