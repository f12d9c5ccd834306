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
	"log/slog"
	"time"

	"github.com/maypok86/otter/v2"

	"zedcard/internal/agency"
	"zedcard/internal/database"
)

const (
	waitTime = time.Hour

	// What photos that wait may take in the database, in bytes: all of them, and those of one client, who may be a
	// school. That is some eighty applications, and ten.
	waitingBytes = 256 << 20
	clientBytes  = waitingBytes / 8
)

// ErrGone: the photo does not wait here, or no longer.
var ErrGone = errors.New("photo is gone")

// errFull: other clients' photos take what there is.
var errFull = errors.New("too many photos wait")

// Waiting holds photos whose form came back with an error, so that they need not be chosen again. Each is known by an
// id that can't be guessed, for an hour; the id tells what photo it was (SumOf) for longer. They are in the database,
// sealed with the site's keys, so that they outlive a restart and are there for every machine. Of a client who has too
// many the oldest go; another client's never do. While the database can't take them they wait in this process.
type Waiting struct {
	db     *database.DB
	seal   *database.Sealer
	memory *otter.Cache[string, inMemory]
	o      WaitingOptions
}

// inMemory is a photo that waits in this process.
type inMemory struct {
	file    agency.File
	preview []byte
	since   time.Time
}

// databaseTime is how long the database may take for a photo.
const databaseTime = 10 * time.Second

// memoryBytes is what photos may take in memory while the database is down.
const memoryBytes = 64 << 20

// WaitingOptions are what may differ from the usual; the zero value is the usual.
type WaitingOptions struct {
	MaxBytes    int64 // of all; 256 MiB
	ClientBytes int64 // of one client; 32 MiB
	Now         func() time.Time
	Log         *slog.Logger
}

// NewWaiting keeps photos in an open database.
func NewWaiting(db *database.DB, keys database.Keys, o WaitingOptions) *Waiting {
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
	memory := otter.Must(&otter.Options[string, inMemory]{
		MaximumWeight: memoryBytes,
		Weigher:       func(_ string, p inMemory) uint32 { return uint32(len(p.file.Data) + len(p.preview)) },
	})
	return &Waiting{db: db, seal: database.NewSealer(keys, "waiting photo"), memory: memory, o: o}
}

// sumSize is the length of a sum, in bytes.
const sumSize = 16

// Sum is the same for the same photo, and only for that.
func Sum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:sumSize])
}

// SumOf is the sum of a photo that was kept under this id, whether it still waits or not. Only the visitor's word says
// so.
func SumOf(id string) string { return id[max(0, len(id)-hex.EncodedLen(sumSize)):] }

// fileHead stands before a photo's bytes, as JSON on a line of its own.
type fileHead struct{ Field, Name, Type string }

// Keep holds a cleaned photo of a client, whose address it is that counts for rate limits, and gives the id under which
// it waits. Preview is a small JPEG of it.
func (w *Waiting) Keep(ctx context.Context, client string, file agency.File, preview []byte) (id string, err error) {
	raw := make([]byte, 16)
	rand.Read(raw)
	id = hex.EncodeToString(raw) + Sum(file.Data)
	err = w.keep(ctx, id, client, file, preview)
	if errors.Is(err, errFull) {
		return "", fmt.Errorf("photo: keep: %w", err)
	}
	if err != nil {
		w.o.Log.Warn("photo: kept in memory, not in the database", "error", err)
		w.memory.Set(id, inMemory{file, preview, w.o.Now()})
	}
	return id, nil
}

func (w *Waiting) keep(ctx context.Context, id, client string, file agency.File, preview []byte) error {
	if err := w.db.Ready(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, databaseTime)
	defer cancel()
	head, err := json.Marshal(fileHead{file.Field, file.Name, file.Type})
	if err != nil {
		return err
	}
	sealed, err := w.seal.Seal(ctx, bytes.Join([][]byte{head, file.Data}, []byte("\n")), id)
	if err != nil {
		return err
	}
	small, err := w.seal.Seal(ctx, preview, id+"/preview")
	if err != nil {
		return err
	}
	marks, err := w.seal.Marks(ctx, client) // the database holds no addresses of visitors
	if err != nil {
		return err
	}
	whose := marks[0]
	size, now := int64(len(sealed)+len(small)), w.o.Now().UnixMilli()
	return w.db.InTx(ctx, func(tx *sql.Tx) error {
		if err := w.makeRoom(ctx, tx, whose, size); err != nil {
			return err
		}
		done, err := tx.ExecContext(ctx, `
			INSERT INTO waiting_photo (id, client, created_ms, bytes, sealed, preview)
			SELECT $1, $2, $3, $4, $5, $6
			WHERE (SELECT coalesce(sum(bytes), 0) FROM waiting_photo) <= $7`,
			id, whose, now, size, sealed, small, w.o.MaxBytes-size)
		if err != nil {
			return err
		}
		if rows, err := done.RowsAffected(); err != nil || rows > 0 {
			return err
		}
		return errFull
	})
}

