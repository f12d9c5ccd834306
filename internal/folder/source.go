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

func notFound(what, name string) error {
	return fmt.Errorf("%s %q: %w", what, name, agency.ErrNotFound)
}

// Talents are all talents in the order of the boards, without galleries. They must not be changed.
func (b *Backend) Talents(ctx context.Context) ([]*agency.Talent, error) {
	return b.view(ctx).listed, nil
}

// Profile is a talent with galleries.
func (b *Backend) Profile(ctx context.Context, id string) (agency.Talent, error) {
	talent, ok := b.view(ctx).talents[id]
	if !ok {
		return agency.Talent{}, notFound("talent", id)
	}
	return talent, nil
}

// Options are the lists of options.yaml, with the names of places and decimal signs of the language.
func (b *Backend) Options(_ context.Context, query agency.OptionsQuery) (agency.Options, error) {
	now := b.current()
	return now.options.in(query, now.decided.Metric), nil
}

// Slides are those of "home", the only kind.
func (b *Backend) Slides(_ context.Context, kind string) ([]agency.Slide, error) {
	if kind != "home" {
		return nil, notFound("slides of", kind)
	}
	return b.current().slides, nil
}

// Posts is a page of a type's posts, newest first; a type without posts has one empty page.
func (b *Backend) Posts(ctx context.Context, kind string, size, page int) (agency.PostPage, error) {
	posts, last := agency.PageOf(b.view(ctx).blog[kind], page, size)
	return agency.PostPage{Posts: posts, Page: page, LastPage: last}, nil
}

// Post is the post of a type with this slug.
func (b *Backend) Post(ctx context.Context, kind, slug string) (agency.Post, error) {
	for _, post := range b.view(ctx).blog[kind] {
		if post.Slug == slug {
			return post, nil
		}
	}
	return agency.Post{}, notFound("post", kind+"/"+slug)
}

// Entity is a page in the language if it has it, else in the site's first. It says its language where one was asked
// for.
func (b *Backend) Entity(ctx context.Context, name, lang string) (agency.Entity, error) {
	pages, first := b.view(ctx).pages, b.Site().Texts.First()
	found, ok := pages[page{name, lang}]
	if !ok {
		found, ok = pages[page{name, string(first.Lang)}]
	}
	if !ok {
		return agency.Entity{}, notFound("entity", name)
	}
	if lang == "" {
		found.Lang = ""
	}
	return found, nil
}

// SocialMedias are the agency's profiles elsewhere.
func (b *Backend) SocialMedias(context.Context) ([]agency.SocialMedia, error) {
	return b.current().decided.Social, nil
}

// Send puts a submission into the inbox.
func (b *Backend) Send(ctx context.Context, submission agency.Submission) error {
	submission.Guardian, submission.Client = agency.Guardian{}, "" // no back end has them
	if b.config.Inbox == nil {
		return nil
	}
	return b.config.Inbox.Receive(ctx, submission)
}

// Composite writes the zip of a talent's card into an empty file. Only the talent's id is read.
func (b *Backend) Composite(ctx context.Context, talent agency.Talent, file *os.File) error {
	found, err := b.Profile(ctx, talent.ID)
	if err != nil {
		return err
	}
	return b.writeCards(ctx, file, []agency.Talent{found}, func(agency.Talent) string { return "" })
}

// Composites writes a zip of several talents' cards, a folder for each, into an empty file. Unknown ids are skipped: a
// list of favourites may outlive a talent.
func (b *Backend) Composites(ctx context.Context, ids []string, file *os.File) error {
	var talents []agency.Talent
	names := map[string]int{}
	for i, id := range ids {
		if talent, err := b.Profile(ctx, id); err == nil && !slices.Contains(ids[:i], id) {
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
func (b *Backend) writeCards(
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

func (b *Backend) writeCard(ctx context.Context, archive *zip.Writer, talent agency.Talent, folder string) error {
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
