package intake

import (
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"zedcard/internal/agency"
	"zedcard/internal/database"
	"zedcard/internal/forms"
)

// Ask is what the sender of a minor's application holds, to have the guardian asked again: sealed, in a cookie of their
// own browser, because nothing on the server tells who sent a form.
type Ask struct {
	ID, Reference        string
	Address, Lang, Token string
	Mails, ToAddress     int // so far: in all, and to this address
	Until                time.Time
}

// AskAgain is how long after an application was sent the guardian can be asked again.
const AskAgain = 30 * time.Minute

// maxMailsPerSubmission bounds what the form can send to addresses that somebody only claims to be a guardian's.
const maxMailsPerSubmission = 4

// Why a guardian is not asked again, beside agency.ErrNotFound: the application is not here any more.
var (
	ErrConfirmed = errors.New("confirmed already")
	ErrOften     = errors.New("asked often enough")
)

// Masked is the address as a screen shows it that somebody else may see: o•••@example.com.
func (a Ask) Masked() string {
	name, domain, _ := strings.Cut(a.Address, "@")
	_, first := utf8.DecodeRuneInString(name)
	return name[:first] + "•••@" + domain
}

// Repeatable reports whether the same address may get another mail.
func (a Ask) Repeatable() bool { return a.Changeable() && a.ToAddress < maxMailsPerAddress }

// Changeable reports whether another address may get one.
func (a Ask) Changeable() bool { return a.Mails < maxMailsPerSubmission }

// firstAsk is the Ask of an application that was just sent, sealed; empty where nobody is asked by mail, or where the
// panel has the application and would not learn of another address.
func (in *Intake) firstAsk(ctx context.Context, s agency.Submission, reference agency.Reference) string {
	if s.Guardian.Email == "" || in.options.Mail == nil || in.options.PanelKeeps {
		return ""
	}
	sealed, err := in.sealAsk(ctx, Ask{
		ID: s.ID, Reference: reference.String(), Address: s.Guardian.Email, Lang: s.Guardian.Lang,
		Token: s.Guardian.Token, Mails: 1, ToAddress: 1, Until: in.options.Now().Add(AskAgain),
	})
	if err != nil {
		in.options.Log.Warn("intake: the guardian can’t be asked again by the sender", "id", s.ID, "error", err)
	}
	return sealed
}

func (in *Intake) sealAsk(ctx context.Context, a Ask) (string, error) {
	sealed, err := in.sealValue(ctx, a, "ask")
	return base64.RawURLEncoding.EncodeToString(sealed), err
}

// OpenAsk opens a sealed Ask; false if it is forged or its time is over.
func (in *Intake) OpenAsk(ctx context.Context, sealed string) (a Ask, ok bool) {
	text, err := base64.RawURLEncoding.DecodeString(sealed)
	if err == nil {
		err = in.openValue(ctx, text, "ask", &a)
	}
	return a, err == nil && in.options.Now().Before(a.Until)
}

// AskGuardianAgain sends the mail to the guardian again, with the same link, or to another address with a new one: the
// old link then ends. It returns the Ask that replaces this one, sealed; or what is wrong with the address; or
// ErrConfirmed, ErrOften or agency.ErrNotFound.
func (in *Intake) AskGuardianAgain(ctx context.Context, a Ask, address string) (string, []forms.Error, error) {
	action, old := "asked again", a.Address
	address = strings.TrimSpace(address)
	if agency.NormalizeAddress(address) != agency.NormalizeAddress(a.Address) {
		action, a.Token = "asked at another address", newToken()
	}
	a.Address = address
	var faults []forms.Error
	err := in.db.InTx(ctx, func(tx *sql.Tx) error {
		if err := in.db.Acquire(ctx, tx, database.MailLock); err != nil {
			return err
		}
		fields, err := in.unconfirmed(ctx, tx, a.ID)
		if err != nil {
			return err
		}
		if faults = forms.ValidateGuardian(fields, address, in.options.Now()); len(faults) > 0 {
			return nil
		}
		mail, err := in.guardianMail(ctx, a.ID, agency.Guardian{Email: address, Lang: a.Lang, Token: a.Token})
		if err != nil {
			return err
		}
		err = tx.QueryRowContext(ctx, `
			SELECT count(*), coalesce(sum(CASE WHEN token_hash = $2 THEN 1 ELSE 0 END), 0) FROM mail
			WHERE submission = $1 AND purpose = 'guardian'`, a.ID, mail.hash).Scan(&a.Mails, &a.ToAddress)
		if err != nil {
			return err
		}
		if !a.Repeatable() {
			return ErrOften
		}
		a.Mails, a.ToAddress = a.Mails+1, a.ToAddress+1
		mail.number = a.Mails
		return errors.Join(execute(ctx, tx, `
			UPDATE mail SET token_hash = '', due_ms = 0, letter = $3
			WHERE submission = $1 AND purpose = 'guardian' AND token_hash <> $2`, a.ID, mail.hash, []byte{}),
			in.changeGuardian(ctx, tx, a.ID, fields, old, address), in.addMails(ctx, tx, mail),
			in.addEvent(ctx, tx, a.ID, action))
	})
	switch {
	case errors.Is(err, ErrConfirmed), errors.Is(err, ErrOften), errors.Is(err, agency.ErrNotFound):
		return "", nil, fmt.Errorf("intake: ask again: %w", err)
	case err != nil:
		return "", nil, unavailable(err)
	case len(faults) > 0:
		return "", faults, nil
	}
	wake(in.newMail)
	sealed, err := in.sealAsk(ctx, a)
	return sealed, nil, err
}

// unconfirmed are the fields of an application that waits for its guardian.
func (in *Intake) unconfirmed(ctx context.Context, tx *sql.Tx, id string) ([]agency.Field, error) {
	var created, confirmed time.Time
	err := tx.QueryRowContext(ctx, "SELECT created_ms, confirmed_ms FROM submission WHERE id = $1", id).
		Scan((*millis)(&created), (*millis)(&confirmed))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, agency.ErrNotFound
	case err != nil:
		return nil, err
	case !confirmed.IsZero():
		return nil, ErrConfirmed
	case !in.options.Now().Before(created.Add(agency.MinorRetention)):
		return nil, agency.ErrNotFound
	}
	s, err := in.load(ctx, tx, id, false)
	return s.Fields, err
}

// changeGuardian replaces the guardian's address in an application, and where it is found by its addresses.
func (in *Intake) changeGuardian(
	ctx context.Context, tx *sql.Tx, id string, fields []agency.Field, old, address string,
) error {
	if address == old {
		return nil
	}
	around := func(address string) string {
		return agency.ResponsibleSeparator + address + agency.ResponsibleSeparator
	}
	for i, field := range fields {
		if field.Name == "responsible" {
			fields[i].Value = strings.Replace(field.Value, around(old), around(address), 1)
		}
	}
	digests, err := in.addressDigests(ctx, agency.Submission{Fields: fields})
	if err != nil {
		return err
	}
	return errors.Join(in.storeFields(ctx, tx, id, fields),
		execute(ctx, tx, "DELETE FROM submission_address WHERE id = $1", id), insertAddresses(ctx, tx, id, digests))
}
