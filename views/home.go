package views

import (
	"zedcard/internal/agency"
	"zedcard/static"
	"zedcard/views/ui"
)

// carouselProps are what islands/carousel shows beside the slides.
type carouselProps struct {
	Pause string `json:"pause"`
	Play  string `json:"play"`
	Icons string `json:"icons"`
}

func carouselWords(p Page, half string) carouselProps {
	return carouselProps{
		Pause: p.T("home.pause", "half", half), Play: p.T("home.play", "half", half), Icons: static.URL("icons.svg"),
	}
}

const (
	mobileSlide  = "(max-width: 650px)" // where a slide has a picture of its own (specification, section 2)
	desktopSlide = "(min-width: 651px)"
	slideSizes   = "(min-width: 1024px) 50vw, 100vw"
)

// Preload is a picture that the browser shall fetch before it has read the page, in a media and,
// where Type is not empty, only if it knows that format.
type Preload struct{ Media, Type, Srcset, Sizes string }

// SlidePreloads are the first slides of both halves, in the best format there is.
func SlidePreloads(p Page, s Slides) []Preload {
	var all []Preload
	for _, half := range [][]agency.Slide{s.Models, s.Creative} {
		if len(half) == 0 {
			continue
		}
		desktop := desktopSlide
		if half[0].Mobile == "" {
			desktop = "all"
		} else {
			all = append(all, preload(p.Slides.Sources(half[0].Mobile, ui.Whole, false), mobileSlide, "100vw"))
		}
		all = append(all, preload(p.Slides.Sources(half[0].Desktop, ui.Whole, false), desktop, slideSizes))
	}
	return all
}

func preload(s ui.Sources, media, sizes string) Preload {
	if len(s.Better) > 0 {
		return Preload{Media: media, Type: s.Better[0].Type, Srcset: s.Better[0].Srcset, Sizes: sizes}
	}
	return Preload{Media: media, Srcset: orSrc(s), Sizes: sizes}
}

func orSrc(s ui.Sources) string {
	if s.Srcset != "" {
		return s.Srcset
	}
	return s.Src
}
