package guardian

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/database"
)

const (
	pollInterval = time.Minute // between two checks for due mails

	// lease is how long a process may take to send a mail; after it another one sends it.
	lease                 = 2 * time.Minute
	firstRetry, lastRetry = time.Minute, time.Hour
	storeTimeout          = 10 * time.Second

	// One address gets at most this many mails in this time, because anybody can enter anybody's address. Others wait.
	maxMailsPerAddress = 3
	mailLimitWindow    = 24 * time.Hour

	// rowRetention is how long a row is kept: longer than any application.
	rowRetention = 2 * agency.Retention
)

// Run sends mails when they are due, until ctx ends.
func (r *Requests) Run(ctx context.Context) {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		r.SendDue(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-r.wake:
		}
	}
}

// SendDue sends the mails that are due. A mail that can't be sent is retried after as long as it has waited, an hour at
// most, until its link expires. The mail of a held application waits until an operator releases it, and the fourth to
// one address until a day after the first.
func (r *Requests) SendDue(ctx context.Context) {
	if r.db.Ready() != nil {
		return
	}
	r.purge(ctx)
	for r.options.Mail != nil && ctx.Err() == nil && r.sendNext(ctx) {
		continue
	}
}

// sendNext sends the mail that has waited longest; false if none is due.
func (r *Requests) sendNext(ctx context.Context) bool {
	now := r.options.Now()
	leaseEnd := now.Add(lease).UnixMilli()
	application, sealed, recipient, err := r.claim(ctx, now, leaseEnd)
	if err != nil {
		if !errors.Is(err, sql.ErrNoRows) && ctx.Err() == nil {
			r.options.Log.Warn("guardian: queue not read", "error", err)
		}
		return false
	}
	if !application.Confirmed.IsZero() {
		err = r.options.Mail.NotifyAgency(ctx, application)
	} else {
		var content letterContent
		content, err = r.open(ctx, application.ID, sealed)
		if err == nil && recipient == "" {
			return r.addRecipient(ctx, application.ID, leaseEnd, content.Address)
		}
		if err == nil {
			err = r.options.Mail.AskGuardian(ctx, Letter{
				Application: application, Address: content.Address, Lang: content.Lang, Token: content.Token,
			})
		}
	}
	waited := now.Sub(application.Received)
	if !application.Confirmed.IsZero() {
		waited = now.Sub(application.Confirmed)
	}
	if err := r.storeOutcome(ctx, application, leaseEnd, waited, err); err != nil {
		r.options.Log.Warn("guardian: outcome of a mail not stored", "id", application.ID, "error", err)
	}
	return true
}

// claim claims the mail that has waited longest. Mails that another process is sending, and those that wait for a
// retry, count towards their recipient's limit like sent ones. The lock lets each claim see the ones before.
func (r *Requests) claim(
	ctx context.Context, now time.Time, leaseEnd int64,
) (a Application, letter []byte, recipient string, err error) {
	rowLock := "" // against the outcome of a mail, which is stored without the other lock
	if r.db.Dialect == database.Postgres {
		rowLock = "FOR UPDATE SKIP LOCKED"
	}
	var received, expires, confirmed int64
	err = r.db.InTx(ctx, func(tx *sql.Tx) error {
		if err := r.db.Acquire(ctx, tx, database.GuardianLock); err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, `
			UPDATE guardian SET mail_ms = $2
			WHERE id = (
				SELECT id FROM guardian
				WHERE mail_ms BETWEEN 1 AND $1 AND (confirmed_ms > 0 OR expires_ms > $1)
					AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.id = guardian.id AND outbox.state = 'suspected')
					AND (confirmed_ms > 0 OR recipient = '' OR $4 > (
						SELECT count(*) FROM guardian AS sent
						WHERE sent.recipient = guardian.recipient
							AND (sent.sent_ms > $3 OR sent.mail_ms > $1 AND sent.confirmed_ms = 0)))
				ORDER BY created_ms, id LIMIT 1 `+rowLock+`)
			RETURNING id, letter, recipient, created_ms, expires_ms, confirmed_ms`,
			now.UnixMilli(), leaseEnd, now.Add(-mailLimitWindow).UnixMilli(), maxMailsPerAddress).
			Scan(&a.ID, &letter, &recipient, &received, &expires, &confirmed)
	})
	a.Received, a.Expires, a.Confirmed = fromMillis(received), fromMillis(expires), fromMillis(confirmed)
	return a, letter, recipient, err
}

