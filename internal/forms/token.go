package forms

import "crypto/rand"

// TokenInput is the hidden input that carries a form's token: a page that is posted twice with the same content (double
// click, reload, resend) is one submission. It is no secret and nothing is refused for it.
const TokenInput = "form_token"

// NewToken is the token of one page.
func NewToken() string { return rand.Text() }
