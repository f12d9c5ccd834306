package database

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"time"

	"zedcard/internal/agency"
)

// Keys gives the secret keys of the site, the newest first; there is always at least one. It fails with
// agency.ErrUnavailable when the keys are in a database that can't be reached.
type Keys func(context.Context) ([][]byte, error)

// For derives the keys of one purpose, such as "session", each from one of these.
func (k Keys) For(purpose string) Keys {
	return func(ctx context.Context) ([][]byte, error) {
		secrets, err := k(ctx)
		if err != nil {
			return nil, err
		}
		derived := make([][]byte, len(secrets))
		for i, secret := range secrets {
			if derived[i], err = hkdf.Key(sha256.New, secret, nil, "zedcard "+purpose, sha256.Size); err != nil {
				return nil, err
			}
		}
		return derived, nil
	}
}

// Keys are the configured ones (SESSION_KEYS, newest first), followed by the one that the site made, if there is one,
// so that values that were sealed before the operator configured keys stay readable. That one is a file beside a SQLite
// database (pairKey). A PostgreSQL, which several machines share, keeps it: its backup includes the key, so an operator
// who wants sealed backups must configure keys there.
func (db *DB) Keys(configured ...string) Keys {
	return func(ctx context.Context) (keys [][]byte, err error) {
		if len(configured) == 0 {
			own, err := db.ownKey(ctx)
			return [][]byte{own}, err
		}
		for _, key := range configured {
			keys = append(keys, []byte(key))
		}
		ctx, cancel := context.WithTimeout(ctx, keyTimeout)
		defer cancel()
		if own, err := db.existingKey(ctx); err == nil {
			keys = append(keys, own)
		} // otherwise there is none, or the database is down: the configured ones suffice
		return keys, nil
	}
}

// ownKey is the key that the site made; on PostgreSQL the first call makes it.
func (db *DB) ownKey(ctx context.Context) ([]byte, error) {
	if key, err := db.existingKey(ctx); !errors.Is(err, sql.ErrNoRows) {
		return key, err
	}
	secret := make([]byte, sha256.Size)
	if db.rehearsal {
		return secret, nil
	}
	rand.Read(secret)
	_, err := db.ExecContext(ctx,
		"INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING", sessionKey, secret)
	if err != nil {
		return nil, fmt.Errorf("database: setting %s: %w", sessionKey, err)
	}
	return db.existingKey(ctx) // another process may have made it first
}

// existingKey is the key that the site made, or fails with sql.ErrNoRows.
func (db *DB) existingKey(ctx context.Context) ([]byte, error) {
	db.mu.Lock()
	key, err := db.key, db.keyErr
	db.mu.Unlock()
	if key != nil {
		return key, nil
	}
	if err != nil {
		return nil, fmt.Errorf("database: %w: %w", agency.ErrUnavailable, err)
	}
	if db.Dialect == SQLite { // not open yet; what is only signed needs no database
		if err := db.Opened(); err == nil {
			return nil, sql.ErrNoRows
		} else if key, readErr := os.ReadFile(db.path + KeySuffix); readErr == nil {
			return key, nil
		} else {
			return nil, err
		}
	}
	err = db.QueryRowContext(ctx, "SELECT value FROM settings WHERE name = $1", sessionKey).Scan(&key)
	if db.rehearsal && isMissingTable(err) {
		err = sql.ErrNoRows
	}
	if err != nil {
		return nil, fmt.Errorf("database: setting %s: %w", sessionKey, err)
	}
	return key, db.setKey(key, nil)
}

// keyTimeout is how long to wait for the key in the database if keys are configured: a page must not wait for a busy
// database.
const keyTimeout = 500 * time.Millisecond

// sessionKey is the name of the setting with the key that the site made.
const sessionKey = "session-key"

// Sealer encrypts visitors' data before it is stored: AES-256-GCM with a key that is derived from the site's newest
// secret key for one purpose. Values sealed with an older key can be opened as long as that key is among the keys.
type Sealer struct {
	seal, digest Keys
	purpose      string
}

// NewSealer makes a Sealer for one purpose, such as "outbox"; it can't open values sealed for another.
func NewSealer(keys Keys, purpose string) *Sealer {
	return &Sealer{seal: keys.For(purpose), digest: keys.For("mark " + purpose), purpose: purpose}
}

// Seal encrypts plaintext. additionalData names what it belongs to (a row's id); Open needs the same, so that sealed
// values can't be swapped.
func (s *Sealer) Seal(ctx context.Context, plaintext []byte, additionalData string) ([]byte, error) {
	keys, err := s.seal(ctx)
	if err != nil {
		return nil, err
	}
	aead, err := newAEAD(keys[0])
	if err != nil {
		return nil, err
	}
	return aead.Seal(nil, nil, plaintext, []byte(additionalData)), nil // #nosec G407 -- it makes its own nonce
}

// Digests are keyed digests of a text, one for each key, the newest first: equal texts have equal digests, and without
// a key the text can't be guessed.
func (s *Sealer) Digests(ctx context.Context, text string) ([]string, error) {
	keys, err := s.digest(ctx)
	if err != nil {
		return nil, err
	}
	digests := make([]string, len(keys))
	for i, key := range keys {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(text))
		digests[i] = hex.EncodeToString(mac.Sum(nil))
	}
	return digests, nil
}

// ErrSealed is the error if none of the keys opens the value.
var ErrSealed = errors.New("sealed with a key that is not among the keys")

// Open decrypts what Seal made, or fails with ErrSealed.
func (s *Sealer) Open(ctx context.Context, sealed []byte, additionalData string) ([]byte, error) {
	keys, err := s.seal(ctx)
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		aead, err := newAEAD(key)
		if err != nil {
			return nil, err
		}
		if plaintext, err := aead.Open(nil, nil, sealed, []byte(additionalData)); err == nil {
			return plaintext, nil
		}
	}
	return nil, fmt.Errorf("%s: %w", s.purpose, ErrSealed)
}

// newAEAD is the cipher of a key; it puts a random nonce before the ciphertext.
func newAEAD(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}