func (r *Requests) open(ctx context.Context, id string, letter []byte) (letterContent, error) {
	var content letterContent
	plain, err := r.sealer.Open(ctx, letter, id)
	if err == nil {
		err = json.Unmarshal(plain, &content)
	}
	return content, err
}

// addRecipient adds the recipient to a mail that the version before migration 007 stored, so that the next claim counts
// it. False if that fails: the mail is due again when its lease ends.
func (r *Requests) addRecipient(ctx context.Context, id string, leaseEnd int64, address string) bool {
	recipient, err := r.digest(ctx, address)
	if err == nil {
		_, err = r.db.ExecContext(ctx,
			"UPDATE guardian SET recipient = $3, mail_ms = $4 WHERE id = $1 AND mail_ms = $2",
			id, leaseEnd, recipient, r.options.Now().UnixMilli())
	}
	if err != nil && ctx.Err() == nil {
		r.options.Log.Warn("guardian: recipient of a mail not stored", "id", id, "error", err)
	}
	return err == nil
}

// digest is the keyed digest by which mails to one address are counted.
func (r *Requests) digest(ctx context.Context, address string) (string, error) {
	digests, err := r.sealer.Digests(ctx, database.NormalizeAddress(address))
	if err != nil {
		return "", err
	}
	return digests[0], nil
}

// storeOutcome stores the outcome of a mail, unless the row has changed meanwhile: the guardian may have confirmed
// already, or another process may have the mail after the lease.
func (r *Requests) storeOutcome(
	ctx context.Context, a Application, leaseEnd int64, waited time.Duration, failure error,
) error {
	// The outcome must be stored even at shutdown.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	now := r.options.Now()
	const whereLeased = " WHERE id = $1 AND mail_ms = $2"
	var err error
	switch {
	case failure == nil && !a.Confirmed.IsZero():
		_, err = r.db.ExecContext(ctx, "UPDATE guardian SET mail_ms = 0"+whereLeased, a.ID, leaseEnd)
	case failure == nil:
		_, err = r.db.ExecContext(ctx, "UPDATE guardian SET mail_ms = 0, sent_ms = $3, letter = $4"+whereLeased,
			a.ID, leaseEnd, now.UnixMilli(), []byte{})
	case errors.Is(failure, agency.ErrRejected) && a.Confirmed.IsZero():
		r.options.Log.Warn("guardian: mail refused, ask them yourself, see: zedcard inbox show "+a.ID,
			"id", a.ID, "error", failure)
		_, err = r.db.ExecContext(ctx, "UPDATE guardian SET mail_ms = 0, refused_ms = $3, letter = $4"+whereLeased,
			a.ID, leaseEnd, now.UnixMilli(), []byte{})
	default:
		r.options.Log.Warn("guardian: mail not sent, will be retried", "id", a.ID, "error", failure)
		due := now.Add(min(max(waited, firstRetry), lastRetry)).UnixMilli()
		_, err = r.db.ExecContext(ctx, "UPDATE guardian SET mail_ms = $3"+whereLeased, a.ID, leaseEnd, due)
	}
	return err
}

// purge removes the data of guardians whose link has expired, and rows that are no longer needed.
func (r *Requests) purge(ctx context.Context) {
	now := r.options.Now()
	_, err := r.db.ExecContext(ctx,
		"UPDATE guardian SET letter = $2, mail_ms = 0 WHERE confirmed_ms = 0 AND expires_ms <= $1 AND mail_ms > 0",
		now.UnixMilli(), []byte{})
	if err == nil {
		_, err = r.db.ExecContext(ctx, "UPDATE guardian SET recipient = '' WHERE recipient <> '' "+
			"AND (sent_ms BETWEEN 1 AND $1 OR sent_ms = 0 AND mail_ms = 0)", now.Add(-mailLimitWindow).UnixMilli())
	}
	if err == nil {
		_, err = r.db.ExecContext(ctx, "DELETE FROM guardian WHERE created_ms < $1", now.Add(-rowRetention).UnixMilli())
	}
	if err != nil && ctx.Err() == nil {
		r.options.Log.Warn("guardian: purge failed", "error", err)
	}
}
