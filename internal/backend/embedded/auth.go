package embedded

import (
	"crypto/rand"
	"crypto/subtle"
	"net/http"
	"strings"
	"sync"
	"time"
)

// tokenTTL is how long a token is good for; a client signs in again after it.
const tokenTTL = 12 * time.Hour

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
func (i *tokenIssuer) issue(salt, key string) (string, bool) {
	if i.salt == "" || i.key == "" {
		return "", false
	}
	match := subtle.ConstantTimeCompare([]byte(salt), []byte(i.salt)) &
		subtle.ConstantTimeCompare([]byte(key), []byte(i.key))
	if match != 1 {
		return "", false
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	now := i.now()
	for token, expiry := range i.tokens {
		if !now.Before(expiry) {
			delete(i.tokens, token)
		}
	}
	token := rand.Text()
	i.tokens[token] = now.Add(tokenTTL)
	return token, true
}

// valid reports whether a request carries a token that is still good.
func (i *tokenIssuer) valid(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	i.mu.Lock()
	defer i.mu.Unlock()
	expiry, ok := i.tokens[token]
	return ok && strings.EqualFold(scheme, "bearer") && i.now().Before(expiry)
}

// guard lets only requests with a valid token through.
func (i *tokenIssuer) guard(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !i.valid(r) {
			w.Header().Set("WWW-Authenticate", "Bearer")
			refuse(w, http.StatusUnauthorized, "sign in first")
			return
		}
		next(w, r)
	}
}
