package config_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"zedcard/internal/config"
)

func TestWrongDatabaseIsShownWithoutItsPassword(t *testing.T) {
	for value, shown := range map[string]string{
		"zedcard.db":                        `"zedcard.db"`,
		"sqlite:":                           `"sqlite:"`,
		"mysql://u:hunter2@h/x":             `"mysql://u:xxxxx@h/x"`,
		"mysql://u:a@hunter2@h/x":           `"mysql://u:xxxxx@h/x"`,
		"mysql://h/x?Password=hunter2&a=1":  `"mysql://h/x?Password=xxxxx&a=1"`,
		"mysql://h/x?sslpassword=hunter2":   `"mysql://h/x?sslpassword=xxxxx"`,
		"mysql://h/x?pass%77ord=hunter2":    `"mysql://h/x?pass%77ord=xxxxx"`,
		"mysql://h/x?a=b;password=hunter2":  "a value that is not shown",
		"mysql://h/x?options=password=%zz":  "a value that is not shown",
		"mysql://u:1/hunter2@h/x":           "a value that is not shown",
		"mysql://u:1?hunter2@h/x":           "a value that is not shown",
		"mysql://u:1#hunter2@h/x":           "a value that is not shown",
		"postgres://u:hunter2/@h/x":         "a value that is not shown",
		"mysql:u:hunter2@h/x":               "a value that is not shown",
		"u:hunter2@tcp(h)/x":                "a value that is not shown",
		"host=h user=u password=hunter2":    "a value that is not shown",
		"Server=h;User Id=u;Pwd=hunter2":    "a value that is not shown",
		"postgres://u:hunter2@:no-number/x": "a value that is not shown",
	} {
		_, err := config.Load(nil, env("DATABASE_URL", value))
		require.Error(t, err, value)
		assert.Equal(t, "DATABASE_URL: read "+shown+", accepted is sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME",
			err.Error())
	}
}

func TestSecretsThatCanBeGuessedAreNamed(t *testing.T) {
	c, err := config.Load(nil, env("PREVIEW_TOKEN", "ã23456789012345"))
	require.NoError(t, err)
	assert.Equal(t, []string{"PREVIEW_TOKEN"}, c.WeakSecrets())
	c, err = config.Load(nil, env("PREVIEW_TOKEN", "ã234567890123456"))
	require.NoError(t, err)
	assert.Empty(t, c.WeakSecrets())
}

func TestEveryNonEmptyKeyIsAccepted(t *testing.T) {
	c, err := config.Load(nil, env("SESSION_KEYS", "a, ã234567890123456,b"))
	require.NoError(t, err)
	assert.Equal(t, []config.Secret{"a", "ã234567890123456", "b"}, c.SessionKeys)
	assert.Equal(t, []string{"SESSION_KEYS"}, c.WeakSecrets())

	for _, value := range []string{",", "a,,b", "a, ,b", "a,"} {
		_, err := config.Load(nil, env("SESSION_KEYS", value))
		require.EqualError(t, err,
			"SESSION_KEYS: read a value that is not shown, accepted is keys with commas between them, none "+
				"of them empty",
			value)
	}
}
