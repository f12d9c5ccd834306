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

// tokenTTL is how long a token is good for at least; a client signs in again after it.
const tokenTTL = 12 * time.Hour

// tokens are the bearer tokens of one API: of each half day one, signed with the credentials. They outlive a restart,
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
		answer(w, http.StatusOK, object{tokenField: t.at(t.now())})
	}
}

// at is the token of the half day of a time.
func (t tokens) at(time time.Time) string {
	mac := hmac.New(sha256.New, []byte(t.key))
	halfDay := strconv.FormatInt(time.Unix()/int64(tokenTTL.Seconds()), 10)
	_, _ = mac.Write([]byte(t.api + "\x00" + t.salt + "\x00" + halfDay)) // a hash takes all
	return hex.EncodeToString(mac.Sum(nil))
}

// guard lets only requests with the token of this half day or the last one through.
func (t tokens) guard(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		isGood := hmac.Equal([]byte(token), []byte(t.at(t.now()))) ||
			hmac.Equal([]byte(token), []byte(t.at(t.now().Add(-tokenTTL))))
		if !isGood || t.key == "" || !strings.EqualFold(scheme, "bearer") {
			w.Header().Set("WWW-Authenticate", "Bearer")
			refuse(w, http.StatusUnauthorized, "sign in first")
			return
		}
		next(w, r)
	}
}
