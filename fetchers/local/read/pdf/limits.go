package pdf

import "time"

const (
	maxPages     = 2000      // more are cut
	maxBytes     = 20 << 20  // of markdown
	maxMemory    = 512 << 20 // resident, of a child
	engineMemory = 256 << 20 // of what pdfium allocates
	maxBookmarks = 5000
	maxDepth     = 5 // of the outline: heading levels 2 to 6
	maxTitle     = 200
	maxCompounds = 50_000 // hyphenated words remembered
	maxRestarts  = 3      // of pdfium, after pages that broke it
	minChars     = 10     // of a page that counts as having text

	maxChildren    = 2 // at once
	niceness       = 10
	maxInherited   = 256                        // file descriptors this process may have been started with
	maxRecords     = 2*maxBytes + maxPages*1024 // bytes of all records, JSON escapes included
	maxStderr      = 4 << 10
	defaultTimeout = time.Minute
	pageTimeout    = 12 * time.Second
	startTimeout   = 2 * time.Minute        // compiling on a busy machine
	cpuSeconds     = 180                    // should the daemon die and leave a child
	killWait       = 5 * time.Second        // from the end of a child to closed pipes
	watchEvery     = 100 * time.Millisecond // how often a child looks at itself
)
