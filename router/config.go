package router

import (
	"log/slog"
	"time"

	"pifetch/fetchers"
	"pifetch/fetchers/artifact"
)

// DefaultGrace is how long a fetcher may take to return once nothing is
// wanted of it any more.
const DefaultGrace = 5 * time.Second

// Config is what a Router is made from.
type Config struct {
	Fetchers []fetchers.Fetcher // in the order in which they are offered a URL

	// LastOnly reports whether a URL is to be offered to the last fetcher alone.
	// It is called as often as a fetcher could be offered one, and does not block
	// for long. nil: no URL is.
	LastOnly func(fetchers.URL) bool

	Store *artifact.Store
	Log   *slog.Logger  // nil discards
	Grace time.Duration // 0 means DefaultGrace
}

func (c Config) withDefaults() Config {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Grace == 0 {
		c.Grace = DefaultGrace
	}
	return c
}
