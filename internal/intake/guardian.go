package intake

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"zedcard/i18n"
	"zedcard/internal/agency"
	"zedcard/internal/database"
	"zedcard/internal/forms"
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
	a, err = in.findApplication(ctx, hashOf(token))
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

// ConfirmByHand records that a guardian agreed by telephone: the sentences of the link's page in the application's
// language, and the name of who of the agency heard it. The application, whose id or reference this is, is then kept as
// long as an adult's. A mail to the guardian that is not sent yet is not sent. Confirming again changes nothing. An
// unknown one is agency.ErrNotFound.
func (in *Intake) ConfirmByHand(ctx context.Context, id, by string) error {
	if by = strings.TrimSpace(by); by == "" {
		return ErrNobody
	}
	e, s, err := in.Find(ctx, id)
	switch {
	case err != nil:
		return err
	case e.emptied:
		return fmt.Errorf("intake: %s: the panel has it: %w", id, agency.ErrNotFound)
	case !e.Minor:
		return fmt.Errorf("intake: %s: it waits for no parent or guardian: %w", id, agency.ErrNotFound)
	case !e.Confirmed.IsZero():
		return nil
	}
	var consents []agency.Consent
	for i, sentence := range in.Spoken(s) {
		consents = append(consents, agency.Consent{
			Box: agency.GuardianBoxes[i], Text: sentence, Lang: string(in.langOf(s).Lang),
			Time: in.options.Now().UTC(), Policy: firstConsent(s).Policy, How: agency.ByTelephone, By: by,
		})
	}
	return in.confirm(ctx, e.ID, "confirmed by the operator", consents)
}

// ErrNobody is the error of a confirmation without the name of who noted it.
var ErrNobody = errors.New("nobody is named who heard the parent or guardian agree")

// langOf is the language of an application, whose boxes have it.
func (in *Intake) langOf(s agency.Submission) *i18n.Language {
	texts := in.options.Site().Texts
	if lang, known := texts.Parse(firstConsent(s).Lang); known {
		return lang
	}
	return texts.First()
}

// firstConsent is one of those that an application was sent with; they have one language and one policy.
func firstConsent(s agency.Submission) agency.Consent {
	return append(agency.Consents(s.Fields), agency.Consent{})[0]
}

// Spoken are the sentences of the link's page, to be read to a guardian by telephone.
func (in *Intake) Spoken(s agency.Submission) (sentences []string) {
	for _, box := range agency.GuardianBoxes {
		sentences = append(sentences, agency.BoxText(in.langOf(s), box))
	}
	return sentences
}

func (in *Intake) confirm(
	ctx context.Context, id, how string, consents []agency.Consent, mails ...mailRow,
) error {
	defer wake(in.toDeliver)
	return in.db.InTx(ctx, func(tx *sql.Tx) error {
		rows, err := in.confirmSubmission(ctx, tx, id)
		if err != nil || rows == 0 {
			return err
		}
		return inTurn(
			func() error { return endLetters(ctx, tx, id, false) },
			func() error { return in.addConsents(ctx, tx, id, consents) },
			func() error { return in.insertEvent(ctx, tx, id, how) },
			func() error { return in.insertMails(ctx, tx, mails...) },
		)
	})
}

// CorrectGuardian asks another adult, at an address that a booker got in another way: the link in the mail before ends,
// and the application has the new address. It returns what is wrong with the address. An application that is confirmed
// or not here is agency.ErrNotFound.
func (in *Intake) CorrectGuardian(ctx context.Context, id, address string) (faults []forms.Error, err error) {
	address = strings.TrimSpace(address)
	err = in.db.InTx(ctx, func(tx *sql.Tx) error {
		if err := in.db.Acquire(ctx, tx, database.MailLock); err != nil {
			return err
		}
		fields, err := in.unconfirmed(ctx, tx, id)
		if err != nil {
			return err
		}
		if faults = forms.ValidateGuardian(fields, address, in.options.Now()); len(faults) > 0 {
			return nil
		}
		lang := in.langOf(agency.Submission{Fields: fields}).Lang
		mail, err := in.guardianMail(ctx, id, agency.Guardian{Email: address, Lang: string(lang)})
		if err != nil {
			return err
		}
		if mail.number, err = countMails(ctx, tx, id, toGuardian); err != nil {
			return err
		}
		return inTurn(
			func() error { return endLetters(ctx, tx, id, true) },
			func() error { return in.changeGuardian(ctx, tx, id, fields, address) },
			func() error { return in.insertMails(ctx, tx, mail) },
			func() error { return in.insertEvent(ctx, tx, id, "asked at another address") },
		)
	})
	if err == nil && len(faults) == 0 {
		wake(in.newMail)
	}
	return faults, err
}

// changeGuardian replaces the guardian's address in an application, and where it is found by its addresses.
func (in *Intake) changeGuardian(
	ctx context.Context, tx *sql.Tx, id string, fields []agency.Field, address string,
) error {
	const separator = agency.ResponsibleSeparator
	before := agency.Submission{Fields: fields}.GuardianAddress()
	for i, field := range fields {
		if field.Name == "responsible" {
			fields[i].Value = strings.Replace(field.Value, separator+before, separator+address, 1)
		}
	}
	digests, err := in.addressDigests(ctx, agency.Submission{Fields: fields})
	if err != nil {
		return err
	}
	if err := in.updateFields(ctx, tx, id, fields); err != nil {
		return err
	}
	return replaceAddresses(ctx, tx, id, digests)
}
