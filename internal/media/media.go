// Package media serves every picture of the site below /media/: in a closed set of widths, as AVIF with JPEG for
// browsers without AVIF, made once from the originals in the agency's storage and cached on disk.
//
// An original is read once and becomes the master, reduced if it is wider than any size; every size is made from the
// master, by worker processes: JPEG while the visitor waits, AVIF in the background. WebP is not made: at equal SSIM it
// is 15 to 90 % larger than AVIF and takes as long, and the few browsers with WebP but no AVIF get JPEG.
package media

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"

	"zedcard/internal/agency"
	"zedcard/internal/cache"
	"zedcard/internal/picture"
)

// Config is where originals come from and where the pictures made from them are cached.
type Config struct {
	// Dir is the cache's folder, which is created if it is missing. Everything in it can be rebuilt.
	Dir string
	// MaxBytes bounds the files in Dir; 0 means 2 GiB. The least recently used go first.
	MaxBytes int64
	// Roots are the only places that originals are read from; paths without a host belong to the first.
	Roots []Root
	// Keys sign the addresses: new ones with the first key; addresses of all keys are accepted. Replicas must share
	// them. Empty: one is made, for as long as the Store is open.
	Keys [][]byte
	// Worker makes the pictures.
	Worker *picture.Worker
	// AVIF: without it everything is JPEG.
	AVIF bool
	// Folder knows the originals of the first root if it is a content folder: their picture.Original.Version and size
	// in pixels. nil: it is none.
	Folder func(file string) (version string, width, height int, ok bool)
	// IsDraft reports whether only editors (agency.WithDrafts) may see a file of the first root; nil: none is such.
	IsDraft func(file string) bool
	// Timeout is the longest that reading one original may take; 0 means 20 s.
	Timeout time.Duration
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	Log *slog.Logger
}

// Root is a storage that originals may be read from.
type Root struct {
	// Name is part of the pictures' addresses: short, letters and digits, the same on every start.
	Name string
	// URL is the storage's base; every original is below its path, on its host and port. nil means a back end in this
	// process, reached by Transport as http://embedded/storage/. In a Store its path ends in a slash.
	URL *url.URL
	// Transport replaces the network. nil: the network, only public addresses unless URL's host is clearly private (see
	// isPrivateHost).
	Transport http.RoundTripper
}

// Limits on reading and on concurrent work.
const (
	maxBody     = agency.MaxOriginal
	maxBodies   = 64 << 20         // bytes of the originals that are in memory at once
	maxFetches  = 6                // originals read at once of a host
	masterWidth = 2160             // pixels
	freshFor    = time.Hour        // before a storage is asked whether an original has changed
	staleWait   = time.Second      // before the visitor gets another size of the picture, if one is ready
	maxWait     = 15 * time.Second // before the visitor gets the default picture and Retry-After
)

// Bounds of what is known of pictures, some hundred bytes each but for sources, which have about 2 kB.
const (
	maxSources  = 20_000
	maxRecords  = 200_000
	maxFailures = 10_000
)

// Store makes, caches and serves pictures. Its methods may be called from many goroutines.
type Store struct {
	config   Config
	roots    []*Root
	files    *files
	records  cache.Cache[original, record]
	sources  cache.Cache[PictureSpec, cachedSource]
	failures cache.Cache[original, failure]
	signed   cache.Cache[original, string] // by which storages lend them, as named last
	version  atomic.Uint64
	refused  sync.Map                           // originals that must not be shown
	foreign  cache.Cache[string, *atomic.Int64] // pictures that were not shown, by their origin

	flights singleflight.Group
	bodySem *semaphore.Weighted

	mu         sync.Mutex
	behind     map[variant]bool // AVIFs that wait to be made
	recordFile recordFile

	staleWait time.Duration // shorter in tests

	stop       context.CancelFunc
	ctx        context.Context // ends with Close
	background sync.WaitGroup
}

// Version changes whenever Picture gives a picture another address.
func (s *Store) Version() uint64 { return s.version.Load() }

// Open prepares the cache folder, lists its files and starts the background tasks. Close ends them.
func Open(config Config) (*Store, error) {
	config = withDefaults(config)
	files, err := openFiles(filepath.Join(config.Dir, "files"), config.MaxBytes, config.Now)
	if err != nil {
		return nil, fmt.Errorf("media: cache folder: %w", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &Store{
		config:    config,
		roots:     openRoots(config.Roots),
		files:     files,
		records:   cache.New(cache.Options[original, record]{MaxEntries: maxRecords}),
		sources:   cache.New(cache.Options[PictureSpec, cachedSource]{MaxEntries: maxSources}),
		failures:  cache.New(cache.Options[original, failure]{MaxEntries: maxFailures}),
		signed:    cache.New(cache.Options[original, string]{MaxEntries: maxSources}),
		foreign:   cache.New(cache.Options[string, *atomic.Int64]{MaxEntries: maxForeign}),
		bodySem:   semaphore.NewWeighted(maxBodies),
		behind:    map[variant]bool{},
		ctx:       ctx,
		stop:      stop,
		staleWait: staleWait,
	}
	s.readRecords()
	return s, nil
}

// Close stops the background tasks and waits for them.
func (s *Store) Close() error {
	s.stop()
	s.background.Wait()
	for _, r := range s.roots {
		if t, ok := r.Transport.(*http.Transport); ok {
			t.CloseIdleConnections()
		}
	}
	return nil
}

func withDefaults(c Config) Config {
	c.MaxBytes, c.Timeout = cmp.Or(c.MaxBytes, 2<<30), cmp.Or(c.Timeout, 20*time.Second)
	c.Log = cmp.Or(c.Log, slog.New(slog.DiscardHandler))
	if c.Now == nil {
		c.Now = time.Now
	}
	if len(c.Keys) == 0 {
		c.Keys = [][]byte{[]byte(rand.Text())}
	}
	return c
}
