package integration_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/backend/backendtest"
	"zedcard/internal/backend/integration"
)

// attempts is how many calls the client makes: only transient faults are retried.
var faults = []struct {
	name     string
	fault    backendtest.Fault
	attempts int
}{
	{"429 that asks for an hour", backendtest.Status(429, "Retry-After", "3600"), 1},
	{"429", backendtest.Status(429), 3},
	{"500", backendtest.Status(500), 3},
	{"502", backendtest.Status(502), 3},
	{"503", backendtest.Status(503), 3},
	{"503 that asks for a date", backendtest.Status(503, "Retry-After", "Fri, 31 Dec 2999 23:59:59 GMT"), 1},
	{"no headers", backendtest.Hang(), 1},
	{"a body that drips", backendtest.Drip(), 1},
	{"a body that breaks off", backendtest.CutShort(), 3},
	{"a body cut cleanly", backendtest.Truncate(), 1},
	{"HTML with 200", backendtest.HTML(), 1},
	{"deep nesting", backendtest.Answer(strings.Repeat("[", 1<<20)), 1},
	{"a redirect", backendtest.Status(302, "Location", "/api/signin"), 1},
	{"a reset", backendtest.Reset(), 3},
	{"a refusal", backendtest.Status(403), 1},
	{"not implemented", backendtest.Status(501), 1},
	{"nothing", backendtest.Answer(""), 1},
	{"null", backendtest.Answer("null"), 1},
	{"talents of another shape", backendtest.Answer(`{"data": [{"uuid": "a"}, {"uuid": "b"}]}`), 1},
	{"a message", backendtest.Answer(`{"message": "Too busy"}`), 1},
}

func TestFaultyAnswersAreErrors(t *testing.T) {
	for _, test := range faults {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			fake := backendtest.NewFake(t)
			fake.Break("/api/talents", test.fault)
			var log bytes.Buffer
			config := fake.IntegrationConfig(backendtest.QuickLimits)
			config.Log = slog.New(slog.NewTextHandler(&log, nil))
			c := integration.New(integration.Config{Config: config})
			require.NoError(t, c.SignIn(t.Context()))

			start := time.Now()
			talents, err := c.Talents(t.Context())
			// Ten times the limit, so that the test fails for a missing deadline and not for a busy machine.
			assert.Less(t, time.Since(start), 10*backendtest.QuickLimits.Read)
			require.ErrorIs(t, err, agency.ErrUnavailable)
			assert.NotErrorIs(t, err, agency.ErrNotFound)
			assert.Empty(t, talents)
			assert.Len(t, fake.Requests("/api/talents"), test.attempts)
			assert.Len(t, fake.Requests("/api/signin"), 1, "a redirect is not followed")
			assert.NotRegexp(t, `(?i)token-|salt|api-key|http:`, err.Error()+log.String())
		})
	}
}

func TestAnAnswerThatIsTooLargeIsCutOff(t *testing.T) {
	fake := backendtest.NewFake(t)
	limits := backendtest.Limits
	limits.Answer = 1 << 20
	fake.Break("/api/talent/profile", backendtest.Huge(1<<30))
	_, err := client(fake, limits).Profile(t.Context(), "1")
	require.ErrorIs(t, err, agency.ErrUnavailable)
	require.EqualError(t, err, "integration: talent 1: unavailable: the answer is too large")
	assert.Len(t, fake.Requests("/api/talent/profile"), 1)
}

func TestAReadIsRetriedUntilItSucceeds(t *testing.T) {
	for _, fault := range []backendtest.Fault{backendtest.Status(503), backendtest.CutShort(), backendtest.Reset()} {
		fake := backendtest.NewFake(t)
		fake.Break("/api/talents", backendtest.Times(2, fault))
		talents, err := fake.Integration().Talents(t.Context())
		require.NoError(t, err)
		assert.Len(t, talents, 30)
	}
}

func TestACircuitOpensToABackEndThatKeepsFailingAndClosesAgain(t *testing.T) {
	fake := backendtest.NewFake(t)
	limits := backendtest.Limits
	limits.Open = time.Hour
	c := client(fake, limits)
	require.NoError(t, c.SignIn(t.Context()))
	fake.Break("", backendtest.Status(500))
	for range 100 {
		_, err := c.Profile(t.Context(), "1")
		require.ErrorIs(t, err, agency.ErrUnavailable)
	}
	assert.LessOrEqual(t, len(fake.Requests("/api/talent/profile")), 10)

	fake.Heal()
	_, err := c.Profile(t.Context(), "1")
	require.ErrorIs(t, err, agency.ErrUnavailable, "the circuit is still open")

	quick := fake.Integration()
	fake.Break("", backendtest.Status(500))
	for range 5 {
		_, err := quick.Profile(t.Context(), "1")
		require.ErrorIs(t, err, agency.ErrUnavailable)
	}
	fake.Heal()
	require.Eventually(t, func() bool {
		_, err := quick.Profile(t.Context(), "1")
		return err == nil
	}, time.Minute, backendtest.Limits.Open/5)
}

