package remote

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
)

// SignIn fetches a token if there is none yet. Calls do so by themselves, and again if it failed; called at the start,
// it reveals wrong credentials early.
func (c *client) SignIn(ctx context.Context) error {
	if _, err := c.bearer(ctx, ""); err != nil {
		return c.unavailable("start", err)
	}
	return nil
}

// authorised makes the call with the token. If the token is refused, it fetches a new one and repeats the call once.
func (c *client) authorised(ctx context.Context, call Call) ([]byte, error) {
	token, err := c.bearer(ctx, "")
	if err != nil {
		return nil, err
	}
	body, err := c.exchange(ctx, call, token)
	if status, ok := errors.AsType[*StatusError](err); !ok || status.Code != http.StatusUnauthorized {
		return body, err
	}
	if token, err = c.bearer(ctx, token); err != nil {
		return nil, err
	}
	return c.exchange(ctx, call, token)
}

// bearer returns a token other than the refused one. Concurrent calls share one sign-in, which outlives the caller that
// started it, so that a cancelled caller does not fail the others.
func (c *client) bearer(ctx context.Context, refused string) (string, error) {
	if token := c.cachedToken(refused); token != "" {
		return token, nil
	}
	signedIn := c.flight.DoChan("", func() (any, error) {
		if token := c.cachedToken(refused); token != "" { // another call has just fetched it
			return token, nil
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.Limits.Read)
		defer cancel()
		return c.fetchToken(ctx)
	})
	select {
	case <-ctx.Done():
		return "", &signInError{ctx.Err()}
	case result := <-signedIn:
		if result.Err != nil {
			return "", &signInError{result.Err}
		}
		return result.Val.(string), nil
	}
}

// cachedToken is the current token, unless it is the refused one.
func (c *client) cachedToken(refused string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.token == refused {
		return ""
	}
	return c.token
}

func (c *client) fetchToken(ctx context.Context) (string, error) {
	credentials := map[string]string{"salt": c.config.Salt, c.api.Key: c.config.Key}
	call := Call{Method: http.MethodPost, Path: c.api.SignIn, Body: JSON(credentials)}
	body, err := c.exchange(ctx, call, "")
	if err != nil {
		return "", err
	}
	var answer map[string]json.RawMessage
	object, _ := unwrap(body)
	_ = json.Unmarshal(object, &answer) // without a token where it is no object
	token := Text(answer[c.api.Token])
	if token == "" {
		return "", malformed(body)
	}
	c.mu.Lock()
	c.token = token
	c.mu.Unlock()
	c.Log.Info("signed in to the back end")
	return token, nil
}

// signInError is the error of a sign-in.
type signInError struct{ cause error }

func (e *signInError) Error() string { return "sign in: " + e.cause.Error() }
func (e *signInError) Unwrap() error { return e.cause }
