package views

import (
	"cmp"
	"strconv"

	"zedcard/internal/agency"
	"zedcard/static"
)

// maxTitleLetters is how many letters a half's title may have at full size.
const maxTitleLetters = 9

// carouselProps are those of islands/carousel.
type carouselProps struct {
	Slides []slideProps `json:"slides"`
	Second bool         `json:"second,omitempty"` // it changes between two slides of the first, and has no button
	Pause  string       `json:"pause"`
	Play   string       `json:"play"`
	Icons  string       `json:"icons"`
}

// slideProps are the name on a slide's tab and its link, empty for none.
type slideProps struct {
	Name string `json:"name,omitempty"`
	Href string `json:"href,omitempty"`
}

func newCarouselProps(p *Page, slides []Slide, second bool) carouselProps {
	props := carouselProps{
		Second: second, Pause: p.T("home.pause"), Play: p.T("home.play"), Icons: static.URL("icons.svg"),
	}
	for _, slide := range slides {
		var named slideProps
		if slide.Talent != nil {
			named = slideProps{slide.Talent.Name, p.Routes.Talent(p.Lang, slide.Talent)}
		}
		props.Slides = append(props.Slides, named)
	}
	return props
}

const (
	mobileSlide  = "(max-width: 650px)" // where slides have another picture
	desktopSlide = "(min-width: 651px)"
)

// slideSizes is the attribute sizes of a slide, which covers the upper or lower half of the screen, from 1024 px the
// left or right one. Until the slide's aspect ratio is known, 2:3 is assumed on phones and 3:2 elsewhere.
func slideSizes(s agency.Sources, media string) string {
	width, height := 3, 2
	if media == mobileSlide {
		width, height = 2, 3
	}
	if s.Width > 0 && s.Height > 0 {
		width, height = s.Width, s.Height
	}
	widthVH := 100 * width / height // width in vh of a slide as high as the screen
	coverSize := func(share, vw int) string {
		return "max(" + strconv.Itoa(vw) + "vw, " + strconv.Itoa(widthVH*share/100) + "vh)"
	}
	// Phones get as many device pixels per CSS pixel as in ui.FullWidth.
	return "(min-width: 1024px) " + coverSize(100, 50) + ", (min-resolution: 2.1dppx) and (max-width: 650px) " +
		coverSize(23, 46) + ", (max-width: 650px) " + coverSize(37, 73) + ", " + coverSize(49, 98)
}

// halfPriority is the fetch priority of a half's first picture: the first half's is the page's largest, and on a slow
// line the other's would delay it, the style sheet and the typeface.
func halfPriority(half int) string {
	if half == 0 {
		return "high"
	}
	return "low"
}

// SlidePreloads are the first slides of both halves, in the best available format.
func SlidePreloads(p *Page, s Slides) []Preload {
	var all []Preload
	for i, half := range s {
		if len(half) == 0 {
			continue
		}
		add := func(file, media string) {
			sources := p.Slides.Sources(agency.Picture{File: file}, agency.Whole, false)
			all = append(all, preload(sources, media, slideSizes(sources, media), halfPriority(i)))
		}
		desktop := desktopSlide
		if half[0].Mobile == "" {
			desktop = "all"
		} else {
			add(half[0].Mobile, mobileSlide)
		}
		add(half[0].Desktop, desktop)
	}
	return all
}

func srcsetOrSrc(s agency.Sources) string { return cmp.Or(s.Srcset, s.Src) }