// makeRoom removes a client's oldest photos until another of this size is within the client's share.
func (w *Waiting) makeRoom(ctx context.Context, tx *sql.Tx, client string, size int64) error {
	_, err := tx.ExecContext(ctx, `
		DELETE FROM waiting_photo WHERE id IN (
			SELECT id FROM (
				SELECT id, sum(bytes) OVER (ORDER BY created_ms DESC, id) AS together
				FROM waiting_photo WHERE client = $1
			) AS own WHERE together > $2)`, client, w.o.ClientBytes-size)
	return err
}

// Get is the photo that waits under this id, as it was kept; ErrGone when none does, agency.ErrUnavailable when the
// database can't be asked.
func (w *Waiting) Get(ctx context.Context, id string) (agency.File, error) {
	if p, ok := w.inMemory(id); ok {
		return p.file, nil
	}
	plain, err := w.read(ctx, "sealed", id, id)
	if err != nil {
		return agency.File{}, err
	}
	line, data, _ := bytes.Cut(plain, []byte("\n"))
	var head fileHead
	if err := json.Unmarshal(line, &head); err != nil {
		return agency.File{}, fmt.Errorf("photo: %w: %w", ErrGone, err)
	}
	return agency.File{Field: head.Field, Name: head.Name, Type: head.Type, Data: data}, nil
}

// Preview is the small JPEG of the photo that waits under this id. Errors are those of Get.
func (w *Waiting) Preview(ctx context.Context, id string) ([]byte, error) {
	if p, ok := w.inMemory(id); ok {
		return p.preview, nil
	}
	return w.read(ctx, "preview", id, id+"/preview")
}

func (w *Waiting) inMemory(id string) (inMemory, bool) {
	p, ok := w.memory.GetIfPresent(id)
	return p, ok && w.o.Now().Sub(p.since) < waitTime
}

func (w *Waiting) read(ctx context.Context, column, id, sealedTo string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, databaseTime)
	defer cancel()
	oldest := w.o.Now().Add(-waitTime).UnixMilli()
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
	plain, err := w.seal.Open(ctx, sealed, sealedTo)
	if errors.Is(err, database.ErrSealed) {
		return nil, fmt.Errorf("photo: %w: %w", ErrGone, err)
	}
	return plain, err
}

// Drop removes a photo that need not wait any longer; an unknown id is nothing.
func (w *Waiting) Drop(ctx context.Context, id string) {
	if _, ok := w.memory.Invalidate(id); ok {
		return
	}
	if _, err := w.db.ExecContext(ctx, "DELETE FROM waiting_photo WHERE id = $1", id); err != nil {
		w.o.Log.Warn("photo: used photo not removed, it will expire", "error", err)
	}
}

// purgeEvery is how often photos are removed that waited long enough.
const purgeEvery = time.Minute

// Run removes photos that waited long enough, until ctx ends.
func (w *Waiting) Run(ctx context.Context) {
	tick := time.NewTicker(purgeEvery)
	defer tick.Stop()
	for {
		if err := w.purge(ctx); err != nil && ctx.Err() == nil {
			w.o.Log.Warn("photo: expired photos not removed", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (w *Waiting) purge(ctx context.Context) error {
	for id, p := range w.memory.All() {
		if w.o.Now().Sub(p.since) >= waitTime {
			w.memory.Invalidate(id)
		}
	}
	if err := w.db.Ready(); err != nil {
		return err
	}
	_, err := w.db.ExecContext(ctx,
		"DELETE FROM waiting_photo WHERE created_ms <= $1", w.o.Now().Add(-waitTime).UnixMilli())
	return err
}
