package remote_test

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
	"zedcard/internal/remote"
	"zedcard/internal/testkit"
)

// attempts is how many calls the client makes: only transient faults are retried.
var faults = []struct {
	name     string
	fault    testkit.Fault
	attempts int
}{
	{"429 that asks for an hour", testkit.Status(429, "Retry-After", "3600"), 1},
	{"429", testkit.Status(429), 3},
	{"500", testkit.Status(500), 3},
	{"502", testkit.Status(502), 3},
	{"503", testkit.Status(503), 3},
	{"503 that asks for a date", testkit.Status(503, "Retry-After", "Fri, 31 Dec 2999 23:59:59 GMT"), 1},
	{"no headers", testkit.Hang(), 1},
	{"a body that drips", testkit.Drip(), 1},
	{"a body that breaks off", testkit.CutShort(), 3},
	{"a body cut cleanly", testkit.Truncate(), 1},
	{"HTML with 200", testkit.HTML(), 1},
	{"deep nesting", testkit.Answer(strings.Repeat("[", 1<<20)), 1},
	{"a redirect", testkit.Status(302, "Location", "/api/signin"), 1},
	{"a reset", testkit.Reset(), 3},
	{"a refusal", testkit.Status(403), 1},
	{"not implemented", testkit.Status(501), 1},
	{"nothing", testkit.Answer(""), 1},
	{"null", testkit.Answer("null"), 1},
	{"talents of another shape", testkit.Answer(`{"data": [{"uuid": "a"}, {"uuid": "b"}]}`), 1},
	{"a message", testkit.Answer(`{"message": "Too busy"}`), 1},
}

func TestFaultyAnswersAreErrors(t *testing.T) {
	for _, test := range faults {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			fake := testkit.NewFake(t)
			fake.Break("/api/talents", test.fault)
			var log bytes.Buffer
			config := fake.IntegrationConfig(testkit.QuickLimits)
			config.Log = slog.New(slog.NewTextHandler(&log, nil))
			c := remote.NewIntegration(remote.IntegrationConfig{Config: config})
			require.NoError(t, c.SignIn(t.Context()))

			start := time.Now()
			talents, err := c.Talents(t.Context())
			// Ten times the limit, so that the test fails for a missing deadline and not for a busy machine.
			assert.Less(t, time.Since(start), 10*testkit.QuickLimits.Read)
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
	fake := testkit.NewFake(t)
	limits := testkit.Limits
	limits.Answer = 1 << 20
	fake.Break("/api/talent/profile", testkit.Huge(1<<30))
	_, err := client(fake, limits).Profile(t.Context(), "1")
	require.ErrorIs(t, err, agency.ErrUnavailable)
	require.EqualError(t, err, "integration: talent 1: unavailable: the answer is too large")
	assert.Len(t, fake.Requests("/api/talent/profile"), 1)
}

func TestAReadIsRetriedUntilItSucceeds(t *testing.T) {
	for _, fault := range []testkit.Fault{testkit.Status(503), testkit.CutShort(), testkit.Reset()} {
		fake := testkit.NewFake(t)
		fake.Break("/api/talents", testkit.Times(2, fault))
		talents, err := fake.Integration().Talents(t.Context())
		require.NoError(t, err)
		assert.Len(t, talents, 30)
	}
}

func TestACircuitOpensToABackEndThatKeepsFailingAndClosesAgain(t *testing.T) {
	fake := testkit.NewFake(t)
	limits := testkit.Limits
	limits.Open = time.Hour
	c := client(fake, limits)
	require.NoError(t, c.SignIn(t.Context()))
	fake.Break("", testkit.Status(500))
	for range 100 {
		_, err := c.Profile(t.Context(), "1")
		require.ErrorIs(t, err, agency.ErrUnavailable)
	}
	assert.LessOrEqual(t, len(fake.Requests("/api/talent/profile")), 10)

	fake.Heal()
	_, err := c.Profile(t.Context(), "1")
	require.ErrorIs(t, err, agency.ErrUnavailable, "the circuit is still open")

	quick := fake.Integration()
	fake.Break("", testkit.Status(500))
	for range 5 {
		_, err := quick.Profile(t.Context(), "1")
		require.ErrorIs(t, err, agency.ErrUnavailable)
	}
	fake.Heal()
	require.Eventually(t, func() bool {
		_, err := quick.Profile(t.Context(), "1")
		return err == nil
	}, time.Minute, testkit.Limits.Open/5)
}

func TestARevokedTokenIsRenewedOnceForAll(t *testing.T) {
	fake := testkit.NewFake(t)
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
	fake := testkit.NewFake(t)
	fake.Break("/api/talent/profile", testkit.Status(401))
	_, err := fake.Integration().Profile(t.Context(), "1")
	require.ErrorIs(t, err, agency.ErrUnavailable)
	assert.Len(t, fake.Requests("/api/talent/profile"), 2)
	assert.Len(t, fake.Requests("/api/signin"), 2)
}

func TestTheFirstCallRetriesAFailedSignIn(t *testing.T) {
	fake := testkit.NewFake(t)
	c := fake.Integration()
	fake.Break("/api/signin", testkit.Status(503))
	require.ErrorIs(t, c.SignIn(t.Context()), agency.ErrUnavailable)
	fake.Heal()
	_, err := c.Talents(t.Context())
	require.NoError(t, err)
}

func TestASignInThatIs404DoesNotMakeATalentNotFound(t *testing.T) {
	for _, fault := range []testkit.Fault{
		testkit.Status(404), testkit.Status(401), testkit.HTML(),
		testkit.Answer(`{"data": null}`), testkit.Answer(`{"access_token": null}`),
	} {
		fake := testkit.NewFake(t)
		fake.Break("/api/signin", fault)
		_, err := fake.Integration().Profile(t.Context(), "1")
		require.ErrorIs(t, err, agency.ErrUnavailable)
		assert.NotErrorIs(t, err, agency.ErrNotFound)
	}
}

func TestACancelledCallDoesNotCancelASharedSignIn(t *testing.T) {
	fake := testkit.NewFake(t)
	asked, answer := make(chan struct{}), make(chan struct{})
	fake.Break("/api/signin", testkit.Times(1, func(own http.Handler) http.Handler {
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
	for _, fault := range []testkit.Fault{
		testkit.HTML(), testkit.Refuse(500, `{"message": "Server Error"}`), testkit.Refuse(403, "{}"),
	} {
		fake := testkit.NewFake(t)
		limits := testkit.Limits
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
	config := testkit.Saying(`[{"id": {}, "name": "Canary"}, "Canary", {"name": "Canary"},
		{"id": 7, "name": "Canary", "birthdate": "canary",
			"height": ["canary"], "waist": false, "book": [{"file": "a", "width": "canary"}, 5], "snap": "canary"}]`)
	config.Log = slog.New(slog.NewTextHandler(&log, nil))
	_, err := remote.NewIntegration(remote.IntegrationConfig{Config: config}).Talents(t.Context())
	require.NoError(t, err)
	assert.NotRegexp(t, `(?i)canary`, log.String())
	assert.Contains(t, log.String(), `fields="book, height, item, snap, width"`)
	assert.Contains(t, log.String(), "talent=7", "the talent with the unreadable birth date is logged")
}
