package remote_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/agency"
	"zedcard/internal/remote"
	"zedcard/internal/testkit"
)

func message() agency.Submission {
	return agency.Submission{ID: "key-1", Kind: agency.Contact, Fields: []agency.Field{
		{Name: "name", Value: "Zoë \"Z\"\r\nX: y"}, {Name: "email", Value: "canary@example.org"},
		{Name: "phone", Value: "+55"}, {Name: "message", Value: "Olá"},
	}}
}

func application() agency.Submission {
	return agency.Submission{
		ID: "key-2", Kind: agency.GetScouted,
		Fields: []agency.Field{
			{Name: "realname", Value: "Zoë"}, {Name: "email", Value: "canary@example.org"},
			{Name: "birthdate", Value: "2001-02-03"},
			{Name: "nationality", Value: `{"value":"1","label":"Brazil"}`},
		},
		Files: []agency.File{
			{
				Field: "image_1", Name: `a"b.jpg`, Type: "image/jpeg",
				Data: append([]byte("\xff\xd8\xff"), bytes.Repeat([]byte("1"), 300_000)...),
			},
			{
				Field: "image_2", Name: "corpo ção.png", Type: "image/png",
				Data: []byte("\x89PNG\r\n\x1a\n\r\n--boundary--"),
			},
			{Field: "image_3", Name: "face.gif", Type: "image/gif", Data: []byte("GIF89a")},
		},
	}
}

func TestASubmissionArrivesComplete(t *testing.T) {
	for _, test := range []struct {
		submission  agency.Submission
		path, older string
	}{
		{message(), "/api/entry/contact/send", "/api/contact/en"},
		{application(), "/api/entry/getScouted/send", "/api/get-scouted/en"},
	} {
		want := []agency.Submission{test.submission}
		fake := testkit.NewFake(t)
		require.NoError(t, fake.Panel().Send(t.Context(), test.submission))
		assert.Equal(t, want, fake.Submissions())
		request := fake.Requests("POST " + test.path)[0]
		assert.Empty(t, request.Header.Get("Transfer-Encoding"))
		assert.NotEmpty(t, request.Header.Get("Content-Length"), "some back ends refuse forms of unknown length")

		for _, gone := range []int{404, 405} {
			fake := testkit.NewFake(t)
			fake.Break("/api/entry", testkit.Status(gone))
			require.NoError(t, fake.Panel().Send(t.Context(), test.submission))
			assert.Len(t, fake.Requests("POST "+test.older), 1)
			assert.Equal(t, want, fake.Submissions())
		}
	}
}

func TestThePanelsStatusDecidesTheOutcome(t *testing.T) {
	for _, test := range []struct {
		name  string
		fault testkit.Fault
		want  error
		calls int
	}{
		{"taken", testkit.Status(204), nil, 1},
		{"taken with an id", testkit.Refuse(201, `{"id": 7}`), nil, 1},
		{"an empty answer", testkit.Refuse(201, ""), nil, 1},
		{"a message", testkit.Refuse(200, `{"message": "Mensagem enviada"}`), nil, 1},
		{"a word", testkit.Refuse(200, "true"), nil, 1},
		{"a text", testkit.Refuse(200, "OK, thanks"), nil, 1},
		{"a failure in words", testkit.Refuse(200, `{"success": false}`), nil, 1},
		{"somebody else's page", testkit.HTML(), agency.ErrNotTaken, 1},
		{"a page as JSON", testkit.Refuse(200, "\n <HTML><title>Sign in</title>"), agency.ErrNotTaken, 1},
		{"known", testkit.Status(409), nil, 1},
		{"refused", testkit.Refuse(422,
			`{"errors": {"email": ["canary@example.org is bad"], "canary@example.org": ["x"], "phone": []}}`),
			agency.ErrRejected, 1},
		{"not a form", testkit.Status(400), agency.ErrRejected, 1},
		{"too large", testkit.Status(413), agency.ErrRejected, 1},
		{"unsupported media type", testkit.Status(415), agency.ErrRejected, 1},
		{"not found", testkit.Status(404), agency.ErrUnavailable, 2},
		{"forbidden", testkit.Status(403), agency.ErrUnavailable, 1},
		{"a token refused twice", testkit.Status(401), agency.ErrUnavailable, 2},
		{"too many", testkit.Status(429, "Retry-After", "1"), agency.ErrUnavailable, 1},
		{"broken", testkit.Status(500), agency.ErrUnavailable, 1},
		{"a redirect", testkit.Status(302, "Location", "/api/contact/en"), agency.ErrNotTaken, 1},
		{"silent", testkit.Hang(), agency.ErrUnavailable, 1},
		// net/http itself repeats a request that has an Idempotency-Key if a reused connection turns out to be closed.
		{"reset", testkit.Reset(), agency.ErrUnavailable, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			fake := testkit.NewFake(t)
			fake.Break("POST /api/entry", test.fault)
			fake.Break("POST /api/contact", test.fault)
			err := remote.NewPanel(fake.PanelConfig(testkit.QuickLimits)).Send(t.Context(), message())
			require.ErrorIs(t, err, test.want)
			assert.Equal(t, test.calls, len(fake.Requests("POST /api/entry"))+len(fake.Requests("POST /api/contact")))
			if err != nil {
				assert.NotErrorIs(t, err, agency.ErrNotFound)
				assert.NotEqual(t, errors.Is(err, agency.ErrRejected), errors.Is(err, agency.ErrUnavailable))
				assert.NotRegexp(t, `(?i)canary|zoë|token`, err.Error())
			}
			if test.name == "refused" {
				assert.EqualError(t, err, "panel: submission key-1: rejected: answered 422, fields email, phone")
			}
		})
	}
}

func TestASignInThatIsRefusedDoesNotRefuseTheSubmission(t *testing.T) {
	for _, code := range []int{400, 401, 404, 409, 422} {
		fake := testkit.NewFake(t)
		fake.Break("/api/login", testkit.Status(code))
		err := fake.Panel().Send(t.Context(), message())
		require.ErrorIs(t, err, agency.ErrUnavailable, "%d", code)
		assert.NotErrorIs(t, err, agency.ErrRejected)
	}
}

func TestASubmissionRenewsTheTokenAndIsResentCompletely(t *testing.T) {
	fake := testkit.NewFake(t)
	c := fake.Panel()
	require.NoError(t, c.SignIn(t.Context()))
	fake.RevokeTokens()
	require.NoError(t, c.Send(t.Context(), application()))
	require.Len(t, fake.Submissions(), 1)
	assert.Equal(t, application().Files[0].Data, fake.Submissions()[0].Files[0].Data)
	assert.Len(t, fake.Requests("/api/login"), 2)
}

func TestSubmissionsBypassTheOpenCircuit(t *testing.T) {
	fake := testkit.NewFake(t)
	c := fake.Panel()
	fake.Break("GET ", testkit.Status(500))
	for range 10 {
		_, err := c.SocialMedias(t.Context())
		require.ErrorIs(t, err, agency.ErrUnavailable)
	}
	require.NoError(t, c.Send(t.Context(), message()))
}
