package intake

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/cache"
	"zedcard/internal/database"
)

// Photos whose form came back with an error wait for an hour, so that they need not be chosen again. Each has an id
// that can't be guessed and that contains a hash of the photo (hashOfID). They are sealed in the database, so that they
// survive a restart and all machines have them. If a client has too many, that client's oldest are removed. While the
// database is down they wait in this process.

const (
	photoRetention = time.Hour
	photoTimeout   = 10 * time.Second // of the database
)

// errGone: the photo is unknown or has expired. It wraps agency.ErrNotFound.
var errGone = fmt.Errorf("photo is gone: %w", agency.ErrNotFound)

// errManyPhotos: the photos of other clients use all of the space.
var errManyPhotos = errors.New("too many photos wait")

// The parts of a photo's id, in bytes: random ones and the photo's hash.
const (
	randomSize = 16
	sumSize    = 16
)

// hashOfPhoto is a hash of a photo's bytes.
func hashOfPhoto(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:sumSize])
}

// hashOfID is the hash of a photo from its id, whether it still waits or not. The id comes from the visitor and may be
// forged.
func hashOfID(id string) string { return id[max(0, len(id)-hex.EncodedLen(sumSize)):] }

// isPhotoID reports whether a text can be an id. PostgreSQL would answer others with an error if they are no valid
// UTF-8, as if the database were down.
func isPhotoID(text string) bool {
	raw, err := hex.DecodeString(text)
	return err == nil && len(raw) == randomSize+sumSize
}

// keepPhoto stores a cleaned photo of a client, which is the address that rate limits count, and returns its id.
// preview is a small JPEG of it.
func (in *Intake) keepPhoto(
	ctx context.Context, client string, file agency.File, preview []byte,
) (id string, err error) {
	random := make([]byte, randomSize)
	rand.Read(random)
	id = hex.EncodeToString(random) + hashOfPhoto(file.Data)
	err = in.storePhoto(ctx, id, client, file, preview)
	if err == nil || errors.Is(err, errManyPhotos) {
		return id, err
	}
	in.options.Log.Warn("intake: photo waits in memory, not in the database", "error", err)
	in.memory.Set(id, memoryPhoto{file, preview, in.options.Now()})
	return id, nil
}

func (in *Intake) storePhoto(ctx context.Context, id, client string, file agency.File, preview []byte) error {
	ctx, cancel := context.WithTimeout(ctx, photoTimeout)
	defer cancel()
	sealed, err := in.sealer.Seal(ctx, encodeFile(file), id)
	if err != nil {
		return err
	}
	sealedPreview, err := in.sealer.Seal(ctx, preview, id+"/preview")
	if err != nil {
		return err
	}
	digest, err := in.digest(ctx, "client "+client) // the database holds no addresses of visitors
	if err != nil {
		return err
	}
	size, now := int64(len(sealed)+len(sealedPreview)), in.options.Now().UnixMilli()
	return in.db.InTx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			DELETE FROM waiting_photo WHERE id IN (
				SELECT id FROM (
					SELECT id, sum(bytes) OVER (ORDER BY created_ms DESC, id) AS total
					FROM waiting_photo WHERE client = $1
				) AS photos WHERE total > $2)`, digest, in.options.PhotoClientBytes-size)
		if err != nil {
			return err
		}
		rows, err := change(ctx, tx, `
			INSERT INTO waiting_photo (id, client, created_ms, bytes, sealed, preview)
			SELECT $1, $2, $3, $4, $5, $6
			WHERE (SELECT coalesce(sum(bytes), 0) FROM waiting_photo) <= $7`,
			id, digest, now, size, sealed, sealedPreview, in.options.PhotoBytes-size)
		if err == nil && rows == 0 {
			err = errManyPhotos
		}
		return err
	})
}

// waitingPhoto is the photo with this id; errGone if it does not wait any more, agency.ErrUnavailable if the database
// is down.
func (in *Intake) waitingPhoto(ctx context.Context, id string) (agency.File, error) {
	if p, ok := in.inMemory(id); ok {
		return p.file, nil
	}
	plaintext, err := in.readPhoto(ctx, "sealed", id, id)
	if err != nil {
		return agency.File{}, err
	}
	return decodeFile(plaintext)
}

// Preview is a small JPEG of the waiting photo with this id. If there is none, the error is agency.ErrNotFound.
func (in *Intake) Preview(ctx context.Context, id string) ([]byte, error) {
	if p, ok := in.inMemory(id); ok {
		return p.preview, nil
	}
	return in.readPhoto(ctx, "preview", id, id+"/preview")
}

func (in *Intake) readPhoto(ctx context.Context, column, id, additionalData string) ([]byte, error) {
	if !isPhotoID(id) {
		return nil, errGone
	}
	ctx, cancel := context.WithTimeout(ctx, photoTimeout)
	defer cancel()
	var sealed []byte
	// #nosec G202 -- the column is one of the source
	err := in.db.QueryRowContext(ctx, "SELECT "+column+" FROM waiting_photo WHERE id = $1 AND created_ms > $2",
		id, in.options.Now().Add(-photoRetention).UnixMilli()).Scan(&sealed)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, errGone
	}
	if err != nil {
		return nil, unavailable(err)
	}
	plaintext, err := in.sealer.Open(ctx, sealed, additionalData)
	if errors.Is(err, database.ErrSealed) {
		return nil, fmt.Errorf("%w: %w", errGone, err)
	}
	return plaintext, err
}

// dropPhoto removes a waiting photo; an unknown id is ignored.
func (in *Intake) dropPhoto(ctx context.Context, id string) {
	in.memory.Remove(id)
	if _, err := in.db.ExecContext(ctx, "DELETE FROM waiting_photo WHERE id = $1", id); err != nil {
		in.options.Log.Warn("intake: used photo not removed, it will expire", "error", err)
	}
}

// memoryPhoto is a photo that waits in this process while the database is down.
type memoryPhoto struct {
	file     agency.File
	preview  []byte
	storedAt time.Time
}

const maxMemoryPhotos = 64 << 20 // bytes

func newMemoryPhotos() cache.Cache[string, memoryPhoto] {
	return cache.New(cache.Options[string, memoryPhoto]{
		MaxBytes: maxMemoryPhotos,
		Bytes:    func(_ string, p memoryPhoto) int { return len(p.file.Data) + len(p.preview) },
	})
}

func (p memoryPhoto) expired(now time.Time) bool { return now.Sub(p.storedAt) >= photoRetention }

func (in *Intake) inMemory(id string) (memoryPhoto, bool) {
	p, ok := in.memory.Get(id)
	return p, ok && !p.expired(in.options.Now())
}

// forgetPhotos removes expired photos from memory.
func (in *Intake) forgetPhotos() {
	for id, p := range in.memory.All() {
		if p.expired(in.options.Now()) {
			in.memory.Remove(id)
		}
	}
}
