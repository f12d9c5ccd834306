package embedded

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// tokenTTL is how long a token is good for; a client signs in again after it.
const tokenTTL = 12 * time.Hour

// tokens are the bearer tokens of one API: the time of their end, signed with the credentials. They outlive a restart,
// and back ends with the same credentials accept each other's.
type tokens struct {
	api, salt, key string
	now            func() time.Time
}

// signIn answers with a token, in this field, who sends the salt and the key.
func (t tokens) signIn(keyField, tokenField string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var body object
		if !readJSON(w, r, &body) {
			return
		}
		salt, _ := body["salt"].(string)
		key, _ := body[keyField].(string)
		match := subtle.ConstantTimeCompare([]byte(salt), []byte(t.salt)) &
			subtle.ConstantTimeCompare([]byte(key), []byte(t.key))
		if match != 1 || t.salt == "" || t.key == "" {
			refuse(w, http.StatusUnauthorized, "salt or "+keyField+" is wrong")
			return
		}
		answer(w, http.StatusOK, object{tokenField: t.sign(t.now().Add(tokenTTL).Unix())})
	}
}

func (t tokens) sign(end int64) string {
	mac := hmac.New(sha256.New, []byte(t.key))
	text := strconv.FormatInt(end, 10)
	_, _ = mac.Write([]byte(t.api + "\x00" + t.salt + "\x00" + text)) // a hash takes all
	return text + "." + hex.EncodeToString(mac.Sum(nil))
}

// valid reports whether a request carries a token that is still good.
func (t tokens) valid(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	text, _, _ := strings.Cut(token, ".")
	end, err := strconv.ParseInt(text, 10, 64)
	return err == nil && strings.EqualFold(scheme, "bearer") && t.now().Unix() < end && t.key != "" &&
		hmac.Equal([]byte(token), []byte(t.sign(end)))
}

// guard lets only requests with a valid token through.
func (t tokens) guard(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !t.valid(r) {
			w.Header().Set("WWW-Authenticate", "Bearer")
			refuse(w, http.StatusUnauthorized, "sign in first")
			return
		}
		next(w, r)
	}
}
