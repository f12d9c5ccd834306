package photo

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"zedcard/internal/agency"
)

const (
	waitTime = time.Hour

	// WaitingBytes is the usual limit for OpenWaiting: some eighty applications.
	WaitingBytes = 256 << 20
)

// ErrGone: the photo does not wait here, or no longer.
var ErrGone = errors.New("photo is gone")

// Waiting holds photos whose form came back with an error, so that they need not be chosen again.
// Each is known by an id that can't be guessed, for an hour; the id tells what photo it was (SumOf) for longer.
// They are files, sealed with a key that only this process has; when they are too many, the oldest go first.
type Waiting struct {
	dir   string
	limit int // bytes
	seal  cipher.AEAD

	later *time.Timer // looks once more for what others left

	mu    sync.Mutex
	order []string // ids, the oldest first
	kept  map[string]*kept
	bytes int
}

type kept struct {
	head  agency.File // without its data
	bytes int
	end   *time.Timer
}

// OpenWaiting keeps photos in a folder of its own below dir, no more than limit bytes together. What processes left
// there that are gone, and nobody can read, is removed when it is older than any photo that may still wait: another
// process's folder next to ours is let alone.
func OpenWaiting(dir string, limit int) (*Waiting, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("photo: %w", err)
	}
	own, err := os.MkdirTemp(dir, "")
	if err != nil {
		return nil, fmt.Errorf("photo: %w", err)
	}
	w := &Waiting{dir: own, limit: limit, kept: map[string]*kept{}}
	w.removeOthers()
	w.later = time.AfterFunc(waitTime+time.Minute, w.removeOthers)
	key := make([]byte, 32)
	rand.Read(key)
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("photo: %w", err)
	}
	if w.seal, err = cipher.NewGCMWithRandomNonce(block); err != nil {
		return nil, fmt.Errorf("photo: %w", err)
	}
	return w, nil
}

// removeOthers removes what nothing was put into or taken from for longer than a photo waits.
func (w *Waiting) removeOthers() {
	parent := filepath.Dir(w.dir)
	others, err := os.ReadDir(parent)
	if err != nil {
		return // it is tried again at the next start
	}
	for _, other := range others {
		about, err := other.Info()
		if path := filepath.Join(parent, other.Name()); err == nil && path != w.dir &&
			time.Since(about.ModTime()) > waitTime {
			_ = os.RemoveAll(path)
		}
	}
}

// sumSize is the length of a sum, in bytes.
const sumSize = 16

// Sum is the same for the same photo, and only for that.
func Sum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:sumSize])
}

// SumOf is the sum of a photo that was kept under this id, whether it
// still waits or not. Only the visitor's word says so.
func SumOf(id string) string { return id[max(0, len(id)-hex.EncodedLen(sumSize)):] }

// Keep holds a cleaned photo and gives the id under which it waits.
func (w *Waiting) Keep(file agency.File) (id string, err error) {
	raw := make([]byte, 16)
	rand.Read(raw)
	id = hex.EncodeToString(raw) + Sum(file.Data)
	sealed := w.seal.Seal(nil, nil, file.Data, []byte(id))
	if err := os.MkdirAll(w.dir, 0o700); err != nil { // another process takes it away when it was not used for an hour
		return "", fmt.Errorf("photo: keep: %w", err)
	}
	if err := os.WriteFile(w.path(id), sealed, 0o600); err != nil {
		return "", errors.Join(fmt.Errorf("photo: keep: %w", err), ignoreMissing(os.Remove(w.path(id))))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	file.Data = nil
	w.kept[id] = &kept{head: file, bytes: len(sealed), end: time.AfterFunc(waitTime, func() { w.Drop(id) })}
	w.order = append(w.order, id)
	w.bytes += len(sealed)
	for w.bytes > w.limit {
		w.drop(w.order[0])
	}
	return id, nil
}

// Get is the photo that waits under this id, as it was kept; ErrGone when none does.
func (w *Waiting) Get(id string) (agency.File, error) {
	w.mu.Lock()
	k, ok := w.kept[id]
	w.mu.Unlock()
	if !ok {
		return agency.File{}, fmt.Errorf("photo: %w", ErrGone)
	}
	sealed, err := os.ReadFile(w.path(id))
	if err != nil {
		return agency.File{}, fmt.Errorf("photo: %w: %w", ErrGone, err)
	}
	file := k.head
	if file.Data, err = w.seal.Open(nil, nil, sealed, []byte(id)); err != nil {
		return agency.File{}, fmt.Errorf("photo: %w: %w", ErrGone, err)
	}
	return file, nil
}

// Drop removes a photo that need not wait any longer; an unknown id is nothing.
func (w *Waiting) Drop(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.drop(id)
}

func (w *Waiting) drop(id string) {
	k, ok := w.kept[id]
	if !ok {
		return
	}
	k.end.Stop()
	delete(w.kept, id)
	w.order = slices.DeleteFunc(w.order, func(other string) bool { return other == id })
	w.bytes -= k.bytes
	_ = os.Remove(w.path(id)) // nobody else can read it, and a later start removes it
}

// Close drops everything.
func (w *Waiting) Close() error {
	w.later.Stop()
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.order) > 0 {
		w.drop(w.order[0])
	}
	return os.RemoveAll(w.dir)
}

// path is only asked for ids that were made here.
func (w *Waiting) path(id string) string { return filepath.Join(w.dir, id) }

func ignoreMissing(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}
