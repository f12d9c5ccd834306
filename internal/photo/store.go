package photo

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"time"

	"github.com/maypok86/otter/v2"

	"zedcard/internal/agency"
	"zedcard/internal/database"
)

const (
	retention = time.Hour

	// Limits of the waiting photos in the database, in bytes: of all (some eighty applications), and of one client,
	// which may be a whole school (ten).
	waitingBytes = 256 << 20
	clientBytes  = waitingBytes / 8
)

// ErrGone: the photo is unknown or has expired.
var ErrGone = errors.New("photo is gone")

// errFull: the photos of other clients use all of the space.
var errFull = errors.New("too many photos wait")

// Store holds photos whose form came back with an error, so that they need not be chosen again. Each has an id that
// can't be guessed and waits for an hour; the id contains a hash of the photo (HashOfID). They are stored in the
// database, sealed with the site's keys, so that they survive a restart and all machines have them. If a client has too
// many, that client's oldest are removed. While the database is down they wait in this process.
type Store struct {
	db      *database.DB
	seal    *database.Sealer
	memory  memoryPhotos
	options StoreOptions
}

// memoryPhotos is what is used of otter: with its whole type, every importer of the package would compile it, too.
type memoryPhotos interface {
	GetIfPresent(id string) (memoryPhoto, bool)
	Set(id string, p memoryPhoto) (memoryPhoto, bool)
	Invalidate(id string) (memoryPhoto, bool)
	All() iter.Seq2[string, memoryPhoto]
}

// memoryPhoto is a photo that waits in this process.
type memoryPhoto struct {
	file     agency.File
	preview  []byte
	storedAt time.Time
}

// databaseTimeout bounds storing a photo in the database.
const databaseTimeout = 10 * time.Second

// memoryBytes bounds the photos in memory while the database is down.
const memoryBytes = 64 << 20

// StoreOptions are the settings of a Store; a zero field takes its default.
type StoreOptions struct {
	MaxBytes    int64 // of all; 256 MiB
	ClientBytes int64 // of one client; 32 MiB
	Now         func() time.Time
	Log         *slog.Logger
}

// NewStore keeps photos in an open database.
func NewStore(db *database.DB, keys database.Keys, o StoreOptions) *Store {
	if o.MaxBytes == 0 {
		o.MaxBytes = waitingBytes
	}
	if o.ClientBytes == 0 {
		o.ClientBytes = clientBytes
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	memory := otter.Must(&otter.Options[string, memoryPhoto]{
		MaximumWeight: memoryBytes,
		Weigher: func(_ string, p memoryPhoto) uint32 {
			return uint32(len(p.file.Data) + len(p.preview)) // #nosec G115 -- of a photo
		},
	})
	return &Store{db: db, seal: database.NewSealer(keys, "waiting photo"), memory: memory, options: o}
}

// The parts of an id, in bytes: random ones and the photo's hash.
const (
	randomSize = 16
	sumSize    = 16
)

// Hash is a hash of a photo's bytes.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:sumSize])
}

// HashOfID is the hash of a photo from its id, whether it still waits or not. The id comes from the visitor and may be
// forged.
func HashOfID(id string) string { return id[max(0, len(id)-hex.EncodedLen(sumSize)):] }

// isID reports whether a text can be an id of Keep. PostgreSQL would answer others with an error if they are no valid
// UTF-8, as if the database were down.
func isID(text string) bool {
	raw, err := hex.DecodeString(text)
	return err == nil && len(raw) == randomSize+sumSize
}

// fileHead precedes a photo's bytes, as one line of JSON.
type fileHead struct{ Field, Name, Type string }

// Keep stores a cleaned photo of a client, which is the address that rate limits count, and returns its id. preview is
// a small JPEG of it.
func (w *Store) Keep(ctx context.Context, client string, file agency.File, preview []byte) (id string, err error) {
	random := make([]byte, randomSize)
	rand.Read(random)
	id = hex.EncodeToString(random) + Hash(file.Data)
	err = w.store(ctx, id, client, file, preview)
	if errors.Is(err, errFull) {
		return "", fmt.Errorf("photo: keep: %w", err)
	}
	if err != nil {
		w.options.Log.Warn("photo: kept in memory, not in the database", "error", err)
		w.memory.Set(id, memoryPhoto{file, preview, w.options.Now()})
	}
	return id, nil
}