func TestARevokedTokenIsRenewedOnceForAll(t *testing.T) {
	fake := backendtest.NewFake(t)
	c := fake.Integration()
	require.NoError(t, c.SignIn(t.Context()))
	fake.RevokeTokens()

	var readers sync.WaitGroup
	for range 200 {
		readers.Go(func() {
			_, err := c.Profile(t.Context(), "1")
			assert.NoError(t, err)
		})
	}
	readers.Wait()
	assert.Len(t, fake.Requests("/api/signin"), 2, "one renewal after the first sign-in")
}

func TestATokenRefusedTwiceIsAnErrorWithoutALoop(t *testing.T) {
	fake := backendtest.NewFake(t)
	fake.Break("/api/talent/profile", backendtest.Status(401))
	_, err := fake.Integration().Profile(t.Context(), "1")
	require.ErrorIs(t, err, agency.ErrUnavailable)
	assert.Len(t, fake.Requests("/api/talent/profile"), 2)
	assert.Len(t, fake.Requests("/api/signin"), 2)
}

func TestTheFirstCallRetriesAFailedSignIn(t *testing.T) {
	fake := backendtest.NewFake(t)
	c := fake.Integration()
	fake.Break("/api/signin", backendtest.Status(503))
	require.ErrorIs(t, c.SignIn(t.Context()), agency.ErrUnavailable)
	fake.Heal()
	_, err := c.Talents(t.Context())
	require.NoError(t, err)
}

func TestASignInThatIs404DoesNotMakeATalentNotFound(t *testing.T) {
	for _, fault := range []backendtest.Fault{
		backendtest.Status(404), backendtest.Status(401), backendtest.HTML(),
		backendtest.Answer(`{"data": null}`), backendtest.Answer(`{"access_token": null}`),
	} {
		fake := backendtest.NewFake(t)
		fake.Break("/api/signin", fault)
		_, err := fake.Integration().Profile(t.Context(), "1")
		require.ErrorIs(t, err, agency.ErrUnavailable)
		assert.NotErrorIs(t, err, agency.ErrNotFound)
	}
}

func TestACancelledCallDoesNotCancelASharedSignIn(t *testing.T) {
	fake := backendtest.NewFake(t)
	asked, answer := make(chan struct{}), make(chan struct{})
	fake.Break("/api/signin", backendtest.Times(1, func(own http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			close(asked)
			<-answer
			own.ServeHTTP(w, r)
		})
	}))
	c := fake.Integration()
	leaving, leave := context.WithCancel(t.Context())
	var visitors sync.WaitGroup
	visitors.Go(func() {
		_, err := c.Profile(leaving, "1")
		assert.ErrorIs(t, err, agency.ErrUnavailable)
	})
	<-asked
	visitors.Go(func() {
		_, err := c.Profile(t.Context(), "1")
		assert.NoError(t, err)
	})
	leave()
	close(answer)
	visitors.Wait()
	assert.Len(t, fake.Requests("/api/signin"), 1)
}

func TestAThousandFailedCallsLeaveNoConnectionsBehind(t *testing.T) {
	for _, fault := range []backendtest.Fault{
		backendtest.HTML(), backendtest.Refuse(500, `{"message": "Server Error"}`), backendtest.Refuse(403, "{}"),
	} {
		fake := backendtest.NewFake(t)
		limits := backendtest.Limits
		limits.Backoff, limits.Open = time.Nanosecond, time.Nanosecond
		c := client(fake, limits)
		require.NoError(t, c.SignIn(t.Context()))
		fake.Break("/api/talent", fault)
		var readers sync.WaitGroup
		for range 20 {
			readers.Go(func() {
				for range 50 {
					_, err := c.Profile(t.Context(), "1")
					assert.ErrorIs(t, err, agency.ErrUnavailable)
				}
			})
		}
		readers.Wait()
		const pool = 32
		assert.LessOrEqual(t, fake.Connections(), 2*pool)
	} // TestMain looks for goroutines
}

func TestWhatCantBeReadIsLoggedWithoutNames(t *testing.T) {
	var log bytes.Buffer
	config := backendtest.Saying(`[{"id": {}, "name": "Canary"}, "Canary", {"name": "Canary"},
		{"id": 7, "name": "Canary", "birthdate": "canary",
			"height": ["canary"], "waist": false, "book": [{"file": "a", "width": "canary"}, 5], "snap": "canary"}]`)
	config.Log = slog.New(slog.NewTextHandler(&log, nil))
	_, err := integration.New(integration.Config{Config: config}).Talents(t.Context())
	require.NoError(t, err)
	assert.NotRegexp(t, `(?i)canary`, log.String())
	assert.Contains(t, log.String(), `fields="book, height, item, snap, width"`)
	assert.Contains(t, log.String(), "talent=7", "the talent with the unreadable birth date is logged")
}
