package remote

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
)

const (
	retries = 2
	// failuresToOpen in a row mean that a call won't be answered for a while. Any good answer resets the count.
	failuresToOpen = 2 * (retries + 1)
	// maxOpen is how long a Retry-After may keep the circuit open.
	maxOpen = 30 * time.Second
	// maxRetryAfter is the longest wait that a back end may ask for between two tries. A call for which it asks for
	// more is not retried.
	maxRetryAfter = time.Second
)

// maxCircuits bounds the circuits: visitors type the names of some paths.
const maxCircuits = 200

// executor is that of the reads of a path, so that a call that keeps failing leaves the others alone.
func (c *client) executor(path string) failsafe.Executor[[]byte] {
	path, _, _ = strings.Cut(path, "?")
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.executors[path] == nil {
		if len(c.executors) == maxCircuits {
			clear(c.executors)
		}
		c.executors[path] = newReadExecutor(c.Limits, c.Log.With("path", path))
	}
	return c.executors[path]
}

// newReadExecutor wraps the circuit breaker in retries. An attempt lasts until the whole body has been read, so that a
// body that breaks off or stalls counts as a failure.
func newReadExecutor(limits Limits, log *slog.Logger) failsafe.Executor[[]byte] {
	failed := func(_ []byte, err error) bool { return transient(err) }

	breaker := circuitbreaker.NewBuilder[[]byte]().
		HandleIf(failed).
		WithFailureThreshold(failuresToOpen).
		WithSuccessThreshold(1).
		WithDelay(limits.Open).
		WithDelayFunc(func(attempt failsafe.ExecutionAttempt[[]byte]) time.Duration {
			if wait := retryAfterOf(attempt.LastError()); wait > limits.Open {
				return min(wait, maxOpen)
			}
			return -1 // the delay above
		}).
		OnOpen(func(circuitbreaker.StateChangedEvent) { log.Warn("a call keeps failing, circuit open") }).
		OnClose(func(circuitbreaker.StateChangedEvent) { log.Info("a call is answered again, circuit closed") }).
		Build()

	retry := retrypolicy.NewBuilder[[]byte]().
		HandleIf(failed).
		AbortOnErrors(circuitbreaker.ErrOpen).
		AbortIf(func(_ []byte, err error) bool { return retryAfterOf(err) > maxRetryAfter }).
		WithMaxRetries(retries).
		WithBackoff(limits.Backoff, 2*limits.Backoff).
		WithJitterFactor(0.25).
		WithDelayFunc(func(attempt failsafe.ExecutionAttempt[[]byte]) time.Duration {
			if wait := retryAfterOf(attempt.LastError()); wait > 0 {
				return wait
			}
			return -1 // the backoff above
		}).
		ReturnLastFailure().
		Build()

	return failsafe.With(retry, breaker)
}

// transient reports whether an attempt failed because of the back end's health, so that a retry may succeed: no answer,
// half an answer, or a status that says so.
func transient(err error) bool {
	var status *StatusError
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, errTooLarge), errors.Is(err, errMalformed):
		return false
	case errors.As(err, &status):
		return status.Code == http.StatusTooManyRequests ||
			status.Code >= 500 && status.Code != http.StatusNotImplemented
	}
	return true
}

// retryAfterOf is how long the back end asked to wait before the next call.
func retryAfterOf(err error) time.Duration {
	if status, ok := errors.AsType[*StatusError](err); ok {
		return status.RetryAfter
	}
	return 0
}
