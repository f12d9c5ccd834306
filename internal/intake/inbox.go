package intake

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/routes"
)

// The agency reads its inbox in a browser by signed links, without a sign-in: one to the list, for a month, and one to
// each submission, until that is erased. They are signed with the newest key only, so that a new SESSION_KEYS ends all
// of them.

const listLinkAge = 30 * 24 * time.Hour

// The purposes of a link, so that one to a submission is none to the list.
const (
	toList       = "list"
	toSubmission = "submission"
)

// inboxKey signs what a link leads to.
func (in *Intake) inboxKey(ctx context.Context, purpose, what string) (string, error) {
	keys, err := in.links(ctx)
	if err != nil {
		return "", fmt.Errorf("intake: link: %w", err)
	}
	mac := hmac.New(sha256.New, keys[0])
	mac.Write([]byte(purpose + " " + what))
	return what + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:16]), nil
}

// verify is what a key leads to. Every key but a genuine one is agency.ErrNotFound.
func (in *Intake) verify(ctx context.Context, purpose, key string) (string, error) {
	what := key[:max(0, strings.LastIndexByte(key, '.'))]
	genuine, err := in.inboxKey(ctx, purpose, what)
	if err == nil && !hmac.Equal([]byte(genuine), []byte(key)) {
		err = fmt.Errorf("intake: link: %w", agency.ErrNotFound)
	}
	return what, err
}

// InboxLink is an address that shows the list for a month.
func (in *Intake) InboxLink(ctx context.Context) (string, error) {
	expires := in.options.Now().Add(listLinkAge).Unix()
	key, err := in.inboxKey(ctx, toList, strconv.FormatInt(expires, 10))
	return in.options.BaseURL + routes.InboxPath(routes.Inbox, key), err
}

// submissionLink is an address that shows one submission.
func (in *Intake) submissionLink(ctx context.Context, id string) (string, error) {
	key, err := in.inboxKey(ctx, toSubmission, id)
	return in.options.BaseURL + routes.InboxPath(routes.InboxSubmission, key), err
}

// Inbox are the submissions whose content is here, the newest first and with their keys, for who has the list's key.
func (in *Intake) Inbox(ctx context.Context, key string) ([]Entry, error) {
	entries, err := in.listed(ctx, key)
	if err != nil {
		return nil, err
	}
	for i := range entries {
		if err := in.describeWithKey(ctx, &entries[i]); err != nil {
			return nil, err
		}
	}
	return entries, nil
}

// Around are the submissions before and after one in the list that Inbox gives: of its kind, and not answered; nil
// where there is none. Only these two are decrypted.
func (in *Intake) Around(ctx context.Context, key, id string, kind agency.Kind) (before, after *Entry, err error) {
	entries, err := in.listed(ctx, key)
	if err != nil {
		return nil, nil, err
	}
	entries = slices.DeleteFunc(entries, func(e Entry) bool {
		return e.ID != id && (e.Kind != kind || !e.Done.IsZero())
	})
	at := slices.IndexFunc(entries, func(e Entry) bool { return e.ID == id })
	if at > 0 {
		before = &entries[at-1]
		err = in.describeWithKey(ctx, before)
	}
	if at >= 0 && at < len(entries)-1 {
		after = &entries[at+1]
		err = errors.Join(err, in.describeWithKey(ctx, after))
	}
	return before, after, err
}

// listed are the rows of Inbox, for who has the list's key; nothing is decrypted.
func (in *Intake) listed(ctx context.Context, key string) ([]Entry, error) {
	expires, err := in.verify(ctx, toList, key)
	if err != nil {
		return nil, err
	}
	if seconds, err := strconv.ParseInt(expires, 10, 64); err != nil || seconds < in.options.Now().Unix() {
		return nil, fmt.Errorf("intake: link expired: %w", agency.ErrNotFound)
	}
	entries, err := in.listEntries(ctx)
	entries = slices.DeleteFunc(entries, func(e Entry) bool { return e.emptied })
	slices.Reverse(entries)
	return entries, err
}

// describeWithKey decrypts an entry's sender and fault, and gives it the key of its link.
func (in *Intake) describeWithKey(ctx context.Context, e *Entry) (err error) {
	in.describe(ctx, e)
	e.Key, err = in.inboxKey(ctx, toSubmission, e.ID)
	return err
}

// SubmissionOf is the id of the submission that a key leads to.
func (in *Intake) SubmissionOf(ctx context.Context, key string) (id string, err error) {
	return in.verify(ctx, toSubmission, key)
}

// OpenSubmission shows to who has its key as much of a submission as may be seen. That a person opened it is noted,
// once an hour.
func (in *Intake) OpenSubmission(
	ctx context.Context, key string, person bool,
) (e Entry, s agency.Submission, err error) {
	id, err := in.SubmissionOf(ctx, key)
	if err == nil {
		e, s, err = in.Find(ctx, id)
	}
	if err == nil && e.emptied {
		err = fmt.Errorf("intake: %s: %w", id, agency.ErrNotFound)
	}
	if err == nil && person {
		err = execute(ctx, in.db, `
			INSERT INTO submission_event (id, at_ms, action) SELECT $1, $2, $3
			WHERE NOT EXISTS (SELECT 1 FROM submission_event WHERE id = $1 AND action = $3 AND at_ms > $4)`,
			id, in.at(0), opened, in.at(-time.Hour))
	}
	return e, s, err
}

// InboxPhoto is one of a submission's photos, by its number from 1 on.
func (in *Intake) InboxPhoto(ctx context.Context, key string, number int) (file agency.File, err error) {
	id, err := in.SubmissionOf(ctx, key)
	if err == nil {
		file, err = in.findPhoto(ctx, id, number)
	}
	if err != nil {
		return file, err
	}
	// Another client of the embedded back end may have sent something else under this type.
	if file.Type = http.DetectContentType(file.Data); !strings.HasPrefix(file.Type, "image/") {
		return agency.File{}, fmt.Errorf("intake: photo: %w", agency.ErrNotFound)
	}
	return file, nil
}

// InboxPolicy is a version of the policy that a submission speaks of, for who has the submission's key.
func (in *Intake) InboxPolicy(ctx context.Context, key, hash string) (Policy, error) {
	if _, err := in.SubmissionOf(ctx, key); err != nil {
		return Policy{}, err
	}
	return in.Policy(ctx, hash)
}

// EraseInBrowser removes a submission. Its history goes with it; the log keeps that it was erased.
func (in *Intake) EraseInBrowser(ctx context.Context, id string) error {
	err := in.Erase(ctx, io.Discard, id)
	if errors.Is(err, ErrNotScrubbed) {
		in.options.Log.Warn("intake: erased in the browser", "id", id, "remark", err)
		return nil
	}
	if err == nil {
		in.options.Log.Info("intake: erased in the browser", "id", id)
	}
	return err
}
