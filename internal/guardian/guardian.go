// Package guardian asks the parent or guardian of an applicant under 18 by mail to confirm the application, and records
// whether they did.
//
// The request is committed in the transaction that stores the application, so that neither exists without the other.
// The mail is sent from the table and retried until the mail server accepts it. A process that dies before it has
// recorded the server's answer sends the same mail once more, with the same Message-ID and link. The link's token is
// stored as a hash, and until the mail is sent also sealed.
package guardian

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/database"
)

// Mailer sends the mails. An error of AskGuardian that wraps agency.ErrRejected means that the guardian's address is
// refused permanently; after any other error the mail is retried.
type Mailer interface {
	// AskGuardian sends the guardian the link.
	AskGuardian(context.Context, Letter) error
	// NotifyAgency tells the agency that an application was confirmed.
	NotifyAgency(context.Context, Application) error
}

// Letter is the content of the mail to a guardian.
type Letter struct {
	Application
	Address string
	Lang    string // of the page that the application came from
	Token   string // of the link
}

// Application is what everybody with the link may see of an application: nothing about the applicant.
type Application struct {
	ID        string
	Received  time.Time // UTC
	Expires   time.Time // of the link, UTC
	Confirmed time.Time // UTC; zero: not confirmed
}

// Reference is the one on the applicant's receipt.
func (a Application) Reference() agency.Reference {
	return agency.NewReference(agency.MinorReference, a.Received, a.ID)
}

// Options are the settings of Requests; a zero field takes its default.
type Options struct {
	Mail Mailer           // nil: no mail server, nobody is asked
	Now  func() time.Time // time.Now
	Log  *slog.Logger
}

// Requests is the table of requests to guardians. Several processes may share one database.
type Requests struct {
	db      *database.DB
	sealer  *database.Sealer
	options Options
	wake    chan struct{} // a mail is due
}

// New is the table in an open database.
func New(db *database.DB, keys database.Keys, options Options) *Requests {
	if options.Now == nil {
		options.Now = time.Now
	}
	if options.Log == nil {
		options.Log = slog.Default()
	}
	return &Requests{
		db: db, sealer: database.NewSealer(keys, "guardian"), options: options, wake: make(chan struct{}, 1),
	}
}

// Request is a request that is ready to be stored; nil if nobody is to be asked.
type Request struct {
	application Application
	hash        string
	letter      []byte
	recipient   string // a keyed digest of the guardian's address
}

// letterContent is the part of a letter that is sealed.
type letterContent struct {
	Address string `json:"address"`
	Lang    string `json:"lang"`
	Token   string `json:"token"`
}

// Prepare makes a request for Insert, outside of any transaction. The link is valid as long as an unconfirmed
// application is kept.
func (r *Requests) Prepare(ctx context.Context, s agency.Submission) (*Request, error) {
	if r == nil || r.options.Mail == nil || s.Guardian.Email == "" {
		return nil, nil
	}
	random := make([]byte, 32)
	rand.Read(random)
	token := base64.RawURLEncoding.EncodeToString(random)
	letter, err := json.Marshal(letterContent{Address: s.Guardian.Email, Lang: s.Guardian.Lang, Token: token})
	if err != nil {
		return nil, err
	}
	if letter, err = r.sealer.Seal(ctx, letter, s.ID); err != nil {
		return nil, err
	}
	recipient, err := r.digest(ctx, s.Guardian.Email)
	if err != nil {
		return nil, err
	}
	now := r.options.Now()
	return &Request{
		application: Application{ID: s.ID, Received: now, Expires: now.Add(agency.MinorRetention)},
		hash:        hash(token), letter: letter, recipient: recipient,
	}, nil
}

func hash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// Insert stores a request in the transaction that stores its application.
func (r *Requests) Insert(ctx context.Context, tx *sql.Tx, request *Request) error {
	if request == nil {
		return nil
	}
	a := request.application
	_, err := tx.ExecContext(ctx, `
		INSERT INTO guardian
			(id, token_hash, letter, created_ms, expires_ms, mail_ms, sent_ms, refused_ms, confirmed_ms, recipient)
		VALUES ($1, $2, $3, $4, $5, $4, 0, 0, 0, $6) ON CONFLICT (id) DO NOTHING`,
		a.ID, request.hash, request.letter, a.Received.UnixMilli(), a.Expires.UnixMilli(), request.recipient)
	return err
}

// Wake makes Run look for due mails.
func (r *Requests) Wake() {
	if r == nil {
		return
	}
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Lookup returns the application of a link's token, also of a confirmed one. A token that was never issued, an expired
// one and one of an erased application are all agency.ErrNotFound.
func (r *Requests) Lookup(ctx context.Context, token string) (Application, error) {
	if err := r.db.Ready(); err != nil {
		return Application{}, err
	}
	a, err := r.find(ctx, token)
	if errors.Is(err, sql.ErrNoRows) || err == nil && a.Confirmed.IsZero() && !a.Expires.After(r.options.Now()) {
		return Application{}, fmt.Errorf("guardian: link: %w", agency.ErrNotFound)
	}
	if err != nil {
		return Application{}, fmt.Errorf("guardian: link: %w: %w", agency.ErrUnavailable, err)
	}
	return a, nil
}

func (r *Requests) find(ctx context.Context, token string) (Application, error) {
	var a Application
	var received, expires, confirmed int64
	err := r.db.QueryRowContext(ctx,
		"SELECT id, created_ms, expires_ms, confirmed_ms FROM guardian WHERE token_hash = $1", hash(token)).
		Scan(&a.ID, &received, &expires, &confirmed)
	a.Received, a.Expires, a.Confirmed = fromMillis(received), fromMillis(expires), fromMillis(confirmed)
	return a, err
}

// fromMillis is a time of the database; 0 is the zero time.
func fromMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// Confirm confirms the application of a link's token. Confirming again changes nothing. Errors are those of Lookup.
func (r *Requests) Confirm(ctx context.Context, token string) (Application, error) {
	if err := r.db.Ready(); err != nil {
		return Application{}, err
	}
	now := r.options.Now().UnixMilli()
	var mailDue int64
	if r.options.Mail != nil {
		mailDue = now
	}
	result, err := r.db.ExecContext(ctx, `
		UPDATE guardian SET confirmed_ms = $2, letter = $3, mail_ms = $4
		WHERE token_hash = $1 AND confirmed_ms = 0 AND expires_ms > $2`, hash(token), now, []byte{}, mailDue)
	if err != nil {
		return Application{}, fmt.Errorf("guardian: confirm: %w: %w", agency.ErrUnavailable, err)
	}
	a, err := r.Lookup(ctx, token)
	if rows, rowsErr := result.RowsAffected(); rowsErr == nil && rows > 0 && err == nil {
		r.options.Log.Info("guardian: confirmed", "id", a.ID)
		r.Wake()
	}
	return a, err
}
