package artifact

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// DefaultRoot is where request folders go when nothing else is asked for.
const DefaultRoot = "/tmp/pi-fetch"

// DefaultMaxBytes is the cap of one body.
const DefaultMaxBytes = 100 << 20

// Limits of names and outlines. Slugs and names stay far below the 255 bytes
// of common file systems, so that a number or a tool's suffix still fits.
const (
	maxSlugBytes    = 96
	maxNameBytes    = 120
	maxExtBytes     = 16
	maxHeadings     = 200
	maxHeadingRunes = 160
	maxLineBytes    = 4096 // of a line of markdown looked at for a heading
	maxFrontMatter  = 500  // lines after the first rule, the last rule included
)

// Config is what a Store is made from. The zero value is usable.
type Config struct {
	// Root is asked for the wanted root, the setting artifacts.root, at every
	// request. Nil, or an empty answer, means DefaultRoot.
	Root func() string

	// Keep is asked for how long a path given out stays valid, the setting
	// artifacts.keepDays. Nil, or 0, means for ever.
	Keep func() time.Duration

	// Fallbacks are tried in order when that root is not safe to use. Nil
	// means /tmp/pi-fetch-<uid> and pi-fetch in the user's cache directory.
	Fallbacks []string

	MaxBytes int64            // 0 means DefaultMaxBytes
	Now      func() time.Time // nil means time.Now
}

func (c Config) withDefaults() Config {
	if c.Root == nil {
		c.Root = func() string { return DefaultRoot }
	}
	if c.Keep == nil {
		c.Keep = func() time.Duration { return 0 }
	}
	if c.Fallbacks == nil {
		c.Fallbacks = []string{fmt.Sprintf("%s-%d", DefaultRoot, os.Geteuid())}
		if cache, err := os.UserCacheDir(); err == nil {
			c.Fallbacks = append(c.Fallbacks, filepath.Join(cache, "pi-fetch"))
		}
	}
	if c.MaxBytes == 0 {
		c.MaxBytes = DefaultMaxBytes
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}
