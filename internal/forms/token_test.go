package forms_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/forms"
)

// tokens signs with these keys at a time that moves with the pointer.
func tokens(now *time.Time, keys ...string) *forms.Tokens {
	return forms.NewTokens(func(context.Context) (list [][]byte, err error) {
		for _, key := range keys {
			list = append(list, []byte(key))
		}
		return list, nil
	}, func() time.Time { return *now })
}

func TestTokenVerdicts(t *testing.T) {
	issue := func(form string, keys ...string) string {
		now := today
		token, err := tokens(&now, keys...).Issue(t.Context(), form)
		require.NoError(t, err)
		return token
	}
	good := issue("contact", "old")
	flipped := []byte(good)
	flipped[5] ^= 1
	for name, test := range map[string]struct {
		token string
		after time.Duration
		want  forms.Verdict
	}{
		"after two seconds":              {good, 2 * time.Second, forms.Genuine},
		"before two seconds":             {good, 1999 * time.Millisecond, forms.TooFast},
		"after a day":                    {good, 24 * time.Hour, forms.Genuine},
		"after more than a day":          {good, 24*time.Hour + time.Second, forms.Expired},
		"the clock was set back an hour": {good, -time.Hour, forms.Genuine},
		"from another form":              {issue("application", "old"), time.Minute, forms.Forged},
		"with a removed key":             {issue("contact", "ancient"), time.Minute, forms.Forged},
		"altered":                        {string(flipped), time.Minute, forms.Forged},
		"cut":                            {good[:len(good)-4], time.Minute, forms.Forged},
		"none":                           {"", time.Minute, forms.Forged},
	} {
		now := today.Add(test.after)
		id, verdict, err := tokens(&now, "new", "old").Check(t.Context(), "contact", test.token)
		require.NoError(t, err)
		assert.Equal(t, test.want, verdict, name)
		assert.Equal(t, test.want == forms.Forged, id == "", "only a forged token has no id")
		assert.Equal(t, test.want == forms.Genuine, verdict.MessageKey() == "", name)
	}
}

func TestEachTokenHasItsOwnID(t *testing.T) {
	now := today
	signer := tokens(&now, "key")
	ids := map[string]bool{}
	for range 2 {
		token, err := signer.Issue(t.Context(), "contact")
		require.NoError(t, err)
		for range 2 {
			id, _, err := signer.Check(t.Context(), "contact", token)
			require.NoError(t, err)
			assert.Regexp(t, "^[0-9a-f]{32}$", id)
			ids[id] = true
		}
	}
	assert.Len(t, ids, 2)
}
