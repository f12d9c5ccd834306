package intake

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"zedcard/internal/agency"
)

// Application is what everybody with a guardian's link may see of an application: nothing about the applicant.
type Application struct {
	ID        string
	Received  time.Time // UTC
	Confirmed time.Time // UTC; zero: not confirmed
}

// Expires is when the link expires.
func (a Application) Expires() time.Time { return a.Received.Add(agency.MinorRetention) }

// Reference is the one on the applicant's receipt.
func (a Application) Reference() agency.Reference {
	return agency.NewReference(agency.MinorReference, a.Received, a.ID)
}

// Lookup returns the application of a link's token, also of a confirmed one. A token that was never issued, an expired
// one and one of an erased application are all agency.ErrNotFound.
func (in *Intake) Lookup(ctx context.Context, token string) (a Application, err error) {
	err = in.db.QueryRowContext(ctx, `
		SELECT s.id, s.created_ms, s.confirmed_ms FROM mail AS m JOIN submission AS s ON s.id = m.submission
		WHERE m.token_hash = $1`, hashOf(token)).Scan(&a.ID, (*millis)(&a.Received), (*millis)(&a.Confirmed))
	if errors.Is(err, sql.ErrNoRows) || err == nil && a.Confirmed.IsZero() && !a.Expires().After(in.options.Now()) {
		return Application{}, fmt.Errorf("intake: link: %w", agency.ErrNotFound)
	}
	if err != nil {
		return Application{}, unavailable(err)
	}
	return a, nil
}

// Confirm confirms the application of a link's token with the boxes that the guardian ticked, and tells the agency.
// Confirming again changes nothing. Errors are those of Lookup.
func (in *Intake) Confirm(ctx context.Context, token string, consents []agency.Consent) (Application, error) {
	a, err := in.Lookup(ctx, token)
	if err != nil || !a.Confirmed.IsZero() {
		return a, err
	}
	if err := in.confirm(ctx, a.ID, "confirmed by mail", consents, note(a.ID, confirmed)); err != nil {
		return Application{}, unavailable(err)
	}
	in.options.Log.Info("intake: confirmed by a guardian", "id", a.ID)
	wake(in.newMail)
	return in.Lookup(ctx, token)
}

// ConfirmByHand records a confirmation that the operator got in another way: the application, whose id or reference
// this is, is then kept as long as an adult's. A mail to the guardian that is not sent yet is not sent. An unknown one
// is agency.ErrNotFound.
func (in *Intake) ConfirmByHand(ctx context.Context, id string) error {
	entry, err := in.entry(ctx, id)
	if err == nil {
		err = in.confirm(ctx, entry.ID, "confirmed by the operator", nil)
	}
	if err != nil {
		return fmt.Errorf("intake: confirm %s: %w", id, err)
	}
	return nil
}

func (in *Intake) confirm(
	ctx context.Context, id, how string, consents []agency.Consent, mails ...mailRow,
) error {
	defer wake(in.newSubmission)
	now := in.options.Now().UnixMilli()
	return in.db.InTx(ctx, func(tx *sql.Tx) error {
		rows, err := change(ctx, tx,
			"UPDATE submission SET confirmed_ms = $2 WHERE id = $1 AND confirmed_ms = 0", id, now)
		if err != nil || rows == 0 {
			return err
		}
		return errors.Join(
			execute(ctx, tx, `
				UPDATE submission SET state = 'queued', due_ms = $2, settled_ms = 0
				WHERE id = $1 AND state = 'waiting'`, id, now),
			execute(ctx, tx, "UPDATE mail SET due_ms = 0, letter = $2 WHERE submission = $1 AND purpose = 'guardian'",
				id, []byte{}),
			in.addConsents(ctx, tx, id, consents), in.addEvent(ctx, tx, id, how), in.addMails(ctx, tx, mails...))
	})
}