func (w *Store) store(ctx context.Context, id, client string, file agency.File, preview []byte) error {
	if err := w.db.Ready(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, databaseTimeout)
	defer cancel()
	head, err := json.Marshal(fileHead{file.Field, file.Name, file.Type})
	if err != nil {
		return err
	}
	sealed, err := w.seal.Seal(ctx, bytes.Join([][]byte{head, file.Data}, []byte("\n")), id)
	if err != nil {
		return err
	}
	sealedPreview, err := w.seal.Seal(ctx, preview, id+"/preview")
	if err != nil {
		return err
	}
	marks, err := w.seal.Digests(ctx, client) // the database holds no addresses of visitors
	if err != nil {
		return err
	}
	clientMark := marks[0]
	size, now := int64(len(sealed)+len(sealedPreview)), w.options.Now().UnixMilli()
	return w.db.InTx(ctx, func(tx *sql.Tx) error {
		if err := w.makeRoom(ctx, tx, clientMark, size); err != nil {
			return err
		}
		result, err := tx.ExecContext(ctx, `
			INSERT INTO waiting_photo (id, client, created_ms, bytes, sealed, preview)
			SELECT $1, $2, $3, $4, $5, $6
			WHERE (SELECT coalesce(sum(bytes), 0) FROM waiting_photo) <= $7`,
			id, clientMark, now, size, sealed, sealedPreview, w.options.MaxBytes-size)
		if err != nil {
			return err
		}
		if rows, err := result.RowsAffected(); err != nil || rows > 0 {
			return err
		}
		return errFull
	})
}

// makeRoom removes a client's oldest photos until another of this size is within the client's share.
func (w *Store) makeRoom(ctx context.Context, tx *sql.Tx, client string, size int64) error {
	_, err := tx.ExecContext(ctx, `
		DELETE FROM waiting_photo WHERE id IN (
			SELECT id FROM (
				SELECT id, sum(bytes) OVER (ORDER BY created_ms DESC, id) AS total
				FROM waiting_photo WHERE client = $1
			) AS photos WHERE total > $2)`, client, w.options.ClientBytes-size)
	return err
}

// Get is the photo with this id; ErrGone if it does not wait any more, agency.ErrUnavailable if the database is down.
func (w *Store) Get(ctx context.Context, id string) (agency.File, error) {
	if p, ok := w.inMemory(id); ok {
		return p.file, nil
	}
	plaintext, err := w.read(ctx, "sealed", id, id)
	if err != nil {
		return agency.File{}, err
	}
	line, data, _ := bytes.Cut(plaintext, []byte("\n"))
	var head fileHead
	if err := json.Unmarshal(line, &head); err != nil {
		return agency.File{}, fmt.Errorf("photo: %w: %w", ErrGone, err)
	}
	return agency.File{Field: head.Field, Name: head.Name, Type: head.Type, Data: data}, nil
}

// Preview is the small JPEG of the photo with this id. Errors are those of Get.
func (w *Store) Preview(ctx context.Context, id string) ([]byte, error) {
	if p, ok := w.inMemory(id); ok {
		return p.preview, nil
	}
	return w.read(ctx, "preview", id, id+"/preview")
}

func (w *Store) inMemory(id string) (memoryPhoto, bool) {
	p, ok := w.memory.GetIfPresent(id)
	return p, ok && w.options.Now().Sub(p.storedAt) < retention
}

func (w *Store) read(ctx context.Context, column, id, about string) ([]byte, error) {
	if !isID(id) {
		return nil, fmt.Errorf("photo: %w", ErrGone)
	}
	ctx, cancel := context.WithTimeout(ctx, databaseTimeout)
	defer cancel()
	oldest := w.options.Now().Add(-retention).UnixMilli()
	var sealed []byte
	err := w.db.Ready()
	if err == nil {
		err = w.db.QueryRowContext(ctx,
			"SELECT "+column+" FROM waiting_photo WHERE id = $1 AND created_ms > $2", id, oldest).Scan(&sealed)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("photo: %w", ErrGone)
	}
	if err != nil {
		return nil, fmt.Errorf("photo: %w: %w", agency.ErrUnavailable, err)
	}
	plaintext, err := w.seal.Open(ctx, sealed, about)
	if errors.Is(err, database.ErrSealed) {
		return nil, fmt.Errorf("photo: %w: %w", ErrGone, err)
	}
	return plaintext, err
}

// Drop removes a photo; an unknown id is ignored.
func (w *Store) Drop(ctx context.Context, id string) {
	if _, ok := w.memory.Invalidate(id); ok {
		return
	}
	if _, err := w.db.ExecContext(ctx, "DELETE FROM waiting_photo WHERE id = $1", id); err != nil {
		w.options.Log.Warn("photo: used photo not removed, it will expire", "error", err)
	}
}

// purgeEvery is how often expired photos are removed.
const purgeEvery = time.Minute

// Run removes expired photos until ctx ends.
func (w *Store) Run(ctx context.Context) {
	ticker := time.NewTicker(purgeEvery)
	defer ticker.Stop()
	for {
		if err := w.purge(ctx); err != nil && ctx.Err() == nil {
			w.options.Log.Warn("photo: expired photos not removed", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

func (w *Store) purge(ctx context.Context) error {
	for id, p := range w.memory.All() {
		if w.options.Now().Sub(p.storedAt) >= retention {
			w.memory.Invalidate(id)
		}
	}
	if err := w.db.Ready(); err != nil {
		return err
	}
	_, err := w.db.ExecContext(ctx,
		"DELETE FROM waiting_photo WHERE created_ms <= $1", w.options.Now().Add(-retention).UnixMilli())
	return err
}
