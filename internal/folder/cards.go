package folder

import (
	"archive/zip"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"zedcard/internal/agency"
)

// Composite writes the zip of a talent's card into an empty file. Only the talent's id is read.
func (b *Folder) Composite(ctx context.Context, talent agency.Talent, file *os.File) error {
	found, err := b.Content(ctx).Profile(ctx, talent.ID)
	if err != nil {
		return err
	}
	return b.writeCards(ctx, file, []agency.Talent{found}, func(agency.Talent) string { return "" })
}

// Composites writes a zip of several talents' cards, a folder for each, into an empty file. Unknown ids are skipped: a
// list of favourites may outlive a talent.
func (b *Folder) Composites(ctx context.Context, ids []string, file *os.File) error {
	var talents []agency.Talent
	content := b.Content(ctx)
	names := map[string]int{}
	for i, id := range ids {
		if talent, err := content.Profile(ctx, id); err == nil && !slices.Contains(ids[:i], id) {
			talents = append(talents, talent)
			names[agency.FileName(talent.Name)]++
		}
	}
	if len(talents) == 0 {
		return notFound("talents", strings.Join(ids, ", "))
	}
	return b.writeCards(ctx, file, talents, func(t agency.Talent) string {
		if name := agency.FileName(t.Name); names[name] == 1 {
			return name
		}
		return agency.FileName(t.Name) + " " + t.ID
	})
}

// writeCards makes one card after the other, so that the memory holds one at a time.
func (b *Folder) writeCards(
	ctx context.Context, file *os.File, talents []agency.Talent, folder func(agency.Talent) string,
) error {
	archive := zip.NewWriter(file)
	for _, talent := range talents {
		err := ctx.Err()
		if err == nil {
			err = b.writeCard(ctx, archive, talent, folder(talent))
		}
		if err != nil {
			return fmt.Errorf("card of talent %s: %w: %w", talent.ID, agency.ErrUnavailable, err)
		}
	}
	return archive.Close()
}

func (b *Folder) writeCard(ctx context.Context, archive *zip.Writer, talent agency.Talent, folder string) error {
	files, err := b.config.Card(ctx, talent, func(file string) ([]byte, error) {
		return fs.ReadFile(b.Pictures(), file)
	})
	if err != nil {
		return err
	}
	for _, file := range files {
		header := &zip.FileHeader{Name: path.Join(folder, file.Name), Method: zip.Deflate, Modified: b.config.Now()}
		if PictureType(file.Name) != "" {
			header.Method = zip.Store // already compressed
		}
		entry, err := archive.CreateHeader(header)
		if err == nil {
			_, err = entry.Write(file.Data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
