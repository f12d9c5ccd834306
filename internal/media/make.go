package media

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"os"
	"time"

	"zedcard/internal/agency"
	"zedcard/internal/picture"
)

// variant is an original in a shape. A crop has a focal point.
type variant struct {
	original original
	shape    shape
	focus    agency.Focus
}

// masterName is the file that all sizes are made from.
func masterName(p original, rec record) string { return p.id() + "-" + rec.Version + "-master" }

// fileName is the file of a size. Widths beyond a small original share one file.
func (v variant) fileName(rec record, format string) string {
	w, _ := rec.size(v.shape)
	name := v.original.id() + "-" + rec.Version + "-" + shape{v.shape.crop, w}.String()
	if v.focus != (agency.Focus{}) {
		name += fmt.Sprintf("-%d-%d", v.focus.X, v.focus.Y)
	}
	return name + "." + format
}

// record is what is known of an original: by the folder that it lies in, or from when its storage last gave it.
type record struct {
	Version       string    // see picture.Original.Version; empty: not read yet
	Width, Height int       // pixels, upright, at most what a master has
	ETag          string    `json:",omitempty"`
	LastModified  string    `json:",omitempty"`
	Checked       time.Time // when the storage was last asked
}

func newRecord(version string, width, height int) record {
	w, h := (&picture.Original{Width: width, Height: height}).Fit(masterWidth, 2*masterWidth)
	return record{Version: version, Width: w, Height: h}
}

func (r record) known() bool { return r.Version != "" }

// size is the size in pixels of a shape of this original, at most the original's.
func (r record) size(sh shape) (w, h int) {
	area := cropped(sh.crop, r.Width, r.Height, agency.Focus{})
	w = min(sh.width, area.Dx())
	return w, max(1, int(math.Round(float64(w)*float64(area.Dy())/float64(area.Dx()))))
}

// encoded reports whether a shape of this original is also made as AVIF.
func (r record) encoded(sh shape) bool {
	w, h := r.size(sh)
	return w*h <= maxAVIFPixels
}

// bestFormat is the smallest format of a shape. An original that has not been read yet counts as a portrait of 3:4.
func (r record) bestFormat(sh shape) string {
	if !r.known() {
		r.Width, r.Height = masterWidth, masterWidth*4/3
	}
	if r.encoded(sh) {
		return avifFormat
	}
	return jpegFormat
}

// inFolder reports whether the content folder has an original.
func (s *Store) inFolder(p original) bool { return s.config.Folder != nil && p.root == s.roots[0].Name }

// record is what is known of an original.
func (s *Store) record(p original) record {
	if s.inFolder(p) {
		if version, width, height, ok := s.config.Folder(p.path); ok {
			return newRecord(version, width, height)
		}
	}
	rec, _ := s.records.Get(p)
	return rec
}

// keep stores what is known of an original.
func (s *Store) keep(p original, rec record) {
	s.records.Set(p, rec)
	s.version.Add(1)
	if !s.inFolder(p) {
		s.recordFile.add(p, rec)
	}
}

// forget removes all files of an original.
func (s *Store) forget(p original) {
	s.keep(p, record{})
	s.files.removeAll(p.id() + "-")
}

// begin makes a variant in a format, or joins whoever makes it already, and sends the result. It continues when nobody
// waits any more. What is made in the background lets everything else go before.
func (s *Store) begin(v variant, format string, background bool) <-chan error {
	done := make(chan error, 1)
	s.background.Go(func() {
		_, err, _ := s.flights.Do(fmt.Sprint("make ", v, format, background), func() (any, error) {
			return nil, s.makeFile(v, format, background)
		})
		done <- err
	})
	return done
}

