package remote

import (
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"zedcard/internal/agency"
)

var (
	errTooLarge  = errors.New("the answer is too large")
	errMalformed = errors.New("the answer is not the JSON that it should be")
)

// StatusError is an answer other than 2xx. Its text tells the status only.
type StatusError struct {
	Code       int
	Body       []byte        // at most 64 KiB of it; not for logs
	RetryAfter time.Duration // 0 where the back end asks for none
	Location   string        // of a redirect; not for logs
}

func (e *StatusError) Error() string { return fmt.Sprintf("answered %d", e.Code) }

// newStatusError reads the body to its end if it is small, so that the connection can be reused.
func newStatusError(response *http.Response) *StatusError {
	body, _ := io.ReadAll(io.LimitReader(response.Body, 64<<10)) // the status is the error to report
	wait := retryAfter(response.Header.Get("Retry-After"))
	return &StatusError{
		Code: response.StatusCode, Body: body, RetryAfter: wait, Location: response.Header.Get("Location"),
	}
}

// Wait is how long the back end asked to wait before the next try.
func (e *StatusError) Wait() time.Duration { return e.RetryAfter }

// malformedError is an answer of 200 that is not the JSON that it should be.
type malformedError struct{ body []byte }

func malformed(body []byte) error { return malformedError{body[:min(len(body), 64<<10)]} }

func (malformedError) Error() string        { return errMalformed.Error() }
func (malformedError) Is(target error) bool { return target == errMalformed }

var titleOf = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)

// Seen is what an operator would see in the place of the answer, if it was for somebody else: where it redirects, or
// the title of its page (a sign-in, a challenge, maintenance). Empty if there is nothing to see. It is not for logs.
func Seen(err error) string {
	var status *StatusError
	var other malformedError
	var body []byte
	switch {
	case errors.As(err, &status) && status.Location != "":
		return "it redirects to " + status.Location
	case errors.As(err, &status):
		body = status.Body
	case errors.As(err, &other):
		body = other.body
	}
	title := titleOf.FindSubmatch(body)
	if title == nil {
		return ""
	}
	text := []rune(strings.Join(strings.Fields(html.UnescapeString(string(title[1]))), " "))
	return fmt.Sprintf("its page is titled %q", string(text[:min(len(text), 100)]))
}

// retryAfter reads the header's two forms, seconds and a date.
func retryAfter(text string) time.Duration {
	const day = 24 * time.Hour // more seconds would overflow, and no wait here is longer
	if seconds, err := strconv.Atoi(text); err == nil {
		return time.Duration(min(max(seconds, 0), int(day/time.Second))) * time.Second
	}
	if date, err := http.ParseTime(text); err == nil {
		return min(max(time.Until(date), 0), day)
	}
	return 0
}

// unavailable is the error for an answer that did not arrive, or can't be used.
func (c *client) unavailable(what string, cause error) error {
	return fmt.Errorf("%s: %s: %w: %w", c.api.Name, what, agency.ErrUnavailable, cause)
}

// malformed is the error for an answer of 200 that is not of the expected shape.
func (c *client) malformed(what string) error { return c.unavailable(what, errMalformed) }

// notFound is the error for something that the back end does not have.
func (c *client) notFound(what string) error {
	return fmt.Errorf("%s: %s: %w", c.api.Name, what, agency.ErrNotFound)
}

// notFound is NotFound with the answer that said so, for errors.As.
type notFound struct {
	error
	status *StatusError
}

func (e notFound) Unwrap() []error { return []error{e.error, e.status} }
