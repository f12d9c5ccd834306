package intake_test

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"zedcard/internal/mail"
)

var errNoServer = errors.New("the mail server does not answer")

// post is a fake of the mail server: it gives the answers that a test sets and records what it was asked to send.
type post struct {
	mu     sync.Mutex
	answer func(context.Context, mail.Message) error
	mails  []mail.Message
}

func (p *post) Send(ctx context.Context, m mail.Message) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mails = append(p.mails, m)
	if p.answer == nil {
		return nil
	}
	return p.answer(ctx, m)
}

// ids are the ids of all mails.
func (p *post) ids() (ids []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range p.mails {
		ids = append(ids, m.ID)
	}
	return ids
}

// toGuardians are the mails to guardians.
func (p *post) toGuardians() (mails []mail.Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range p.mails {
		if strings.HasSuffix(m.ID, "-guardian") {
			mails = append(mails, m)
		}
	}
	return mails
}

var link = regexp.MustCompile(`token=([\w-]+)`)

// tokenOf is the token of the link in a mail to a guardian.
func tokenOf(t *testing.T, m mail.Message) string {
	t.Helper()
	found := link.FindStringSubmatch(m.Text)
	require.NotNil(t, found, m.Text)
	return found[1]
}
