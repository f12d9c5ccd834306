package intake

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
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
	"zedcard/internal/forms"
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
	passed := false
	for i := range entries {
		e := &entries[i]
		if e.ID == id {
			passed = true
		} else if e.Kind == kind && e.Done.IsZero() {
			if passed {
				after = e
				break
			}
			before = e
		}
	}
	for _, e := range []*Entry{before, after} {
		if e != nil {
			err = errors.Join(err, in.describeWithKey(ctx, e))
		}
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
	entries, err := in.scanEntries(ctx, "TRUE")
	if err != nil {
		return nil, unavailable(err)
	}
	entries = slices.DeleteFunc(entries, func(e Entry) bool { return e.emptied })
	slices.Reverse(entries)
	return entries, nil
}

// describeWithKey decrypts an entry's sender and fault, and gives it the key of its link.
func (in *Intake) describeWithKey(ctx context.Context, e *Entry) (err error) {
	in.describe(ctx, e)
	e.Key, err = in.inboxKey(ctx, toSubmission, e.ID)
	return err
}

// OpenSubmission shows to who has its key as much of a submission as may be seen, and notes that.
func (in *Intake) OpenSubmission(ctx context.Context, key string) (Entry, agency.Submission, error) {
	e, s, err := in.findByKey(ctx, key)
	if err == nil {
		err = in.addEvent(ctx, in.db, e.ID, opened)
	}
	return e, s, err
}

// InboxPhoto is one of a submission's photos, by its number from 1 on.
func (in *Intake) InboxPhoto(ctx context.Context, key string, number int) (file agency.File, err error) {
	id, err := in.verify(ctx, toSubmission, key)
	if err != nil {
		return file, err
	}
	var sealed []byte
	err = in.db.QueryRowContext(ctx, `
		SELECT sealed FROM submission_part JOIN submission USING (id)
		WHERE id = $1 AND part = $2 AND part > 0 AND (NOT minor OR confirmed_ms > 0)`, id, number).Scan(&sealed)
	if errors.Is(err, sql.ErrNoRows) {
		return file, fmt.Errorf("intake: photo: %w", agency.ErrNotFound)
	}
	if err == nil {
		err = in.openValue(ctx, sealed, partName(id, number), &file)
	}
	if err != nil {
		return file, unavailable(err)
	}
	// Another client of the embedded back end may have sent something else under this type.
	if file.Type = http.DetectContentType(file.Data); !strings.HasPrefix(file.Type, "image/") {
		return agency.File{}, fmt.Errorf("intake: photo: %w", agency.ErrNotFound)
	}
	return file, nil
}

// InboxPolicy is a version of the policy that a submission speaks of, for who has the submission's key.
func (in *Intake) InboxPolicy(ctx context.Context, key, hash string) (Policy, error) {
	if _, err := in.verify(ctx, toSubmission, key); err != nil {
		return Policy{}, err
	}
	return in.Policy(ctx, hash)
}

func (in *Intake) findByKey(ctx context.Context, key string) (Entry, agency.Submission, error) {
	id, err := in.verify(ctx, toSubmission, key)
	if err != nil {
		return Entry{}, agency.Submission{}, err
	}
	e, s, err := in.Find(ctx, id)
	if err == nil && e.emptied {
		err = fmt.Errorf("intake: %s: %w", id, agency.ErrNotFound)
	}
	return e, s, err
}

// MarkDone notes that a submission, by its id or the reference of its receipt, is answered, or is not after all.
func (in *Intake) MarkDone(ctx context.Context, id string, isDone bool) error {
	e, err := in.entry(ctx, id)
	if err != nil {
		return err
	}
	at, action := int64(0), openAgain
	if isDone {
		at, action = in.options.Now().UnixMilli(), done
	}
	return in.db.InTx(ctx, func(tx *sql.Tx) error {
		return errors.Join(execute(ctx, tx, "UPDATE submission SET done_ms = $2 WHERE id = $1", e.ID, at),
			in.addEvent(ctx, tx, e.ID, action))
	})
}

// MarkDoneByKey does that for who has its key.
func (in *Intake) MarkDoneByKey(ctx context.Context, key string, isDone bool) error {
	id, err := in.verify(ctx, toSubmission, key)
	if err != nil {
		return err
	}
	return in.MarkDone(ctx, id, isDone)
}

// ConfirmByKey notes what a guardian said by telephone, for who has the submission's key.
func (in *Intake) ConfirmByKey(ctx context.Context, key, by string) error {
	id, err := in.verify(ctx, toSubmission, key)
	if err != nil {
		return err
	}
	_, err = in.ConfirmByHand(ctx, id, agency.ByTelephone, by)
	return err
}

// CorrectGuardianByKey asks another adult, for who has the submission's key.
func (in *Intake) CorrectGuardianByKey(ctx context.Context, key, address string) ([]forms.Error, error) {
	id, err := in.verify(ctx, toSubmission, key)
	if err != nil {
		return nil, err
	}
	return in.CorrectGuardian(ctx, id, address)
}

// EraseByKey removes a submission for who has its key. Its history goes with it; the log keeps that it was erased.
func (in *Intake) EraseByKey(ctx context.Context, key string) error {
	id, err := in.verify(ctx, toSubmission, key)
	if err != nil {
		return err
	}
	switch err := in.Erase(ctx, io.Discard, id); {
	case errors.Is(err, ErrNotScrubbed):
		in.options.Log.Warn("intake: erased in the browser", "id", id, "remark", err)
	case err != nil:
		return err
	default:
		in.options.Log.Info("intake: erased in the browser", "id", id)
	}
	return nil
}
