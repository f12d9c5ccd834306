package forms

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"time"
)

// TokenInput is the hidden input that carries a form's token.
const TokenInput = "form_token"

// Verdict is the result of checking a form's token.
type Verdict int

// The verdicts. Only a forged token makes the sender suspect; a person who was fast or slow gets the form back, filled
// in.
const (
	Genuine Verdict = iota
	TooFast         // sooner than a person can write
	Expired         // older than a day
	Forged          // not issued by this site, altered, or another form's
)

// MessageKey is the message for a form that came with this verdict, empty for Genuine.
func (v Verdict) MessageKey() string {
	switch v {
	case TooFast:
		return "error.form.fast"
	case Expired:
		return "error.form.expired"
	case Forged:
		return "error.form.forged"
	case Genuine:
	}
	return ""
}

const (
	minAge = 2 * time.Second
	maxAge = 24 * time.Hour
)

// Tokens signs the forms. A token is the time in milliseconds (8 bytes), 16 random bytes and an HMAC-SHA256 over both
// and the form's name, in base64url. The random part becomes the id of the submission, so that submitting the same page
// twice makes one submission, without stored state.
type Tokens struct {
	keys func(context.Context) ([][]byte, error)
	now  func() time.Time
}

// NewTokens signs with the first of the keys and accepts what any of them signed.
func NewTokens(keys func(context.Context) ([][]byte, error), now func() time.Time) *Tokens {
	return &Tokens{keys: keys, now: now}
}

const (
	stampSize  = 8
	randomSize = 16
	bodySize   = stampSize + randomSize
)

// Issue makes a token for the form of this name.
func (t *Tokens) Issue(ctx context.Context, form string) (string, error) {
	keys, err := t.keys(ctx)
	if err != nil {
		return "", fmt.Errorf("forms: token: %w", err)
	}
	body := make([]byte, bodySize, bodySize+sha256.Size)
	binary.BigEndian.PutUint64(body, uint64(t.now().UnixMilli())) // after 1970
	rand.Read(body[stampSize:])
	return base64.RawURLEncoding.EncodeToString(append(body, sign(keys[0], form, body)...)), nil
}

// Check checks a token that came with the form of this name. It returns the id unless the token is forged. A clock that
// was set back does not make a token too fast. An error means that the keys are unavailable.
func (t *Tokens) Check(ctx context.Context, form, token string) (id string, verdict Verdict, err error) {
	keys, err := t.keys(ctx)
	if err != nil {
		return "", Forged, fmt.Errorf("forms: token: %w", err)
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) != bodySize+sha256.Size {
		return "", Forged, nil
	}
	body, signature := raw[:bodySize], raw[bodySize:]
	if !slices.ContainsFunc(keys, func(key []byte) bool { return hmac.Equal(signature, sign(key, form, body)) }) {
		return "", Forged, nil
	}
	id = hex.EncodeToString(body[stampSize:])
	issued := time.UnixMilli(int64(binary.BigEndian.Uint64(body))) // #nosec G115 -- signed, so in range
	switch age := t.now().Sub(issued); {
	case age >= 0 && age < minAge:
		return id, TooFast, nil
	case age > maxAge || age < -maxAge:
		return id, Expired, nil
	}
	return id, Genuine, nil
}

func sign(key []byte, form string, body []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(form))
	mac.Write([]byte{0})
	mac.Write(body)
	return mac.Sum(nil)
}