// await waits for a variant until ctx ends.
func await(ctx context.Context, made <-chan error) error {
	select {
	case err := <-made:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (s *Store) makeFile(v variant, format string, background bool) error {
	master, rec, err := s.master(v.original, background)
	if err != nil {
		return err
	}
	defer master.Close()
	if s.files.has(v.fileName(rec, format)) {
		return nil
	}
	size, err := master.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	made, err := s.convert(io.NewSectionReader(master, 0, size), v.output(rec, format), background)
	if errors.Is(err, picture.ErrBroken) || errors.Is(err, picture.ErrSlow) {
		s.files.removeAll(masterName(v.original, rec)) // which is read again
		return s.fail(v.original, fmt.Errorf("%w: %w", errRefused, err))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", format, err)
	}
	return s.files.put(v.fileName(rec, format), made)
}

// master opens the file that all sizes of an original are made from, and makes it if there is none. Of the folder, that
// of a moment ago may be asked for: an original that has just been changed has none until the folder is read again.
func (s *Store) master(p original, background bool) (*os.File, record, error) {
	rec := s.record(p)
	if !rec.known() || !s.files.has(masterName(p, rec)) {
		if failed, ok := s.failures.Get(p); ok && s.config.Now().Before(failed.until) {
			return nil, rec, failed.err
		}
		if err := s.load(p, background); err != nil {
			return nil, rec, err
		}
		rec = s.record(p)
	}
	file, err := s.files.open(masterName(p, rec))
	return file, rec, err
}

// failure is why an original could not be read, so that a missing one is not fetched for every visitor.
type failure struct {
	err   error
	until time.Time
}

func (s *Store) fail(p original, err error) error {
	if s.ctx.Err() == nil && !errors.Is(err, picture.ErrBusy) {
		wait := time.Minute
		if errors.Is(err, agency.ErrUnavailable) {
			wait = 10 * time.Second
		}
		s.failures.Set(p, failure{err, s.config.Now().Add(wait)})
		s.config.Log.Warn("media: original not usable", "picture", p.String(), "error", err)
	}
	return err
}

// load reads an original, unless its storage says that it is still the one that is known, and makes its master. Only
// one load of a picture runs at a time.
func (s *Store) load(p original, background bool) error {
	_, err, _ := s.flights.Do(fmt.Sprint("load ", p, background), func() (any, error) {
		if err := s.loadOriginal(p, background); err != nil {
			return nil, s.fail(p, err)
		}
		return nil, nil
	})
	return err
}

func (s *Store) loadOriginal(p original, background bool) error {
	previous := s.record(p)
	known := previous
	if !known.known() || !s.files.has(masterName(p, known)) {
		known = record{}
	}
	got, err := s.readOriginal(s.ctx, p, known)
	defer s.bodySem.Release(got.held)
	if errors.Is(err, agency.ErrNotFound) {
		s.forget(p)
	}
	if err != nil || got.unchanged {
		return err
	}
	original, err := picture.Probe(bytes.NewReader(got.body))
	if err != nil {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	version, err := original.Version()
	if err != nil {
		return err
	}
	rec := newRecord(version, original.Width, original.Height)
	rec.ETag, rec.LastModified, rec.Checked = got.etag, got.lastModified, s.config.Now()
	if !s.files.has(masterName(p, rec)) {
		body := got.body
		if original.Memory(0, 0) > maxMaster {
			whole := output{Of: image.Pt(rec.Width, rec.Height), Area: image.Rect(0, 0, rec.Width, rec.Height),
				Width: rec.Width, Height: rec.Height, Quality: masterQuality}
			if body, err = s.convert(bytes.NewReader(body), whole, background); err != nil {
				return fmt.Errorf("%w: %w", errRefused, err)
			}
		}
		if err := s.files.put(masterName(p, rec), body); err != nil {
			return err
		}
	}
	s.keep(p, rec)
	if previous.known() && previous.Version != rec.Version {
		s.files.removeAll(p.id() + "-" + previous.Version)
	}
	return nil
}

// maxBehind bounds how many AVIFs wait to be made, each with an open file.
const maxBehind = 200

// encode makes a requested AVIF in the background. If too many wait it does not: the next request asks again.
func (s *Store) encode(v variant) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.behind[v] || len(s.behind) == maxBehind {
		return
	}
	s.behind[v] = true
	s.background.Go(func() {
		err := <-s.begin(v, avifFormat, true)
		if err != nil && s.ctx.Err() == nil && !errors.Is(err, picture.ErrBusy) {
			s.config.Log.Warn("media: not encoded",
				"picture", v.original.String(), "size", v.shape.String(), "error", err)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.behind, v)
	})
}

// checkIfDue asks a storage whether an original has changed if it was asked more than freshFor ago. The folder says so
// by itself.
func (s *Store) checkIfDue(p original) {
	rec, _ := s.records.Get(p)
	now := s.config.Now()
	if !rec.known() || s.inFolder(p) || now.Sub(rec.Checked) <= freshFor {
		return
	}
	rec.Checked = now // also if it does not answer: the known state is used until then
	s.records.Set(p, rec)
	s.background.Go(func() { _ = s.load(p, true) })
}
