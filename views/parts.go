package views

import (
	"context"
	"io"

	"github.com/a-h/templ"
	"github.com/maypok86/otter/v2"

	"zedcard/i18n"
)

// Parts caches rendered parts of pages: cards, menus, lists of options. See Page.cached.
type Parts struct {
	cache parts
}

// parts is what is used of otter: with its whole type, every importer of the package would compile it, too.
type parts interface {
	GetIfPresent(partKey) (renderedPart, bool)
	Set(partKey, renderedPart) (renderedPart, bool)
}

type partKey struct {
	name         string
	lang         i18n.Lang
	dependencies any
}

type renderedPart struct {
	version any
	html    string
}

// NewParts makes a cache of at most maxBytes.
func NewParts(maxBytes uint64) *Parts {
	const entry = 512 // approximate size of an entry without its HTML
	return &Parts{otter.Must(&otter.Options[partKey, renderedPart]{
		MaximumWeight: maxBytes,
		Weigher: func(_ partKey, part renderedPart) uint32 {
			return uint32(len(part.html)) + entry // #nosec G115 -- of a part
		},
	})}
}

// cached renders its children once for all pages of the same language and version (see Page.Version) with the same name
// and dependencies, which must be comparable and contain everything else that the children depend on:
//
//	@p.cached("menu", p.Screen) {
//		@menuLinks(p)
//	}
//
// The children must not contain anything that belongs to one visitor, such as a form's token.
func (p *Page) cached(name string, dependencies any) templ.Component {
	return p.cachedIf(true, name, dependencies)
}

// cachedIf is cached if the condition holds; otherwise the children are rendered for this page only.
func (p *Page) cachedIf(condition bool, name string, dependencies any) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		children := templ.GetChildren(ctx)
		ctx = templ.ClearChildren(ctx)
		if !condition || p.Parts == nil || p.Version == nil || p.ShowKeys || p.Dev {
			return children.Render(ctx, w)
		}
		key := partKey{name, p.Lang, dependencies}
		part, ok := p.Parts.cache.GetIfPresent(key)
		if !ok || part.version != p.Version {
			buffer := templ.GetBuffer()
			defer templ.ReleaseBuffer(buffer)
			if err := children.Render(ctx, buffer); err != nil {
				return err
			}
			part = renderedPart{p.Version, buffer.String()}
			p.Parts.cache.Set(key, part)
		}
		_, err := io.WriteString(w, part.html)
		return err
	})
}
