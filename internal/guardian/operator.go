package guardian

import (
	"context"
	"time"

	"zedcard/internal/database"
)

// Status is the state of a guardian's confirmation, for operators.
type Status struct {
	Asked     bool      // a mail was queued for them
	Sent      time.Time // when the mail was sent, UTC; zero: not yet
	Refused   time.Time // when the mail server refused their address permanently, UTC; zero: it did not
	Confirmed time.Time // UTC; zero: not confirmed
}

func (s Status) String() string {
	switch {
	case !s.Confirmed.IsZero():
		return "confirmed at " + s.Confirmed.Format(time.RFC3339)
	case !s.Sent.IsZero():
		return "not confirmed, asked by mail at " + s.Sent.Format(time.RFC3339)
	case !s.Refused.IsZero():
		return "not confirmed, the mail server refused their address at " + s.Refused.Format(time.RFC3339)
	case s.Asked:
		return "not confirmed, the mail to them is not sent yet"
	}
	return "not confirmed"
}

// Statuses are the states of all confirmations, by the id of the submission.
func Statuses(ctx context.Context, db *database.DB) (map[string]Status, error) {
	rows, err := db.QueryContext(ctx, "SELECT id, token_hash, sent_ms, refused_ms, confirmed_ms FROM guardian")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	statuses := map[string]Status{}
	for rows.Next() {
		var id, tokenHash string
		var sent, refused, confirmed int64
		if err := rows.Scan(&id, &tokenHash, &sent, &refused, &confirmed); err != nil {
			return nil, err
		}
		statuses[id] = Status{
			Asked: tokenHash != "", Sent: fromMillis(sent), Refused: fromMillis(refused),
			Confirmed: fromMillis(confirmed),
		}
	}
	return statuses, rows.Err()
}

// RecordConfirmation records a confirmation that the operator got in another way. A mail that is not sent yet is not
// sent.
func RecordConfirmation(ctx context.Context, db *database.DB, id string, now time.Time) error {
	_, err := db.ExecContext(ctx, `
		INSERT INTO guardian
			(id, token_hash, letter, created_ms, expires_ms, mail_ms, sent_ms, refused_ms, confirmed_ms)
		VALUES ($1, '', $3, $2, 0, 0, 0, 0, $2)
		ON CONFLICT (id) DO UPDATE SET letter = $3, mail_ms = 0,
			confirmed_ms = CASE WHEN guardian.confirmed_ms = 0 THEN $2 ELSE guardian.confirmed_ms END`,
		id, now.UnixMilli(), []byte{})
	return err
}

// Erase removes the request of an application.
func Erase(ctx context.Context, db *database.DB, id string) error {
	_, err := db.ExecContext(ctx, "DELETE FROM guardian WHERE id = $1", id)
	return err
}
