package fetchers

import "errors"

// ErrTooLarge is wrapped by the error of a write that went over the cap of one
// body. The error's text names the cap.
var ErrTooLarge = errors.New("too large")
