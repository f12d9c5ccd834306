package app

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"path/filepath"

	"zedcard/internal/agency"
	"zedcard/internal/backend/embedded"
	"zedcard/internal/config"
	"zedcard/internal/mail"
)

// KeepDir is where the last good content of the folder is kept; empty for the built-in one.
func KeepDir(c config.Config) string {
	if c.ContentDir == "" {
		return ""
	}
	folder, err := filepath.Abs(c.ContentDir)
	if err != nil {
		folder = c.ContentDir
	}
	sum := sha256.Sum256([]byte(folder))
	return filepath.Join(c.DataDir, "content-"+hex.EncodeToString(sum[:4]))
}

// Accept takes a content that the guard holds back. It returns how many talents vanish; 0: nothing is held back.
func Accept(c config.Config) (gone int, err error) {
	return embedded.Accept(ContentFolder(c), embedded.Config{KeepDir: KeepDir(c), MinorCategories: c.MinorCategories})
}

// alert mails the agency; nil without a mail server.
func alert(c config.Config, log *slog.Logger) func(site agency.Site, subject, message string) {
	if c.SMTPURL == "" {
		return nil
	}
	return func(site agency.Site, subject, message string) {
		post := mailer{c, func() agency.Site { return c.Site(site) }}
		go func() { // a mail server may take its time
			err := post.Send(context.Background(), mail.Message{ID: rand.Text(), Subject: subject, Text: message})
			if err != nil {
				log.Error("the mail about the content folder was not sent", "error", err)
			}
		}()
	}
}
