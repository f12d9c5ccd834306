package embedded

import (
	"crypto/rand"
	"crypto/subtle"
	"net/http"
	"strings"
	"sync"
	"time"
)

// tokenLife is how long a token is good for; a client signs in again after it.
const tokenLife = 12 * time.Hour

// tokenIssuer issues and checks the bearer tokens of one API.
type tokenIssuer struct {
	salt, key string
	now       func() time.Time

	mu     sync.Mutex
	tokens map[string]time.Time // token → when it ends
}

func newTokenIssuer(salt, key string, now func() time.Time) *tokenIssuer {
	return &tokenIssuer{salt: salt, key: key, now: now, tokens: map[string]time.Time{}}
}

// issue returns a new token if salt and key are right.
func (d *tokenIssuer) issue(salt, key string) (string, bool) {
	if d.salt == "" || d.key == "" {
		return "", false
	}
	right := subtle.ConstantTimeCompare([]byte(salt), []byte(d.salt)) &
		subtle.ConstantTimeCompare([]byte(key), []byte(d.key))
	if right != 1 {
		return "", false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	for token, end := range d.tokens {
		if !now.Before(end) {
			delete(d.tokens, token)
		}
	}
	token := rand.Text()
	d.tokens[token] = now.Add(tokenLife)
	return token, true
}

// valid reports whether a request carries a token that is still good.
func (d *tokenIssuer) valid(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	d.mu.Lock()
	defer d.mu.Unlock()
	end, ok := d.tokens[token]
	return ok && strings.EqualFold(scheme, "bearer") && d.now().Before(end)
}

// guard lets only requests with a valid token through.
func (d *tokenIssuer) guard(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !d.valid(r) {
			w.Header().Set("WWW-Authenticate", "Bearer")
			refuse(w, http.StatusUnauthorized, "sign in first")
			return
		}
		next(w, r)
	}
}
