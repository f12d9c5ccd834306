package intake

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"time"

	"zedcard/internal/agency"
)

// Policy is a version of the privacy policy that forms led to.
type Policy struct {
	Hash  string // SHA-256 of HTML
	Lang  string
	HTML  string    // the whole page as it was shown, without the site around it
	Since time.Time // when a form first led to it; UTC
}

// NewPolicy is the version that a page shows.
func NewPolicy(lang, html string) Policy {
	sum := sha256.Sum256([]byte(html))
	return Policy{Hash: hex.EncodeToString(sum[:]), Lang: lang, HTML: html}
}

// KeepPolicy keeps a version, once, so that it can be read as long as somebody may ask what was agreed to.
func (in *Intake) KeepPolicy(ctx context.Context, p Policy) error {
	if in.db == nil { // nothing is submitted
		return agency.ErrUnavailable
	}
	return execute(ctx, in.db,
		"INSERT INTO policy (hash, lang, since_ms, html) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
		p.Hash, p.Lang, in.at(0), p.HTML)
}

// policyHash is what a hash looks like. PostgreSQL would answer texts that are no valid UTF-8 with an error.
var policyHash = regexp.MustCompile(`^[0-9a-f]{64}$`)

// Policy is a version by its hash. One that is not kept is agency.ErrNotFound.
func (in *Intake) Policy(ctx context.Context, hash string) (p Policy, err error) {
	if !policyHash.MatchString(hash) {
		return p, fmt.Errorf("intake: policy: %w", agency.ErrNotFound)
	}
	err = in.db.QueryRowContext(ctx, "SELECT hash, lang, html, since_ms FROM policy WHERE hash = $1", hash).
		Scan(&p.Hash, &p.Lang, &p.HTML, (*millis)(&p.Since))
	if errors.Is(err, sql.ErrNoRows) {
		return p, fmt.Errorf("intake: policy %s: %w", hash, agency.ErrNotFound)
	}
	return p, err
}

// Agreed is something that was agreed to, with the version of the policy that it speaks of; Policy.Hash is empty where
// that is not known, and Policy.HTML where it is not kept here.
type Agreed struct {
	agency.Consent
	Policy Policy
}

// Agreed are consents with the versions of the policy that they speak of.
func (in *Intake) Agreed(ctx context.Context, consents []agency.Consent) (all []Agreed, err error) {
	for _, c := range consents {
		p, err := in.Policy(ctx, c.Policy)
		if errors.Is(err, agency.ErrNotFound) {
			p, err = Policy{Hash: c.Policy}, nil
		}
		if err != nil {
			return nil, err
		}
		all = append(all, Agreed{c, p})
	}
	return all, nil
}

// shortHash is how much of a hash operators read.
const shortHash = 12

// String is what an operator reads of it.
func (a Agreed) String() string {
	policy := "policy not known"
	if hash := a.Policy.Hash; hash != "" {
		policy = "policy " + hash[:min(shortHash, len(hash))]
		if !a.Policy.Since.IsZero() {
			policy += " of " + a.Policy.Since.Local().Format(time.DateOnly)
		}
	}
	how := ""
	if a.How != "" {
		how = a.How + ", noted by " + a.By + ", "
	}
	return fmt.Sprintf("%s: “%s” (%s%s, %s, %s)", a.Box, a.Text, how, a.Lang, a.Time.Format(time.RFC3339), policy)
}
