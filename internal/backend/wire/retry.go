package wire

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
)

const (
	retries = 2
	// failuresToRest in a row mean that the back end is down, and not that one of its answers is
	// broken: any good answer in between starts the count again.
	failuresToRest = 2 * (retries + 1)
	// longestRest is how long a Retry-After may keep the breaker open.
	longestRest = 30 * time.Second
)

// newReading puts the retries around the breaker. An attempt is a whole answer, not a response,
// so that a body that breaks off or drips counts as a failure, and is closed, like any other.
func newReading(limits Limits, log *slog.Logger) failsafe.Executor[[]byte] {
	failed := func(_ []byte, err error) bool { return transient(err) }

	breaker := circuitbreaker.NewBuilder[[]byte]().
		HandleIf(failed).
		WithFailureThreshold(failuresToRest).
		WithSuccessThreshold(1).
		WithDelay(limits.Rest).
		WithDelayFunc(func(attempt failsafe.ExecutionAttempt[[]byte]) time.Duration {
			if wait := asked(attempt.LastError()); wait > limits.Rest {
				return min(wait, longestRest)
			}
			return -1 // the rest above
		}).
		OnOpen(func(circuitbreaker.StateChangedEvent) { log.Warn("back end keeps failing, left alone for a while") }).
		OnClose(func(circuitbreaker.StateChangedEvent) { log.Info("back end answers again") }).
		Build()

	retry := retrypolicy.NewBuilder[[]byte]().
		HandleIf(failed).
		AbortOnErrors(circuitbreaker.ErrOpen).
		// A back end that asks for a longer wait than a visitor has is not asked again.
		AbortIf(func(_ []byte, err error) bool { return asked(err) > limits.Read/2 }).
		WithMaxRetries(retries).
		WithBackoff(limits.Backoff, 2*limits.Backoff).
		WithJitterFactor(0.25).
		WithDelayFunc(func(attempt failsafe.ExecutionAttempt[[]byte]) time.Duration {
			if wait := asked(attempt.LastError()); wait > 0 {
				return wait
			}
			return -1 // the backoff above
		}).
		ReturnLastFailure().
		Build()

	return failsafe.With(retry, breaker)
}

// transient reports whether an attempt failed in a way that says something about the back end's
// health, and that may pass: no answer, half an answer, or a status that says so.
func transient(err error) bool {
	var status *StatusError
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, errTooLarge), errors.Is(err, errMisread):
		return false
	case errors.As(err, &status):
		return status.Code == http.StatusTooManyRequests ||
			status.Code >= 500 && status.Code != http.StatusNotImplemented
	}
	return true
}

// asked is how long the back end asked to be left alone.
func asked(err error) time.Duration {
	var status *StatusError
	if errors.As(err, &status) {
		return status.RetryAfter
	}
	return 0
}
