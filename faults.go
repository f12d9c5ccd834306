package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"

	"zedcard/internal/config"
	"zedcard/internal/database"
	"zedcard/internal/folder"
	"zedcard/internal/media"
)

// What a setting names may turn out to be of no use only once it is used. The functions here give such an error the
// name of the setting.

func openDatabase(ctx context.Context, c config.Config, log *slog.Logger) (*database.DB, error) {
	db, err := database.Open(ctx, string(c.DatabaseURL), log)
	if err != nil && ctx.Err() == nil {
		return nil, c.Wrong("DATABASE_URL", err)
	}
	return db, err
}

// checkPlaces tells which of the places that the site writes to can't be written. It makes nothing there.
func checkPlaces(ctx context.Context, c config.Config) []string {
	var faults []string
	if err := database.Check(ctx, string(c.DatabaseURL)); err != nil {
		faults = append(faults, c.Wrong("DATABASE_URL", err).Error())
	}
	if err := folder.Writable(c.DataDir); err != nil {
		faults = append(faults, c.Wrong("DATA_DIR", err).Error())
	}
	return faults
}

// contentFault names the folder in each line of what keeps the embedded back end from opening it.
func contentFault(c config.Config, err error) error {
	if c.ContentDir == "" {
		return fmt.Errorf("the built-in content: %w", err)
	}
	var lines []error
	for line := range strings.SplitSeq(err.Error(), "\n") {
		lines = append(lines, c.Wrong("CONTENT_DIR", errors.New(line)))
	}
	return errors.Join(lines...)
}

// inContent is a line about a file of the content folder, or the file, as check shows it.
func inContent(c config.Config, of string) string {
	if c.ContentDir == "" {
		return of
	}
	return "CONTENT_DIR: " + strings.TrimRight(c.ContentDir, "/") + "/" + of
}

// mediaFault tells whether the image server's address or the folder of the pictures is wrong.
func mediaFault(c config.Config, err error) error {
	var file *fs.PathError
	switch {
	case errors.Is(err, media.ErrTemplate):
		return c.Wrong("MEDIA_URL", err)
	case errors.As(err, &file):
		return c.Wrong("DATA_DIR", err)
	}
	return err
}
