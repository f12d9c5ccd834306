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

// allowed are the elements of a logo or an icon: what every browser draws in an <img>, and what draws nothing.
var allowed = strings.Fields("svg g defs symbol use path rect circle ellipse line polyline polygon clipPath mask " +
	"linearGradient radialGradient stop style title desc metadata")

var outside = regexp.MustCompile(`(?i)@import|url\(\s*['"]?[^#'"\s]|javascript:`)

// CheckSVG names what a logo or icon may not have, such as <script>, and its line; an empty text: nothing.
func CheckSVG(data []byte) (what string, line int) {
	decoder := xml.NewDecoder(bytes.NewReader(data))
	for what == "" {
		token, err := decoder.Token()
		line, _ = decoder.InputPos()
		switch token := token.(type) {
		case xml.StartElement:
			what = refused(token)
		case xml.CharData: // of a style
			what = string(outside.Find(token))
		case xml.ProcInst:
			if token.Target != "xml" {
				what = "<?" + token.Target + "?>"
			}
		case nil:
			if !errors.Is(err, io.EOF) {
				return err.Error(), line
			}
			if Ratio(data) == 0 {
				return "no viewBox", 1
			}
			return "", 0
		}
	}
	return what, line
}

// refused is what an element is, or has, that is not allowed. Those of drawing programs' own namespaces draw nothing.
func refused(e xml.StartElement) string {
	isSVG := e.Name.Space == "" || strings.HasSuffix(e.Name.Space, "/svg")
	if isSVG && !slices.Contains(allowed, e.Name.Local) || strings.HasSuffix(e.Name.Space, "/xhtml") {
		return "<" + e.Name.Local + ">"
	}
	for _, a := range e.Attr {
		leadsOut := a.Name.Local == "href" && !strings.HasPrefix(a.Value, "#")
		if leadsOut || strings.HasPrefix(a.Name.Local, "on") || outside.MatchString(a.Value) {
			return a.Name.Local + `="` + a.Value + `"`
		}
	}
	return ""
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
