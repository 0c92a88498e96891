package profile

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"
)

// visitHeaded opens a URL once more in a headed Chrome, whose page headless
// Chrome found suspect. Without a display, and when a headed Chrome does not
// help either, the result is the suspect page, and its Blocked says why.
func (b *Browser) visitHeaded(ctx context.Context, v Visit, page *Page) (*Page, error) {
	host := v.URL.Host
	if page.Blocked = b.walled(host); page.Blocked != nil {
		return page, nil
	}
	screen := windowEnv(b.cfg.Env, v.Headed.Display)
	if err := checkDisplay(ctx, screen, b.cfg.DisplayWait); err != nil {
		page.Blocked = fmt.Errorf("no display for a headed Chrome: %w", err)
		return page, nil
	}
	v.Patience = v.Headed.Patience
	var before error
	reached, err := b.pool.visitHeaded(ctx, v, screen, func() error {
		before = b.walled(host) // by now: another page of it may have had its turn
		return before
	})
	switch {
	case err == nil:
		page = reached
		if page.suspect {
			page.Blocked = errors.New("in a headed Chrome too")
			b.wall(host, page.Blocked)
		}
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, ErrInteractive), errors.Is(err, errClosed):
		return nil, err
	case before != nil:
		page.Blocked = before
		return page, nil
	default:
		page.Blocked = fmt.Errorf("headed Chrome failed: %w", err)
		if failed, ok := errors.AsType[*VisitError](err); ok && failed.Kind != KindCrashed && failed.Kind != KindHung {
			b.wall(host, page.Blocked) // the page, not Chrome or the person before it
		}
	}
	b.cfg.Log.Info("page opened in a headed chrome", "url", shown(v.URL), "error", page.Blocked)
	return page, nil
}

// wall is a host that a headed Chrome did not help with.
type wall struct {
	reason error
	until  time.Time // no headed Chrome is tried before
}

// wall keeps a host from headed Chromes for a while: they would take
// everybody's time, and a person's screen, for every page of it.
func (b *Browser) wall(host string, reason error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	maps.DeleteFunc(b.walls, func(_ string, w wall) bool { return now.After(w.until) })
	b.walls[host] = wall{reason, now.Add(b.cfg.WallPause)}
}

// walled is why a host gets no headed Chrome now, nil when it does.
func (b *Browser) walled(host string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := b.walls[host]
	wait := time.Until(w.until)
	if wait <= 0 {
		return nil
	}
	return fmt.Errorf("%w, next try in %v", w.reason, max(wait.Round(time.Second), time.Second))
}
