package intake

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/database"
)

// Photos whose form came back with an error wait for an hour, so that they need not be chosen again. Each has an id
// that can't be guessed and that contains a hash of the photo (hashOfID). They are sealed in the database, so that they
// survive a restart and all machines have them. If a client has too many, that client's oldest are removed. While the
// database is down none waits: the visitor's browser still has them.

const (
	photoRetention = time.Hour
	photoTimeout   = 10 * time.Second // of the database
)

// errGone: the photo is unknown or has expired. It wraps agency.ErrNotFound.
var errGone = fmt.Errorf("photo is gone: %w", agency.ErrNotFound)

// errManyPhotos: the photos of other clients use all of the space.
var errManyPhotos = errors.New("too many photos wait")

// photoID is what an id looks like. PostgreSQL would answer others with an error if they are no valid UTF-8, as if the
// database were down.
var photoID = regexp.MustCompile(`^[A-Z2-7]{26}[0-9a-f]{32}$`)

// hashOfPhoto is a hash of a photo's bytes.
func hashOfPhoto(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

// hashOfID is the hash of a photo from its id, whether it still waits or not. The id comes from the visitor and may be
// forged.
func hashOfID(id string) string { return id[max(0, len(id)-32):] }

// waitingBytes is what all waiting photos may take, some eighty applications with the usual OUTBOX_SIZE. One client,
// who may be a whole school, may take an eighth of that.
func (in *Intake) waitingBytes() int64 { return in.options.MaxBytes / 16 }

// keepPhoto keeps a cleaned photo of a client, which is the address that rate limits count, and returns its id.
func (in *Intake) keepPhoto(ctx context.Context, client string, photo agency.File) (id string, err error) {
	id = rand.Text() + hashOfPhoto(photo.Data)
	ctx, cancel := context.WithTimeout(ctx, photoTimeout)
	defer cancel()
	sealed, err := in.sealValue(ctx, photo, id)
	if err != nil {
		return "", err
	}
	digest, err := in.digest(ctx, "client "+client) // the database holds no addresses of visitors
	if err != nil {
		return "", err
	}
	size := int64(len(sealed))
	return id, in.db.InTx(ctx, func(tx *sql.Tx) error {
		err := execute(ctx, tx, `
			DELETE FROM waiting_photo WHERE id IN (
				SELECT id FROM (
					SELECT id, sum(bytes) OVER (ORDER BY created_ms DESC, id) AS total
					FROM waiting_photo WHERE client = $1
				) AS photos WHERE total > $2)`, digest, in.waitingBytes()/8-size)
		if err != nil {
			return err
		}
		rows, err := change(ctx, tx, `
			INSERT INTO waiting_photo (id, client, created_ms, bytes, sealed) SELECT $1, $2, $3, $4, $5
			WHERE (SELECT coalesce(sum(bytes), 0) FROM waiting_photo) <= $6`,
			id, digest, in.at(0), size, sealed, in.waitingBytes()-size)
		if err == nil && rows == 0 {
			err = errManyPhotos
		}
		return err
	})
}

// findWaiting is the photo with this id; errGone if it does not wait any more, agency.ErrUnavailable if the database
// is down.
func (in *Intake) findWaiting(ctx context.Context, id string) (photo agency.File, err error) {
	if !photoID.MatchString(id) {
		return photo, errGone
	}
	ctx, cancel := context.WithTimeout(ctx, photoTimeout)
	defer cancel()
	var sealed []byte
	err = in.db.QueryRowContext(ctx, "SELECT sealed FROM waiting_photo WHERE id = $1 AND created_ms > $2",
		id, in.at(-photoRetention)).Scan(&sealed)
	if errors.Is(err, sql.ErrNoRows) {
		return photo, errGone
	}
	if err != nil {
		return photo, unavailable(err)
	}
	if err = in.openValue(ctx, sealed, id, &photo); errors.Is(err, database.ErrSealed) {
		err = fmt.Errorf("%w: %w", errGone, err)
	}
	return photo, err
}

// Preview is a small JPEG of the waiting photo with this id. If there is none, the error is agency.ErrNotFound.
func (in *Intake) Preview(ctx context.Context, id string) ([]byte, error) {
	photo, err := in.findWaiting(ctx, id)
	return photo.Preview, err
}

// deletePhoto removes a waiting photo; an unknown id is ignored.
func (in *Intake) deletePhoto(ctx context.Context, id string) {
	if err := execute(ctx, in.db, "DELETE FROM waiting_photo WHERE id = $1", id); err != nil {
		in.options.Log.WarnContext(ctx, "intake: used photo not removed, it will expire", "error", err)
	}
}

// deletePhotos deletes those that have waited for an hour.
func (in *Intake) deletePhotos(ctx context.Context) error {
	return execute(ctx, in.db, "DELETE FROM waiting_photo WHERE created_ms <= $1", in.at(-photoRetention))
}
