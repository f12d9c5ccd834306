package forms

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/gorilla/securecookie"
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
	return [...]string{"", "error.form.fast", "error.form.expired", "error.form.forged"}[v]
}

const (
	minAge = 2 * time.Second
	maxAge = 24 * time.Hour
)

// Tokens signs the forms. A token's random id becomes that of the submission, so that submitting the same page twice
// makes one submission, without stored state.
type Tokens struct {
	keys func(context.Context) ([][]byte, error)
	now  func() time.Time
}

// NewTokens signs with the first of the keys and accepts what any of them signed.
func NewTokens(keys func(context.Context) ([][]byte, error), now func() time.Time) *Tokens {
	return &Tokens{keys: keys, now: now}
}

// token is what is signed, with the form's name.
type token struct {
	ID     string
	Issued int64 // in milliseconds, which securecookie's own time has not
}

func (t *Tokens) codecs(ctx context.Context) (codecs []securecookie.Codec, err error) {
	keys, err := t.keys(ctx)
	if err != nil {
		return nil, fmt.Errorf("forms: token: %w", err)
	}
	for _, key := range keys {
		codec := securecookie.New(key, nil).MaxAge(0).SetSerializer(securecookie.JSONEncoder{})
		codecs = append(codecs, codec)
	}
	return codecs, nil
}

// Issue makes a token for the form of this name.
func (t *Tokens) Issue(ctx context.Context, form string) (string, error) {
	codecs, err := t.codecs(ctx)
	if err != nil {
		return "", err
	}
	random := make([]byte, 16)
	rand.Read(random)
	return codecs[0].Encode(form, token{ID: hex.EncodeToString(random), Issued: t.now().UnixMilli()})
}

// Check checks a token that came with the form of this name. It returns the id unless the token is forged. A clock that
// was set back does not make a token too fast. An error means that the keys are unavailable.
func (t *Tokens) Check(ctx context.Context, form, text string) (id string, verdict Verdict, err error) {
	codecs, err := t.codecs(ctx)
	if err != nil {
		return "", Forged, err
	}
	var signed token
	_, err = base64.URLEncoding.Strict().DecodeString(text) // securecookie takes other spellings of the last bits, too
	if err != nil || securecookie.DecodeMulti(form, text, &signed, codecs...) != nil {
		return "", Forged, nil
	}
	switch age := t.now().Sub(time.UnixMilli(signed.Issued)); {
	case age >= 0 && age < minAge:
		return signed.ID, TooFast, nil
	case age > maxAge || age < -maxAge:
		return signed.ID, Expired, nil
	}
	return signed.ID, Genuine, nil
}
