package agency

import (
	"context"

	"zedcard/i18n"
)

type languageKey struct{}

// WithLanguage says which language a back end shall write in, where it writes itself: on composite cards.
func WithLanguage(ctx context.Context, lang i18n.Lang) context.Context {
	return context.WithValue(ctx, languageKey{}, lang)
}

// LanguageOf is the language that a back end shall write in: the site's first unless the context has another.
func LanguageOf(ctx context.Context) i18n.Lang {
	if lang, ok := ctx.Value(languageKey{}).(i18n.Lang); ok {
		return lang
	}
	return i18n.First()
}
