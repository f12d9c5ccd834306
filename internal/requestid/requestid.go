// Package requestid carries the id of a visitor's request: into the log's lines about it, and into the calls of the
// back ends that it causes.
package requestid

import (
	"context"
	"crypto/rand"
	"log/slog"
	"regexp"
)

// Header is the header that a proxy, the back ends and the browser know an id by.
const Header = "X-Request-Id"

type key struct{}

var wellFormed = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// New is a new id, or the one that a trusted proxy gave, if it is a short word.
func New(given string) string {
	if given != "" && wellFormed.MatchString(given) {
		return given
	}
	return rand.Text()
}

// With is ctx with an id.
func With(ctx context.Context, id string) context.Context { return context.WithValue(ctx, key{}, id) }

// Of is the id of the request that ctx belongs to; empty: none.
func Of(ctx context.Context) string {
	id, _ := ctx.Value(key{}).(string)
	return id
}

// Handler adds the id to each line that was logged with the context of a request.
type Handler struct{ slog.Handler }

// Handle implements slog.Handler.
func (h Handler) Handle(ctx context.Context, line slog.Record) error {
	if id := Of(ctx); id != "" {
		line.AddAttrs(slog.String("request", id))
	}
	return h.Handler.Handle(ctx, line)
}

// WithAttrs implements slog.Handler.
func (h Handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return Handler{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h Handler) WithGroup(name string) slog.Handler { return Handler{h.Handler.WithGroup(name)} }
