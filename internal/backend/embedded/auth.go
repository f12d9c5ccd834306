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

// doorkeeper hands out the bearer tokens of one API and knows them again.
type doorkeeper struct {
	salt, key string
	now       func() time.Time

	mu     sync.Mutex
	tokens map[string]time.Time // token → when it ends
}

func newDoorkeeper(salt, key string, now func() time.Time) *doorkeeper {
	return &doorkeeper{salt: salt, key: key, now: now, tokens: map[string]time.Time{}}
}

// admit gives a token to who knows salt and key.
func (d *doorkeeper) admit(salt, key string) (string, bool) {
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

// knows reports whether a request carries a token that is still good.
func (d *doorkeeper) knows(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	d.mu.Lock()
	defer d.mu.Unlock()
	end, ok := d.tokens[token]
	return ok && strings.EqualFold(scheme, "bearer") && d.now().Before(end)
}

// guard lets only those through who carry a token.
func (d *doorkeeper) guard(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !d.knows(r) {
			w.Header().Set("WWW-Authenticate", "Bearer")
			refuse(w, http.StatusUnauthorized, "sign in first")
			return
		}
		next(w, r)
	}
}
