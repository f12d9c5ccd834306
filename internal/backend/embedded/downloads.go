package embedded

import (
	"archive/zip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"zedcard/internal/agency"
	"zedcard/internal/folder"
)

// maxCards is how many talents' cards one zip may hold.
const maxCards = 100

// compo is the one gallery that can be downloaded.
const compo = "compo"

// downloadGallery answers with the zip of one talent's card.
func (b *Backend) downloadGallery(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Talent  string `json:"talent"` // a talent as JSON text; only its id is read
		Gallery string `json:"gallery"`
	}
	if !readJSON(w, r, &body) {
		return
	}
	var talent struct {
		ID idText `json:"id"`
	}
	if json.Unmarshal([]byte(body.Talent), &talent) != nil || body.Gallery != compo {
		refuse(w, http.StatusUnprocessableEntity, "talent must be the JSON text of a talent, gallery "+compo)
		return
	}
	found, ok := b.current().talent(string(talent.ID))
	if !ok {
		refuse(w, http.StatusNotFound, "no such talent")
		return
	}
	b.answerCards(w, r, []agency.Talent{found}, func(agency.Talent) string { return "" })
}

// downloadZip answers with a zip of several talents' cards, a folder for each. Unknown ids are skipped: a list of
// favourites may outlive a talent.
func (b *Backend) downloadZip(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Talents []idText `json:"talents"`
		Gallery string   `json:"gallery"`
	}
	if !readJSON(w, r, &body) {
		return
	}
	if len(body.Talents) == 0 || len(body.Talents) > maxCards || body.Gallery != compo {
		refuse(w, http.StatusUnprocessableEntity,
			fmt.Sprintf("talents must be 1 to %d ids, gallery %s", maxCards, compo))
		return
	}
	content := b.current().content
	var talents []agency.Talent
	names := map[string]int{}
	for i, id := range body.Talents {
		if talent, ok := content.talent(string(id)); ok && !slices.Contains(body.Talents[:i], id) {
			talents = append(talents, talent)
			names[fileName(talent.Name)]++
		}
	}
	if len(talents) == 0 {
		refuse(w, http.StatusNotFound, "no such talents")
		return
	}
	b.answerCards(w, r, talents, func(t agency.Talent) string {
		if name := fileName(t.Name); names[name] == 1 {
			return name
		}
		return fileName(t.Name) + " " + t.ID
	})
}

// answerCards writes the whole zip into a file before the first byte is sent, so that a card that can't be made is an
// error and not half a zip, and the memory holds one card at a time.
func (b *Backend) answerCards(
	w http.ResponseWriter, r *http.Request, talents []agency.Talent, folderOf func(agency.Talent) string,
) {
	file, err := folder.TempFile(b.config.TempDir)
	if err != nil {
		b.config.Log.Error("a zip of cards can't be stored", "error", err)
		refuse(w, http.StatusInternalServerError, "the zip can't be stored")
		return
	}
	defer file.Close()
	archive := zip.NewWriter(file)
	for _, talent := range talents {
		files, err := b.card(r.Context(), talent)
		if err == nil {
			err = b.pack(archive, folderOf(talent), files)
		}
		if err != nil {
			if r.Context().Err() == nil {
				b.config.Log.Error("a composite card can't be made", "talent", talent.ID, "error", err)
			}
			refuse(w, http.StatusInternalServerError, "the card can't be made")
			return
		}
	}
	err = archive.Close()
	var size int64
	if err == nil {
		size, err = file.Seek(0, io.SeekEnd)
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		refuse(w, http.StatusInternalServerError, "the zip can't be made")
		return
	}
	header := w.Header()
	header.Set("Content-Type", "application/zip")
	header.Set("Content-Length", strconv.FormatInt(size, 10))
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	_, _ = io.Copy(w, file) // fails only if the client has left
}

func (b *Backend) pack(archive *zip.Writer, folder string, files []NamedFile) error {
	for _, file := range files {
		method := zip.Deflate
		if pictureType(file.Name) != "" {
			method = zip.Store // already compressed
		}
		entry, err := archive.CreateHeader(&zip.FileHeader{
			Name: path.Join(folder, file.Name), Method: method, Modified: b.config.Now(),
		})
		if err != nil {
			return err
		}
		if _, err := entry.Write(file.Data); err != nil {
			return err
		}
	}
	return nil
}

// card makes the files of a talent's composite card.
func (b *Backend) card(ctx context.Context, talent agency.Talent) ([]NamedFile, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if b.config.Card != nil {
		return b.config.Card(ctx, talent, b.openPicture)
	}
	names := []string{talent.Cover.File}
	for _, picture := range talent.Book[:min(4, len(talent.Book))] {
		names = append(names, picture.File)
	}
	var files []NamedFile
	for _, name := range names {
		if name == "" {
			continue
		}
		data, err := b.openPicture(name)
		if err != nil {
			return nil, err
		}
		files = append(files, NamedFile{Name: path.Base(name), Data: data})
	}
	return files, nil
}

// fileName turns a name into one that is valid for a folder on every system.
func fileName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '-'
		}
		return r
	}, name)
	return strings.Trim(name, " .")
}
