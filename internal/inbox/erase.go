package inbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/database"
	"zedcard/internal/guardian"
	"zedcard/internal/outbox"
)

// Erase removes a submission, by its id or the reference of its receipt, with its photos and all its rows, and writes a
// line about it. For a submission that a panel has, or may have, it also writes its idempotency key. An unknown one is
// agency.ErrNotFound.
func (b *Inbox) Erase(ctx context.Context, w io.Writer, id string) error {
	if entry, _, err := b.Find(ctx, id); err == nil {
		id = entry.ID
	} else if !errors.Is(err, agency.ErrNotFound) && !errors.Is(err, database.ErrSealed) {
		return err
	}
	return b.erase(ctx, w, []string{id})
}

// EraseAddress does the same with all submissions that contain a mail address, of the sender or of the responsible
// adult.
func (b *Inbox) EraseAddress(ctx context.Context, w io.Writer, address string) error {
	address = database.NormalizeAddress(address)
	ids, err := b.outbox.WithAddress(ctx, address)
	if err != nil {
		return err
	}
	entries, err := b.Entries(ctx)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		s, err := b.load(ctx, entry)
		if err != nil {
			fmt.Fprintf(w, "%s can't be read, look at it yourself: %v\n", printable(entry.ID), err)
			continue
		}
		if slices.Contains(database.MailAddresses(s.Fields), address) {
			ids = append(ids, entry.ID)
		}
	}
	if len(ids) == 0 {
		return fmt.Errorf("inbox: no submission has this address: %w", agency.ErrNotFound)
	}
	slices.Sort(ids)
	return b.erase(ctx, w, slices.Compact(ids))
}

// EraseHeld does the same with all submissions that are held because they may be spam.
func (b *Inbox) EraseHeld(ctx context.Context, w io.Writer) error {
	ids, err := b.outbox.Held(ctx)
	if err != nil {
		return err
	}
	return b.erase(ctx, w, ids)
}

func (b *Inbox) erase(ctx context.Context, w io.Writer, ids []string) error {
	for _, id := range ids {
		if err := guardian.Erase(ctx, b.db, id); err != nil {
			return fmt.Errorf("inbox: erase %s: %w", id, err)
		}
		received, err := b.remove(ctx, id)
		if err != nil {
			return err
		}
		erased, err := b.outbox.Erase(ctx, id)
		if err != nil && (!errors.Is(err, agency.ErrNotFound) || !received) {
			return err
		}
		fmt.Fprintf(w, "%s erased\n", printable(id))
		switch {
		case received: // delivered to this inbox
		case erased.State == outbox.Delivered:
			fmt.Fprintf(w, "  the panel has it since %s (%s): erase it there, its key is %s\n",
				erased.Created.Format(time.RFC3339), erased.Kind, printable(id))
		case erased.Attempted:
			fmt.Fprintf(w, "  the panel may have it (%s): look for the key %s there\n", erased.Kind, printable(id))
		}
	}
	if err := b.db.Scrub(ctx); err != nil {
		return fmt.Errorf("inbox: erased, but the database files could not be cleaned: %w", err)
	}
	return nil
}

// remove removes a submission that the embedded back end received; false if there is none.
func (b *Inbox) remove(ctx context.Context, id string) (bool, error) {
	result, err := b.db.ExecContext(ctx, "DELETE FROM inbox WHERE id = $1", id)
	if err != nil {
		return false, fmt.Errorf("inbox: erase %s: %w", id, err)
	}
	rows, err := result.RowsAffected()
	return rows > 0, err
}
